"""The trace of the caller reaches the tool and the answer; spans reach a real collector."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from clawwrap import otel, trace
from clawwrap.journal import reading
from tests import journal
from tests.conftest import CLAWWRAP, Run

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"
SHOW = ("sh", "-c", 'echo "$TRACEPARENT|$TRACESTATE|$CLAWWRAP_REQUEST_ID"')
TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


# Through us


CONTEXTS: dict[str, bool] = {
    PARENT: True,
    f"00-{TRACE}-{SPAN}-00": True,
    f"00-{TRACE}-{SPAN}-03": True,
    f"cc-{TRACE}-{SPAN}-01": True,
    f"cc-{TRACE}-{SPAN}-01-what-comes-later": True,
    f"ff-{TRACE}-{SPAN}-01": False,
    f"00-{TRACE}-{SPAN}-01-more": False,
    f"00-{TRACE}-{SPAN}": False,
    f"00-{TRACE.upper()}-{SPAN}-01": False,
    f"00-{'0' * 32}-{SPAN}-01": False,
    f"00-{TRACE}-{'0' * 16}-01": False,
    f"00-{TRACE[:-1]}-{SPAN}-01": False,
    f"00-{TRACE}-{SPAN}-1": False,
    f"00-{TRACE}-{SPAN}-0g": False,
    f"0-{TRACE}-{SPAN}-01": False,
    f" {PARENT}": False,
    "": False,
    "-": False,
    "---": False,
}


@pytest.mark.parametrize("text", CONTEXTS)
def test_what_is_a_trace_context(text: str) -> None:
    found = trace.parse(text)
    assert (found is not None) == CONTEXTS[text]
    if found:
        assert (found.trace_id, found.span_id) == (TRACE, SPAN)


def test_unknown_flags_are_not_passed_on() -> None:
    assert str(trace.parse(f"00-{TRACE}-{SPAN}-ff")) == f"00-{TRACE}-{SPAN}-03"


def test_without_export_it_passes_through_untouched(run: Run) -> None:
    done = run("--request-id", "r-1", *SHOW, env={"TRACEPARENT": PARENT, "TRACESTATE": "a=b"})
    assert done.data["stdout"] == f"{PARENT}|a=b|r-1\n"
    assert done.meta["trace_id"] == TRACE


def test_without_one_none_is_made_up(run: Run) -> None:
    done = run(*SHOW)
    assert done.data["stdout"] == f"||{done.meta['request_id']}\n"
    assert "trace_id" not in done.meta


def test_what_is_no_trace_context_is_none_of_ours(run: Run) -> None:
    done = run(*SHOW, env={"TRACEPARENT": "00-abc-def-01"})
    assert done.data["stdout"].startswith("00-abc-def-01|")
    assert "trace_id" not in done.meta


def test_the_callers_own_id_comes_first(run: Run) -> None:
    env = {"TOOL_TRACE_ID": "job-7", "TRACEPARENT": PARENT}
    assert run("true", env=env).meta["trace_id"] == "job-7"


def test_what_a_tool_calls_has_the_same_request_id(run: Run, tmp_path: Path) -> None:
    """Not a nested call, which leaves no trace: one that has lost its ancestors."""
    script = f"unset CLAWWRAP_ACTIVE; {' '.join(CLAWWRAP)} true >inner"
    done = run("--request-id", "r-2", "sh", "-c", script)
    inner = json.loads((tmp_path / "inner").read_text())
    assert inner["meta"]["request_id"] == done.meta["request_id"] == "r-2"


@pytest.mark.parametrize("output", ["human", "raw", "jsonl"])
def test_in_every_output(run: Run, output: str) -> None:
    done = run("-o", output, "--request-id", "r-3", *SHOW, check=False)
    assert b"r-3" in done.stdout


# To a collector


class Collector:
    """Takes what is exported, and answers with a status once it may."""

    def __init__(self) -> None:
        self.requests: Queue[ExportTraceServiceRequest] = Queue()
        self.status = 200
        self.may_answer = threading.Event()
        self.may_answer.set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/v1/traces"
                assert self.headers["Content-Type"] == "application/x-protobuf"
                collector.requests.put(ExportTraceServiceRequest.FromString(body))
                collector.may_answer.wait(30)
                self.send_response(collector.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def span(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The next span, with its attributes and those of its resource."""
        (resource_spans,) = self.requests.get(timeout=60).resource_spans
        ((span,),) = (scope.spans for scope in resource_spans.scope_spans)
        return span, values(span.attributes), values(resource_spans.resource.attributes)

    def close(self) -> None:
        self.may_answer.set()
        self._server.shutdown()
        self._server.server_close()


def values(attributes: Any) -> dict[str, Any]:
    found = {}
    for pair in attributes:
        kind = pair.value.WhichOneof("value")
        value = getattr(pair.value, kind)
        if kind == "array_value":
            value = [item.string_value for item in value.values]
        found[pair.key] = value
    return found


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.close()


@pytest.fixture
def env(tmp_path: Path, collector: Collector) -> dict[str, str]:
    return {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "CLAWWRAP_OTEL": "1",
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
    }


def test_a_run_is_a_span_of_the_callers_trace(
    run: Run, env: dict[str, str], collector: Collector, tmp_path: Path
) -> None:
    done = run(*SHOW, env=env | {"TRACEPARENT": PARENT, "TRACESTATE": "a=b"})
    span, attributes, resource = collector.span()
    own = f"00-{TRACE}-{span.span_id.hex()}-01"
    assert done.data["stdout"] == f"{own}|a=b|{done.meta['request_id']}\n"
    assert done.meta["trace_id"] == span.trace_id.hex() == TRACE
    assert span.parent_span_id.hex() == SPAN
    assert span.span_id.hex() != SPAN
    assert span.trace_state == "a=b"
    assert (span.name, span.kind, span.status.code) == ("sh", span.SPAN_KIND_CLIENT, 0)
    assert span.end_time_unix_nano - span.start_time_unix_nano == done.meta["duration_ms"] * 10**6
    assert attributes.pop("process.pid") > 1
    assert attributes == {
        "process.executable.name": "sh",
        "process.command_args": list(SHOW),
        "process.working_directory": str(tmp_path),
        "process.exit.code": 0,
        "clawwrap.command": "sh",
        "clawwrap.code": "SUCCESS",
        "clawwrap.exit_code": 0,
        "clawwrap.request_id": done.meta["request_id"],
        "clawwrap.output_bytes": len(done.data["stdout"]),
    }
    assert resource["service.name"] == "clawwrap"


def test_without_a_trace_one_is_begun(run: Run, env: dict[str, str], collector: Collector) -> None:
    done = run(*SHOW, env=env | {"TRACEPARENT": "00-abc-def-01", "TRACESTATE": "of=another"})
    span, _, _ = collector.span()
    own = f"00-{span.trace_id.hex()}-{span.span_id.hex()}-01"
    assert done.data["stdout"] == f"{own}||{done.meta['request_id']}\n"
    assert done.meta["trace_id"] == span.trace_id.hex()
    assert span.parent_span_id == b""


def test_a_failure_is_one_in_the_span(run: Run, env: dict[str, str], collector: Collector) -> None:
    run("ls", "/no/such", env=env)
    span, attributes, _ = collector.span()
    assert (span.status.code, span.status.message) == (2, "FILE_NOT_FOUND")
    wanted = {
        "process.exit.code": 2,
        "error.type": "FILE_NOT_FOUND",
        "clawwrap.exit_code": 5,
        "clawwrap.retryable": "false",
        "clawwrap.adapter": "ls",
    }
    assert {name: attributes.get(name) for name in wanted} == wanted


def test_a_signal_is_told_as_shells_do(run: Run, env: dict[str, str], collector: Collector) -> None:
    run("sh", "-c", "kill -KILL $$", env=env)
    _, attributes, _ = collector.span()
    assert attributes["process.exit.code"] == 137


@pytest.mark.parametrize("policy", ["errors", "none"])
def test_secrets_are_masked(
    run: Run, env: dict[str, str], collector: Collector, policy: str
) -> None:
    run("--redact", policy, "--no-log", "echo", TOKEN, env=env)
    span, attributes, _ = collector.span()
    assert TOKEN not in str(span)
    assert "[redacted:" in attributes["process.command_args"][1]


def test_the_standard_variables_count(run: Run, env: dict[str, str], collector: Collector) -> None:
    env |= {"OTEL_SERVICE_NAME": "fleet", "OTEL_RESOURCE_ATTRIBUTES": "deployment=blue"}
    run("true", env=env)
    _, _, resource = collector.span()
    assert (resource["service.name"], resource["deployment"]) == ("fleet", "blue")
    assert resource["service.version"]


def test_nobody_waits_for_the_collector(
    clean_env: dict[str, str], env: dict[str, str], collector: Collector
) -> None:
    """Its answer comes only once the run has been answered, and its output has ended."""
    collector.may_answer.clear()
    words = [*CLAWWRAP, "true"]
    done = subprocess.run(words, env=clean_env | env, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert [entry for entry in reading.read(env) if "note" in entry] == []  # nor was it given up
    collector.span()
    collector.may_answer.set()


@pytest.mark.parametrize(
    "off",
    [
        {"CLAWWRAP_OTEL": "0"},
        {"CLAWWRAP_OTEL": "0", "TRACEPARENT": PARENT},
        {"OTEL_SDK_DISABLED": "true"},
        {"TRACEPARENT": f"00-{TRACE}-{SPAN}-00"},
        {"CLAWWRAP": "off"},
    ],
    ids=str,
)
def test_nothing_is_exported_unless_asked_for(
    run: Run, env: dict[str, str], collector: Collector, off: dict[str, str]
) -> None:
    run(*SHOW, env=env | off, check=False)
    run("--otel", "true", env=env)
    _, attributes, _ = collector.span()
    assert attributes["process.executable.name"] == "true"


def test_the_decision_not_to_sample_is_passed_on(run: Run, env: dict[str, str]) -> None:
    done = run(*SHOW, env=env | {"TRACEPARENT": f"00-{TRACE}-{SPAN}-00"})
    shown = done.data["stdout"].partition("|")[0]
    assert shown.startswith(f"00-{TRACE}-")
    assert shown.endswith("-00")


# What goes wrong


def test_without_an_endpoint_a_warning_says_so(run: Run, tmp_path: Path) -> None:
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    done = run("--otel", *SHOW, env=env)
    assert done.warnings == [
        "clawwrap: --otel exports nothing: OTEL_EXPORTER_OTLP_ENDPOINT is not set"
    ]
    assert done.data["stdout"].startswith("||")
    assert "trace_id" not in done.meta


def test_without_the_packages_a_warning_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("opentelemetry")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    why = trace.obstacle({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost"})
    assert why == "clawwrap[otel] is not installed"


def remarks(env: dict[str, str]) -> list[dict[str, Any]]:
    """What is noted about exports, once something is."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if found := [entry for entry in reading.read(env) if "note" in entry]:
            return found
        time.sleep(0.05)
    raise AssertionError("nothing was noted")


def test_a_dead_collector_is_a_remark_in_the_log(run: Run, env: dict[str, str]) -> None:
    env |= {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_TIMEOUT": "1"}
    done = run("sh", "-c", "exit 3", env=env)
    assert (done.code, done.stderr, done.warnings) == (1, b"", [])
    (remark,) = remarks(env)
    assert remark["request_id"] == done.meta["request_id"]
    assert remark["note"].startswith("the span was not exported: ")
    shown = run("log", "-o", "human", env=env | {"CLAWWRAP_OTEL": "0"}, check=False).stdout
    assert b"clawwrap: the span was not exported: " in shown
    assert run("stats", env=env | {"CLAWWRAP_OTEL": "0"}).data["notes"] == 1


def test_a_collector_that_refuses_is_one_too(
    run: Run, env: dict[str, str], collector: Collector
) -> None:
    collector.status = 401
    run("true", env=env)
    (remark,) = remarks(env)
    assert "401" in remark["note"]


def test_a_collector_that_never_answers_is_given_up(
    env: dict[str, str], collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector.may_answer.clear()
    monkeypatch.setattr(otel, "LONGEST_S", 1)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    reason = otel._export(journal.entry(), PARENT)
    assert "longer than 1 s" in reason


def test_retries_are_counted() -> None:
    attempts = [{"code": "UNAVAILABLE", "duration_ms": 1}, {"code": "SUCCESS", "duration_ms": 1}]
    assert otel.attributes(journal.entry(attempts=attempts))["clawwrap.attempts"] == 2


def test_the_exporter_imports_nothing_from_the_folder_it_is_called_in(
    run: Run, env: dict[str, str], collector: Collector, tmp_path: Path
) -> None:
    for name in ("opentelemetry", "clawwrap"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit(9)")
    program = f"import sys; sys.path[:] = {sys.path!r}; sys.argv = ['clawwrap', 'true']\n"
    program += "from clawwrap.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=os.environ | env, capture_output=True
    )
    assert json.loads(done.stdout)["ok"]
    collector.span()
