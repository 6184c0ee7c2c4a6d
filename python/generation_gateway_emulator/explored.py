"""Explores a program and returns one case for each possible failure, for parametrised tests."""

import json
import subprocess

from .process import program

FLAGS = ("only", "skip", "jobs", "limit", "budget", "accept", "fail_on", "seed", "now", "scenario", "clock", "time", "env", "state")
SWITCHES = ("pairs", "restarts", "virtual_time", "without_result")


class ExploreError(Exception):
    """The program could not be explored: an option is invalid, or the undisturbed run failed."""


class Case:
    """How a program reacted to one failure of one of its calls, or to being killed there and started again."""

    def __init__(self, row, fail_on="problems"):
        self.operation = row["operation"]
        self.nth = row["nth"]
        self.failure = row["id"]
        self.verdict = row["verdict"]
        self.end = row["end"]
        self.bill = row["bill"]
        self.level = row["level"]
        self.evidence = row["evidence"]
        self.accepted = row.get("accepted")
        self.failing = ("problem", "warning") if fail_on == "warnings" else ("problem",)
        self.row = row
        second = f" + {row['and']}" if row.get("and") else ""
        self.name = f"{self.operation}#{self.nth} {self.failure}{second}"

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


def explore(command, *, cwd=None, **options):
    """Runs `command` undisturbed, then once for each possible failure of each of its calls, and returns one Case each.

    With `restarts` it is killed at each of its calls instead, and started again with the same state: one Case for each point.

    `options` are the flags of `gateway-emulator explore`: only, skip, accept, env and scenario (a text or a list of texts), jobs,
    limit, budget, fail_on, seed, now, clock, time, state, pairs, restarts, without_result (for a program that only cancels or
    lists), virtual_time (the old name of time="virtual"). Raises ExploreError when an
    option is wrong or the undisturbed run fails, and TypeError for an unknown option.
    """
    words = [*program(), "explore", "--reporter", "json", *flags_of(options), "--", *command]
    ended = subprocess.run(words, cwd=cwd, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if ended.returncode not in (0, 1) or not ended.stdout.strip():
        raise ExploreError(f"gateway-emulator explore ended with {ended.returncode}:\n{ended.stderr.strip()}")
    report = json.loads(ended.stdout)
    return [Case(row, report["fail_on"]) for row in report["cases"] + report["restarts"]]


def flags_of(options):
    words = []
    for name, value in options.items():
        if name not in FLAGS and name not in SWITCHES:
            raise TypeError(f"explore() knows {', '.join(FLAGS + SWITCHES)}, not {name}")
        flag = "--" + name.replace("_", "-")
        if name in SWITCHES:
            words += [flag] if value else []
        elif value is not None:
            texts = value if isinstance(value, (list, tuple)) else [value]
            words += [word for text in texts for word in (flag, str(text))]
    return words
