"""Does what two users do: each asks for a video, looks at it every five seconds, and fetches it. It ends with 0 when both were served."""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

WEB = os.environ["WEB_URL"]
# Longer than the worker's own limit, so that users see what it says.
LONGEST_WAIT_S = 20 * 60


class NotServed(Exception):
    pass


def ask(path, body=None):
    """One request of a page. A server that does not answer, or is out of order, is asked again as long as people wait."""
    data = None if body is None else json.dumps(body).encode()
    until = time.monotonic() + LONGEST_WAIT_S
    while time.monotonic() < until:
        try:
            request = urllib.request.Request(WEB + path, data, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.read()
        except urllib.error.HTTPError as refused:
            if refused.code < 500:
                raise NotServed(f"the web application answers {refused.code}: {refused.read().decode()}") from refused
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(1)
    raise NotServed("the web application does not answer")


def use(prompt):
    job = json.loads(ask("/jobs", {"id": str(uuid.uuid4()), "prompt": prompt}))
    until = time.monotonic() + LONGEST_WAIT_S
    while job["status"] in ("queued", "working"):
        if time.monotonic() > until:
            raise NotServed(f"job {job['id']} is still {job['status']} after 20 minutes")
        time.sleep(5)
        job = json.loads(ask("/jobs/" + job["id"]))
    if job["status"] != "done":
        raise NotServed(f"the web application says: {job['message']}")
    ask(f"/jobs/{job['id']}/video")


def outcome(prompt):
    try:
        use(prompt)
    except NotServed as failed:
        return str(failed)


with ThreadPoolExecutor() as pool:
    failures = [text for text in pool.map(outcome, ["the balloons drift", "the clouds drift"]) if text]
if failures:
    sys.exit("\n".join(failures))
