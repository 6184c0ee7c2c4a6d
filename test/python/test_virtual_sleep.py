import asyncio
import threading
import time
from time import monotonic, sleep

import pytest


@pytest.mark.gateway(clock="manual", now="2026-01-01T00:00:00Z")
@pytest.mark.usefixtures("virtual_sleep")
class TestVirtualSleep:
    def test_covers_asyncio(self, world):
        async def main():
            await asyncio.sleep(3600)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.sleep(3600), 60)

        began = monotonic()
        asyncio.run(main())
        assert round(monotonic() - began) == 3660
        assert world.clock.get()["now"].startswith("2026-01-01T01:01:00")

    def test_covers_names_that_were_imported_and_threads(self, world):
        began = time.time()
        sleep(60)
        assert threading.Event().wait(60) is False
        assert round(time.time() - began) == 120
        assert world.clock.get()["now"].startswith("2026-01-01T00:02:00")


def test_afterwards_the_real_clocks_are_back():
    assert (time.sleep.__name__, monotonic.__name__, sleep.__module__) == ("sleep", "monotonic", "time")
    assert time.monotonic is monotonic and threading.Event().wait(0.001) is False
    assert abs(time.time() - 1_767_225_600) > 86_400
