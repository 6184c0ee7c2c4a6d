"""A client that survives its own death: it keeps an external id before it creates a task, asks for the task by that id before it
creates it again, and renames the file when it is whole. Family K, whose tasks take an external id.

    npx --no-install gateway-emulator explore --restarts -- python3 resuming_client.py
"""

import json
import os
import time
import urllib.request
import uuid

URL = os.environ["GATEWAY_EMULATOR_URL"]
FOLDER = os.environ["GATEWAY_EMULATOR_STATE"]
HEADERS = {"Authorization": "Bearer " + os.environ["GATEWAY_EMULATOR_KEY"], "Content-Type": "application/json"}
NAME = os.path.join(FOLDER, "job.txt")
VIDEO = os.path.join(FOLDER, "video.mp4")


def keep(path, content):
    """A file appears under its name only when it is whole."""
    with open(path + ".part", "wb") as file:
        file.write(content)
    os.replace(path + ".part", path)


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, HEADERS), timeout=60) as reply:
        return json.load(reply)["data"]


def task_of(name):
    """The task with this external id; None when no life has made it yet."""
    return next(iter(call("/tasks?external_task_ids=" + name)), None)


def create(name):
    body = {
        "contents": [
            {"type": "prompt", "text": "the balloons drift to the right"},
            {"type": "first_frame", "url": URL + "/__emulator/samples/landscape.jpg"},
        ],
        "settings": {"resolution": "720p", "duration": 3},
        "options": {"external_task_id": name},
    }
    call("/image-to-video/model_k_30", body)


def finished(name):
    while True:
        task = task_of(name)
        if task["status"] == "succeeded":
            return task
        if task["status"] not in ("submitted", "processing"):
            raise SystemExit("the task is " + task["status"])
        time.sleep(5)


if not os.path.exists(NAME):
    keep(NAME, ("balloons-" + uuid.uuid4().hex).encode())
if not os.path.exists(VIDEO):
    with open(NAME) as file:
        job = file.read()
    if task_of(job) is None:
        create(job)
    link = finished(job)["outputs"][0]["url"]
    with urllib.request.urlopen(link, timeout=60) as reply:
        keep(VIDEO, reply.read())
print("the video is in", VIDEO)
