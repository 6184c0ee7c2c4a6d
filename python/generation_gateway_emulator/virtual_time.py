"""Ties the clocks and waits of a Python program to a world of the emulator: a wait moves the world's clock by its length and returns
at once, and `time`, `datetime`, asyncio, threads and the time-outs of sockets follow that clock.

`gateway-emulator explore` ties whole programs by `tie_program`, the pytest plugin one test by `tied`. Only built-in modules are
imported here, since each Python process of an explored program loads this file; other modules are changed when the program imports them.
"""

import _thread
import os
import sys
import time

REAL = {name: getattr(time, name) for name in dir(time) if callable(getattr(time, name)) and name[0] != "_"}
NS = 10**9
# While a request is open, no time is skipped until it has been silent for this long, in wall seconds.
SILENCE_S = 0.5
# A request that the emulator does not have, or does not finish, for so many wall seconds went to another server.
TRANSIT_S = 5
# The steps in which the rest of a reply's latency passes, in virtual milliseconds.
LATENCY_STEP_MS = 100
# Between two looks at a program that waits, in wall seconds.
LOOK_S = 0.02
# Each look at the clock takes a moment: two looks never give the same time, and a loop that waits for a moment comes to an end. A
# program that does the least work between two looks, such as to write a line, needs at least as long for it in wall time.
LOOK_NS = 1000
# What `sleep(0)` takes: Linux rounds the end of each sleep up by so much.
YIELD_NS = 50_000
# A request waits until the world knows of so much time that the program has spent without a wait.
NOTICED_NS = 10**8
STILL_RUNNING_S = 7 * 86_400
STILL_RUNNING = "virtual-time: still running after seven virtual days"


class Link:
    """The control API of one world, over one connection of its own. It never uses what the program uses."""

    def __init__(self, base):
        """`base` is such as http://127.0.0.1:8585/__emulator/worlds/w1."""
        scheme, _, rest = base.partition("://")
        if scheme != "http":
            raise OSError(f"a world at {scheme} cannot drive this program; only http can")
        self.address, _, self.path = rest.partition("/")
        self.lock = _thread.allocate_lock()
        self.connection = None

    def now(self):
        return number(self.call("GET", "clock"), "now_ms")

    def take(self):
        """Makes the world's clock manual."""
        return number(self.call("PATCH", "clock", '{"mode":"manual"}'), "now_ms")

    def advance(self, ms, with_latency=False):
        """Replies that a scenario's latency holds back come as much earlier `with_latency`."""
        body = '{"by":%d%s}' % (ms, ',"with_latency":true' if with_latency else "")
        return number(self.call("POST", "clock/advance", body), "now_ms")

    def health(self):
        text = self.call("GET", "health")
        return [number(text, name) for name in ("rendering", "delayed_replies", "open_requests", "held_replies")]

    def forget(self):
        """After a fork the connection belongs to the parent."""
        self.lock = _thread.allocate_lock()
        self.connection = None

    def call(self, method, path, body=""):
        text = (
            f"{method} /{self.path}/{path} HTTP/1.1\r\nHost: {self.address}\r\nContent-Type: application/json\r\n"
            f"X-Emulator-By: program\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()
        with self.lock:
            try:
                return self.exchange(text)
            except OSError:
                # The emulator closes connections that were idle for long.
                self.connection = None
                return self.exchange(text)

    def exchange(self, text):
        if self.connection is None:
            self.connection = self.connect()
        self.connection.sendall(text)
        reply = b""
        while b"\r\n\r\n" not in reply:
            reply += self.more()
        head, _, body = reply.partition(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line[:15].lower() == b"content-length:")
        while len(body) < length:
            body += self.more()
        if head[9:10] != b"2":
            raise OSError(f"the emulator answered {head[9:12].decode()}: {body[:200].decode('utf-8', 'replace')}")
        return body.decode()

    def more(self):
        data = self.connection.recv(65536)
        if not data:
            raise OSError("the emulator closed the connection")
        return data

    def connect(self):
        import _socket

        host, _, port = self.address.rpartition(":")
        family, kind, _, _, address = _socket.getaddrinfo(host.strip("[]"), int(port), 0, _socket.SOCK_STREAM)[0]
        made = _socket.socket(family, kind)
        made.connect(address)
        made.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        return made


def number(text, name):
    """A number in a flat JSON text; 0 where an older emulator does not give it."""
    _, found, rest = text.partition(f'"{name}":')
    digits = ""
    for sign in rest:
        if not sign.isdigit():
            break
        digits += sign
    return int(digits) if found and digits else 0


class Tie:
    """The time of this process: it stands still until every thread waits; then it goes on to the earliest end of a wait."""

    def __init__(self, link, takes=False, helps=False, silence_s=SILENCE_S):
        self.link, self.silence_s = link, silence_s
        # Whether the world's clock becomes manual at the first request.
        self.takes = takes
        # Whether a program that is tied too has started this one: then time passes as fast as wall time until the first request.
        self.helps = helps
        self.ns = self.started_ns = link.now() * 10**6
        # The time that has passed without a wait, and of which the world does not know yet.
        self.spent_ns = 0
        # When the program wants the signal SIGALRM, and after how many ns again.
        self.alarm_ns, self.alarm_again_ns = None, 0
        self.offsets = {name: REAL[name + "_ns"]() - self.ns for name in ("monotonic", "perf_counter")}
        self.has_asked = False
        self.guard = _thread.allocate_lock()
        # For each thread that waits: the end of its wait (None: it has none), and a question whether it waits for an answer.
        self.waiting = {}
        # Grows with each wait that begins or ends.
        self.changes = self.seen_changes = 0
        # For each other thread: where it is, and since when, in wall seconds. Those that are there already have been there for long.
        own = _thread.get_ident()
        self.places = {ident: (place_of(frame), 0) for ident, frame in sys._current_frames().items() if ident != own}
        # Processes that ran before do not hold the time up.
        self.known_children = set(children())
        # The connections that the program opened, by their descriptors, and those that have received nothing since they sent something.
        self.connections, self.asked = set(), set()
        self.traffic_at = self.checked_at = self.credited_at = REAL["monotonic"]()
        self.wall_at = None
        # Whether the last look found that the emulator still works on a reply or holds it back.
        self.was_late = False
        # Whether seven days have passed without an answer.
        self.is_over = False

    def forked(self):
        """In a new child process: only the thread that made it is left."""
        self.link.forget()
        self.guard = _thread.allocate_lock()
        self.waiting, self.places, self.helps, self.has_asked, self.alarm_ns = {}, {}, True, False, None

    def read(self, clock="time"):
        """The time of one of the clocks, in ns."""
        self.spend(LOOK_NS)
        return self.ns + self.offsets.get(clock, 0)

    def spend(self, ns):
        """Time passes without a wait."""
        self.ns += ns
        self.spent_ns += ns
        if self.alarm_ns is not None and self.ns >= self.alarm_ns:
            self.ring()

    def in_wall_time(self, block):
        """Calls a function that blocks this thread until another process has done something."""
        wall_at, began_ns = REAL["monotonic_ns"](), self.ns
        try:
            return block()
        finally:
            # Another thread that waits lets the same time pass.
            self.spend(max(0, REAL["monotonic_ns"]() - wall_at - (self.ns - began_ns)) // 10**6 * 10**6)

    def set_alarm(self, seconds, again=0):
        """Sets the moment of SIGALRM, or none for 0. Returns the seconds that were left, and between two signals."""
        before = self.alarm_left()
        self.alarm_ns = self.after(seconds) if seconds > 0 else None
        self.alarm_again_ns = int(again * NS)
        return before

    def alarm_left(self):
        return (0.0 if self.alarm_ns is None else max(self.alarm_ns - self.ns, 1) / NS), self.alarm_again_ns / NS

    def ring(self):
        import signal

        self.alarm_ns = self.ns + self.alarm_again_ns if self.alarm_again_ns else None
        os.kill(os.getpid(), signal.SIGALRM)

    def after(self, seconds):
        """The moment after so many seconds; None for a wait without an end."""
        return None if seconds is None else self.ns + max(0, int(seconds * NS))

    def wait(self, end, attempt, asks=None):
        """Waits until `attempt(wall seconds)` gives something true, or until `end`, and returns what it gave at last. `asks` tells
        whether the wait is for an answer to a request."""
        me = _thread.get_ident()
        got = attempt(0)
        if got:
            return got
        outer = self.waiting.get(me)
        self.waiting[me] = (end, asks)
        self.changes += 1
        try:
            while True:
                got = attempt(0)
                if got or (end is not None and self.ns >= end):
                    return got
                pause_s = self.step(me)
                if pause_s:
                    got = attempt(pause_s)
                    if got:
                        return got
        finally:
            if outer is None:
                self.waiting.pop(me, None)
            else:
                self.waiting[me] = outer
            self.changes += 1

    def idle(self, block):
        """Calls a function that blocks until another thread ends it."""
        me = _thread.get_ident()
        if me in self.waiting:
            return block()
        self.waiting[me] = (None, None)
        self.changes += 1
        try:
            return block()
        finally:
            self.waiting.pop(me, None)
            self.changes += 1

    def step(self, me):
        """Lets time pass if it may. Returns the wall seconds after which to look again; 0 when time has passed."""
        if not self.guard.acquire(False):
            return 0.001
        try:
            wall_at, self.wall_at = self.wall_at, None
            return self.step_alone(me, wall_at)
        finally:
            self.guard.release()

    def step_alone(self, me, wall_at):
        if self.has_children() or (self.helps and not self.has_asked):
            return self.pass_wall(wall_at)
        if not self.all_wait(me):
            return 0.001
        asked = self.asked_for()
        is_open = asked == "yes" or (asked == "perhaps" and self.link.health()[2] > 0)
        if asked == "perhaps" and not is_open and self.checked_at < self.traffic_at:
            # The rest of a reply has arrived with this answer of the emulator, and is read before time moves on.
            self.checked_at = REAL["monotonic"]()
            return 0.001
        if is_open:
            silent_s = REAL["monotonic"]() - self.traffic_at
            if silent_s < self.silence_s:
                return min(LOOK_S / 2, self.silence_s - silent_s)
            rendering, delayed, arrived, held = self.link.health()
            was_late, self.was_late = self.was_late, bool(delayed or rendering)
            if delayed:
                return self.pass_latency()
            is_worked_on = arrived == 0 or arrived > held
            if rendering or (is_worked_on and silent_s < TRANSIT_S):
                return LOOK_S / 2
            if was_late:
                # The reply is on its way now.
                self.traffic_at = REAL["monotonic"]()
                return 0.001
            # What a busy machine held back has arrived with this reply of the emulator, and is read before time moves on.
            if self.checked_at < self.traffic_at:
                self.checked_at = REAL["monotonic"]()
                return 0.001
        ends = [end for end, _ in list(self.waiting.values()) if end is not None]
        if self.alarm_ns is not None:
            ends.append(self.alarm_ns)
        if ends:
            self.move_to(min(ends))
            if self.alarm_ns is not None and self.ns >= self.alarm_ns:
                self.ring()
            return 0
        if is_open and self.checked_at >= self.traffic_at:
            return self.never_answered()
        return LOOK_S / 2

    def asked_for(self):
        """Whether a thread waits for an answer: "yes", "perhaps" or "no". A connection that has received something may wait for the
        rest: the emulator knows."""
        asking = [asks() for _, asks in list(self.waiting.values()) if asks]
        return "yes" if "yes" in asking else "perhaps" if "perhaps" in asking else "no"

    def all_wait(self, me):
        """Whether all threads wait. A thread that was woken and has not run yet is still noted as one that waits: so the look is
        repeated until nothing changes, and no thread may be running."""
        frames = sys._current_frames()
        if len(frames) == 1:
            return True
        now = REAL["monotonic"]()
        places = {}
        for ident, frame in frames.items():
            if ident in self.waiting:
                continue
            place = place_of(frame)
            known = self.places.get(ident)
            places[ident] = known if known and known[0] == place else (place, now)
        self.places = places
        is_settled = self.changes == self.seen_changes
        self.seen_changes = self.changes
        # A thread that stays at one place and does not run is blocked, such as by a lock.
        return is_settled and all(now - since >= SILENCE_S for _, since in places.values()) and not others_run()

    def has_children(self):
        """Whether a child process runs."""
        found = [child for child in children() if child not in self.known_children]
        return any(state_of(f"/proc/{child}/stat") not in "ZX" and not is_of_python(child) for child in found)

    def move_to(self, end):
        self.tell_spent()
        ms = -(-(end - self.ns) // 10**6)
        theirs = self.link.advance(ms) * 10**6 if ms > 0 else 0
        self.ns = max(self.ns, end, theirs)
        if self.ns - self.started_ns > STILL_RUNNING_S * NS:
            end_still_running()

    def pass_wall(self, since):
        """Lets time pass as fast as wall time: for a child process, or for a reply with latency."""
        now = REAL["monotonic"]()
        passed_ms = 0 if since is None else round(min(now - since, 5 * LOOK_S) * 1000)
        self.wall_at = now
        # A program that only starts others leaves the clock of the world alone.
        if passed_ms and (self.has_asked or not self.helps):
            self.link.advance(passed_ms)
        self.ns += passed_ms * 10**6
        return LOOK_S

    def pass_latency(self):
        """A reply is held back for some wall time, which counts from its beginning. What is left of it passes in short steps. Its way
        takes a millisecond, so that a reply as late as a limit of the program comes too late."""
        silent_ms = 0
        if self.credited_at != self.traffic_at:
            self.credited_at = self.traffic_at
            silent_ms = round((REAL["monotonic"]() - self.traffic_at) * 1000)
        ends = [-(-(end - self.ns) // 10**6) for end, _ in list(self.waiting.values()) if end is not None]
        # Up to the moment before the next end of a wait: a reply that is due before it comes first.
        ms = min([LATENCY_STEP_MS, *(max(1, end - silent_ms - 1) for end in ends)])
        # The program's clock first: what a thread does with a reply that the world's clock releases comes after this time.
        self.ns += (silent_ms + ms) * 10**6
        if silent_ms > 0:
            self.link.advance(1)
        self.link.advance(max(0, silent_ms - 1) + ms, with_latency=True)
        return 0.001

    def never_answered(self):
        """Only an answer could wake the program, and none comes: seven days pass at once."""
        if self.is_over:
            end_still_running()
        self.is_over = True
        self.link.advance(STILL_RUNNING_S * 1000)
        return SILENCE_S

    def tell_spent(self):
        """Tells the world of the time that has passed without a wait, when that was long."""
        if self.spent_ns >= NOTICED_NS:
            ms, self.spent_ns = self.spent_ns // 10**6, self.spent_ns % 10**6
            self.link.advance(ms)

    def begin(self):
        """The program begins a request."""
        if not self.has_asked:
            self.has_asked = True
            if self.takes:
                self.link.take()

    def opened(self, descriptor):
        self.begin()
        self.connections.add(descriptor)
        self.asked.discard(descriptor)

    def closed(self, descriptor):
        self.connections.discard(descriptor)
        self.asked.discard(descriptor)

    def sent(self, descriptor):
        if descriptor in self.connections:
            self.tell_spent()
            self.asked.add(descriptor)
            self.traffic_at, self.is_over = REAL["monotonic"](), False

    def received(self, descriptor):
        if descriptor in self.connections:
            self.asked.discard(descriptor)
            self.traffic_at, self.is_over = REAL["monotonic"](), False


def end_still_running():
    sys.stderr.write(STILL_RUNNING + "\n")
    sys.stderr.flush()
    os._exit(124)


def place_of(frame):
    """What a thread is doing, as something to compare."""
    return id(frame), frame.f_lasti


def others_run():
    """Whether another thread of this process runs or waits for a processor. Only Linux tells it."""
    own = str(_thread.get_native_id())
    try:
        return any(state_of(f"/proc/self/task/{thread}/stat") in "RD" for thread in os.listdir("/proc/self/task") if thread != own)
    except OSError:
        return False


def state_of(path):
    try:
        with open(path) as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


# Processes that Python keeps for itself as long as the program runs.
OF_PYTHON = ("resource_tracker", "forkserver")


def children():
    """The child processes of this process. Only Linux tells them."""
    try:
        return [child for thread in os.listdir("/proc/self/task") for child in children_of(thread)]
    except OSError:
        return []


def children_of(thread):
    try:
        with open(f"/proc/self/task/{thread}/children") as file:
            return file.read().split()
    except OSError:
        return []


def is_of_python(process):
    try:
        with open(f"/proc/{process}/cmdline") as file:
            text = file.read()
    except OSError:
        return True
    return any(f"{name} import main" in text for name in OF_PYTHON)


# What is changed in each module: a function that gets the module and the tie, and returns the attributes to set, by their holders.


def changes_of_time(module, tie):
    def sleep(seconds):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if seconds == 0:
            tie.spend(YIELD_NS)
            return REAL["sleep"](0)
        tie.wait(tie.after(seconds), lambda wall_s: REAL["sleep"](wall_s) if wall_s else None)

    def reader(clock, unit):
        return (lambda: tie.read(clock)) if unit == 1 else (lambda: tie.read(clock) / unit)

    found = {"sleep": sleep}
    for clock in ("time", "monotonic", "perf_counter"):
        found[clock] = reader(clock, NS)
        found[clock + "_ns"] = reader(clock, 1)
    for name in ("localtime", "gmtime", "ctime"):
        found[name] = at_present(REAL[name], found["time"])
    found["strftime"] = lambda text, *moment: REAL["strftime"](text, *(moment or (found["localtime"](),)))
    found["asctime"] = lambda *moment: REAL["asctime"](*(moment or (found["localtime"](),)))
    if hasattr(module, "clock_gettime"):
        clocks = {module.CLOCK_REALTIME: "time", module.CLOCK_MONOTONIC: "monotonic"}
        found["clock_gettime"] = lambda clock: tie.read(clocks[clock]) / NS if clock in clocks else REAL["clock_gettime"](clock)
    return [(module, found)]


def at_present(real, now):
    return lambda seconds=None: real(now() if seconds is None else seconds)


def changes_of_signal(module, tie):
    if not hasattr(module, "setitimer"):
        return []
    set_timer, get_timer = module.setitimer, module.getitimer

    def setitimer(which, seconds, interval=0.0):
        return tie.set_alarm(seconds, interval) if which == module.ITIMER_REAL else set_timer(which, seconds, interval)

    def getitimer(which):
        return tie.alarm_left() if which == module.ITIMER_REAL else get_timer(which)

    return [(module, {"alarm": lambda seconds: -int(-tie.set_alarm(seconds)[0] // 1), "setitimer": setitimer, "getitimer": getitimer})]


def changes_of_os(module, tie):
    def waiting(real):
        return lambda *given: tie.in_wall_time(lambda: real(*given))

    return [(module, {name: waiting(getattr(module, name)) for name in ("system", "wait", "waitpid") if hasattr(module, name)})]


def changes_of_selectors(module, tie):
    names = ("SelectSelector", "PollSelector", "EpollSelector", "DevpollSelector", "KqueueSelector")
    return [(kind, {"select": select_of(kind.select, tie)}) for kind in (getattr(module, name, None) for name in names) if kind]


def select_of(real, tie):
    def select(self, timeout=None):
        if timeout is not None and timeout <= 0:
            return real(self, timeout)

        def asks():
            kept = tie.connections.intersection(key.fd for key in self.get_map().values() if key.events & 1)
            return "yes" if tie.asked & kept else "perhaps" if kept else "no"

        return tie.wait(tie.after(timeout), lambda wall_s: real(self, wall_s), asks)

    return select


def changes_of_select(module, tie):
    real = module.select

    def select(readers, writers, others, timeout=None):
        def attempt(wall_s):
            found = real(readers, writers, others, wall_s)
            return found if any(found) else None

        if timeout is not None and timeout <= 0:
            return real(readers, writers, others, timeout)
        return tie.wait(tie.after(timeout), attempt) or ([], [], [])

    select.real = real
    return [(module, {"select": select})]


def changes_of_socket(module, tie):
    kind, found = module.socket, {}

    def receiving(name):
        real = getattr(kind, name)

        def receive(self, *given, **named):
            timeout = self.gettimeout()
            if timeout != 0 and not tie.wait(tie.after(timeout), lambda wall_s: is_ready(self, wall_s), lambda: "yes"):
                raise module.timeout("timed out")
            got = real(self, *given, **named)
            tie.received(self.fileno())
            return got

        return receive

    def sending(name):
        real = getattr(kind, name)

        def send(self, *given):
            tie.sent(self.fileno())
            return real(self, *given)

        return send

    def connecting(name):
        real = getattr(kind, name)

        def connect(self, address):
            if self.family in (module.AF_INET, getattr(module, "AF_INET6", None)):
                tie.opened(self.fileno())
            return real(self, address)

        return connect

    def close(self):
        tie.closed(self.fileno())
        close_now(self)

    def accept(self):
        timeout = self.gettimeout()
        if timeout != 0 and not tie.wait(tie.after(timeout), lambda wall_s: is_ready(self, wall_s)):
            raise module.timeout("timed out")
        return accept_now(self)

    accept_now, close_now = kind.accept, kind._real_close
    for name in ("recv", "recv_into", "recvfrom", "recvfrom_into", "recvmsg", "recvmsg_into"):
        if hasattr(kind, name):
            found[name] = receiving(name)
    for name in ("send", "sendall", "sendmsg", "sendto"):
        if hasattr(kind, name):
            found[name] = sending(name)
    for name in ("connect", "connect_ex"):
        found[name] = connecting(name)
    return [(kind, {**found, "accept": accept, "_real_close": close})]


def is_ready(socket, wall_s):
    """Waits at most so long until a read does not block."""
    import select

    if not hasattr(select, "poll"):
        return bool(getattr(select.select, "real", select.select)([socket], [], [], wall_s)[0])
    looking = select.poll()
    looking.register(socket, select.POLLIN)
    return bool(looking.poll(wall_s * 1000))


def changes_of_ssl(module, tie):
    kind = module.SSLSocket
    real_read, real_write = kind.read, kind.write

    def read(self, *given, **named):
        timeout = self.gettimeout()
        got = real_read(self, *given, **named) if timeout == 0 else read_within(self, timeout, given, named)
        tie.received(self.fileno())
        return got

    def read_within(self, timeout, given, named):
        end = tie.after(timeout)
        while True:
            if not self.pending() and not tie.wait(end, lambda wall_s: is_ready(self, wall_s), lambda: "yes"):
                raise TimeoutError("The read operation timed out") if sys.version_info >= (3, 10) else timed_out()
            self.settimeout(0)
            try:
                return real_read(self, *given, **named)
            except module.SSLWantReadError:
                # What has arrived holds no data, such as the tickets of a session: the wait goes on.
                pass
            finally:
                self.settimeout(timeout)

    def timed_out():
        import socket

        return socket.timeout("The read operation timed out")

    def write(self, *given):
        tie.sent(self.fileno())
        return real_write(self, *given)

    return [(kind, {"read": read, "write": write})]


def changes_of_threading(module, tie):
    real_lock, real_join, real_shutdown = module._allocate_lock, module.Thread.join, module._shutdown

    class WaiterLock:
        """The lock by which conditions, events, semaphores, barriers and queues wait."""

        def __init__(self):
            self.lock = real_lock()
            self.release, self.locked = self.lock.release, self.lock.locked

        def acquire(self, blocking=True, timeout=-1):
            lock = self.lock
            if lock.acquire(False):
                return True
            if not blocking:
                return False
            if timeout is None or timeout < 0:
                return tie.idle(lock.acquire)
            return bool(tie.wait(tie.after(timeout), lambda wall_s: lock.acquire(True, wall_s) if wall_s else lock.acquire(False)))

        def __enter__(self):
            return self.acquire()

        def __exit__(self, *_):
            self.release()

    def join(self, timeout=None):
        if timeout is None:
            return tie.idle(lambda: real_join(self))
        # It refuses what cannot be joined.
        real_join(self, 0)

        def attempt(wall_s):
            real_join(self, wall_s)
            return not self.is_alive()

        tie.wait(tie.after(timeout), attempt)

    return [
        (module, {"_allocate_lock": WaiterLock, "_shutdown": lambda: tie.idle(real_shutdown)}),
        (module.Thread, {"join": join}),
    ]


def changes_of_queue(module, tie):
    # The one in C waits for a lock that cannot be seen; the threads of concurrent.futures wait by it.
    return [(module, {"SimpleQueue": module._PySimpleQueue})] if hasattr(module, "_PySimpleQueue") else []


def changes_of_datetime(module, tie):
    """Other code keeps the class, and only some of it accepts a subclass, so its own table of methods is changed."""
    import gc

    kind = module.datetime

    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

    def utcnow(cls):
        return cls.fromtimestamp(time.time(), module.timezone.utc).replace(tzinfo=None)

    tables = [one for one in gc.get_referents(kind.__dict__) if isinstance(one, dict) and "utcnow" in one]
    return [(tables[0], {"now": classmethod(now), "utcnow": classmethod(utcnow)})] if tables else []


CHANGES = {
    "time": changes_of_time,
    "os": changes_of_os,
    "signal": changes_of_signal,
    "select": changes_of_select,
    "selectors": changes_of_selectors,
    "socket": changes_of_socket,
    "ssl": changes_of_ssl,
    "threading": changes_of_threading,
    "queue": changes_of_queue,
    "datetime": changes_of_datetime,
}


NOTHING = object()


def change(module, tie):
    """Changes a module. Returns what undoes it: holder, name and old value of each attribute."""
    undo = []
    for holder, attributes in CHANGES[module.__name__](module, tie):
        table = holder if isinstance(holder, dict) else vars(holder)
        undo += [(holder, name, table.get(name, NOTHING)) for name in attributes]
        for name, value in attributes.items():
            put(holder, name, called_as(table.get(name), value))
    return undo


def called_as(old, new):
    """Gives a function the name of the one whose place it takes: some packages look a clock up by its module and its name."""
    if not callable(old) or not isinstance(new, type(called_as)):
        return new
    taken = InPlaceOfBuiltIn(new) if isinstance(old, type(len)) else new
    taken.__module__, taken.__name__, taken.__qualname__ = old.__module__, old.__name__, old.__qualname__
    return taken


class InPlaceOfBuiltIn:
    """As an attribute of a class, a function becomes a method and a built-in one does not: `logging.Formatter` keeps `localtime` so."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *given):
        return self.function(*given)

    def __reduce__(self):
        return self.__qualname__


def put(holder, name, value):
    if isinstance(holder, dict):
        holder[name] = value
        forget_methods(sys.modules["datetime"].datetime)
    elif value is NOTHING:
        delattr(holder, name)
    else:
        setattr(holder, name, value)


def forget_methods(kind):
    """Python remembers the methods of a class that it has looked up. When the class was just imported, nobody has looked any up."""
    if "ctypes" in sys.modules or "pytest" in sys.modules:
        import ctypes

        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def tie_program(environment, change_imports):
    """Ties this whole process, for as long as it runs."""
    base = f"{environment['GATEWAY_EMULATOR_URL']}/__emulator/worlds/{environment['GATEWAY_EMULATOR_WORLD']}"
    is_asked_for = environment.get("GATEWAY_EMULATOR_TIME") == "virtual"
    silence_s = float(environment.get("GATEWAY_EMULATOR_SILENCE_S", SILENCE_S))
    tie = Tie(Link(base), takes=is_asked_for, helps="GATEWAY_EMULATOR_TIED" in environment, silence_s=silence_s)
    environment["GATEWAY_EMULATOR_TIED"] = str(os.getpid())
    change_imports({name: lambda module: change(module, tie) for name in CHANGES})
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=tie.forked)
    return tie


class tied:
    """A context in which this process is tied to a world: `base` is the address of the world's control API. Names that modules have
    imported, such as `sleep`, are changed too. In a program that is tied already it does nothing."""

    def __init__(self, base):
        self.base = base
        self.undo = []

    def __enter__(self):
        if "generation_gateway_emulator_virtual_time" in sys.modules:
            return self
        tie = Tie(Link(self.base))
        for name in CHANGES:
            if name in sys.modules:
                self.undo += change(sys.modules[name], tie)
        for module, name, value in imported_names():
            self.undo.append((module, name, REAL[value]))
            setattr(module, name, getattr(time, value))
        return self

    def __exit__(self, *_):
        for holder, name, value in reversed(self.undo):
            put(holder, name, value)
        self.undo = []


# Modules whose clocks measure the tests themselves.
OF_PYTEST = ("_pytest", "pytest", "pluggy", "generation_gateway_emulator", "time")


def imported_names():
    """The names of functions of `time` in the modules that imported them by name."""
    names = {id(function): name for name, function in REAL.items() if name in changed_of_time()}
    return [
        (module, name, names[id(value)])
        for module in list(sys.modules.values())
        if isinstance(module, type(sys)) and not module.__name__.startswith(OF_PYTEST)
        for name, value in list(vars(module).items())
        if id(value) in names
    ]


def changed_of_time():
    return [name for name in REAL if getattr(time, name) is not REAL[name]]
