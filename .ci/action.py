#!/usr/bin/env python3
"""Runs the steps of action.yml as GitHub would, with the program that is the first argument and a stand-in for `gh`.

The repositories are made here, on disk. The stand-in is this file, too: it keeps comments and artifacts in a folder, and records calls.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COIN = '[canvas]\nwidth = 24\nheight = 16\n[[circle]]\ncenter = [12, 8]\nradius = {}\nfill = "#d62728"\n'
NAMES = ["two words", "quo'te\"s", "line\nend", "$(touch pwned) `touch pwned`", "-rf", "a|b & c;d <img src=x> @all"]


class Hub:
    """The stand-in's memory."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "hub.json"
        self.folder = folder

    def read(self) -> dict:
        return json.loads(self.file.read_text())

    def write(self, state: dict) -> None:
        self.file.write_text(json.dumps(state, indent=1))


def gh(arguments: list[str]) -> int:
    """The stand-in for `gh`."""
    hub = Hub(Path(os.environ["HUB"]))
    state = hub.read()
    state["calls"].append(arguments)
    hub.write(state)
    flags, words, at = {}, [], 0
    while at < len(arguments):
        word = arguments[at]
        if word == "--paginate" or word == "--help":
            flags[word] = [""]
        elif word.startswith("-"):
            at += 1
            flags.setdefault(word, []).append(arguments[at])
        else:
            words.append(word)
        at += 1
    fields = dict(field.split("=", 1) for key in ("-f", "-F") for field in flags.get(key, []))
    method = flags.get("-X", ["GET"])[0]
    out: object = None

    def refused(message: str) -> int:
        print(message, file=sys.stderr)
        return 1

    def comment(body: str) -> None:
        assert len(body) <= 65536, "GitHub refuses longer comments"
        state["last"] += 1
        state["comments"].append({"id": state["last"], "user": {"login": state["user"]}, "body": body})

    match words:
        case ["api", "user"]:
            if not state["personal"]:
                return refused("HTTP 403: Resource not accessible by integration")
            out = {"login": state["user"]}
        case ["api", path] if found := re.fullmatch(r"repos/acme/charts/issues/(\d+)/comments\?per_page=100", path):
            out = [one for one in state["comments"] if found[1] == "7"]
        case ["api", path] if found := re.fullmatch(r"repos/acme/charts/issues/comments/(\d+)", path):
            one = next(one for one in state["comments"] if one["id"] == int(found[1]))
            assert one["user"]["login"] == state["user"], "a comment of somebody else"
            if method == "DELETE":
                state["comments"].remove(one)
            else:
                assert method == "PATCH" and fields["body"].startswith("@")
                one["body"] = Path(fields["body"][1:]).read_text()
                assert len(one["body"]) <= 65536
        case ["api", path] if re.fullmatch(r"repos/acme/charts/issues/comments/\d+/reactions", path):
            state["reactions"].append(fields["content"])
        case ["api", "repos/acme/charts/pulls"]:
            assert fields["state"] == "open"
            out = [state["pull"]] if fields["head"] == state["pull"]["head"]["label"] else []
        case ["api", "repos/acme/charts/pulls/7"]:
            out = state["pull"]
        case ["api", path] if found := re.fullmatch(r"repos/acme/charts/collaborators/([\w-]+)/permission", path):
            out = {"permission": state["permissions"].get(found[1], "none")}
        case ["pr", "comment"] if "--help" in flags:
            print("--attach file" if state["attach"] else "--body-file file")
        case ["pr", "comment", "7"]:
            if state["read_only"]:
                return refused("HTTP 403")
            body = Path(flags["--body-file"][0]).read_text()
            for file in flags.get("--attach", []):
                if not state["personal"]:
                    return refused("unsupported authentication type")
                assert f"(<{file}>)" in body and Path(file).read_bytes().startswith(b"\x89PNG")
                body = body.replace(f"(<{file}>)", f"(https://github.com/user-attachments/assets/{file})")
            comment(body)
        case ["run", "download", run]:
            kept = hub.folder / "artifacts" / run / flags["--name"][0]
            if not kept.is_dir():
                return refused("no artifact matches any of the names or patterns provided")
            shutil.copytree(kept, flags["--dir"][0])
        case _:
            return refused(f"the stand-in does not know {arguments}")
    hub.write(state)
    if out is not None:
        print(json.dumps(out))
    return 0


class Job:
    """Repositories, and runs of the action in them."""

    def __init__(self, roundel: Path) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.roundel = roundel
        self.hub = Hub(self.folder)
        self.runs = 0
        self.log = ""
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "gh").write_text(f"#!/bin/sh\nexec '{sys.executable}' '{Path(__file__).resolve()}' --gh \"$@\"\n")
        (tools / "gh").chmod(0o755)
        (tools / "roundel").symlink_to(roundel)
        self.checkout = self.folder / "checkout"
        for owner in ("acme", "stranger"):
            self.git("init", "--quiet", "--bare", str(self.folder / owner / "charts"), at=self.folder)
        self.git("init", "--quiet", "--initial-branch", "bars", str(self.checkout), at=self.folder)
        state = {"user": "github-actions[bot]", "personal": False, "attach": False, "read_only": False, "last": 0}
        state |= {"comments": [], "reactions": [], "calls": [], "permissions": {"ann": "admin", "bob": "write", "eve": "read"}}
        self.hub.write(state)
        self.owner = "acme"

    def git(self, *arguments: str, at: Path | None = None) -> str:
        names = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"]
        done = subprocess.run(["git", *names, *arguments], cwd=at or self.checkout, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def scene(self, name: str, radius: float) -> None:
        file = self.checkout / "golden" / f"{name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(COIN.format(radius))

    def bless_here(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        command = [str(self.roundel), "golden", "bless", "golden", "--all", "--yes"]
        subprocess.run(command, cwd=self.checkout, env=environment, check=True, capture_output=True)

    def push(self) -> str:
        """Commits everything and pushes it to the branch of the pull request; the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "work")
        self.git("push", "--quiet", "--force", f"file://{self.folder}/{self.owner}/charts", "HEAD:refs/heads/bars")
        head = self.git("rev-parse", "HEAD")
        repository = {"full_name": f"{self.owner}/charts", "owner": {"login": self.owner}}
        pull = {"number": 7, "head": {"sha": head, "ref": "bars", "repo": repository, "label": f"{self.owner}:bars"}}
        self.set(pull=pull)
        return head

    def set(self, **values: object) -> None:
        self.hub.write(self.hub.read() | values)

    def action(self, event_name: str, event: dict, run: str = "") -> int:
        """Runs the steps of action.yml; the exit status of the first that fails."""
        import yaml

        self.runs += run != ""
        temp = Path(tempfile.mkdtemp(dir=self.folder))
        files = {name: temp / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH", "GITHUB_EVENT_PATH")}
        files["GITHUB_EVENT_PATH"].write_text(json.dumps(event))
        values = {
            "github.action_path": str(ROOT), "github.event_name": event_name, "github.token": "secret", "runner.temp": str(temp),
            "inputs.run": run, "inputs.artifact": "golden", "inputs.token": "secret", "inputs.roundel": "roundel",
        }  # fmt: skip

        def value(text: object) -> str:
            def put(found: re.Match[str]) -> str:
                assert found[1] in values, f"action.yml names {found[1]}"
                return values[found[1]]

            return re.sub(r"\$\{\{ *([\w.]+) *\}\}", put, str(text))

        def holds(condition: str) -> bool:
            test = re.sub(r"(inputs|github)\.\w+", lambda found: repr(values[found[0]]), condition)
            return bool(eval(test.replace("||", " or ").replace("&&", " and "), {"__builtins__": {}}))  # noqa: S307

        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(temp), "HUB": str(self.folder), "CI": "true"}
        environment |= {name: str(file) for name, file in files.items()}
        environment |= {"RUNNER_TEMP": str(temp), "GITHUB_REPOSITORY": "acme/charts", "GITHUB_RUN_ID": str(self.runs)}
        environment |= {"GITHUB_EVENT_NAME": event_name, "GITHUB_SERVER_URL": f"file://{self.folder}"}
        for step in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]:
            if "if" in step and not holds(step["if"]):
                continue
            if "uses" in step:
                assert step["uses"].startswith("actions/upload-artifact@"), step
                place = self.folder / "artifacts" / str(self.runs) / value(step["with"]["name"])
                shutil.copytree(value(step["with"]["path"]), place, dirs_exist_ok=True)
                continue
            of_step = {name: value(text) for name, text in step.get("env", {}).items()}
            assert "${{" not in step["run"], "texts from outside would be part of a script"
            # GitHub runs a step so
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.checkout, env=environment | of_step, capture_output=True, text=True, check=False,
            )  # fmt: skip
            self.log += f"== {step['name']}\n{done.stdout}{done.stderr}"
            for line in files["GITHUB_OUTPUT"].read_text().splitlines() if files["GITHUB_OUTPUT"].exists() else []:
                name, text = line.split("=", 1)
                values[f"steps.{step.get('id')}.outputs.{name}"] = text
            if done.returncode != 0:
                return done.returncode
        return 0

    def tests(self, head: str) -> int:
        """The workflow of the tests."""
        repository = {"full_name": f"{self.owner}/charts"}
        event = {"pull_request": {"number": 7, "head": {"sha": head, "repo": repository}}}
        return self.action("pull_request", event, "roundel golden check golden")

    def after(self, head: str) -> int:
        """The workflow that runs after it."""
        run = {"id": self.runs, "head_sha": head, "head_branch": "bars", "head_repository": {"owner": {"login": self.owner}}}
        return self.action("workflow_run", {"workflow_run": run})

    def reply(self, user: str, body: str) -> int:
        comment = {"id": 99, "user": {"login": user}, "body": body}
        # a workflow for both events names a command, which a reply does not run
        event = {"action": "created", "issue": {"number": 7, "pull_request": {}}, "comment": comment}
        runs = self.runs
        status = self.action("issue_comment", event, "touch pwned")
        self.runs = runs
        return status

    def ours(self) -> list[dict]:
        return [one for one in self.hub.read()["comments"] if one["body"].startswith("<!-- roundel golden ")]

    def one(self) -> dict:
        """The only comment of the action."""
        (found,) = self.ours()
        return found

    def branch(self, owner: str = "acme") -> str:
        return self.git("rev-parse", "refs/heads/bars", at=self.folder / owner / "charts")

    def calls(self, word: str) -> list[list[str]]:
        return [call for call in self.hub.read()["calls"] if word in call]


def check_documentation() -> None:
    """The workflows of docs/testing.md are short, and give the action inputs that it has."""
    import yaml

    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    workflows = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/testing.md").read_text(), re.DOTALL)
    workflows = [text for text in workflows if "/roundel@" in text]
    assert len(workflows) == 3
    for text in workflows:
        assert len(text.splitlines()) <= 10, text
        steps = [step for job in yaml.safe_load(text)["jobs"].values() for step in job["steps"]]
        assert all(set(step.get("with", {})) <= set(inputs) for step in steps), text


def check(job: Job) -> None:
    for name, radius in (("bars", 5), ("deep/leaf", 4), ("same", 3)):
        job.scene(name, radius)
    job.bless_here()
    # agreement needs no comment
    assert job.tests(job.push()) == 0 and job.ours() == []

    # first failure: the step fails as the tests do
    job.scene("bars", 6)
    head = job.push()
    assert job.tests(head) == 1
    first = job.one()
    assert first["body"].startswith(f"<!-- roundel golden {head} {job.runs} -->\n### 2 of 3 pictures agree: 1 changed\n"), first["body"]
    assert "\n/bless scenes/bars\n" in first["body"] and f"/acme/charts/actions/runs/{job.runs}#artifacts" in first["body"]

    # the same comment is updated; a comment of somebody else that looks like it is not touched
    state = job.hub.read()
    state["comments"].insert(0, {"id": 1000, "user": {"login": "eve"}, "body": first["body"].replace("bars", "mine")})
    job.hub.write(state)
    job.scene("deep/leaf", 5)
    head = job.push()
    assert job.tests(head) == 1
    second = next(one for one in job.ours() if one["id"] != 1000)
    assert second["id"] == first["id"] and "1 of 3 pictures agree: 2 changed" in second["body"], second["body"]
    state = job.hub.read()
    assert state["comments"][0]["body"].count("mine") > 0
    del state["comments"][0]
    job.hub.write(state)

    # who may not write commits nothing, and neither do other replies
    for user, body in (("eve", "/bless all"), ("mallory", "/bless bars"), ("ann", "nice! not /bless all")):
        assert job.reply(user, body) == 0 and job.branch() == head, (user, body)
    assert job.hub.read()["reactions"] == ["-1", "-1"] and len(job.hub.read()["comments"]) == 1
    # nor does a name that did not fail
    assert job.reply("bob", "/bless bars nothing") == 0 and job.branch() == head
    answer = job.hub.read()["comments"][-1]["body"]
    assert answer.startswith("Nothing is blessed:\n\n    roundel: bless must name a picture that fails"), answer

    # one by name
    assert job.reply("bob", "Looks right.\r\n/bless bars\r\n") == 0
    assert job.hub.read()["reactions"][-1] == "+1"
    job.git("pull", "--quiet", f"file://{job.folder}/acme/charts", "bars")
    assert job.git("diff", "--name-only", head, "HEAD") == "golden/bars.png"
    assert "Asked for by bob." in job.git("log", "-1", "--format=%B")
    # the pictures are those of the commit before
    blessed = job.push()
    assert job.reply("bob", "/bless all") == 0 and job.branch() == blessed
    assert "the branch has moved on" in job.hub.read()["comments"][-1]["body"]
    assert job.tests(blessed) == 1 and "2 of 3 pictures agree" in job.one()["body"]

    # a golden that was deleted, and names of any kind
    (job.checkout / "golden/same.png").unlink()
    for number, name in enumerate(NAMES):
        job.scene(name, 2 + number / 10)
    head = job.push()
    assert job.tests(head) == 1
    body = job.one()["body"]
    assert "| <code>scenes/same</code> | new | no golden beside the scene |" in body, body
    assert "<img" not in re.sub(r"(```+)\n.*?\n\1", "", body, flags=re.DOTALL), "only inside of fences"
    line = next(line for line in body.splitlines() if line.startswith("/bless "))
    assert job.reply("ann", f"{line}\r\n") == 0 and job.hub.read()["reactions"][-1] == "+1", job.hub.read()["comments"][-1]["body"]
    job.git("pull", "--quiet", f"file://{job.folder}/acme/charts", "bars")
    for name in [*NAMES, "same", "deep/leaf"]:
        assert (job.checkout / "golden" / f"{name}.png").is_file(), name
    head = job.push()
    assert job.tests(head) == 0
    assert "pictures agree\n" in job.one()["body"] and "differ" not in job.one()["body"]
    assert not list(job.folder.rglob("pwned")), "a name has been run"

    # a fork: its workflow may only read; the other one comments, and cannot push
    job.owner = "stranger"
    job.scene("bars", 7)
    head = job.push()
    before = len(job.calls("-X")) + len(job.calls("comment"))
    assert job.tests(head) == 1
    assert len(job.calls("-X")) + len(job.calls("comment")) == before, "nothing is written"
    assert job.after(head) == 0
    assert f"{head} {job.runs} -->" in job.one()["body"] and "1 changed" in job.one()["body"]
    (job.folder / "stranger/charts/hooks/pre-receive").write_text("#!/bin/sh\necho 'permission denied'; exit 1\n")
    (job.folder / "stranger/charts/hooks/pre-receive").chmod(0o755)
    assert job.reply("ann", "/bless bars") == 0 and job.branch("stranger") == head
    answer = job.hub.read()["comments"][-1]["body"]
    assert "they cannot be pushed to stranger/charts" in answer and "permission denied" in answer, answer
    # what the tests of a fork left says where goldens go; only pictures in the repository do
    (record,) = (job.folder / "artifacts" / str(job.runs) / "golden").rglob("bars.report.js")
    text = record.read_text()
    for place in ("../out.png", ".git/x.png", ".github/workflows/x.yml", "/tmp/x.png"):
        record.write_text(text.replace('"golden/bars.png"', json.dumps(place)))
        assert job.reply("ann", "/bless bars") == 0 and job.branch("stranger") == head
        assert "must lie as a .png" in job.hub.read()["comments"][-1]["body"], place
    job.owner = "acme"
    (job.folder / "stranger/charts/hooks/pre-receive").unlink()

    # a personal token attaches pictures, which needs a new comment in place of the old one
    head = job.push()
    old = job.one()["id"]
    job.set(attach=True)
    assert job.tests(head) == 1 and job.one()["id"] == old and "user-attachments" not in job.one()["body"], "the token of a workflow"
    job.set(personal=True, user="ann")
    assert job.tests(head) == 1
    body = next(one["body"] for one in job.ours() if one["user"]["login"] == "ann")
    assert body.count("https://github.com/user-attachments/assets/") == 3, body
    assert job.tests(head) == 1
    assert len([one for one in job.ours() if one["user"]["login"] == "ann"]) == 1
    job.set(personal=False, user="github-actions[bot]", comments=[])

    # two hundred
    for number in range(200):
        job.scene(f"many/n{number}", 3 + number % 7)
    head = job.push()
    assert job.tests(head) == 1
    body = job.one()["body"]
    assert "… and 161 more." in body and "\n/bless all\n" in body and len(body) < 65536, body
    assert job.reply("ann", "/bless all") == 0
    assert job.git("ls-tree", "-r", "--name-only", "bars", at=job.folder / "acme/charts").count("golden/many/") == 400

if __name__ == "__main__":
    if sys.argv[1] == "--gh":
        sys.exit(gh(sys.argv[2:]))
    check_documentation()
    job = Job(Path(sys.argv[1]).resolve())
    try:
        check(job)
    except BaseException:
        print(job.log[-20000:])
        raise
    finally:
        shutil.rmtree(job.folder)
    print(f"the action comments and blesses as it should, in {job.runs} runs of the tests")
