"""Makes `time.sleep` move a world's clock instead of waiting."""

import contextlib
import time


@contextlib.contextmanager
def virtual_sleep(clock):
    """Inside this context `time.sleep(s)` advances the clock by s seconds and returns at once; `time.time`, `time.monotonic` and
    `time.perf_counter` count the slept time too. Code that imported `sleep` by name keeps the real one: patch it there.
    """
    # Reading `unittest.mock` takes a tenth of the time in which pytest starts.
    from unittest import mock

    slept = 0.0

    def sleep(seconds):
        nonlocal slept
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        clock.advance(round(seconds * 1000))
        slept += seconds

    def shifted(read):
        return lambda: read() + slept

    with contextlib.ExitStack() as patches:
        patches.enter_context(mock.patch.object(time, "sleep", sleep))
        for name in ("time", "monotonic", "perf_counter"):
            patches.enter_context(mock.patch.object(time, name, shifted(getattr(time, name))))
        yield
