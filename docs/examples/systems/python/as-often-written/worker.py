"""The worker, as it is often written. The page on systems tells which case finds each weakness."""

import json
import os
import random
import sqlite3
import time
import urllib.request

URL = os.environ["GATEWAY_URL"]
HEADERS = {"Authorization": "Bearer " + os.environ["GATEWAY_KEY"], "Content-Type": "application/json"}
VIDEOS = os.path.join(os.environ["STATE"], "videos")
os.makedirs(VIDEOS, exist_ok=True)
jobs = sqlite3.connect(os.path.join(os.environ["STATE"], "jobs.db"), isolation_level=None)


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, HEADERS), timeout=60) as reply:
        return json.load(reply)["data"]


def create(prompt):
    body = {
        "contents": [
            {"type": "prompt", "text": prompt},
            {"type": "first_frame", "url": URL + "/__emulator/samples/landscape.jpg"},
        ],
        "settings": {"resolution": "720p", "duration": 3},
    }
    # 3. Sends the create again after every failure, at once.
    for _ in range(2):
        try:
            return call("/image-to-video/model_k_30", body)["id"]
        except OSError:
            pass
    return call("/image-to-video/model_k_30", body)["id"]


def make(name, prompt):
    # 4. Only this variable knows the task: when the worker dies, its result is paid for and lost.
    task_id = create(prompt)
    while True:
        # 5. Gives up a task that is paid for after one poll that failed.
        task = call("/tasks?task_ids=" + task_id)[0]
        if task["status"] == "failed":
            raise RuntimeError("the task failed")
        if task["status"] == "succeeded":
            break
        time.sleep(5)
    # 6. Whatever the link gives is the video, and it has its name before it is whole.
    urllib.request.urlretrieve(task["outputs"][0]["url"], os.path.join(VIDEOS, name + ".mp4"))


while True:
    # 7. Looks and takes in two steps, and takes whatever has been worked on for five minutes: somebody may still be at it.
    row = jobs.execute(
        "SELECT id, prompt FROM jobs WHERE status = 'queued' OR (status = 'working' AND taken_at < ?) LIMIT 1",
        [time.time() - 300],
    ).fetchone()
    if row is None:
        # Of two workers seldom both look at the same moment.
        time.sleep(random.uniform(0.5, 1.5))
        continue
    name, prompt = row
    jobs.execute("UPDATE jobs SET status = 'working', taken_at = ? WHERE id = ?", [time.time(), name])
    try:
        make(name, prompt)
        jobs.execute("UPDATE jobs SET status = 'done' WHERE id = ?", [name])
    except Exception as error:
        jobs.execute("UPDATE jobs SET status = 'failed', message = ? WHERE id = ?", [str(error), name])
