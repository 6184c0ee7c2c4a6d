"""One video with DashScope's SDK, which waits by itself, and does not download."""

import os
import sys
import urllib.request
from http import HTTPStatus

import dashscope

dashscope.base_http_api_url = "https://gateway.example/api/v1"
answer = dashscope.VideoSynthesis.call(
    api_key="a key", model="wan3.0-video", prompt="a lighthouse", ratio="16:9", duration=4
)
if answer.status_code != HTTPStatus.OK:
    sys.exit(f"{answer.status_code} {answer.code}: {answer.message}")
if answer.output.task_status != "SUCCEEDED":
    sys.exit(f"{answer.output.task_id} {answer.output.task_status}")
urllib.request.urlretrieve(answer.output.video_url, os.environ["OUT"])
