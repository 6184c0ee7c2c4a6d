"""A small web application: routes of a page and of JSON, as both systems have them. What they keep is their own."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = os.path.join(os.path.dirname(__file__), "..", "page.html")


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def serve(posted, jobs, job, video):
    """Serves on PORT: what a POST of a job answers, all jobs, one job, and the bytes of its video; each may raise Refused."""

    def answer(method, path, body):
        match [method, *path.strip("/").split("/")]:
            case ["GET", ""]:
                with open(PAGE, "rb") as page:
                    return 200, "text/html", page.read()
            case ["GET", "health"]:
                return 200, "application/json", b"{}"
            case ["POST", "jobs"]:
                return 202, "application/json", json.dumps(posted(body)).encode()
            case ["GET", "jobs"]:
                return 200, "application/json", json.dumps(jobs()).encode()
            case ["GET", "jobs", name]:
                return 200, "application/json", json.dumps(job(name)).encode()
            case ["GET", "jobs", name, "video"]:
                return 200, "video/mp4", video(name)
        raise Refused(404, "there is no such page")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self):
            try:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, kind, content = answer(self.command, self.path, body)
            except Refused as refused:
                status, kind = refused.status, "application/json"
                content = json.dumps({"message": str(refused)}).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = handle_any

        def log_message(self, *_):
            pass

    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
