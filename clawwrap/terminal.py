"""A person at a terminal: the tool gets it as if it had been started directly.

The tool's group becomes the foreground group, so ^C and ^Z go to it and not to us. Its
stderr is a pseudo-terminal whose every byte is passed on, so that colours and progress
bars stay while we still learn what it said.
"""

from __future__ import annotations

import os
import termios

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    import _signal  # `signal` wraps the same in enums, at the price of importing `enum`


class Terminal:
    """The controlling terminal, and whether we hold its foreground."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.has_stderr = os.isatty(2)
        self._gave = False

    @classmethod
    def find(cls) -> Terminal | None:
        """The terminal we are on; None where there is none that we control."""
        for fd in (0, 1, 2):
            try:
                os.tcgetpgrp(fd)
            except OSError:
                continue
            return cls(fd)
        return None

    def open_stderr(self) -> tuple[int, int]:
        """Our end and the tool's end of a terminal that changes nothing in what it passes on."""
        master, slave = os.openpty()
        attributes = termios.tcgetattr(slave)
        attributes[1] &= ~termios.OPOST
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        termios.tcsetwinsize(slave, termios.tcgetwinsize(2))
        # Write-only, since a tool that reads keys from its stderr would wait forever.
        writable = os.open(os.ttyname(slave), os.O_WRONLY | os.O_NOCTTY)
        os.close(slave)
        os.set_blocking(master, False)
        return master, writable

    def give_to(self, group: int) -> None:
        """Put the tool in the foreground, if the foreground is ours to give."""
        # Handing it over from the background would stop us.
        _signal.signal(_signal.SIGTTOU, _signal.SIG_IGN)
        try:
            if os.tcgetpgrp(self.fd) == os.getpgrp():
                os.tcsetpgrp(self.fd, group)
                self._gave = True
        except OSError:
            self._gave = False  # it has ended already

    def take_back(self) -> None:
        if self._gave:
            try:
                os.tcsetpgrp(self.fd, os.getpgrp())
            except OSError:
                pass  # the terminal is gone
            self._gave = False

    def stop_with(self, group: int, number: int) -> None:
        """The tool was stopped: stop our whole job, and give it the terminal when we go on."""
        if number in (_signal.SIGTTIN, _signal.SIGTTOU) and self._gave:
            return  # it asked for the terminal just before it got it
        self.take_back()
        os.kill(0, _signal.SIGTSTP)
        self.give_to(group)
