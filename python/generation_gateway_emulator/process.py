"""Starts the emulator's program and ends it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

from .client import Emulator

PROGRAM = "gateway-emulator"
START_LIMIT_S = 60


class NotInstalled(Exception):
    """The program was not found. The message lists the places that were searched."""


def start(*options):
    """Starts an emulator on a free port, and gives a client whose `close` ends it.

    `options` are those of the command line, such as "--clock", "auto". Raises NotInstalled without the npm package, RuntimeError with
    the program's own words when it ends before it is ready.
    """
    command = [*program(), "serve", "--port", "0", "--log", "json", *options]
    # Options of the environment, such as GATEWAY_EMULATOR_PORT, belong to another emulator.
    own = {name: value for name, value in os.environ.items() if not name.startswith("GATEWAY_EMULATOR_")}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=own, text=True)
    watch = threading.Timer(START_LIMIT_S, child.kill)
    watch.start()
    try:
        url = ready_url(child)
    finally:
        watch.cancel()
    if url is None:
        raise RuntimeError(f"{' '.join(command)} ended with {child.wait()} before it was ready")
    # The pipe must be read from here on: a full pipe would stop the program.
    threading.Thread(target=child.stdout.read, daemon=True).start()
    return Emulator(url, lambda: stop(child))


def ready_url(child):
    for line in child.stdout:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if told.get("event") == "ready":
            return told["url"]
    return None


def stop(child):
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def program():
    """The words that start the program: GATEWAY_EMULATOR_PROGRAM, the nearest npm package above this folder, or PATH."""
    named = os.environ.get("GATEWAY_EMULATOR_PROGRAM")
    if named:
        return node(named) if named.endswith(".js") else [named]
    for folder in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents]:
        main = folder / "node_modules" / "generation-gateway-emulator" / "dist" / "main.js"
        if main.exists():
            return node(str(main))
    beside = pathlib.Path(__file__).resolve().parents[2] / "dist" / "main.js"
    if beside.exists():
        return node(str(beside))
    found = shutil.which(PROGRAM)
    if found:
        return [found]
    raise NotInstalled(
        "The emulator is not installed: run `npm install --save-dev generation-gateway-emulator` with its tarball or git "
        "address in this folder or one above it, name its dist/main.js in GATEWAY_EMULATOR_PROGRAM, or name a running one in "
        "GATEWAY_EMULATOR_URL."
    )


def node(main):
    found = shutil.which("node")
    if not found:
        raise NotInstalled("The emulator needs Node 20.19 or newer; there is no `node` on the PATH")
    return [found, main]


if __name__ == "__main__":
    sys.exit(subprocess.call([*program(), *sys.argv[1:]]))
