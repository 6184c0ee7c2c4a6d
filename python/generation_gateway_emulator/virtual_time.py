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
# A thread that stays at one place for so long, and does not run, is blocked, in wall seconds.
BLOCKED_S = 0.5
# Between two looks at a program that waits, in wall seconds: the conductor and the network wake it before.
LOOK_S = 0.02
# The same while a thread has more to do, or waits for something that wakes nobody.
SHORT_LOOK_S = 0.001
# How long a thread sleeps that others wake, in wall seconds.
PARK_S = 5
# Each look at the clock takes a moment: two looks never give the same time, and a loop that waits for a moment comes to an end. A
# program that does the least work between two looks, such as to write a line, needs at least as long for it in wall time.
LOOK_NS = 1000
# What `sleep(0)` takes: Linux rounds the end of each sleep up by so much.
YIELD_NS = 50_000
# The clock of Linux by which files get their times, and between two looks at it, in wall seconds. Python does not name it.
COARSE = 5 if sys.platform == "linux" else None
TICK_LOOK_S = 0.0002
# A tick is shorter, also that of a slow kernel: only a clock that was set back is still before it.
MOST_TICK_S = 0.02
STILL_RUNNING = "virtual-time: still running after seven virtual days"


class Link:
    """The connection to the conductor of the run. The emulator's `emulator/conductor/member.ts` says what is spoken."""

    def __init__(self, base, takes=False, dies=False, is_explored=False):
        """`base` is the control API of a world, such as http://127.0.0.1:8585/__emulator/worlds/w1."""
        scheme, _, rest = base.partition("://")
        if scheme != "http":
            raise OSError(f"a world at {scheme} cannot drive this program; only http can")
        self.address, _, self.path = rest.partition("/")
        self.flags = f"{takes:d} {dies:d} {is_explored:d} {os.environ.get('GATEWAY_EMULATOR_SERVICE') or '-'}"
        self.lock = _thread.allocate_lock()
        self.open()

    def open(self):
        """Connects. After a fork it is done again: the connection belongs to the parent."""
        import _socket

        host, _, port = self.address.rpartition(":")
        family, kind, _, _, address = _socket.getaddrinfo(host.strip("[]"), int(port), 0, _socket.SOCK_STREAM)[0]

        def answer(request, end):
            self.socket = _socket.socket(family, kind)
            self.socket.connect(address)
            self.socket.sendall(f"{request} HTTP/1.1\r\nHost: {self.address}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode())
            reply = part = self.socket.recv(65536)
            while part and not reply.endswith(end):
                part = self.socket.recv(65536)
                reply += part
            return reply

        reply = answer(f"POST /{self.path}/clock/join", b"}")
        self.socket.close()
        place = reply.partition(b'{"connect":"')[2].partition(b'"')[0].decode()
        if not place or answer(f"CONNECT {place}", b"\r\n\r\n")[9:12] != b"200":
            raise OSError(f"the emulator answered {reply[:300].decode('utf-8', 'replace')}")
        self.socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        self.rest = b""
        self.socket.setblocking(False)
        self.descriptor = self.socket.fileno()
        self.say(f"hello {os.getpid()} {started()} {self.flags}")

    def say(self, line):
        with self.lock:
            self.socket.send(f"{line}\n".encode())

    def heard(self):
        """The lines that came; None when the emulator has ended."""
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not data:
            return None
        self.rest += data
        *lines, self.rest = self.rest.split(b"\n")
        return [line.decode() for line in lines]

    def close(self):
        self.socket.close()


READ, WRITE = 1, 4


def wait_ready(descriptors, wall_s):
    """Those that are ready, of descriptors and what they shall be ready for. Waits at most so long for one."""
    import select

    closed = {one for one in descriptors if one < 0}
    if closed or not hasattr(select, "poll"):
        wanted = [[one for one, events in descriptors.items() if events & kind and one >= 0] for kind in (READ, WRITE)]
        readers, writers, _ = getattr(select.select, "real", select.select)(*wanted, [], 0 if closed else wall_s)
        return {*closed, *readers, *writers}
    looking = getattr(select.poll, "kind", select.poll)()
    for one, events in descriptors.items():
        looking.register(one, events)
    return {one for one, _ in looking.poll(wall_s * 1000)}


def started():
    """When this process was started, as Linux shows it."""
    try:
        with open("/proc/self/stat") as file:
            return file.read().rpartition(")")[2].split()[19]
    except OSError:
        return "-"


class Waiter:
    """A thread that waits. `end`: until which moment, ns; None: it has none. `of_run`: the run must have come to it, and not only this
    process. `descriptors`, with what they shall be ready for: one of them ends the wait; None: nobody can tell what does."""

    __slots__ = ("end", "of_run", "descriptors", "sleeps", "is_blocked", "parked", "is_woken")

    def __init__(self, end=None, descriptors=(), of_run=False, sleeps=False, is_blocked=False):
        self.end, self.descriptors, self.of_run, self.sleeps, self.is_blocked = end, descriptors, of_run, sleeps, is_blocked
        # Held while it may sleep.
        self.parked = _thread.allocate_lock()
        self.parked.acquire()
        # Whether it has something to look at, and has not looked yet.
        self.is_woken = False

    def wake(self):
        if not self.is_woken:
            self.is_woken = True
            try:
                self.parked.release()
            except RuntimeError:
                pass  # Another thread has woken it, too.

    def looks(self):
        self.parked.acquire(False)
        self.is_woken = False

    def park(self):
        self.parked.acquire(True, SHORT_LOOK_S if self.descriptors is None else PARK_S)


class Tie:
    """The time of this process: it stands still until every thread waits; then the conductor says when it goes on."""

    def __init__(self, link):
        self.link = link
        # The time of this process, and that of the run as it was told last.
        self.ns = self.run_ns = self.answers = 0
        # When the program wants the signal SIGALRM, and after how many ns again.
        self.alarm_ns, self.alarm_again_ns = None, 0
        self.has_asked = self.has_borne = self.is_over = False
        # What to add to the monotonic clock of the machine once this process has left the run; None while it is in it.
        self.lead_ns = None
        # Held by the thread that speaks with the conductor for all that wait, and which one that is.
        self.guard, self.leader = _thread.allocate_lock(), None
        # The threads that wait.
        self.waiting = {}
        # Grows with each wait that begins or ends.
        self.changes = 0
        # What was said last, and what stood behind it; and the look that was not answered yet.
        self.told, self.round = None, None
        # For each other thread: where it is, and since when, in wall seconds. Those that are there already have been there for long.
        own = _thread.get_ident()
        self.places = {ident: (place, 0) for ident, place in places_of_threads().items() if ident != own}
        # The connections that the program opened, by their descriptors, with their places; and those that have received nothing since they
        # sent something.
        self.connections, self.asked, self.traffic = {}, set(), 0
        # The moments of the run at those of the wall that files have, and the one of the wall at which it began.
        self.moments, self.began_ns = {}, None
        # When it was told last that time has moved, by the clock of the wall.
        self.moved_wall_ns = 0
        while not self.run_ns and not self.is_over:
            self.listen(LOOK_S)
        self.offsets = {name: REAL[name + "_ns"]() - self.ns for name in ("monotonic", "perf_counter")}

    def forked(self):
        """In a new child process: only the thread that made it is left."""
        if self.lead_ns is not None:
            return
        self.guard = _thread.allocate_lock()
        self.waiting, self.places, self.alarm_ns, self.told, self.round = {}, {}, None, None, None
        self.connections, self.asked, self.has_borne = {}, set(), False
        self.link.lock = _thread.allocate_lock()
        try:
            self.link.open()
        except OSError:
            self.is_over = True

    def stands_in(self, library):
        """Something of Python's own is used in place of a library whose waits nobody sees."""
        self.say(f"stands_in {library}")

    def leave_run(self, library):
        """This process will wait in a library where nobody sees it. From now on it keeps its own time, as fast as that of the wall."""
        if self.lead_ns is not None:
            return
        self.say(f"untied {library}")
        left_s, again_s = self.alarm_left() if self.alarm_ns is not None else (0, 0)
        self.lead_ns = self.ns - REAL["monotonic_ns"]()
        if left_s:
            import signal

            signal.setitimer(signal.ITIMER_REAL, left_s, again_s)
        for waiter in list(self.waiting.values()):
            waiter.wake()

    def flow(self):
        """Time goes on by itself when this process has left the run. Returns whether it has."""
        if self.lead_ns is None:
            return False
        self.ns = self.run_ns = REAL["monotonic_ns"]() + self.lead_ns
        return True

    def read(self, clock="time"):
        """The time of one of the clocks, in ns."""
        if not self.flow():
            self.spend(LOOK_NS)
        return self.ns + self.offsets.get(clock, 0)

    def spend(self, ns):
        """Time passes without a wait."""
        if self.flow():
            return
        self.ns += ns
        if self.alarm_ns is not None and self.ns >= self.alarm_ns:
            self.ring()

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
        self.flow()
        return None if seconds is None else self.ns + max(0, int(seconds * NS))

    def wait(self, end, attempt, descriptors=()):
        """Waits until `attempt(wall seconds)` gives something true, or until `end`, and returns what it gave at last. One of the descriptors
        is ready when the attempt may succeed, or somebody wakes the waiter; None: nobody can tell, and the attempt is made again and again."""
        return attempt(0) or self.attend(Waiter(end, descriptors), attempt)

    def wait_to_read(self, one, end=None):
        """Waits until a read of a file or socket does not block, or until `end`. Returns whether it does not."""
        descriptor = descriptor_of(one)
        return self.wait(end, lambda wall_s: bool(wait_ready({descriptor: READ}, wall_s)), [(descriptor, READ)])

    def attend(self, waiter, attempt):
        me = _thread.get_ident()
        outer = self.waiting.get(me)
        self.waiting[me] = waiter
        self.changes += 1
        try:
            while True:
                waiter.looks()
                got = attempt(self.left_s(waiter) if self.flow() else 0)
                if got or self.is_due(waiter) or (self.is_over and waiter.end is not None):
                    return got
                if self.lead_ns is not None:
                    continue
                if self.is_over:
                    got = attempt(LOOK_S)
                    if got:
                        return got
                elif self.guard.acquire(False):
                    self.leader = me
                    try:
                        self.lead(waiter)
                    finally:
                        self.leader = None
                        self.guard.release()
                else:
                    waiter.park()
        finally:
            if outer is None:
                self.waiting.pop(me, None)
            else:
                self.waiting[me] = outer
            self.changes += 1
            self.hand_on()

    def left_s(self, waiter):
        """How long a wait lasts at most when time goes on by itself, in wall seconds. It is looked after again and again."""
        return PARK_S if waiter.end is None else min(max(waiter.end - self.ns, 0) / NS, PARK_S)

    def is_due(self, waiter):
        self.flow()
        return waiter.end is not None and waiter.end <= (self.run_ns if waiter.of_run else self.ns)

    def hand_on(self):
        """Another thread that waits speaks with the conductor from now on, or sees that it is over. One that does so hands on itself."""
        if self.guard.locked():
            return
        for other in list(self.waiting.values()):
            if not other.is_blocked:
                other.wake()
                return

    def idle(self, block):
        """Calls a function that blocks until another thread or process ends it."""
        me = _thread.get_ident()
        if me in self.waiting or self.lead_ns is not None:
            return block()
        is_alone = len(places_of_threads()) == 1
        self.waiting[me] = Waiter(is_blocked=True)
        self.changes += 1
        if is_alone:
            self.told = None
            self.ask("blocked")
        else:
            self.hand_on()
        try:
            return block()
        finally:
            self.waiting.pop(me, None)
            self.changes += 1
            if is_alone:
                self.ask("awake")

    def say(self, line):
        if self.lead_ns is not None:
            return
        try:
            self.link.say(line)
        except OSError:
            self.is_over = True

    def bear(self):
        """A child process is coming."""
        self.say("birth")
        self.told, self.has_borne = None, True

    def ask(self, line):
        """Says a line that is answered by the time of the run."""
        before = self.answers
        self.say(line)
        while self.answers == before and not self.is_over and self.lead_ns is None:
            self.listen(LOOK_S)

    def await_tick(self):
        """A file is about to be changed: Linux gives it the time of its last tick, which may be one before time has moved."""
        end = REAL["monotonic"]() + MOST_TICK_S
        while COARSE is not None and REAL["clock_gettime_ns"](COARSE) < self.moved_wall_ns and REAL["monotonic"]() < end:
            REAL["sleep"](TICK_LOOK_S)

    def moment_at(self, wall_ns):
        """Which moment of the run it was at one of the wall; None when nobody tells it."""
        asked = f"{wall_ns / 10**6:.3f}"
        if asked not in self.moments:
            self.say(f"when {asked}")
        while asked not in self.moments and not self.is_over and self.lead_ns is None:
            # A signal may have come to the thread that speaks for the others.
            if self.leader == _thread.get_ident():
                self.listen(SHORT_LOOK_S)
            elif self.guard.acquire(False):
                try:
                    self.listen(SHORT_LOOK_S)
                finally:
                    self.guard.release()
                    # Meanwhile one that waits may have gone to sleep because another spoke.
                    self.hand_on()
            else:
                REAL["sleep"](SHORT_LOOK_S)
        return self.moments.get(asked)

    def lead(self, own):
        """One turn of the thread that speaks with the conductor: it says that this process waits, hears it, and wakes those that have
        something to look at."""
        # What the others have done until now may not have changed at the second look: one that was woken and has not run yet, or waits for
        # the others to let it run, is not seen otherwise.
        behind = (self.changes, others_work()) if self.all_wait() else None
        if behind and "R" not in behind[1]:
            ends = [one.end for one in list(self.waiting.values()) if one.end is not None]
            if self.alarm_ns is not None:
                ends.append(self.alarm_ns)
            until = min(ends) // 10**6 if ends else "-"
            ahead = self.ns // 10**6 if self.ns // 10**6 > self.run_ns // 10**6 else "-"
            # A thread that only sleeps is woken by a signal alone, such as that of Ctrl-C.
            wakers = 3 if own.sleeps and behind[1] == "" else 1
            text = f"wait {ahead} {until} {self.calls()} {wakers} {self.traffic}"
            if self.told != (text, *behind):
                if self.has_borne and is_childless():
                    self.has_borne = False
                    self.say("childless")
                self.say(text)
                self.told = (text, *behind)
            elif self.round is not None:
                self.say(f"still {self.round}")
            self.round = None
            self.listen(LOOK_S if own.descriptors is not None else SHORT_LOOK_S)
        else:
            self.told = None
            self.listen(SHORT_LOOK_S)

    def listen(self, wall_s):
        """Waits for the conductor, and for the descriptors of all threads that wait. Wakes those that have something to look at."""
        wanted = {self.link.descriptor: READ}
        asleep = [one for one in list(self.waiting.values()) if not one.is_woken]
        for waiter in asleep:
            for one, events in waiter.descriptors or ():
                wanted[one] = wanted.get(one, 0) | events
        ready = wait_ready(wanted, wall_s)
        if self.link.descriptor in ready and self.lead_ns is None:
            lines = self.link.heard()
            self.is_over = lines is None
            self.hear(lines or [])
        for waiter in asleep:
            if self.is_over or self.is_due(waiter) or any(one in ready for one, _ in waiter.descriptors or ()):
                waiter.wake()

    def hear(self, lines):
        for line in lines:
            word, _, rest = line.partition(" ")
            self.answers += word == "at"
            if word in ("now", "at"):
                self.come_to(int(rest) * 10**6)
            elif word == "was":
                asked, moment, began = rest.split(" ")
                self.began_ns = int(float(began) * 10**6)
                self.moments[asked] = int(float(moment) * 10**6)
            elif word == "look":
                self.round = rest
            else:
                end_still_running(rest)

    def come_to(self, run_ns):
        """The run has come to a ms. Who waits for a part of it goes on, one after the other: the ends of waits are finer than the run."""
        self.run_ns, self.moved_wall_ns = run_ns, REAL["time_ns"]()
        ends = [one.end for one in list(self.waiting.values()) if one.end is not None and one.end // 10**6 * 10**6 <= run_ns]
        self.ns = max(self.ns, run_ns, min(ends, default=0))
        if self.alarm_ns is not None and self.alarm_ns // 10**6 * 10**6 <= run_ns:
            self.ns = max(self.ns, self.alarm_ns)
            self.ring()

    def calls(self):
        """The places that owe an answer, and how many."""
        places = [self.connections[one] for one in list(self.asked) if one in self.connections]
        return ",".join(f"{place}={places.count(place)}" for place in sorted(set(places))) or "-"

    def all_wait(self):
        """Whether all threads wait, or have been blocked for long by something that nobody can see."""
        waiting = dict(self.waiting)
        if any(one.is_woken or self.is_due(one) for one in waiting.values()):
            return False
        threads = places_of_threads()
        if len(threads) == 1:
            return True
        now = REAL["monotonic"]()
        places = {}
        for ident, place in threads.items():
            if ident not in waiting:
                known = self.places.get(ident)
                places[ident] = known if known and known[0] == place else (place, now)
        self.places = places
        return all(now - since >= BLOCKED_S for _, since in places.values())

    def catch_up(self):
        """The program sends something: the run comes to the time of this process first, so that it arrives at that time."""
        if self.lead_ns is not None:
            return
        if not self.has_asked:
            self.has_asked = True
            self.say("begin")
            self.run_ns = 0
        if self.run_ns // 10**6 < self.ns // 10**6:
            self.attend(Waiter(self.ns // 10**6 * 10**6, of_run=True, sleeps=True), nothing)

    def opened(self, descriptor, address):
        self.catch_up()
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1"}.get(address[0], address[0])
        self.connections[descriptor] = f"{host}:{address[1]}"
        self.asked.discard(descriptor)

    def closed(self, descriptor):
        self.connections.pop(descriptor, None)
        self.asked.discard(descriptor)

    def sent(self, descriptor):
        if descriptor in self.connections:
            self.catch_up()
            self.asked.add(descriptor)
            self.traffic += 1

    def received(self, descriptor):
        if descriptor in self.connections:
            self.asked.discard(descriptor)
            self.traffic += 1


def nothing(wall_s):
    """An attempt that waits only for the time."""
    if wall_s:
        REAL["sleep"](wall_s)


def end_still_running(why=""):
    if why:
        sys.stderr.write(f"virtual-time: {why}\n")
    sys.stderr.write(STILL_RUNNING + "\n")
    sys.stderr.flush()
    os._exit(124)


def places_of_threads():
    """What each thread is doing, as something to compare. No frame is kept: one that holds itself is collected late, with what it used."""
    return {ident: (id(frame), frame.f_lasti) for ident, frame in sys._current_frames().items()}


def others_work():
    """What the other threads of this process have done up to now, and an R for each that runs or waits for a processor. Only Linux tells it."""
    try:
        threads = os.listdir("/proc/self/task")
        return "" if len(threads) == 1 else " ".join(work_of(f"/proc/self/task/{one}/") for one in threads if one != own_thread())
    except OSError:
        return ""


def is_childless():
    """Whether no child of this process lives, or is still to be waited for. Not every system tells it."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    except AttributeError:
        pass
    return False


def own_thread():
    return str(_thread.get_native_id())


def work_of(thread):
    try:
        with open(thread + "stat") as state, open(thread + "schedstat") as spent:
            runs = state.read().rpartition(")")[2].split()[0] in "RD"
            return f"{spent.read()}{'R' if runs else ''}"
    except OSError:
        return ""


# What is changed in each module: a function that gets the module and the tie, and returns the attributes to set, by their holders.


def changes_of_time(module, tie):
    def sleep(seconds):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if seconds == 0:
            tie.spend(YIELD_NS)
            return REAL["sleep"](0)
        tie.attend(Waiter(tie.after(seconds), sleeps=True), nothing)

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
        return tie.set_alarm(seconds, interval) if follows(which) else set_timer(which, seconds, interval)

    def getitimer(which):
        return tie.alarm_left() if follows(which) else get_timer(which)

    def follows(which):
        return which == module.ITIMER_REAL and tie.lead_ns is None

    return [(module, {"alarm": lambda seconds: -int(-setitimer(module.ITIMER_REAL, seconds)[0] // 1), "setitimer": setitimer, "getitimer": getitimer})]


def changes_of_os(module, tie):
    def waiting(real):
        return lambda *given: tie.idle(lambda: real(*given))

    found = {name: waiting(getattr(module, name)) for name in ("system", "wait") if hasattr(module, name)}
    if hasattr(module, "waitpid"):
        real, at_once = module.waitpid, getattr(module, "WNOHANG", 0)
        found["waitpid"] = lambda pid, options: real(pid, options) if options & at_once else tie.idle(lambda: real(pid, options))
    return [(module, {**found, **changes_of_stat(module, tie)})]


def changes_of_stat(module, tie):
    """The machine writes the time of the wall on each file that the program changes. It is told as the moment of the run that it was."""
    found = {name: called_as(getattr(module, name), telling(getattr(module, name), tie)) for name in ("stat", "lstat", "fstat")}
    # Some functions are looked up in these.
    for name in ("supports_fd", "supports_dir_fd", "supports_follow_symlinks", "supports_effective_ids"):
        known = getattr(module, name, set())
        found[name] = known | {new for real, new in found.items() if getattr(module, real, None) in known}
    return found


def telling(real, tie):
    def stat(*given, **named):
        about = real(*given, **named)
        # A file that was changed last before the run keeps its times.
        if tie.lead_ns is not None or (tie.began_ns and about.st_ctime_ns < tie.began_ns):
            return about
        ctime_ns = tie.moment_at(about.st_ctime_ns)
        return about if ctime_ns is None or about.st_ctime_ns < tie.began_ns else with_times(about, times_in_run(about, ctime_ns, tie))

    return stat


def times_in_run(about, ctime_ns, tie):
    """Times that a program has set itself are no moments of the wall: a file cannot be changed later than what is known of it."""
    newest = {"mtime": about.st_ctime_ns, "atime": REAL["time_ns"]()}
    found = {name: getattr(about, f"st_{name}_ns") for name in newest}
    told = {name: tie.moment_at(ns) if tie.began_ns <= ns <= newest[name] else ns for name, ns in found.items()}
    return {"ctime": ctime_ns, **{name: found[name] if ns is None else ns for name, ns in told.items()}}


def with_times(about, times):
    kind, (shown, named) = about.__reduce__()[:2]
    shown = [*shown[:7], *(times[name] // NS for name in ("atime", "mtime", "ctime")), *shown[10:]]
    for name, ns in times.items():
        named[f"st_{name}"], named[f"st_{name}_ns"] = ns / NS, ns
    return kind(shown, named)


def changes_of_selectors(module, tie):
    names = ("SelectSelector", "PollSelector", "EpollSelector", "DevpollSelector", "KqueueSelector")
    return [(kind, {"select": select_of(kind.select, tie)}) for kind in (getattr(module, name, None) for name in names) if kind]


def select_of(real, tie):
    def select(self, timeout=None):
        if timeout is not None and timeout <= 0:
            return real(self, timeout)

        descriptors = [(self.fileno(), READ)] if hasattr(self, "fileno") else [(key.fd, poll_events(key.events)) for key in self.get_map().values()]
        return tie.wait(tie.after(timeout), lambda wall_s: real(self, wall_s), descriptors)

    return select


def poll_events(events):
    """Those of `selectors` as those of `select.poll`."""
    return (READ if events & 1 else 0) | (WRITE if events & 2 else 0)


def descriptor_of(one):
    return one if isinstance(one, int) else one.fileno()


class Polling:
    """What `select.poll` and `select.epoll` give: it waits in the time of the run. `kind` makes the real one, which counts so many parts of a
    second, and `places` are the descriptors that end its wait."""

    kind = tie = per_second = None

    def __init__(self, *given, **named):
        self.real, self.wanted = type(self).kind(*given, **named), {}

    def __getattr__(self, name):
        return getattr(self.real, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.real.close()

    def register(self, one, *events, **named):
        self.real.register(one, *events, **named)
        self.wanted[descriptor_of(one)] = next(iter((*events, *named.values())), READ | WRITE)

    def modify(self, one, events):
        self.real.modify(one, events)
        self.wanted[descriptor_of(one)] = events

    def unregister(self, one):
        self.wanted.pop(descriptor_of(one), None)
        self.real.unregister(one)

    def places(self):
        return [(self.real.fileno(), READ)] if hasattr(self.real, "fileno") else list(self.wanted.items())

    def poll(self, timeout=None, *most, **named):
        if timeout == 0:
            return self.real.poll(0, *most, **named)
        seconds = None if timeout is None or timeout < 0 else timeout / self.per_second
        return self.tie.wait(self.tie.after(seconds), lambda wall_s: self.real.poll(wall_s * self.per_second, *most, **named), self.places())


def changes_of_polls(module, tie):
    # What it has taken from here waits by its own change.
    import selectors  # noqa: F401

    found = {}
    for name, per_second in (("poll", 1000), ("epoll", 1)):
        kind = getattr(module, name, None)
        if kind:
            more = {"fromfd": kind.fromfd} if hasattr(kind, "fromfd") else {}
            found[name] = type(name, (Polling,), {"kind": staticmethod(kind), "tie": tie, "per_second": per_second, **more})
    return found


def changes_of_select(module, tie):
    real = module.select

    def select(readers, writers, others, timeout=None):
        def attempt(wall_s):
            found = real(readers, writers, others, wall_s)
            return found if any(found) else None

        if timeout is not None and timeout <= 0:
            return real(readers, writers, others, timeout)
        readers, writers, others = list(readers), list(writers), list(others)
        wanted = [(descriptor_of(one), READ) for one in readers] + [(descriptor_of(one), WRITE) for one in writers]
        return tie.wait(tie.after(timeout), attempt, None if others else wanted) or ([], [], [])

    select.real = real
    return [(module, {"select": select, **changes_of_polls(module, tie)})]


def changes_of_socket(module, tie):
    kind = module.socket
    real_close, real_listen = kind._real_close, kind.listen

    def is_of_network(one):
        return one.family in (module.AF_INET, getattr(module, "AF_INET6", None))

    def receiving(real):
        def receive(self, *given, **named):
            timeout = self.gettimeout()
            if timeout != 0 and not tie.wait_to_read(self, tie.after(timeout)):
                raise module.timeout("timed out")
            got = real(self, *given, **named)
            tie.received(self.fileno())
            return got

        return receive

    def send_at_once(one):
        """TCP would hold a second part back until the first is acknowledged, for 40 ms, which nobody sees: time would move meanwhile."""
        if is_of_network(one) and one.type == module.SOCK_STREAM:
            one.setsockopt(module.IPPROTO_TCP, module.TCP_NODELAY, 1)

    def connecting(real):
        def connect(self, address):
            if is_of_network(self):
                send_at_once(self)
                tie.opened(self.fileno(), address)
            return real(self, address)

        return connect

    def accepting(real):
        def accept(self):
            connection, address = real(self)
            send_at_once(connection)
            return connection, address

        return accept

    def close(self):
        tie.closed(self.fileno())
        real_close(self)

    def listen(self, *given):
        real_listen(self, *given)
        if is_of_network(self):
            tie.say(f"listen {self.getsockname()[1]}")

    found = {"listen": listen, "_real_close": close}
    for name in ("recv", "recv_into", "recvfrom", "recvfrom_into", "recvmsg", "recvmsg_into", "accept"):
        if hasattr(kind, name):
            found[name] = receiving(getattr(kind, name))
    found["accept"] = accepting(found["accept"])
    for name in ("send", "sendall", "sendmsg", "sendto"):
        if hasattr(kind, name):
            found[name] = sending(getattr(kind, name), tie)
    for name in ("connect", "connect_ex"):
        found[name] = connecting(getattr(kind, name))
    return [(kind, found)]


def sending(real, tie):
    def send(self, *given):
        tie.sent(self.fileno())
        return real(self, *given)

    return send


def changes_of_subprocess(module, tie):
    """The module looks again and again whether a child has ended, with sleeps between."""
    real = getattr(module.Popen, "_wait", None)

    def wait(self, timeout):
        def attempt(wall_s):
            if wall_s and watch:
                wait_ready({watch: READ}, wall_s)
            elif wall_s:
                REAL["sleep"](min(wall_s, LOOK_S))
            return self.poll() is not None

        watch = end_of(self.pid) if timeout is not None and self.poll() is None else None
        try:
            if timeout is not None and not tie.wait(tie.after(timeout), attempt, watch and [(watch, READ)]):
                raise module.TimeoutExpired(self.args, timeout)
        finally:
            if watch:
                os.close(watch)
        return real(self, None)

    # Pipes of children are opened by this module.
    io = type(sys)("io")
    io.__dict__.update(vars(module.io))
    io.open = lambda descriptor, mode="r", *given, **named: (
        tied_pipe(tie, descriptor, *given, **named) if mode == "rb" else module_io.open(descriptor, mode, *given, **named)
    )
    module_io = module.io
    return [(module, {"io": io}), *([(module.Popen, {"_wait": wait})] if real else [])]


def end_of(pid):
    """A descriptor that can be read when a child has ended; None where there is none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def tied_pipe(tie, descriptor, bufsize=-1, closefd=True):
    """A binary file whose reads wait as the program does."""
    import io

    class Pipe(io.FileIO):
        def await_it(self):
            if os.get_blocking(self.fileno()):
                tie.wait_to_read(self)

        def readinto(self, buffer):
            self.await_it()
            return super().readinto(buffer)

        def read(self, size=-1):
            if size is None or size < 0:
                return self.readall()
            self.await_it()
            return super().read(size)

        def readall(self):
            parts = iter(lambda: self.read(65536), b"")
            return b"".join(part for part in parts if part)

    pipe = Pipe(descriptor, "rb", closefd)
    return pipe if bufsize == 0 else io.BufferedReader(pipe, bufsize if bufsize > 1 else io.DEFAULT_BUFFER_SIZE)


def changes_of_ssl(module, tie):
    kind = module.SSLSocket
    real_read = kind.read

    def read(self, *given, **named):
        timeout = self.gettimeout()
        got = real_read(self, *given, **named) if timeout == 0 else read_within(self, timeout, given, named)
        tie.received(self.fileno())
        return got

    def read_within(self, timeout, given, named):
        end = tie.after(timeout)
        while True:
            if not self.pending() and not tie.wait_to_read(self, end):
                # Since Python 3.10 it is TimeoutError.
                raise sys.modules["socket"].timeout("The read operation timed out")
            self.settimeout(0)
            try:
                return real_read(self, *given, **named)
            except module.SSLWantReadError:
                # What has arrived holds no data, such as the tickets of a session: the wait goes on.
                pass
            finally:
                self.settimeout(timeout)

    return [(kind, {"read": read, **{name: sending(getattr(kind, name), tie) for name in ("write", "send")}})]


def changes_of_threading(module, tie):
    real_lock, real_join, real_shutdown = module._allocate_lock, module.Thread.join, module._shutdown
    real_run = module.Thread._bootstrap_inner

    class WaiterLock:
        """The lock by which conditions, events, semaphores, barriers and queues wait."""

        def __init__(self):
            self.lock = real_lock()
            self.locked = self.lock.locked
            self.waiters = []

        def acquire(self, blocking=True, timeout=-1):
            if self.lock.acquire(False):
                return True
            if not blocking:
                return self.lock.acquire(False, timeout)
            waiter = Waiter(tie.after(None if timeout is None or timeout < 0 else timeout))
            self.waiters.append(waiter)
            try:
                return bool(tie.attend(waiter, lambda wall_s: self.lock.acquire(True, wall_s) if wall_s else self.lock.acquire(False)))
            finally:
                self.waiters.remove(waiter)

        def release(self):
            self.lock.release()
            for waiter in list(self.waiters):
                waiter.wake()

        def __enter__(self):
            return self.acquire()

        def __exit__(self, *_):
            self.release()

        def _at_fork_reinit(self):
            self.lock, self.waiters = real_lock(), []
            self.locked = self.lock.locked

    # For each thread that was started from now on, who waits for its end; None when it has come.
    joiners = {}

    def run(self):
        joiners[self] = []
        try:
            real_run(self)
        finally:
            for waiter in joiners.pop(self, []):
                waiter.wake()

    def join(self, timeout=None):
        # It refuses what cannot be joined.
        real_join(self, 0)
        known = joiners.get(self)
        waiter = Waiter(tie.after(timeout), None if known is None else ())

        def attempt(wall_s):
            # One that has come to its end does nothing more.
            is_ending = known is not None and self not in joiners
            real_join(self, None if is_ending else wall_s)
            return not self.is_alive()

        if attempt(0):
            return
        if known is not None:
            known.append(waiter)
        tie.attend(waiter, attempt)

    return [
        (module, {"_allocate_lock": WaiterLock, "Lock": WaiterLock, "_shutdown": lambda: tie.idle(real_shutdown)}),
        (module.Thread, {"join": join, "_bootstrap_inner": run}),
    ]


def changes_of_queue(module, tie):
    # The one in C waits for a lock that cannot be seen; the threads of concurrent.futures wait by it.
    return [(module, {"SimpleQueue": module._PySimpleQueue})]


def changes_of_connection(module, tie):
    """Pipes and queues of multiprocessing."""
    kind = module.Connection
    real = kind._recv

    def read(descriptor, size):
        tie.wait_to_read(descriptor)
        return os.read(descriptor, size)

    return [(kind, {"_recv": lambda self, size: real(self, size, read)})] if os.name == "posix" else []


def changes_of_tracker(module, tie):
    """The process that clears away after all others reads a pipe, and wakes nobody."""
    main = module.main
    return [(module, {"main": lambda descriptor: tie.idle(lambda: main(descriptor))})]


def changes_of_multiprocessing(module, tie):
    """Its children that do not begin as a fork."""
    if not hasattr(module, "spawnv_passfds"):
        return []
    start = module.spawnv_passfds

    def starting(*given):
        tie.bear()
        return start(*given)

    return [(module, {"spawnv_passfds": starting})]


def changes_of_synchronize(module, tie):
    """Locks between processes."""
    kind = module.SemLock
    real = kind._make_methods

    def make_methods(self):
        real(self)
        acquire_now = self.acquire

        def acquire(block=True, timeout=None):
            if acquire_now(False):
                return True
            if not block:
                return False
            if timeout is None:
                return tie.idle(acquire_now)
            return bool(tie.wait(tie.after(timeout), lambda wall_s: acquire_now(True, wall_s), None))

        self.acquire = acquire

    return [(kind, {"_make_methods": make_methods, "__enter__": lambda self: self.acquire()})]


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


def changes_of_uvloop(module, tie):
    """Its loop waits in C. It is made to be put in the place of the loop of asyncio, which is put back here."""
    import asyncio

    class Loop(asyncio.SelectorEventLoop):
        __module__ = "uvloop"

    class EventLoopPolicy(asyncio.DefaultEventLoopPolicy):
        __module__ = "uvloop"

        def _loop_factory(self):
            return module.new_event_loop()

    tie.stands_in("uvloop")
    return [(module, {"Loop": Loop, "EventLoopPolicy": EventLoopPolicy})]


def leaving(name):
    """What changes a module with the hub of a library, which waits where nobody sees it for all that a thread does. A program that only
    imports the library has no hub."""

    def changes(module, tie):
        kind = getattr(module, name)
        real = kind.__init__

        def init(self, *given, **named):
            tie.leave_run(module.__name__.partition(".")[0])
            real(self, *given, **named)

        return [(kind, {"__init__": init})]

    return changes


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
    "subprocess": changes_of_subprocess,
    "multiprocessing.util": changes_of_multiprocessing,
    "multiprocessing.resource_tracker": changes_of_tracker,
    "multiprocessing.connection": changes_of_connection,
    "multiprocessing.synchronize": changes_of_synchronize,
    "uvloop": changes_of_uvloop,
    "gevent.hub": leaving("Hub"),
    "eventlet.hubs.hub": leaving("BaseHub"),
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

    def __call__(self, *given, **named):
        return self.function(*given, **named)

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


# Events of Python before a child process is started.
BIRTHS = ("subprocess.Popen", "os.posix_spawn", "os.system", "os.spawn", "os.startfile")
# And before a file is changed; "open" has the flags, too.
FILE_CHANGES = ("os.chmod", "os.link", "os.mkdir", "os.rename", "os.symlink", "os.truncate", "os.utime", "sqlite3.connect")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def listening(tie):
    def hear(event, given):
        is_birth = event in BIRTHS
        if is_birth or event in FILE_CHANGES or (event == "open" and isinstance(given[2], int) and given[2] & WRITES):
            tie.await_tick()
        if is_birth:
            tie.bear()

    return hear


def tie_program(environment, change_imports):
    """Ties this whole process, for as long as it runs."""
    base = f"{environment['GATEWAY_EMULATOR_URL']}/__emulator/worlds/{environment['GATEWAY_EMULATOR_WORLD']}"
    takes = environment.get("GATEWAY_EMULATOR_TIME") == "virtual"
    tie = Tie(Link(base, takes, "GATEWAY_EMULATOR_DIES" in environment, "GATEWAY_EMULATOR_CASE" in environment))
    environment["GATEWAY_EMULATOR_TIED"] = str(os.getpid())
    change_imports({name: lambda module: change(module, tie) for name in CHANGES})
    read_tied(tie)
    sys.addaudithook(listening(tie))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=tie.bear, after_in_child=tie.forked)
    return tie


def read_tied(tie):
    """Reads of the standard input wait as the program does."""
    import io

    old = sys.stdin
    try:
        is_pipe = os.fstat(old.fileno()).st_mode & 0o170000 in (0o010000, 0o140000)
    except (AttributeError, OSError, ValueError):
        return
    if is_pipe and isinstance(old, io.TextIOWrapper):
        sys.stdin = io.TextIOWrapper(tied_pipe(tie, old.fileno(), closefd=False), old.encoding, old.errors)


class tied:
    """A context in which this process is tied to a world: `base` is the address of the world's control API. Names that modules have
    imported, such as `sleep`, are changed too. In a program that is tied already it does nothing."""

    def __init__(self, base):
        self.base = base
        self.undo, self.link = [], None

    def __enter__(self):
        if "generation_gateway_emulator_virtual_time" in sys.modules:
            return self
        self.link = Link(self.base)
        tie = Tie(self.link)
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
        if self.link:
            self.link.close()
        self.undo, self.link = [], None


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
