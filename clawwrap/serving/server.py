"""The server of `clawwrap mcp` over standard input and output, with the SDK of the protocol.

Commands run in threads; this loop only passes messages. While it serves, stdout belongs to the
protocol: the SDK points it, and what a tool would inherit, elsewhere.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import AsyncIterable

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from clawwrap import __version__
from clawwrap.serving import calls, tools
from clawwrap.serving.allowed import Allowed

Context = ServerRequestContext[object]
#: A client that has closed our stdin waits two seconds, then it kills.
KILL_AFTER_END_MS = 1000
PROGRESS_EVERY_S = 1.0
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
EFFECTS = "clawwrap/effects"


def serve(allowed: Allowed) -> None:
    """Serve until stdin ends or a signal comes; nothing that was started is left behind."""
    anyio.run(Service(allowed).serve)


class Service:
    """One client, and the commands that run for it."""

    def __init__(self, allowed: Allowed) -> None:
        self._allowed = allowed
        self._running: set[calls.Command] = set()
        # Threads of our own: the SDK reads stdin in one, and must not have to wait for it.
        self._threads = anyio.CapacityLimiter(math.inf)
        self._signalled = False

    async def serve(self) -> None:
        server: Server[object] = Server(
            "clawwrap",
            version=__version__,
            title="clawwrap",
            instructions=f"{tools.INSTRUCTIONS} {self._allowed.described()}".strip(),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
            passing_on, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            reading = anyio.CancelScope()
            tasks.start_soon(self._pass_on, incoming, passing_on, reading)
            tasks.start_soon(self._heed_signals, reading)
            await server.run(messages, outgoing, server.create_initialization_options())
            tasks.cancel_scope.cancel()
            if self._signalled:
                # Nobody can wake the thread that reads stdin, and a last answer may be on its way.
                with anyio.CancelScope(shield=True):
                    await anyio.sleep(0.1)
                os._exit(0)

    async def _pass_on(
        self,
        incoming: AsyncIterable[SessionMessage | Exception],
        passing_on: MemoryObjectSendStream[SessionMessage | Exception],
        reading: anyio.CancelScope,
    ) -> None:
        """Hand the client's messages to the SDK; at their end, end what runs."""
        async with passing_on:
            with reading:
                async for message in incoming:
                    await passing_on.send(message)
            for command in self._running:
                command.cancel(KILL_AFTER_END_MS)

    async def _heed_signals(self, reading: anyio.CancelScope) -> None:
        heeded = [one for one in ENDING if signal.getsignal(one) is not signal.SIG_IGN]
        with anyio.open_signal_receiver(*heeded) as signals:
            async for _ in signals:
                self._signalled = True
                reading.cancel()

    async def _list(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[self._described(one) for one in tools.TOOLS.values()])

    def _described(self, tool: tools.Tool) -> types.Tool:
        lists = "" if tool.only_reads else self._allowed.described()
        return types.Tool(
            name=tool.name,
            title=tool.title,
            description=f"{tool.description} {lists}".strip(),
            input_schema=tools.input_schema(tool),
            output_schema=tools.output_schema(),
            annotations=types.ToolAnnotations(
                read_only_hint=tool.only_reads,
                destructive_hint=not tool.only_reads,
                idempotent_hint=tool.only_reads,
                open_world_hint=not tool.only_reads,
            ),
        )

    async def _call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        name, given = params.name, params.arguments or {}
        if name not in tools.TOOLS:
            known = ", ".join(tools.TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"unknown tool {name!r}; there are {known}")
        if name == tools.RUN.name:
            answer = await self._run(context, given)
        else:
            answer = await anyio.to_thread.run_sync(
                calls.answer, name, given, limiter=self._threads
            )
        return types.CallToolResult(
            content=[types.TextContent(text=answer.text)],
            structured_content=answer.envelope,
            is_error=not answer.envelope["ok"],
            _meta={EFFECTS: answer.effects} if answer.effects else None,
        )

    async def _run(self, context: Context, given: calls.Arguments) -> calls.Answer:
        """Run a command; whoever cancels us is kept waiting until its tree has ended."""
        wants_progress = bool(context.meta and "progress_token" in context.meta)
        progress = calls.Progress() if wants_progress else None
        command = calls.Command(given, self._allowed, progress)
        self._running.add(command)
        try:
            async with anyio.create_task_group() as beside:
                beside.start_soon(_cancel_with_us, command)
                if progress:
                    beside.start_soon(_tell, context, progress)
                answer = await anyio.to_thread.run_sync(command.answer, limiter=self._threads)
                beside.cancel_scope.cancel()
        finally:
            self._running.discard(command)
        return answer


async def _cancel_with_us(command: calls.Command) -> None:
    """Cancel the command when we are cancelled; one that has ended does not mind."""
    try:
        await anyio.sleep_forever()
    finally:
        command.cancel()


async def _tell(context: Context, progress: calls.Progress) -> None:
    """Say once a second for how long it has been running, and what it printed last."""
    started = time.monotonic()
    while True:
        await anyio.sleep(PROGRESS_EVERY_S)
        elapsed = round(time.monotonic() - started, 1)
        await context.session.report_progress(elapsed, None, progress.line or "running")
