"""An agent loop that knows no tool: the exit code and `error` say what to do next."""

import json
import shlex
import subprocess
import time
from collections.abc import Callable
from typing import Any

#: Sets the world right, or the command, and returns what to call next; None where it cannot.
Remedy = Callable[[list[str], dict[str, Any]], list[str] | None]
#: What is reported for an exit code that nobody has a remedy for.
REASONS = {1: "unexplained", 2: "half done", 3: "wrong input", 4: "not ready", 5: "not there"}
REASONS |= {6: "conflict", 7: "not allowed", 8: "log in", 9: "pay", 10: "look what was done"}
REASONS |= {11: "too long a wait", 12: "too long a wait"}


def work(
    command: list[str],
    remedies: dict[int, Remedy],
    calls: int = 5,
    seconds: float = 60,  # for each call
    patience: float = 300,  # for each wait
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[str, dict[str, Any]]:
    """Call until it works or there is a reason to stop; returns that and the last envelope."""
    wait = 0.0
    for _ in range(calls):
        sleep(wait)
        words = ["clawwrap", "--output", "json", "--timeout", f"{seconds}s", *command]
        done = subprocess.run(words, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        code, answer = done.returncode, json.loads(done.stdout)
        error, last_wait, wait = answer["error"], wait, 0.0
        if code == 0:
            return "done", answer
        again, due = error["retryable"] is True, max(error.get("retry_after", 0), 2 * last_wait)
        if code == 13:  # something else is to be called
            command = shlex.split(error["redirect"]["command"])
            command = command[command[0] == "clawwrap" :]
        elif code == 10 and again:
            seconds *= 2
        elif code in (11, 12) and again and due <= patience:
            wait = due
        elif (remedy := remedies.get(code)) and (mended := remedy(command, error)):
            command = mended
        else:
            return REASONS.get(code, error["code"]), answer
    return "out of calls", answer
