"""A worker that may die at any moment: the job's id is the task's external id, so that whoever takes the job next finds its task."""

import os
import time

import jobs
from gateway import Failed, created, download, link_of


def keep(name, data):
    """A file has its name only when it is whole. Another worker that makes the same one has a part of its own."""
    part = os.path.join(jobs.VIDEOS, f"{name}.{os.getpid()}.part")
    with open(part, "wb") as file:
        file.write(data)
    os.replace(part, os.path.join(jobs.VIDEOS, name))


def work(job):
    name = job["id"]
    ended = jobs.hold_on(name)
    try:
        created(name, job["prompt"], lambda: jobs.hold(name))
        keep(name + ".mp4", download(link_of(name)))
        jobs.end(name, "done")
    except Failed as failed:
        jobs.end(name, "failed", str(failed))
    finally:
        ended.set()


while True:
    taken = jobs.take()
    if taken is None:
        time.sleep(0.5)
    else:
        work(taken)
