"""Read single keys from a terminal, without Enter."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

END = "\x04"  # Ctrl-D, or the end of the input
_WAKE_SECONDS = 0.2  # the longest time that Ctrl-C goes unnoticed


@contextmanager
def single_keys() -> Iterator[None]:
    """Let `read_key` return as soon as a key is pressed; the terminal is restored at the end."""
    try:
        import termios
        import tty
    except ImportError:  # on Windows no terminal mode is needed
        yield
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)  # Ctrl-C still interrupts
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def read_key() -> str:
    """Wait for a key and return its character, or `END` at the end of the input.

    A key that sends several characters, such as an arrow, returns the first, which is Escape; the
    others are dropped.
    """
    if os.name == "nt":
        import msvcrt

        return str(msvcrt.getwch())  # type: ignore[attr-defined,unused-ignore]
    import select

    descriptor = sys.stdin.fileno()
    # Python sees a signal between two calls: Ctrl-C just before a read would wait for the next key.
    while not select.select([descriptor], [], [], _WAKE_SECONDS)[0]:
        pass
    data = os.read(descriptor, 1)
    if not data:
        return END
    if data == b"\x1b":
        while select.select([descriptor], [], [], 0)[0] and os.read(descriptor, 32):
            pass
    return data.decode("latin-1")
