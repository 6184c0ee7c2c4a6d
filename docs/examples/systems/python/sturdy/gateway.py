"""Calls of the gateway, repeated while that may help."""

import http.client
import json
import os
import struct
import time
import urllib.error
import urllib.request

URL = os.environ["GATEWAY_URL"]
HEADERS = {"Authorization": "Bearer " + os.environ["GATEWAY_KEY"], "Content-Type": "application/json"}
ANSWER_S = 30
# With longer and longer pauses: an outage of half a minute passes.
MOST_ATTEMPTS = 10


class Failed(Exception):
    def __init__(self, text, may_pass=False, wait_s=0.0, attempts=MOST_ATTEMPTS):
        super().__init__(text)
        self.may_pass, self.wait_s, self.attempts = may_pass, wait_s, attempts


def patiently(send):
    attempt = 1
    while True:
        try:
            return send()
        except Failed as failed:
            if not failed.may_pass or attempt >= failed.attempts:
                raise
            time.sleep(max(failed.wait_s, 0.05 * 2**attempt))
            attempt += 1


def fetch(url, headers, data=None):
    """The bytes behind an address; the whole answer has a deadline, not only each part of it."""
    deadline = time.monotonic() + ANSWER_S
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=ANSWER_S) as reply:
            parts = []
            while part := reply.read1(1 << 16):
                parts.append(part)
                if time.monotonic() > deadline:
                    raise TimeoutError("the answer takes too long")
            body = b"".join(parts)
            if len(body) != int(reply.headers.get("Content-Length", len(body))):
                raise Failed("the answer broke off", may_pass=True)
            return body
    except urllib.error.HTTPError as refused:
        may_pass = refused.code == 429 or refused.code >= 500
        wait_s = float(refused.headers.get("Retry-After") or 0)
        text = refused.read(200).decode("utf-8", "replace")
        raise Failed(f"the gateway answered {refused.code}: {text}", may_pass, wait_s) from refused
    except (OSError, http.client.HTTPException) as broken:
        raise Failed(f"no answer: {broken}", may_pass=True) from broken


def call(path, body=None):
    answer = fetch(URL + path, HEADERS, None if body is None else json.dumps(body).encode())
    try:
        return json.loads(answer)["data"]
    except ValueError as unreadable:
        raise Failed("the answer is not JSON", may_pass=True) from unreadable


def task_of(name):
    """The task with this external id; None when nobody has made it yet."""
    return next(iter(call("/tasks?external_task_ids=" + name)), None)


def created(name, prompt, is_mine):
    """Makes the task of this name unless it exists: it is looked for before each attempt, and asked last whether the job is still ours."""
    body = {
        "contents": [
            {"type": "prompt", "text": prompt},
            {"type": "first_frame", "url": URL + "/__emulator/samples/landscape.jpg"},
        ],
        "settings": {"resolution": "720p", "duration": 3},
        "options": {"external_task_id": name},
    }

    def attempt():
        if task_of(name) is not None:
            return
        if not is_mine():
            raise Failed("another worker has this job")
        call("/image-to-video/model_k_30", body)

    patiently(attempt)


def link_of(name):
    """The link of a task that succeeded; after a quarter of an hour it gives up."""
    for _ in range(180):
        task = patiently(lambda: task_of(name))
        if task is None:
            raise Failed("the task is gone")
        if task["status"] == "succeeded":
            links = [output["url"] for output in task.get("outputs") or [] if output.get("url")]
            if not links:
                raise Failed("the task succeeded without a link")
            return links[0]
        if task["status"] not in ("submitted", "processing"):
            raise Failed("the task is " + task["status"])
        time.sleep(5)
    raise Failed("the task takes longer than a quarter of an hour")


def is_mp4(data):
    """The boxes of an MP4 fill the file exactly, and begin with the right ones."""
    at, kinds = 0, []
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        if size < 8:
            return False
        kinds.append(kind)
        at += size
    return at == len(data) and kinds[:1] == [b"ftyp"] and b"moov" in kinds


def download(link):
    """The whole video; links are fetched without the key."""

    def attempt():
        data = fetch(link, {})
        if not is_mp4(data):
            raise Failed("what the link gave is no whole MP4", may_pass=True, attempts=4)
        return data

    return patiently(attempt)
