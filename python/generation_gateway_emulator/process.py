"""Starts the emulator's program and ends it."""

from __future__ import annotations

import collections
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

from .client import Emulator

PROGRAM = "gateway-emulator"
START_LIMIT_S = 60


class NotInstalled(Exception):
    """The program was not found. The message lists the places that were searched."""


#: Options that code calls otherwise than the command line does.
NAMES_IN_CODE = {"scenarios": "scenario", "data_dir": "data"}


def start(*options: str, **named: Any) -> Emulator:
    """Starts an emulator on a free port, and gives a client whose `close` ends it.

    `named` are the options of `gateway-emulator serve --help`: clock="auto", seed=7, now= (ISO 8601 or a datetime), scenarios= (names
    and files), data_dir=, public_url=, strict=True, ...; None and False leave one out. `options` are the same as words of the command
    line. Raises NotInstalled without the npm package, TypeError for a document as scenario (`open_world` takes those), and
    RuntimeError with the program's own words when it ends before it is ready, such as for an unknown option.
    """
    command = [*program(), "serve", "--port", "0", "--log", "json", *options, *words_of(named)]
    # Options of the environment, such as GATEWAY_EMULATOR_PORT, belong to another emulator.
    own = {name: value for name, value in os.environ.items() if not name.startswith("GATEWAY_EMULATOR_")}
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        command, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL, env=own, text=True, encoding="utf-8", errors="replace"
    )
    said = collections.deque(maxlen=20)
    # Both pipes must be read: a full one would stop the program.
    errors = threading.Thread(target=pass_on, args=(child.stderr, said), daemon=True)
    errors.start()
    watch = threading.Timer(START_LIMIT_S, child.kill)
    watch.start()
    try:
        url = ready_url(child)
    finally:
        watch.cancel()
    if url is None:
        errors.join(10)
        raise RuntimeError(f"{' '.join(command)} ended with {child.wait()} before it was ready:\n{''.join(said)}")
    threading.Thread(target=child.stdout.read, daemon=True).start()
    return Emulator(url, lambda: stop(child))


def words_of(named):
    words = []
    for name, value in named.items():
        flag = "--" + NAMES_IN_CODE.get(name, name).replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, Mapping):
                raise TypeError(f"{name} takes names and files, not a document; give that to open_world(scenarios=[...])")
            if one is not None and one is not False:
                words.append(flag)
                words += [] if one is True else [one.isoformat() if isinstance(one, datetime.datetime) else str(one)]
    return words


def pass_on(stream, said):
    for line in stream:
        said.append(line)
        sys.stderr.write(line)


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
