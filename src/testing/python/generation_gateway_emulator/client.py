"""A client of the emulator's control API. Every call raises EmulatorError when the emulator refuses it."""

import datetime
import json
import re
import urllib.error
import urllib.parse
import urllib.request

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class EmulatorError(Exception):
    """A refusal of the control API. `status` is 0 when there was no reply."""

    def __init__(self, status, code, message, path=None, hint=None):
        super().__init__(f"{message} ({hint})" if hint else message)
        self.status = status
        self.code = code
        self.path = path
        self.hint = hint


class Caller:
    """Calls below one path of the control API."""

    def __init__(self, base):
        self.base = base

    def get(self, path, **query):
        given = {name: value for name, value in query.items() if value is not None}
        text = "?" + urllib.parse.urlencode(given) if given else ""
        return self._call("GET", path + text)

    def send(self, method, path, body=None):
        return self._call(method, path, body)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {} if data is None else {"content-type": "application/json"}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            # The emulator is local: these calls must not go through a proxy of the environment.
            with DIRECT.open(request, timeout=60) as reply:
                return parsed(reply.read())
        except urllib.error.HTTPError as refused:
            raise error_of(refused.code, refused.read()) from None
        except OSError as cause:
            raise EmulatorError(0, "unreachable", f"No emulator answers at {self.base}: {cause}") from cause


DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def parsed(data):
    return json.loads(data) if data else None


def error_of(status, data):
    try:
        error = json.loads(data)["error"]
        return EmulatorError(status, error["code"], error["message"], error.get("path"), error.get("hint"))
    except (ValueError, KeyError, TypeError):
        return EmulatorError(status, "unknown", data[:500].decode("utf-8", "replace"))


def connect(url):
    """A client of the emulator at `url`, such as "http://127.0.0.1:8585". Sends no request before the first call."""
    if not re.match(r"https?://", url):
        raise ValueError(f'url is {url!r}; it must start with "http://" or "https://"')
    return Emulator(url.rstrip("/"))


class Emulator:
    """A client of an emulator on any machine."""

    def __init__(self, url, stop=None):
        self.url = url
        self._root = Caller(url + "/__emulator")
        self._stop = stop

    @property
    def world(self):
        """The world `default`."""
        return World(self, "default")

    def open_world(self, id=None, *, clock=None, seed=None, now=None, scenarios=None):
        """Opens a world. `clock` is "realtime", "manual", "auto" or a rate such as "60x"; `now` a datetime or ISO 8601."""
        document = {"id": id, "seed": seed, "clock": clock_of(clock, now), "scenarios": scenarios}
        given = {name: value for name, value in document.items() if value is not None}
        return World(self, self._root.send("POST", "/worlds", given)["id"])

    def world_named(self, id):
        """A world by name; it opens on first use."""
        return World(self, checked_name("world", id))

    def health(self):
        return self._root.get("/health")

    def failures(self, operation=None, family=None):
        """The failures of each operation, as scenario rules."""
        return self._root.get("/failures", operation=operation, family=family)["items"]

    def close(self):
        """Stops the emulator if this process started it."""
        if self._stop:
            self._stop()
            self._stop = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def clock_of(clock, now):
    change = {} if clock is None else {"mode": clock}
    if clock is not None and re.fullmatch(r"[0-9.]+x", clock):
        change = {"mode": "realtime", "rate": clock}
    if now is not None:
        change["now"] = now.isoformat() if isinstance(now, datetime.datetime) else now
    return change or None


def checked_name(what, name):
    if not NAME.fullmatch(name):
        raise ValueError(f"{what} is {name!r}; allowed are 1 to 64 letters, digits, '_' and '-'")
    return name


class World:
    """One isolated emulated gateway: its own clock, seed, tasks, scenarios and journal."""

    def __init__(self, emulator, id):
        self.emulator = emulator
        self.id = id
        self.base_url = emulator.url
        self.api_key = "sk-emulator" if id == "default" else f"sk-test-{id}"
        self._call = Caller(f"{emulator.url}/__emulator/worlds/{id}")
        self.clock = Clock(self._call)

    def key_for(self, account):
        """The key of another account of this world."""
        return f"{self.api_key}.{checked_name('account', account)}"

    def use(self, *scenarios):
        """Activates exactly these scenarios from now on: names, or documents as dicts."""
        for document in scenarios:
            if not isinstance(document, str):
                self._call.send("POST", "/scenarios", document)
        names = [one if isinstance(one, str) else one["name"] for one in scenarios]
        return self._call.send("PUT", "/scenarios/active", {"names": names})["active"]

    def inject(self, operation, nth, then):
        """Makes `then` of the scenario language act once: on the nth call of `operation` from now."""
        return self._call.send("POST", "/inject", {"operation": operation, "nth": nth, "then": then})

    def tasks(self, **filters):
        """Every task, newest first. Filters: family, status, account."""
        return list(self._pages("/tasks", dict(filters, limit=1000)))

    def task(self, id):
        return self._call.get(f"/tasks/{part(id)}")

    def create_task(self, document):
        """Creates a task of any kind without a request to the emulated API: {"family", "kind", "account"?, "request"?, "plan"?}."""
        return self._call.send("POST", "/tasks", document)

    def story(self, task_id):
        """The story of a task, as a text with one line for each event."""
        return self._call.get(f"/tasks/{part(task_id)}/story")["text"]

    def force(self, task_id, status, error=None):
        """Sets the state of a task now, in the words of its family."""
        body = {"status": status, **({"error": error} if error else {})}
        return self._call.send("POST", f"/tasks/{part(task_id)}/force", body)

    def requests(self, **filters):
        """The journal, newest last. Filters: operation, status, since, task, trace, limit."""
        return list(self._call.get("/requests", **filters)["items"])

    def verify(self, match=None, count=None, order=None):
        """Whether the requests came, and how often; with the nearest misses when they did not."""
        wanted = {"match": match, "count": count, "order": order}
        given = {name: value for name, value in wanted.items() if value is not None}
        return self._call.send("POST", "/requests/verify", given)

    def must_have(self, match=None, count=None, order=None):
        """The same, but raises AssertionError with the requests that were found instead."""
        verdict = self.verify(match, count, order)
        if not verdict["ok"]:
            misses = [f"  {reason}" for miss in verdict["near_misses"] for reason in miss["reasons"]]
            said = verdict.get("message") or f"{verdict['found']} requests match"
            raise AssertionError("\n".join([said, *misses]))
        return verdict

    def findings(self):
        """Findings about the clients: things that they should not do."""
        return self._call.get("/findings")["items"]

    def ledger(self, account=None):
        return self._call.get("/ledger", account=account)

    def save(self, name):
        """Stores a snapshot of the world."""
        return self._call.send("POST", "/snapshots", {"name": name})

    def restore(self, name):
        return self._call.send("POST", f"/snapshots/{part(name)}/restore")

    def reset(self):
        """Resets the world to its opening state."""
        return self._call.send("POST", "/reset")

    def drop(self):
        """Drops the world; `default` opens again on its next use."""
        if self.id != "default":
            self.emulator._root.send("DELETE", f"/worlds/{self.id}")

    def _pages(self, path, query):
        page = self._call.get(path, **query)
        yield from page["items"]
        while page.get("next_cursor"):
            page = self._call.get(path, **dict(query, cursor=page["next_cursor"]))
            yield from page["items"]


class Clock:
    """A world's virtual clock. Durations are "90s", "1h30m", or milliseconds as a number."""

    def __init__(self, call):
        self._call = call

    def get(self):
        return self._call.get("/clock")

    def set(self, **change):
        """Changes `mode`, `rate` or `now`."""
        return self._call.send("PATCH", "/clock", change)

    def advance(self, by):
        """Moves time forward; the reply lists the changes on the way, in order."""
        return self._call.send("POST", "/clock/advance", {"by": by})

    def advance_to(self, to):
        moment = to.isoformat() if isinstance(to, datetime.datetime) else to
        return self._call.send("POST", "/clock/advance", {"to": moment})

    def advance_until(self, until):
        """`until` is "next", "idle", or {"task": id, "status": word}."""
        return self._call.send("POST", "/clock/advance", {"until": until})


def part(text):
    return urllib.parse.quote(text, safe="")
