"""Shows films to headless Chromium, which compares them with numbered PNGs: in lossless formats byte for byte.

    film_page.py RATE

Reads film.png, film.gif, film.webp, film.mp4 and frames/*.png from the working folder.
"""

import base64
import glob
import http.server
import json
import pathlib
import subprocess
import sys

FILMS = ["film.png", "film.gif", "film.webp", "film.mp4"]


def content(name):
    return base64.b64encode(pathlib.Path(name).read_bytes()).decode()


script = pathlib.Path(__file__).with_name("film.js").read_text()
values = {"films": {name: content(name) for name in FILMS}, "frames": [content(name) for name in sorted(glob.glob("frames/*.png"))]}
values["rate"] = float(sys.argv[1])
constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
page = f"<!doctype html><meta charset='utf-8'><body><script type='module'>{constants}{script}</script>".encode()
lines = []


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page if self.path == "/" else b"")

    def do_POST(self):
        lines.extend(self.rfile.read(int(self.headers["Content-Length"])).decode().splitlines())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("localhost", 0), Handler)
server.timeout = 60
address = f"http://localhost:{server.server_port}/"
options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir=browser"]
with open("browser.log", "w") as log, subprocess.Popen(["chromium", *options, address], stderr=log, stdout=log) as browser:
    for _ in range(5):
        if not lines:
            server.handle_request()
    browser.kill()
print("\n".join(lines))
if len(lines) != len(FILMS) or any(line.startswith("FAILED") for line in lines):
    print(pathlib.Path("browser.log").read_text()[-2000:], file=sys.stderr)
    sys.exit("film_page.py: the browser shows other frames")
