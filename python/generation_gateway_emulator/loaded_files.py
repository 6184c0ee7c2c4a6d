"""Writes which files a Python program loads, reads and writes, as `explore --reuse` needs them: one a line, at once, into a file of this
process, so that a process that is killed has told them, too. `src/explore/run/loaded-preload.ts` says what the lines mean."""

import os
import re
import sys

PLACES = ("site-packages", "dist-packages")
# What begins a file anew, or only adds to it.
WRITING = os.O_WRONLY | os.O_TRUNC | os.O_EXCL


def tell_files(folder):
    """Tells them from now on, as long as this process runs; its forks have files of their own."""
    told, place = set(), []

    def begin():
        place[:] = [os.path.join(folder, f"{os.getpid()}-{id(told)}")]
        told.clear()
        note("h", os.getpid(), os.getppid(), "python " + sys.version)
        for entry in sys.path:
            if entry.endswith(PLACES):
                note("p", entry)

    def note(*words):
        line = "\0".join(map(str, words)).replace("\n", " ")
        if line in told and words[0] != "b":
            return
        told.add(line)
        file = os.open(place[0], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, (line + "\n").encode("utf-8", "surrogateescape"))
        finally:
            os.close(file)

    def tell(event, args):
        if event != "open" and event not in EVENTS:
            return
        try:
            if event == "open":
                path, _, flags = args
                note_path("w" if isinstance(flags, int) and flags & WRITING else "r", path)
            else:
                EVENTS[event](*args)
        except Exception:  # Without its file, nothing is known of this process.
            os.path.exists(place[0]) and os.unlink(place[0])

    def note_path(kind, path):
        if path is None:
            path = os.curdir
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        path = os.path.abspath(os.fsdecode(path))
        if path.startswith(folder):
            return
        if path.endswith(".pyc") and kind == "r":
            try:
                path = sys.modules["_frozen_importlib_external"].source_from_cache(path)
            except (KeyError, ValueError):
                pass
        note(kind, path)

    def note_listed(path, *_):
        # Imports list folders, too.
        if "importlib" not in sys._getframe(2).f_code.co_filename:
            note_path("d", path)

    def note_call(_, data):
        head = re.match(rb"([A-Z]+) ([^ ?]+)\S* HTTP/", data) if isinstance(data, bytes) else None
        if head:
            frames, frame = [], sys._getframe(2)
            while frame:
                name = frame.f_code.co_name.strip("<>")
                frames.append(f"    at {name} ({os.path.abspath(frame.f_code.co_filename)}:{frame.f_lineno}:1)")
                frame = frame.f_back
            note("c", *(part.decode() for part in head.groups()), *frames)

    def note_child(words, cwd=None):
        words = [words] if isinstance(words, (str, bytes, os.PathLike)) else words
        note("b", os.path.abspath(os.fsdecode(cwd or os.curdir)), *map(os.fsdecode, words))

    EVENTS = {
        "cpython.run_file": lambda path: note_path("r", path),
        "import": lambda _, path, *__: path and note_path("r", path),
        "ctypes.dlopen": lambda path: path and os.path.exists(path) and note_path("r", path),
        "sqlite3.connect": lambda path, *_: note_path("r", path),
        "os.listdir": note_listed,
        "os.scandir": note_listed,
        "os.rename": lambda _, path, *__: note_path("w", path),
        "subprocess.Popen": lambda program, args, cwd, _: note_child([program or args[0], *args[1:]] if isinstance(args, (list, tuple)) else args, cwd),
        "os.system": lambda command: note_child(["sh", "-c", command]),
        "os.exec": lambda path, args, _: note_child([path, *args[1:]]),
        "os.posix_spawn": lambda path, args, _: note_child([path, *args[1:]]),
        "os.spawn": lambda _, path, args, __: note_child([path, *args[1:]]),
    }
    if os.environ.get("GATEWAY_EMULATOR_CALLS"):
        EVENTS["http.client.send"] = note_call
    begin()
    sys.addaudithook(tell)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=begin)
