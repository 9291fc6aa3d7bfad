"""The benchmark's arithmetic, on samples that were made up; and one run of it for real."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from bench import plot, report, rounds, stats
from bench.__main__ import PAGE, TITLES
from bench.groups import common
from bench.measure import BenchError, Command, Sample, parallel, peak, pipeline, run
from bench.rounds import Cell, Contender, Figure, Result

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([7.0], (7.0, 7.0, 7.0), id="one value is all three"),
        pytest.param([1.0, 3.0], (1.5, 2.0, 2.5), id="between two values"),
        pytest.param([5.0, 1.0, 3.0, 2.0, 4.0], (2.0, 3.0, 4.0), id="order does not matter"),
    ],
)
def test_quartiles(values: list[float], expected: tuple[float, float, float]) -> None:
    assert stats.quartiles(values) == expected


def test_a_round_counts_up_to_a_fifth_over_the_best() -> None:
    assert stats.quiet([10.0, 11.9, 12.0, 12.1, 30.0], floor=10.0) == [
        True,
        True,
        True,
        False,
        False,
    ]


def values(**columns: list[float]) -> list[dict[str, float]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_the_cost_is_a_ratio_of_each_round() -> None:
    taken = values(P=[10.0, 10.0, 20.0], B=[1.0, 1.0, 2.0], W=[12.0, 21.0, 42.0])
    found = stats.spread(taken, common.overhead())
    assert found == stats.Spread(2.0, 1.55, 2.0, 1.1, 3, 3, True)


def test_the_gate_leaves_out_disturbed_rounds_only() -> None:
    taken = values(P=[10.0, 11.0, 12.0, 30.0], W=[20.0, 22.0, 24.0, 300.0])
    found = stats.spread(taken, common.ratio("W", "P"), [True, True, True, False])
    assert (found.median, found.rounds, found.of, found.gated) == (2.0, 3, 4, True)


def test_with_too_few_quiet_rounds_all_count_and_the_row_says_so() -> None:
    taken = values(P=[10.0, 30.0, 30.0, 30.0], W=[10.0, 60.0, 60.0, 60.0])
    found = stats.spread(taken, common.ratio("W", "P"), [True, False, False, False])
    assert (found.median, found.rounds, found.gated) == (2.0, 4, False)


def test_failing_costs_what_it_adds_to_both() -> None:
    [taken] = values(P=[10.0], B=[1.0], W=[11.0], **{"B fails": [2.0], "W fails": [17.0]})
    assert common.difference(taken) == 0.5


def test_what_it_takes_to_begin_is_no_part_of_the_work() -> None:
    [taken] = values(W=[50.0], start=[10.0], bare=[20.0])
    assert common.beyond("W", "start", "bare")(taken) == 2.0


def scripted(*samples: Sample) -> Contender:
    """A contender that takes what is written here, and the last of it from then on."""

    def play() -> Iterator[Sample]:
        yield from samples
        while True:
            yield samples[-1]

    script = play()
    return lambda: next(script)


def steady(wall: float, cpu: float) -> Contender:
    return scripted(Sample(wall, cpu))


def test_everybody_runs_once_in_each_round_after_a_warm_up() -> None:
    calls: list[str] = []

    def counted(name: str) -> Contender:
        def call() -> Sample:
            calls.append(name)
            return Sample(1.0, 1.0)

        return call

    cell = Cell(
        {name: counted(name) for name in ("P", "B", "W")},
        common.both("x", common.overhead(), cpu=1, wall=1),
    )
    found, faults = rounds.measure("group", [cell], wanted=4, seconds=60)
    assert not faults
    assert [result.spread.of for result in found] == [4, 4]
    for number in range(0, len(calls), 3):
        assert sorted(calls[number : number + 3]) == ["B", "P", "W"]
    assert len(calls) == 3 * (1 + 4)


def test_disturbed_rounds_are_made_up_for() -> None:
    loud, calm = Sample(30.0, 10.0), Sample(10.0, 10.0)
    cell = Cell(
        {"P": scripted(calm, loud, loud, calm), "B": steady(1, 1), "W": steady(12, 13)},
        common.both("x", common.overhead(), cpu=1.15, wall=1.2),
    )
    [cpu, wall], _ = rounds.measure("group", [cell], wanted=3, seconds=60)
    assert (wall.spread.rounds, wall.spread.of) == (3, 5)
    assert (wall.spread.median, wall.met) == (1.1, "yes")
    assert (cpu.spread.rounds, cpu.spread.median, cpu.met) == (5, 1.2, "no")


def test_patience_has_an_end() -> None:
    cell = Cell(
        {"P": scripted(Sample(1.0), Sample(1.0), Sample(9.0)), "W": steady(10, 10)},
        [Figure("x", "wall", common.ratio("W", "P"))],
    )
    [result], _ = rounds.measure("group", [cell], wanted=2, seconds=60)
    assert result.spread.of == 2 * rounds.PATIENCE
    assert not result.spread.gated


def test_time_has_an_end_as_well() -> None:
    ticks = iter(range(1000))
    cell = Cell({"W": steady(1, 1)}, [Figure("x", "cpu", lambda t: t["W"])])
    [result], _ = rounds.measure("group", [cell], wanted=500, seconds=5, clock=lambda: next(ticks))
    assert 2 <= result.spread.of < 10


def test_what_cannot_be_measured_is_named_and_the_rest_is_measured() -> None:
    def broken() -> Sample:
        raise BenchError("exit status 1 instead of 0: true")

    cells = [
        Cell({"W": broken}, [Figure("broken", "cpu", lambda t: t["W"])]),
        Cell({"W": steady(1, 1)}, [Figure("good", "cpu", lambda t: t["W"])]),
        Cell({"W": steady(1, 1)}, [Figure("unknown", "own", lambda t: t["W"])]),
    ]
    found, faults = rounds.measure("group", cells, wanted=2, seconds=60)
    assert [result.figure.name for result in found] == ["good"]
    assert faults[0] == "group: broken: exit status 1 instead of 0: true"
    assert "unknown" in faults[1]


def test_what_is_counted_is_counted_once() -> None:
    calls = []

    def count() -> Sample:
        calls.append(1)
        return Sample(tally=6.0)

    cell = Cell({"W": count}, [Figure("x", "tally", lambda t: t["W"], at_most=6)], once=True)
    [result], _ = rounds.measure("group", [cell], wanted=9, seconds=60)
    assert (len(calls), result.spread.median, result.met) == (1, 6.0, "yes")


def result(
    name: str = "no-op",
    *,
    basis: str = "wall",
    median: float = 1.0,
    best: float = 1.0,
    at_most: float | None = None,
    at_least: float | None = None,
    group: str = "startup",
    point: tuple[str, float] | None = None,
) -> Result:
    figure = Figure(name, basis, common.overhead(), "P", at_most, at_least, point)
    return Result(group, figure, stats.Spread(median, median, median, best, 18, 25, True))


@pytest.mark.parametrize(
    ("found", "met"),
    [
        pytest.param(result(), "", id="without a target there is nothing to meet"),
        pytest.param(result(at_most=1.0), "yes", id="the limit itself is within"),
        pytest.param(result(median=1.1, at_most=1.0), "by minima", id="load adds to wall time"),
        pytest.param(result(median=1.1, best=1.1, at_most=1.0), "no", id="both over it"),
        pytest.param(
            result(basis="cpu", median=1.1, at_most=1.0), "no", id="processor time has no excuse"
        ),
        pytest.param(result(median=0.9, at_least=0.85), "yes", id="at least"),
        pytest.param(result(median=0.8, best=0.8, at_least=0.85), "no", id="less than at least"),
    ],
)
def test_whether_a_target_is_met(found: Result, met: str) -> None:
    assert found.met == met


SOME = [
    result(at_most=1.45, median=1.04, best=1.01),
    result("a tool of 20 ms", median=2.0, best=1.9, at_most=1.45),
    result("a|b", group="peers"),
]


def test_a_row_says_everything() -> None:
    assert report.cells(SOME[0]) == (
        "no-op",
        "wall",
        "1.04 P",
        "1.04 – 1.04",
        "1.01",
        "18/25",
        "≤ 1.45",
        "yes",
    )


def test_a_single_round_for_want_of_time_is_told() -> None:
    single = stats.Spread(1.0, 1.0, 1.0, 1.0, 1, 1, False)
    timed = Result("streams", Figure("x", "wall", common.ratio("W", "P")), single)
    counted = Result("counters", Figure("x", "tally", common.ratio("W", "P")), single)
    assert report.cells(timed)[5] == "1/1 (not gated)"
    assert report.cells(counted)[5] == ""


def test_the_table_for_a_terminal_is_straight() -> None:
    shown = report.text(SOME, TITLES).splitlines()
    assert shown[0] == "Start-up"
    assert [line.index("≤ 1.45") for line in shown if "≤" in line] == [shown[2].index("≤")] * 2


def test_every_row_of_a_table_has_all_columns() -> None:
    lines = report.full(SOME).splitlines()
    assert len(lines) == 2 + len(SOME)
    assert {line.replace("\\|", "").count("|") for line in lines} == {len(report.HEADER) + 1}


def test_what_is_in_the_plot_is_a_table_by_duration() -> None:
    points = [
        result(f"{name} at {ms}", median=ms + 0.5, group="peers", point=(name, ms))
        for name, ms in [("clawwrap", 0), ("clawwrap", 5), ("timeout", 0)]
    ]
    [rows] = report.tables(points)
    assert rows == [
        ("cost by wall time, a tool of", "0 ms", "5 ms", "rounds"),
        ("clawwrap", "0.50 (0.50 – 0.50)", "5.50 (5.50 – 5.50)", "18/25"),
        ("timeout", "0.50 (0.50 – 0.50)", "", "18/25"),
    ]


def test_the_summary_has_what_has_a_target_and_the_misses_first() -> None:
    lines = report.summary(SOME, TITLES).splitlines()[2:]
    assert ["**no**" in line for line in lines] == [True, False]


def test_results_survive_json() -> None:
    document = json.loads(json.dumps(report.document(SOME, {"quick": False})))
    again = report.read(document)
    assert report.text(again, TITLES) == report.text(SOME, TITLES)
    assert [one.plain() for one in again] == [one.plain() for one in SOME]


def test_the_page_is_changed_between_its_marks_only() -> None:
    page = "a\n<!-- bench:x -->\nold\n<!-- end of bench:x -->\nb\n"
    new = report.replace(page, "x", r"new \1")
    assert new == "a\n<!-- bench:x -->\nnew \\1\n<!-- end of bench:x -->\nb\n"
    with pytest.raises(ValueError, match="no place for 'y'"):
        report.replace(page, "y", "new")


def test_the_page_has_a_place_for_every_group() -> None:
    text = PAGE.read_text()
    for name in ["machine", "targets", *TITLES]:
        assert f"<!-- bench:{name} -->" in text
        assert f"<!-- end of bench:{name} -->" in text


POINTS = {
    ("clawwrap", 0.0): 1.0,
    ("clawwrap", 20.0): 1.05,
    ("a <naive> & slow one", 0.0): 20.0,
    ("a <naive> & slow one", 20.0): 21.0,
    ("timeout", 0.0): 0.1,
    ("timeout", 20.0): -0.05,
}


def test_the_plot_is_well_formed_and_names_everybody() -> None:
    root = ElementTree.fromstring(plot.render(plot.series(POINTS)))
    words = [element.text for element in root.iter(f"{SVG}text")]
    assert {"clawwrap", "a <naive> & slow one", "timeout", "0", "20"} <= set(words)
    assert len(list(root.iter(f"{SVG}polyline"))) == 3
    assert len(list(root.iter(f"{SVG}circle"))) == len(POINTS)


def test_the_plot_stays_on_its_paper() -> None:
    root = ElementTree.fromstring(plot.render(plot.series(POINTS)))
    for circle in root.iter(f"{SVG}circle"):
        assert plot.LEFT <= float(circle.attrib["cx"]) <= plot.WIDTH - plot.RIGHT
        assert plot.TOP <= float(circle.attrib["cy"]) <= plot.HEIGHT - plot.BOTTOM


def test_labels_do_not_cover_each_other() -> None:
    many = {(f"wrapper {number}", x): 0.02 for number in range(9) for x in (0.0, 1.0)}
    root = ElementTree.fromstring(plot.render(plot.series(many)))
    places = sorted(
        float(element.attrib["y"])
        for element in root.iter(f"{SVG}text")
        if (element.text or "").startswith("wrapper")
    )
    assert min(after - before for before, after in pairwise(places)) >= 15
    assert places[-1] <= plot.HEIGHT


def test_a_plot_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing was measured"):
        plot.render(plot.series({}))


SH = "/bin/sh"


def test_a_sample_knows_what_it_measured() -> None:
    sample = run(Command([SH, "-c", "exit 3"], code=3))
    assert sample.wall > 0
    assert sample.cpu >= 0
    assert math.isnan(sample.rss)


def test_an_exit_status_that_was_not_expected_is_no_measurement() -> None:
    with pytest.raises(BenchError, match=r"exit status 3 instead of 0: /bin/sh -c exit 3"):
        run(Command([SH, "-c", "exit 3"]))
    with pytest.raises(BenchError, match="/no/such: No such file"):
        run(Command(["/no/such"]))


@pytest.mark.parametrize("fd", [1, 2])
def test_a_pipeline_joins_its_stages(fd: int) -> None:
    says = Command([SH, "-c", f"echo word >&{fd}"])
    passes = Command([SH, "-c", "read x; echo $x"])
    hears = Command([SH, "-c", 'read x; test "$x" = word && exit 9'], code=9)
    sample = pipeline([says, passes, hears], fd=fd)
    assert sample.own <= sample.cpu


def test_calls_at_once() -> None:
    assert parallel(Command([SH, "-c", "exit 0"]), calls=5, width=2).wall > 0
    with pytest.raises(BenchError):
        parallel(Command([SH, "-c", "exit 1"]), calls=2, width=2)


def test_peak_memory_is_that_of_the_command_and_not_ours() -> None:
    ballast = b"x" * (64 << 20)  # what a child that we start ourselves would inherit
    grows = [sys.executable, "-IS", "-c", "x = b'x' * (48 << 20)"]
    small = peak(Command([SH, "-c", "exit 0"]), sys.executable).rss
    large = peak(Command(grows), sys.executable).rss
    assert small < len(ballast) / 2
    assert 48 << 20 < large < 100 << 20


@pytest.mark.skipif(
    not (Path(sys.executable).parent / "clawwrap").exists(),
    reason="clawwrap is not installed as a command beside this Python",
)
def test_a_quick_run_from_end_to_end(tmp_path: Path) -> None:
    words = ["--quick", "--only", "startup", "--rounds", "2", "--json", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "bench", *words, "--python", sys.executable],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["faults"] == []
    names = [record["name"] for record in document["results"]]
    assert names[0] == "success, a tool of 0 ms"
    assert {record["basis"] for record in document["results"]} == {"cpu", "wall"}
    assert all(math.isfinite(record["median"]) for record in document["results"])


def test_a_round_number_that_is_none_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "--rounds", "0"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "--rounds wants at least 1" in done.stderr
