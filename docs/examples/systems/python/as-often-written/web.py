"""The web application, as it is often written."""

import json
import os
import sqlite3
import sys
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from application import Refused, serve

STATE = os.environ["STATE"]
VIDEOS = os.path.join(STATE, "videos")
os.makedirs(VIDEOS, exist_ok=True)


def database():
    return sqlite3.connect(os.path.join(STATE, "jobs.db"), isolation_level=None)


database().execute(
    "CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, prompt TEXT, status TEXT, message TEXT, taken_at REAL DEFAULT 0)"
)


# 1. Names the job itself: a form that is sent again, because its answer got lost, makes a second one.
def posted(body):
    name = str(uuid.uuid4())
    database().execute("INSERT INTO jobs VALUES (?, ?, 'queued', NULL, 0)", [name, json.loads(body)["prompt"]])
    return job(name)


# 2. A job is done as soon as there is a file, be it whole or not.
def shown(row):
    name, status, message = row
    if os.path.exists(os.path.join(VIDEOS, name + ".mp4")):
        status = "done"
    return {"id": name, "status": status, "message": message}


def jobs():
    return [shown(row) for row in database().execute("SELECT id, status, message FROM jobs")]


def job(name):
    row = database().execute("SELECT id, status, message FROM jobs WHERE id = ?", [name]).fetchone()
    if row is None:
        raise Refused(404, "there is no such job")
    return shown(row)


def video(name):
    with open(os.path.join(VIDEOS, name + ".mp4"), "rb") as file:
        return file.read()


serve(posted, jobs, job, video)
