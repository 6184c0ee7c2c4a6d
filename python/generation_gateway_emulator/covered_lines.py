"""Writes which lines of a program's own files run, and which handlers these files have, for `explore --coverage`: each line at once, so
that a process that is killed has told it, too."""

import ast
import json
import os
import re
import sys

FOREIGN = re.compile(r"[\\/](?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/]python\d|^<|[\\/]generation_gateway_emulator[\\/]|[\\/]tie[\\/]sitecustomize")
ABOUT_STATUS = re.compile(r"status|state|\bok\b|\bcode\b|\berrno\b", re.IGNORECASE)


def cover(folder):
    """Follows this whole process from now on; its forks have files of their own."""
    ran, path, place = {}, [], []

    def begin():
        ran.clear()
        path[:] = [os.path.join(folder, f"python-{os.getpid()}.jsonl")]
        place[:] = [os.open(path[0], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)]

    def say(*row):
        try:
            os.write(place[0], (json.dumps(row) + "\n").encode())
        except OSError:  # Without its file, nothing is known of this process.
            if os.path.exists(path[0]):
                os.unlink(path[0])

    def note(name, line):
        file = os.path.abspath(name)
        if name not in ran:
            ran[name] = set()
            say("file", file, *read(file))
        if line not in ran[name]:
            ran[name].add(line)
            say("line", file, line)

    def is_own(name):
        return not FOREIGN.search(name) and not FOREIGN.search(os.path.abspath(name))

    begin()
    monitoring = getattr(sys, "monitoring", None)
    if monitoring and monitoring.get_tool(monitoring.COVERAGE_ID) is None:
        watch_lines(monitoring, note, is_own)
    else:
        trace_lines(note, is_own)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=begin)


def read(file):
    """The handlers of a file, and why they are not known."""
    try:
        with open(file, encoding="utf-8") as source:
            return handlers_in(source.read()), None
    except (OSError, ValueError, SyntaxError) as error:
        return [], f"{type(error).__name__}: {error}"


def watch_lines(monitoring, note, is_own):
    def on_line(code, line):
        if is_own(code.co_filename):
            note(code.co_filename, line)
        return monitoring.DISABLE

    monitoring.use_tool_id(monitoring.COVERAGE_ID, "gateway-emulator")
    monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, on_line)
    monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)


def trace_lines(note, is_own):
    import threading

    own = {}

    def on_call(frame, event, _):
        name = frame.f_code.co_filename
        if name not in own:
            own[name] = is_own(name)
        return on_line if own[name] else None

    def on_line(frame, event, _):
        if event == "line":
            note(frame.f_code.co_filename, frame.f_lineno)
        return on_line

    threading.settrace(on_call)
    sys.settrace(on_call)


def handlers_in(source):
    """Each as its line, kind, text, and the first line of its body; 0 where that line runs without the body, too."""
    lines, found = source.splitlines(), []

    def add(kind, line, body):
        first = body[0].lineno
        found.append([line, kind, lines[line - 1].strip(), first if first != line else 0])

    def word_above(body, word):
        for line in range(body[0].lineno, 0, -1):
            if re.match(rf"\s*{word}\b", lines[line - 1]):
                return line
        return body[0].lineno

    def is_about_status(test):
        words = [getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(test)]
        words += [node.value for node in ast.walk(test) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        return ABOUT_STATUS.search(" ".join(map(str, words)))

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler):
            add("except", node.lineno, node.body)
        elif getattr(node, "finalbody", None):
            add("finally", word_above(node.finalbody, "finally"), node.finalbody)
        elif isinstance(node, ast.If) and is_about_status(node.test):
            add("branch", node.lineno, node.body)
            is_elif = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
            if node.orelse and not (is_elif and re.match(r"\s*elif\b", lines[node.orelse[0].lineno - 1])):
                add("branch", word_above(node.orelse, "else"), node.orelse)
        elif type(node).__name__ == "Match" and is_about_status(node.subject):
            for case in node.cases:
                add("branch", case.pattern.lineno, case.body)
    return found
