"""A robust client with only Python's standard library: it retries only transient failures, finds a task whose create got no
reply, gives up with its own message, and checks the file before it reports success. It keeps nothing: when it dies it makes a new video.

    npx --no-install gateway-emulator explore -- python3 sturdy_client.py
"""

import http.client
import json
import os
import struct
import sys
import time
import urllib.error
import urllib.request

TASKS = os.environ["GATEWAY_EMULATOR_URL"] + "/api/v3/contents/generations/tasks"
HEADERS = {
    "Authorization": "Bearer " + os.environ["GATEWAY_EMULATOR_KEY"],
    "Content-Type": "application/json",
}
ANSWER_S = float(os.environ.get("ANSWER_MS", "30000")) / 1000
POLL_S = float(os.environ.get("POLL_MS", "5000")) / 1000
# With the pause between two polls, a quarter of an hour.
MOST_POLLS = 180
# With longer and longer pauses: an outage of half a minute passes.
MOST_ATTEMPTS = 10
BODY = {
    "model": "model_a_25",
    "content": [{"type": "text", "text": "a lighthouse at dawn"}],
    "ratio": "16:9",
    "duration": 4,
}


class Failed(Exception):
    def __init__(self, text, may_pass=False, may_be_done=False, wait_s=0.0, attempts=MOST_ATTEMPTS):
        super().__init__(text)
        self.attempts = attempts
        self.may_pass, self.may_be_done, self.wait_s = may_pass, may_be_done, wait_s


def fetch(url, headers, data=None):
    """The bytes behind an address; the whole answer has a deadline, not only each part of it."""
    deadline = time.monotonic() + ANSWER_S
    request = urllib.request.Request(url, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_S) as reply:
            parts = []
            while True:
                part = reply.read1(1 << 16)
                if not part:
                    break
                parts.append(part)
                if time.monotonic() > deadline:
                    raise TimeoutError("the answer takes too long")
            body = b"".join(parts)
            promised = reply.headers.get("Content-Length")
            if promised is not None and int(promised) != len(body):
                raise Failed("the answer broke off", may_pass=True, may_be_done=True)
            return body
    except urllib.error.HTTPError as refused:
        may_pass = refused.code == 429 or refused.code >= 500
        wait_s = float(refused.headers.get("Retry-After") or 0)
        text = refused.read(200).decode("utf-8", "replace")
        raise Failed(f"answered {refused.code}: {text}", may_pass, wait_s=wait_s) from refused
    except (OSError, http.client.HTTPException) as broken:
        raise Failed(f"no answer: {broken}", may_pass=True, may_be_done=True) from broken


def call(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    answer = fetch(url, HEADERS, data)
    try:
        return json.loads(answer)
    except ValueError as unreadable:
        raise Failed("the answer is not JSON", may_pass=True, may_be_done=True) from unreadable


def patiently(send, before_again=lambda: None):
    """Calls again while that may help; before_again may find that nothing needs to be sent again."""
    for attempt in range(1, MOST_ATTEMPTS + 1):
        try:
            return send()
        except Failed as failed:
            if not failed.may_pass or attempt >= failed.attempts:
                raise
            time.sleep(max(failed.wait_s, 0.05 * 2**attempt))
            found = before_again() if failed.may_be_done else None
            if found is not None:
                return found


def listed():
    return patiently(lambda: call(TASKS + "?page_size=20"))["items"]


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
    # Links are fetched without the key.
    data = fetch(link, {})
    if not is_mp4(data):
        raise Failed("what the link gave is no whole MP4", may_pass=True, attempts=4)
    return data


def main():
    known = {task["id"] for task in listed()}
    lost = lambda: next((task for task in listed() if task["id"] not in known), None)
    task_id = patiently(lambda: call(TASKS, BODY), lost)["id"]
    for _ in range(MOST_POLLS):
        task = patiently(lambda: call(TASKS + "/" + task_id))
        if task["status"] == "succeeded":
            link = task.get("content", {}).get("video_url")
            if not link:
                raise Failed("the task succeeded without a link")
            print("saved", len(patiently(lambda: download(link))), "bytes")
            return
        if task["status"] not in ("queued", "running"):
            raise Failed(f"the task is {task['status']}: {task.get('error', {}).get('message', 'no reason given')}")
        time.sleep(POLL_S)
    raise Failed(f"the task is still {task['status']} after {MOST_POLLS} polls")


try:
    main()
except Failed as failed:
    sys.exit(str(failed))
