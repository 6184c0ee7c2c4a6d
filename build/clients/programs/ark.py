"""One video with a runtime of Ark: its module is the argument. Neither waits by itself nor downloads."""

import importlib
import os
import sys
import time
import urllib.request

runtime = importlib.import_module(sys.argv[1])
client = runtime.Ark(base_url="https://gateway.example/api/v3", api_key="a key")
tasks = client.content_generation.tasks
made = tasks.create(
    model="doubao-seedance-2-0-260128",
    content=[{"type": "text", "text": "a lighthouse"}],
    ratio="16:9",
    duration=4,
    execution_expires_after=3600,
)
while (task := tasks.get(task_id=made.id)).status in ("queued", "running"):
    time.sleep(10)
if task.status != "succeeded":
    sys.exit(f"{task.id} {task.status}: {task.error}")
urllib.request.urlretrieve(task.content.video_url, os.environ["OUT"])
