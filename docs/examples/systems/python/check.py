"""What must hold whatever failed: no job is lost, none was made twice, and a video is a video."""

import json
import os
import struct
import sys
import urllib.request

WEB = os.environ["WEB_URL"]


def get(path):
    with urllib.request.urlopen(WEB + path, timeout=30) as reply:
        return reply.read()


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


wrong = []
jobs = json.loads(get("/jobs"))
if len(jobs) != 2:
    wrong.append(f"two users asked, and there are {len(jobs)} jobs")
for job in jobs:
    if job["status"] in ("queued", "working"):
        wrong.append(f"job {job['id']} is still {job['status']}")
    if job["status"] == "failed" and not job["message"]:
        wrong.append(f"job {job['id']} failed without a reason")
    if job["status"] == "done" and not is_mp4(get(f"/jobs/{job['id']}/video")):
        wrong.append(f"the video of job {job['id']} is no whole MP4")
videos = [name for name in os.listdir(os.path.join(os.environ["STATE"], "videos")) if name.endswith(".mp4")]
done = [job for job in jobs if job["status"] == "done"]
if len(videos) > len(done):
    wrong.append(f"{len(done)} jobs are done, and there are {len(videos)} videos")
if wrong:
    sys.exit("\n".join(wrong))
