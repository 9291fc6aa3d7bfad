"""The command line of the verbs: names, arguments and help. What they do is in their own files."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from clawwrap.admin import (
    adapters,
    batch,
    doctor,
    explain,
    hook,
    init,
    logs,
    manifest,
    migrate,
    schemas,
    shim,
    stats,
    teach,
    writing,
)
from clawwrap.admin.answer import Answer
from clawwrap.batch import Wish as BatchWish
from clawwrap.invocation import Invocation
from clawwrap.migrate import Wish

PASS_ON = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
}

app = typer.Typer(
    name="clawwrap", rich_markup_mode=None, add_completion=False, no_args_is_help=False
)
group = typer.Typer(rich_markup_mode=None, help="List, check, test and write adapters.")
app.add_typer(group, name="adapters")
shim_group = typer.Typer(rich_markup_mode=None, help="Let tools on PATH be called by clawwrap.")
app.add_typer(shim_group, name="shim")

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME|FILE]...", help="Default: all adapters.")
]

ToolOption = Annotated[
    str, typer.Option("--tool", metavar="TOOL", help="A tool, or one of its commands: git push.")
]
Since = Annotated[
    str, typer.Option("--since", metavar="TIME", help="90m, 2h, 3d, 1w, a date, or date and time.")
]
Until = Annotated[str, typer.Option("--until", metavar="TIME", help="The same; up to then.")]


def command(words: list[str], inv: Invocation) -> Any:
    """Run a verb, which finds `inv` in its context.

    The result is its Answer, or None where help was printed.
    """
    return typer.main.get_command(app)(
        args=words, prog_name="clawwrap", standalone_mode=False, obj=inv
    )


@group.command("list")
def adapters_list() -> Answer:
    """List every adapter of every layer."""
    return adapters.list_all()


@group.command("show")
def adapters_show(name: Annotated[str, typer.Argument(metavar="NAME|FILE")]) -> Answer:
    """Show one adapter: its file, its rules, its environment."""
    return adapters.show(name)


@group.command("lint")
def adapters_lint(names: Names = None) -> Answer:
    """Check adapters: shape, expressions, codes, and that every rule has its cases."""
    return adapters.lint_all(names or [])


@group.command("test")
def adapters_test(names: Names = None) -> Answer:
    """Judge every recorded case, twice, and compare with what is expected."""
    return adapters.test_all(names or [])


@group.command("trust")
def adapters_trust(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Default: those of the project around here."),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Trust them no longer.")] = False,
) -> Answer:
    """Trust a project's adapters as they are now; a changed file loses it."""
    return adapters.trust_files(files or [], remove=remove)


@group.command("misses")
def adapters_misses() -> Answer:
    """List the commands that ended as GENERAL_ERROR because no rule knew them."""
    return adapters.misses()


@group.command("new")
def adapters_new(
    tool: Annotated[str, typer.Argument(help="The tool's name.")],
    folder: Annotated[
        str | None, typer.Option("--dir", metavar="DIR", help="Default: your config folder.")
    ] = None,
) -> Answer:
    """Write a first adapter for a tool, with what it prints for a wrong flag as its first case."""
    return writing.new(tool, folder)


@group.command("record", context_settings=PASS_ON)
def adapters_record(
    context: typer.Context,
    adapter: Annotated[
        str | None,
        typer.Option("--adapter", metavar="FILE", help="Default: the tool's own adapter."),
    ] = None,
    near: Annotated[
        str | None, typer.Option("--near", metavar="RULE", help="The rule it must only just miss.")
    ] = None,
) -> Answer:
    """Run a command and append what it printed as a case: adapters record -- TOOL ARGS."""
    return writing.record(context.args, adapter, near)


@app.command("explain", context_settings=PASS_ON)
def explain_verb(
    context: typer.Context,
    exit_code: Annotated[
        int | None, typer.Option("--exit", help="The tool's own exit code, to explain a result.")
    ] = None,
    stderr: Annotated[
        str | None, typer.Option(metavar="FILE", help="What it printed; - is standard input.")
    ] = None,
    stdout: Annotated[
        str | None, typer.Option(metavar="FILE", help="What it printed; - is standard input.")
    ] = None,
    envelope: Annotated[
        str | None, typer.Option(metavar="FILE", help="An envelope, to say what to do next.")
    ] = None,
    attempts: Annotated[
        int, typer.Option(help="How often the same call has failed like this before.")
    ] = 0,
) -> Answer:
    """Explain an exit code (explain 8), a command without running it (explain -- git push),
    a result (explain --exit 128 --stderr FILE -- git push), or what to do about an envelope
    (explain --envelope FILE --exit 8)."""
    if envelope is not None:
        return explain.envelope(envelope, exit_code, attempts, context.args)
    return explain.explain(context.args, exit_code, stdout, stderr)


@app.command("migrate")
def migrate_verb(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Default: standard input.")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="SHAPE", help="claw-2.0 or response.")
    ] = "claw-2.0",
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="SHAPE", help="Take every record for this shape."),
    ] = None,
    recursive: Annotated[bool, typer.Option("--recursive", "-r", help="Go into folders.")] = False,
    in_place: Annotated[
        bool, typer.Option("--in-place", "-i", help="Replace each file once it is converted.")
    ] = False,
    backup: Annotated[
        bool, typer.Option("--backup", help="Keep the old file as FILE.bak.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 80 if anything would change.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Write nothing; say what would change.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first record that is no envelope.")
    ] = False,
    command: Annotated[
        str | None, typer.Option("--command", help="For records that do not name theirs.")
    ] = None,
    timestamp: Annotated[
        str | None, typer.Option("--timestamp", help="For records without one.")
    ] = None,
    exit_code: Annotated[
        int | None, typer.Option("--exit-code", help="Of the process that printed the records.")
    ] = None,
) -> Answer:
    """Convert envelopes in files or on standard input to v2.0, one a line on standard output."""
    wish = Wish(to, source, migrate.clues(command, timestamp, exit_code), strict)
    mode = migrate.Mode(in_place, backup, check, dry_run)
    return migrate.run(files or [], wish, mode, recursive=recursive)


@app.command("batch")
def batch_verb(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Default: standard input.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="So many at a time.")] = 1,
    keep_order: Annotated[
        bool, typer.Option("--keep-order", "-k", help="Answer in the order of the commands.")
    ] = False,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="After a failure start nothing, end what runs.")
    ] = False,
    resume: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Leave out what an earlier output has answers to."),
    ] = None,
    resume_failed: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The same, but run again what failed there."),
    ] = None,
    timeout: Annotated[str | None, typer.Option(help="Of each command.")] = None,
    retry: Annotated[str | None, typer.Option(help="As for a single command.")] = None,
    max_output: Annotated[str | None, typer.Option(help="As for a single command.")] = None,
    redact: Annotated[str | None, typer.Option(help="As for a single command.")] = None,
) -> Answer:
    """Run many commands, given one a line as JSON, and print one envelope a line."""
    asked = {"timeout": timeout, "retry": retry, "max_output": max_output, "redact": redact}
    options = {name: value for name, value in asked.items() if value is not None}
    wish = BatchWish(jobs, keep_order, fail_fast, options)
    again = resume_failed is not None
    return batch.run(file, wish, resume=resume_failed or resume, again=again)


@app.command("log")
def log_verb(
    context: typer.Context,
    tool: ToolOption = "",
    code: Annotated[
        str, typer.Option(metavar="CODE", help="An exit code by number or name, or an error.code.")
    ] = "",
    since: Since = "",
    until: Until = "",
    run: Annotated[
        str, typer.Option("--request-id", metavar="ID", help="Only what ran under this id.")
    ] = "",
    failed: Annotated[bool, typer.Option("--failed", help="Only what did not succeed.")] = False,
    misses: Annotated[bool, typer.Option("--misses", help="Only what no rule knew.")] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=0, help="The last so many; 0 is all of them.")
    ] = 20,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on with every new run, a line each.")
    ] = False,
    path: Annotated[bool, typer.Option("--path", help="Only say where the log is.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the log.")] = False,
) -> Answer:
    """Show what was run, the newest last: clawwrap log --failed --since 1h."""
    if path or clear:
        return logs.clear() if clear else logs.path()
    wanted = logs.wanted(tool, code, since, until, run, failed=failed, misses=misses)
    if follow:
        return logs.follow(context.obj, wanted, limit)
    return logs.show(wanted, limit)


@app.command("stats")
def stats_verb(
    tool: ToolOption = "",
    since: Since = "7d",
    until: Until = "",
    top: Annotated[
        int, typer.Option("--top", min=1, help="How many rows a list has at the most.")
    ] = 10,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Also write it as a page.")
    ] = None,
) -> Answer:
    """Sum up what was run: which tools fail how, what could be retried, what took long."""
    return stats.show(logs.wanted(tool, "", since, until), top, html)


@app.command("manifest")
def manifest_verb(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOOL [SUBCOMMAND]...]", help="Default: a summary of all tools."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All that is known of every tool; long.")
    ] = False,
    etag: Annotated[
        str | None, typer.Option("--etag", metavar="TAG", help="Leave it out where it is the same.")
    ] = None,
    shell: Annotated[
        str | None, typer.Option("--completion", metavar="SHELL", help="For bash, zsh or fish.")
    ] = None,
    skill: Annotated[
        str | None,
        typer.Option("--skill", metavar="DIR|-", help="Write DIR/clawwrap/SKILL.md for agents."),
    ] = None,
    agents_md: Annotated[
        str | None,
        typer.Option("--agents-md", metavar="FILE|-", help="Write a section of AGENTS.md."),
    ] = None,
) -> Answer:
    """Print what can be called: commands, effects, exit codes, variables, examples;
    or teach it to a shell or an agent."""
    if shell is not None:
        return manifest.completions(shell)
    if skill is not None:
        return teach.skill(skill)
    if agents_md is not None:
        return teach.agents_md(agents_md)
    return manifest.manifest(words or [], everything=everything, known_etag=etag)


@app.command("schema")
def schema_verb(
    name: Annotated[str | None, typer.Argument(help="Default: the list of names.")] = None,
) -> Answer:
    """Print a JSON Schema: envelope, claw-2.0, claw-1.0, exit-code, adapter, and others."""
    return schemas.show(name)


@app.command("doctor")
def doctor_verb() -> Answer:
    """Check the installation and say how to mend what is wrong."""
    return doctor.examine()


Tools = Annotated[list[str] | None, typer.Argument(metavar="[TOOL]...")]


@shim_group.command("install")
def shim_install(
    tools: Tools = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every tool with an adapter that is here.")
    ] = False,
) -> Answer:
    """Put a link to clawwrap, named after the tool, into the folder of shims."""
    return shim.install(tools or [], every=every)


@shim_group.command("list")
def shim_list() -> Answer:
    """List the shims, and whether each does its work."""
    return shim.show()


@shim_group.command("remove")
def shim_remove(
    tools: Tools = None,
    every: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
) -> Answer:
    """Take shims away; nothing that is no shim is touched."""
    return shim.remove(tools or [], every=every)


WholeLine = Annotated[
    bool, typer.Option("--whole-line", help="Also wrap lines with pipes and the like, by -c.")
]
Include = Annotated[
    str | None, typer.Option(metavar="LIST", help="Only these: git,npm test. Default: all.")
]
Exclude = Annotated[str | None, typer.Option(metavar="LIST", help="Never these: git push,vim.")]


def _hook_options(whole_line: bool, include: str | None, exclude: str | None) -> list[str]:
    options = ["--whole-line"] if whole_line else []
    options += ["--include", include] if include is not None else []
    return options + (["--exclude", exclude] if exclude is not None else [])


@app.command("init")
def init_verb(
    agent: Annotated[str, typer.Argument(help="An agent, or bash, zsh or fish.")],
    project: Annotated[
        bool, typer.Option("--project/--user", help="The settings of this folder, or yours.")
    ] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take it back.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change only.")] = False,
    permissions: Annotated[
        bool, typer.Option("--permissions", help="Print the agent's rules for prefixed commands.")
    ] = False,
    whole_line: WholeLine = False,
    include: Include = None,
    exclude: Exclude = None,
) -> Answer:
    """Wire an agent to clawwrap: show the change to its settings and make it."""
    if permissions:
        return init.show_permissions(agent, os.environ)
    options = _hook_options(whole_line, include, exclude)
    wish = init.Wish("project" if project else "user", options, uninstall, dry_run)
    return init.run(agent, wish, os.environ)


@app.command("hook")
def hook_verb(
    action: Annotated[str, typer.Argument(metavar="AGENT|check")],
    line: Annotated[
        str | None, typer.Argument(help="With check: the command line, in one word.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Heed the rules of this agent as well.")
    ] = None,
    whole_line: WholeLine = False,
    include: Include = None,
    exclude: Exclude = None,
) -> Answer:
    """Answer an agent's hook on stdin, or show what it makes of a line: hook check -- LINE."""
    if action != "check":
        raise hook.unknown(action)
    return hook.check(line, _hook_options(whole_line, include, exclude), agent)
