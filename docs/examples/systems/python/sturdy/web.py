"""A web application that says what is true: a form that is sent twice makes one job, and only what is whole is served."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import jobs
from application import Refused, serve


def posted(body):
    try:
        form = json.loads(body)
        name, prompt = form["id"], form["prompt"]
        if not re.fullmatch(r"[\w-]{8,64}", name) or not isinstance(prompt, str) or not prompt:
            raise ValueError
    except (ValueError, KeyError, TypeError) as wrong:
        raise Refused(400, "a job needs an id and a prompt") from wrong
    jobs.add(name, prompt)
    return job(name)


def job(name):
    found = jobs.one(name)
    if found is None:
        raise Refused(404, "there is no such job")
    return found


def video(name):
    if job(name)["status"] != "done":
        raise Refused(404, "there is no video yet")
    with open(os.path.join(jobs.VIDEOS, name + ".mp4"), "rb") as file:
        return file.read()


serve(posted, jobs.every, job, video)
