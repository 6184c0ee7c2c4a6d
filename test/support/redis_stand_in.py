"""Stands in for redis-server where there is none: the few commands that the example systems use, and with `--appendonly yes` a file in
--dir that a restart reads. It is started as Redis is, and like Redis it has no part in virtual time.

    python3 -I -S redis_stand_in.py --port 6379 --dir /tmp/state --appendonly yes
"""

import json
import os
import selectors
import socket
import sys

options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
journal = os.path.join(options.get("--dir", "."), "stand-in.jsonl") if options.get("--appendonly") == "yes" else None
data = {}
changes = {}
waiting = []


class Wrong(Exception):
    pass


def sought(items, start, stop):
    """The slice of LRANGE: negative numbers count from the end, and the last one is included."""
    start, stop = (max(0, at + len(items)) if at < 0 else at for at in (int(start), int(stop)))
    return items[start : stop + 1]


def hset(key, *pairs):
    fields = data.setdefault(key, {})
    before = len(fields)
    fields.update(zip(pairs[::2], pairs[1::2]))
    return len(fields) - before


def lpush(key, *values):
    data.setdefault(key, [])[:0] = reversed(values)
    return len(data[key])


def popped(key, end):
    items = data.get(key)
    if not items:
        return None
    value = items.pop(0 if end.upper() == "LEFT" else -1)
    if not items:
        del data[key]
    return value


def lmove(source, target, whence, where):
    value = popped(source, whence)
    if value is not None:
        items = data.setdefault(target, [])
        items.insert(0 if where.upper() == "LEFT" else len(items), value)
    return value


def lrem(key, count, value):
    items = data.get(key, [])
    removed = 0
    while value in items and (int(count) == 0 or removed < int(count)):
        items.remove(value)
        removed += 1
    if key in data and not items:
        del data[key]
    return removed


def within(key, least, most):
    members = sorted(data.get(key, {}).items(), key=lambda member: (float(member[1]), member[0]))
    return [name for name, score in members if float(least) <= float(score) <= float(most)]


def zremrangebyscore(key, least, most):
    names = within(key, least, most)
    for name in names:
        del data[key][name]
    return len(names)


def lindex(key, at):
    items = data.get(key, [])
    return items[int(at)] if -len(items) <= int(at) < len(items) else None


reads = {
    "PING": lambda: Simple("PONG"),
    "INFO": lambda *_: "loading:0\r\n",
    "CLIENT": lambda *_: Simple("OK"),
    "EXISTS": lambda key: int(key in data),
    "HGETALL": lambda key: [text for pair in data.get(key, {}).items() for text in pair],
    "LRANGE": lambda key, start, stop: sought(data.get(key, []), start, stop),
    "LINDEX": lindex,
    "LPOS": lambda key, value: data[key].index(value) if value in data.get(key, []) else None,
    "ZRANGEBYSCORE": within,
}
writes = {
    "HSET": hset,
    "LPUSH": lpush,
    "LMOVE": lmove,
    "LREM": lrem,
    "ZADD": lambda key, score, name: hset(key, name, score),
    "ZREMRANGEBYSCORE": zremrangebyscore,
    "RPOP": lambda key: popped(key, "RIGHT"),
}


class Simple(str):
    pass


def carried_out(command):
    name, *rest = command[0].upper(), *command[1:]
    if name in reads:
        return reads[name](*rest)
    if name not in writes:
        raise Wrong(f"ERR unknown command '{name}'")
    if journal:
        with open(journal, "a") as file:
            file.write(json.dumps(command) + "\n")
    for key in rest[: 2 if name == "LMOVE" else 1]:
        changes[key] = changes.get(key, 0) + 1
    return writes[name](*rest)


def encoded(value):
    if value is None:
        return b"$-1\r\n"
    if isinstance(value, Wrong):
        return f"-{value}\r\n".encode()
    if isinstance(value, Simple):
        return f"+{value}\r\n".encode()
    if isinstance(value, int):
        return f":{value}\r\n".encode()
    if isinstance(value, list):
        return f"*{len(value)}\r\n".encode() + b"".join(map(encoded, value))
    content = value.encode()
    return b"$%d\r\n%s\r\n" % (len(content), content)


class Connection:
    def __init__(self, peer):
        self.peer, self.received, self.watched, self.queued = peer, b"", {}, None

    def commands(self):
        """The whole commands that have arrived: arrays of strings, each with its length before it."""
        while b"\r\n" in self.received:
            head, rest = self.received.split(b"\r\n", 1)
            words = []
            for _ in range(int(head[1:])):
                size, _, rest = rest.partition(b"\r\n")
                if not size or len(rest) < int(size[1:]) + 2:
                    return
                words.append(rest[: int(size[1:])].decode())
                rest = rest[int(size[1:]) + 2 :]
            self.received = rest
            yield words

    def answer(self, value):
        self.peer.sendall(encoded(value))

    def handle(self, command):
        name = command[0].upper()
        if name == "EXEC":
            queued, watched, self.queued, self.watched = self.queued, self.watched, None, {}
            if any(changes.get(key, 0) != count for key, count in watched.items()):
                return self.peer.sendall(b"*-1\r\n")
            return self.answer([carried_out(each) for each in queued])
        if self.queued is not None:
            self.queued.append(command)
            return self.answer(Simple("QUEUED"))
        if name == "BRPOP":
            return waiting.append((self, command[1]))
        if name == "MULTI":
            self.queued = []
        elif name == "WATCH":
            self.watched.update({key: changes.get(key, 0) for key in command[1:]})
        elif name == "UNWATCH":
            self.watched = {}
        else:
            try:
                return self.answer(carried_out(command))
            except Wrong as wrong:
                return self.answer(wrong)
        return self.answer(Simple("OK"))


def serve_waiting():
    """BRPOP: whoever has waited longest gets what has come."""
    for entry in list(waiting):
        connection, key = entry
        if data.get(key):
            waiting.remove(entry)
            connection.answer([key, carried_out(["RPOP", key])])


def receive(connection, selector):
    try:
        received = connection.peer.recv(1 << 16)
    except OSError:
        received = b""
    if not received:
        selector.unregister(connection.peer)
        connection.peer.close()
        waiting[:] = [entry for entry in waiting if entry[0] is not connection]
        return
    connection.received += received
    for command in connection.commands():
        connection.handle(command)
    serve_waiting()


def serve():
    if journal and os.path.exists(journal):
        with open(journal) as file:
            for line in file:
                # A line that was cut off by a kill was not answered.
                if line.endswith("\n"):
                    name, *rest = json.loads(line)
                    writes[name.upper()](*rest)
    listener = socket.create_server(("127.0.0.1", int(options["--port"])))
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                peer, _ = listener.accept()
                selector.register(peer, selectors.EVENT_READ, Connection(peer))
            else:
                receive(key.data, selector)


serve()
