"""Explores a program and returns one case for each possible failure, for parametrised tests."""

import json
import subprocess

from .process import program

FLAGS = ("only", "skip", "jobs", "limit", "budget", "accept", "fail_on", "seed", "now", "scenario", "clock", "time", "env", "state")
FLAGS_OF_SYSTEMS = ("system", "service", "ready", "scale", "kill", "restart_after")
SWITCHES = ("pairs", "restarts", "virtual_time", "without_result", "orders")


class ExploreError(Exception):
    """The program could not be explored: an option is invalid, or the undisturbed run failed."""


class Case:
    """How a program reacted to one failure of one of its calls, or to being killed there and started again."""

    def __init__(self, row, fail_on="problems"):
        self.operation = row["operation"]
        self.nth = row["nth"]
        self.service = row.get("service")
        self.failure = row["id"]
        self.verdict = row["verdict"]
        self.end = row["end"]
        self.bill = row["bill"]
        self.level = row["level"]
        self.evidence = row["evidence"]
        self.accepted = row.get("accepted")
        self.failing = ("problem", "warning") if fail_on == "warnings" else ("problem",)
        self.row = row
        first = f" {row['first']}" if row.get("first") else ""
        second = f" + {row['and']}" if row.get("and") else ""
        self.name = f"{self.operation}#{self.nth} {self.failure}{first}{second}"

    def __str__(self):
        return self.name

    __repr__ = __str__

    def check(self):
        """Raises AssertionError with the facts, the requests and the stories when the program handled the failure badly.

        Returns what it did wrong without failing, such as `rude: ...`; None when it did all well.
        """
        __tracebackhide__ = True
        if self.level == "good" or self.accepted is not None:
            return None
        if self.level not in self.failing:
            return f"{self.verdict}: {self.evidence}"
        parts = [f"{self.name}: {self.verdict}: {self.evidence}"]
        parts += self.row.get("stories") or []
        if self.row.get("requests"):
            parts.append("Requests:\n" + "\n".join(self.row["requests"]))
        if self.row.get("log"):
            parts.append(self.row["log"])
        raise AssertionError("\n\n".join(parts))


def explore(command=None, *, cwd=None, **options):
    """Runs `command` undisturbed, then once for each possible failure of each of its calls, and returns one Case each.

    With `restarts` it is killed at each of its calls instead, and started again with the same state: one Case for each point.
    With `system`, the path of a file, its services run and its driver is explored, without a command; with `service` and `ready`,
    such as `service={"web": "python web.py"}, ready={"web": "tcp"}`, the command is the driver of these services.

    `options` are the flags of `gateway-emulator explore`: only, skip, accept, env and scenario (a text or a list of texts), jobs,
    limit, budget, fail_on, seed, now, clock, time, state, pairs, restarts, without_result (for a program that only cancels or
    lists), virtual_time (the old name of time="virtual"); of systems also scale, kill, restart_after and orders. Those that take
    NAME=VALUE (env, service, ready, scale) may be a dict. Raises ExploreError when an
    option is wrong or the undisturbed run fails, and TypeError for an unknown option.
    """
    return cases_of(report_of(command, cwd=cwd, **options))


def report_of(command=None, *, cwd=None, **options):
    """The report of an exploration, as `--reporter json` writes it."""
    words = [*program(), "explore", "--reporter", "json", *flags_of(options)]
    words += ["--", *command] if command else []
    ended = subprocess.run(words, cwd=cwd, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if ended.returncode not in (0, 1) or not ended.stdout.strip():
        raise ExploreError(f"gateway-emulator explore ended with {ended.returncode}:\n{ended.stderr.strip()}")
    return json.loads(ended.stdout)


def cases_of(report):
    return [Case(row, report["fail_on"]) for row in report["cases"] + report["restarts"]]


def left_out(report):
    """Titles and reasons of what was not tried of the chosen calls. A title holds no number of calls, since the number of polls varies."""
    chosen = {case.operation for case in cases_of(report)}
    for entry in report["not_tried"]:
        operation = entry["what"].split("#")[0]
        if entry["kind"] == "case":
            yield entry["what"], entry["reason"]
        elif operation in chosen:
            yield f"later calls of {operation}", f"{entry['what']} {entry['reason']}"


def flags_of(options):
    words = []
    for name, value in options.items():
        known = FLAGS + FLAGS_OF_SYSTEMS + SWITCHES
        if name not in known:
            raise TypeError(f"explore() knows {', '.join(known)}, not {name}")
        flag = "--" + name.replace("_", "-")
        if name in SWITCHES:
            words += [flag] if value else []
        elif value is not None:
            words += [word for text in texts_of(value) for word in (flag, str(text))]
    return words


def texts_of(value):
    if isinstance(value, dict):
        return [f"{name}={text}" for name, text in value.items()]
    return value if isinstance(value, (list, tuple)) else [value]
