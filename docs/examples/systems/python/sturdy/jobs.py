"""The jobs in SQLite. Each step is one statement, and whoever writes for a job must still hold it."""

import os
import sqlite3
import threading
import time
import uuid

STATE = os.environ["STATE"]
VIDEOS = os.path.join(STATE, "videos")
os.makedirs(VIDEOS, exist_ok=True)

# Longer than a create may be on its way: no other worker begins while one may still arrive.
LEASE_S = 60
SELF = str(uuid.uuid4())


def run(statement, *values):
    """Runs one statement on a connection of its own, so that threads do not meet; gives its rows."""
    connection = sqlite3.connect(os.path.join(STATE, "jobs.db"), timeout=30, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(statement, values)]
    finally:
        connection.close()


run("PRAGMA journal_mode = WAL")
run(
    "CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, prompt TEXT, status TEXT DEFAULT 'queued',"
    " message TEXT, owner TEXT, held_until REAL DEFAULT 0)"
)


def add(name, prompt):
    """The same id again is the same job."""
    run("INSERT OR IGNORE INTO jobs (id, prompt) VALUES (?, ?)", name, prompt)


def every():
    return run("SELECT id, status, message FROM jobs")


def one(name):
    return next(iter(run("SELECT id, status, message FROM jobs WHERE id = ?", name)), None)


def take():
    """A job that nobody holds, in one statement: of two workers one gets it."""
    now = time.time()
    rows = run(
        "UPDATE jobs SET status = 'working', owner = ?, held_until = ? WHERE id = (SELECT id FROM jobs"
        " WHERE status IN ('queued', 'working') AND held_until < ? ORDER BY rowid LIMIT 1) RETURNING id, prompt",
        SELF,
        now + LEASE_S,
        now,
    )
    return rows[0] if rows else None


def hold(name):
    """Holds the job on; false when it was given to another worker."""
    held_until = time.time() + LEASE_S
    return bool(run("UPDATE jobs SET held_until = ? WHERE id = ? AND owner = ? RETURNING id", held_until, name, SELF))


def hold_on(name):
    """Holds the job every ten seconds until the event is set."""
    ended = threading.Event()

    def beat():
        while not ended.wait(10) and hold(name):
            pass

    threading.Thread(target=beat, daemon=True).start()
    return ended


def end(name, status, message=None):
    run("UPDATE jobs SET status = ?, message = ? WHERE id = ? AND owner = ?", status, message, name, SELF)
