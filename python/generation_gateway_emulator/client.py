"""A client of the emulator's control API. Every call raises EmulatorError when the emulator refuses it."""

from __future__ import annotations

import datetime
import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, Union

#: A document of the control API: JSON with the names of `/__emulator/openapi.control.json`.
Document = dict[str, Any]
Family = Literal["a", "b", "c", "special", "k", "image"]
#: How a clock moves: a mode, or a rate such as "60x".
ClockMode = Union[Literal["realtime", "manual", "auto"], str]
#: "90s", "1h30m", or milliseconds.
Duration = Union[str, int, float]
#: A moment: a datetime, or ISO 8601.
Moment = Union[datetime.datetime, str]

#: A name, a path, a YAML or JSON text, or a document.
Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class EmulatorError(Exception):
    """A refusal of the control API. `status` is 0 when there was no reply."""

    def __init__(self, status: int, code: str, message: str, path: str | None = None, hint: str | None = None) -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.status = status
        self.code = code
        self.path = path
        self.hint = hint


class Caller:
    """Calls below one path of the control API."""

    def __init__(self, base: str) -> None:
        self.base = base

    # __tracebackhide__: pytest leaves the frame out, so that a failed test ends at the line of the test.
    def get(self, path: str, **query: Any) -> Any:
        __tracebackhide__ = True
        return parsed(self._call("GET", path + query_text(query)))

    def text(self, path: str, **query: Any) -> str:
        return self._call("GET", path + query_text(query)).decode("utf-8")

    def send(self, method: str, path: str, body: Document | str | None = None) -> Any:
        __tracebackhide__ = True
        return parsed(self._call(method, path, body))

    def _call(self, method: str, path: str, body: Document | str | None = None) -> bytes:
        __tracebackhide__ = True
        data = None if body is None else json.dumps(body).encode()
        headers = {} if data is None else {"content-type": "application/json"}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            # The emulator is local: these calls must not go through a proxy of the environment.
            with DIRECT.open(request, timeout=60) as reply:
                return reply.read()
        except urllib.error.HTTPError as refused:
            raise error_of(refused.code, refused.read()) from None
        except OSError as cause:
            raise EmulatorError(0, "unreachable", f"No emulator answers at {self.base}: {cause}") from cause


DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def is_name(scenario: Scenario) -> bool:
    return isinstance(scenario, str) and not re.search(r"[./\\\n]|^\s*\{", scenario)


def sendable(scenario: Scenario) -> Document | str:
    """A scenario as the control API takes it: a file as its text. Raises OSError when the file cannot be read."""
    if isinstance(scenario, Mapping):
        return dict(scenario)
    if isinstance(scenario, str) and (is_name(scenario) or re.search(r"\n|^\s*\{", scenario)):
        return scenario
    with open(scenario, encoding="utf-8") as file:
        return file.read()


def query_text(query: Document) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return "?" + urllib.parse.urlencode(given) if given else ""


def parsed(data: bytes) -> Any:
    return json.loads(data) if data else None


def error_of(status: int, data: bytes) -> EmulatorError:
    try:
        error = json.loads(data)["error"]
        return EmulatorError(status, error["code"], error["message"], error.get("path"), error.get("hint"))
    except (ValueError, KeyError, TypeError):
        return EmulatorError(status, "unknown", data[:500].decode("utf-8", "replace"))


def connect(url: str) -> Emulator:
    """A client of the emulator at `url`, such as "http://127.0.0.1:8585". Sends no request before the first call."""
    if not re.match(r"https?://", url):
        raise ValueError(f'url is {url!r}; it must start with "http://" or "https://"')
    return Emulator(url.rstrip("/"))


class Emulator:
    """A client of an emulator on any machine."""

    #: Its address, such as "http://127.0.0.1:8585".
    url: str

    def __init__(self, url: str, stop: Callable[[], None] | None = None) -> None:
        self.url = url
        self._root = Caller(url + "/__emulator")
        self._stop = stop

    @property
    def world(self) -> World:
        """The world `default`."""
        return World(self, "default")

    def open_world(
        self,
        id: str | None = None,
        *,
        clock: ClockMode | None = None,
        seed: int | None = None,
        now: Moment | None = None,
        scenarios: list[Scenario] | None = None,
        services: list[str] | None = None,
    ) -> World:
        """Opens a world with a name of its own, or the one that is given. What is not given is as for worlds that a key opens.

        `clock` is "realtime", "manual", "auto" or a rate such as "60x". `scenarios` are as for `World.use`. With `services`, each
        request has the `service` that sent it: one of these names, by the label of its key, else by its process (Linux). Raises EmulatorError
        when a world of this name is open, and for an unknown scenario.
        """
        given = None if scenarios is None else [sendable(one) for one in scenarios]
        opening = {"id": id, "seed": seed, "clock": clock_of(clock, now)}
        document = {**opening, "scenarios": given, "services": services}
        given = {name: value for name, value in document.items() if value is not None}
        return World(self, self._root.send("POST", "/worlds", given)["id"])

    def world_named(self, id: str) -> World:
        """A world by name. It opens with the first call that sets something, or the first request with its key; reading it before is a 404."""
        return World(self, checked_name("world", id))

    def health(self) -> Document:
        """{"status": "ok", "version", "uptime_ms", "worlds"}. Raises EmulatorError with status 0 when no emulator answers."""
        return self._root.get("/health")

    def failures(self, operation: str | None = None, family: Family | None = None) -> list[Document]:
        """What can go wrong with each operation, as scenario rules. `operation` is an id such as "a.create", or a glob."""
        return self._root.get("/failures", operation=operation, family=family)["items"]

    def close(self) -> None:
        """Stops the emulator if this process started it."""
        if self._stop:
            self._stop()
            self._stop = None

    def __enter__(self) -> Emulator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def clock_of(clock: ClockMode | None, now: Moment | None) -> Document | None:
    change: Document = {} if clock is None else {"mode": clock}
    if clock is not None and re.fullmatch(r"[0-9.]+x", clock):
        change = {"mode": "realtime", "rate": clock}
    if now is not None:
        change["now"] = now.isoformat() if isinstance(now, datetime.datetime) else now
    return change or None


def checked_name(what: str, name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"{what} is {name!r}; allowed are 1 to 64 letters, digits, '_' and '-'")
    return name


class World:
    """One isolated emulated gateway: its own clock, seed, tasks, scenarios and journal.

    Every call raises EmulatorError when the emulator refuses it, with its `status`, `code`, `path` and `hint`.
    """

    #: The emulator that it belongs to.
    emulator: Emulator
    #: Its name.
    id: str
    #: For the code under test: the base address of the gateway.
    base_url: str
    #: For the code under test: the key of the account `default`.
    api_key: str
    #: Where its control API is.
    control_url: str
    clock: Clock

    def __init__(self, emulator: Emulator, id: str) -> None:
        self.emulator = emulator
        self.id = id
        self.base_url = emulator.url
        self.api_key = "sk-emulator" if id == "default" else f"sk-test-{id}"
        self.control_url = f"{emulator.url}/__emulator/worlds/{id}"
        self._call = Caller(self.control_url)
        self.clock = Clock(self._call)

    def key_for(self, account: str = "default", label: str | None = None) -> str:
        """The key of an account of this world. A label makes it another key of that account. Raises ValueError for a name that cannot be one."""
        key = self.api_key if account == "default" else f"{self.api_key}.{checked_name('account', account)}"
        return key if label is None else f"{key}:{checked_name('label', label)}"

    def use(self, *scenarios: Scenario) -> list[str]:
        """Activates exactly these scenarios from now on, and gives their names. Without any: none.

        A scenario is a name, a file (a path with a dot or a slash), its YAML or JSON text, or a document as a dict.
        """
        names = [one if is_name(one) else self._call.send("POST", "/scenarios", sendable(one))["name"] for one in scenarios]
        return self._call.send("PUT", "/scenarios/active", {"names": names})["active"]

    def inject(self, operation: str, nth: int, then: Mapping[str, Any]) -> Document:
        """Makes `then` of the scenario language act once: on the nth call of `operation` from now, counted from 1."""
        return self._call.send("POST", "/inject", {"operation": operation, "nth": nth, "then": dict(then)})

    def tasks(
        self, *, family: Family | None = None, status: str | None = None, account: str | None = None, **filters: Any
    ) -> list[Document]:
        """Every task, newest first. `status` is in the words of the family."""
        query = dict(filters, family=family, status=status, account=account, limit=1000)
        return list(self._pages("/tasks", query))

    def task(self, id: str) -> Document:
        """A task with its request, plan, facts, view, timeline, charges and media. Raises EmulatorError 404 for an unknown id."""
        return self._call.get(f"/tasks/{part(id)}")

    def create_task(self, document: Document) -> Document:
        """Makes a task of any kind without a request to the emulated API: {"kind", "account"?, "request"?, "plan"?}. Neither scenarios nor tags act on it."""
        return self._call.send("POST", "/tasks", document)

    def story(self, task_id: str) -> str:
        """The story of a task, as a text with one line for each event."""
        return self._call.get(f"/tasks/{part(task_id)}/story")["text"]

    def force(self, task_id: str, status: str, error: Mapping[str, str] | None = None) -> Document:
        """Sets the state of a task now, in the words of its family. `error` is {"code", "message"}. EmulatorError 409 when its states do not allow it."""
        body = {"status": status, **({"error": dict(error)} if error else {})}
        return self._call.send("POST", f"/tasks/{part(task_id)}/force", body)

    def expire_link(self, task_id: str) -> Document:
        """Ends the result links of a succeeded task now."""
        return self._call.send("POST", f"/tasks/{part(task_id)}/expire-link")

    def change_account(self, account: str, change: Document) -> Document:
        """Changes an account, such as {"balance": 0}."""
        return self._call.send("PATCH", f"/accounts/{part(account)}", change)

    def requests(
        self,
        *,
        operation: str | None = None,
        status: int | None = None,
        since: str | None = None,
        task: str | None = None,
        trace: str | None = None,
        search: str | None = None,
        kind: str | None = None,
        limit: int | None = None,
    ) -> list[Document]:
        """The journal of requests, newest last. `operation` may be a glob such as "a.*"; `limit` keeps the newest."""
        filters = {"operation": operation, "status": status, "since": since, "task": task, "trace": trace}
        return list(self._call.get("/requests", **filters, search=search, kind=kind, limit=limit)["items"])

    def verify(
        self,
        match: Mapping[str, Any] | None = None,
        count: Mapping[str, int] | None = None,
        order: list[Mapping[str, Any]] | None = None,
    ) -> Document:
        """Whether requests came, and how often: {"ok", "found", "near_misses"}.

        `match` has the keys of a rule's `when`; `count` is {"exactly"}, {"at_least"} or {"at_most"}, else at least 1; `order` is a
        list of matches that must come in this order.
        """
        wanted = {"match": match, "count": count, "order": order}
        given = {name: value for name, value in wanted.items() if value is not None}
        return self._call.send("POST", "/requests/verify", given)

    def must_have(
        self,
        match: Mapping[str, Any] | None = None,
        count: Mapping[str, int] | None = None,
        order: list[Mapping[str, Any]] | None = None,
    ) -> Document:
        """As `verify`, but raises AssertionError with the requests that were found instead."""
        __tracebackhide__ = True
        verdict = self.verify(match, count, order)
        if not verdict["ok"]:
            misses = [f"  {reason}" for miss in verdict["near_misses"] for reason in miss["reasons"]]
            said = verdict.get("message") or f"{verdict['found']} requests match"
            raise AssertionError("\n".join([said, *misses]))
        return verdict

    def findings(self) -> list[Document]:
        """What clients of this world should not have done: {"kind", "text", …}; empty when there is nothing."""
        return self._call.get("/findings")["items"]

    def trace(
        self,
        out: str | os.PathLike[str] | None = None,
        since: str | int | None = None,
        task: str | None = None,
        trace_id: str | None = None,
    ) -> Document:
        """One run of clients, seen whole. `out` also writes it to a file: JSON when the name ends in ".json", else an HTML
        page that needs no network."""
        filters = {"since": since, "task": task, "trace_id": trace_id}
        document = self._call.get("/trace", **filters)
        if out is not None:
            is_json = str(out).endswith(".json")
            text = json.dumps(document, indent=2) if is_json else self._call.text("/trace", format="html", **filters)
            with open(out, "w", encoding="utf-8") as file:
                file.write(text)
        return document

    def ledger(self, account: str | None = None) -> Document:
        """What was charged: {"items": [{"at", "task_id", "kind", "amount", "balance", …}], "totals"}. Amounts are positive credits."""
        return self._call.get("/ledger", account=account)

    def save(self, name: str) -> Document:
        """Stores a snapshot of the world under a name."""
        return self._call.send("POST", "/snapshots", {"name": name})

    def restore(self, name: str) -> Document:
        """Sets the world back to a snapshot, which can be used again. Raises EmulatorError 404 for an unknown name."""
        return self._call.send("POST", f"/snapshots/{part(name)}/restore")

    def reset(self) -> Document:
        """Resets the world to its opening state: no tasks, requests and charges; clock, seed and scenarios as at opening."""
        return self._call.send("POST", "/reset")

    def drop(self) -> None:
        """Drops the world and all that is in it. `default` stays."""
        if self.id != "default":
            self.emulator._root.send("DELETE", f"/worlds/{self.id}")

    def _pages(self, path: str, query: Document) -> Iterator[Document]:
        page = self._call.get(path, **query)
        yield from page["items"]
        while page.get("next_cursor"):
            page = self._call.get(path, **dict(query, cursor=page["next_cursor"]))
            yield from page["items"]


class Clock:
    """A world's virtual clock. Durations are "90s", "1h30m", or milliseconds as a number."""

    def __init__(self, call: Caller) -> None:
        self._call = call

    def get(self) -> Document:
        """{"mode", "rate", "now", "now_ms"}: `now` is ISO 8601, `now_ms` milliseconds since 1970."""
        return self._call.get("/clock")

    def set(self, **change: Any) -> Document:
        """Changes `mode`, `rate` or `now`. Raises EmulatorError 409 for a moment in the past."""
        return self._call.send("PATCH", "/clock", change)

    def advance(self, by: Duration) -> Document:
        """Moves time forward; the reply lists the changes on the way, in order: {"now", "now_ms", "events"}."""
        return self._call.send("POST", "/clock/advance", {"by": by})

    def advance_to(self, to: Moment | int) -> Document:
        """The same, to a moment: a datetime, ISO 8601, or milliseconds since 1970."""
        moment = to.isoformat() if isinstance(to, datetime.datetime) else to
        return self._call.send("POST", "/clock/advance", {"to": moment})

    def advance_until(self, until: str | Mapping[str, str]) -> Document:
        """The same, until "next" or "idle", or {"task": id, "status": word}. Raises EmulatorError 409 for what can never come."""
        given = until if isinstance(until, str) else dict(until)
        return self._call.send("POST", "/clock/advance", {"until": given})


def part(text: str) -> str:
    return urllib.parse.quote(text, safe="")
