"""The transcripts and links of the documents.

A fenced block of the language `console` in README.md, docs/tutorial.md or docs/guides is a
transcript. A line that starts with `$ ` is a command. The lines up to the next command are its
expected output, of both streams. In these lines, `...` matches any text, and a line `...` matches
any number of lines. Blanks at the end of a line are ignored.

Commands run in a temporary folder with links to the program and to games/. All blocks of a document
share this folder. A fenced block that opens with `text NAME` is written to the file NAME in it.
"""

import contextlib
import difflib
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```(\S+) *(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = "9147"  # the port in the documents; the test replaces it by a free one
MARK = "=== next command ==="


def parse(block):
    """Returns the commands of a transcript, each with its expected output lines."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def matches(expected, actual):
    def pattern(line):
        if line == "...":
            return r"(?:.*\n)*?"
        return ".*".join(map(re.escape, line.rstrip().split("..."))) + r"\n"

    text = "".join(line.rstrip() + "\n" for line in actual)
    return re.fullmatch("".join(map(pattern, expected)), text) is not None


def run(script, folder):
    """Returns what a bash script prints on both streams. Kills everything it leaves running."""
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen(["bash", "-c", script], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            process.wait(timeout=500)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        printed.seek(0)
        return printed.read()


def free_port():
    """Returns a port of four digits, like PORT, so that columns of tables keep their width."""
    for port in random.sample(range(5000, 10000), 1000):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return str(port)
    raise OSError("no port is free")


def outputs(commands, folder):
    waited = [f"{c} sleep 2" if c.endswith("&") else c for c in commands]  # for a server to listen
    script = f"\necho '{MARK}'\n".join(waited)
    port = free_port() if PORT in script else PORT
    printed = run(script.replace(PORT, port), folder).replace(port, PORT)
    return [part.splitlines() for part in printed.split(MARK + "\n")]


def differences(block, folder):
    steps = parse(block)
    printed = outputs([command for command, _ in steps], folder)
    for (command, expected), actual in zip(steps, printed, strict=True):
        if not matches(expected, actual):
            lines = difflib.unified_diff(expected, actual, f"$ {command}", "now", lineterm="")
            yield "\n".join(lines)


def check(document, folder):
    """Returns the differences of all transcripts of a document, and the number of transcripts."""
    (folder / "zermelo").symlink_to(pathlib.Path(os.environ["ZERMELO"]).resolve())
    (folder / "games").symlink_to(ROOT / "games")
    found, transcripts = [], 0
    for language, name, block in BLOCK.findall(document):
        if language == "text" and name:
            (folder / name).write_text(block)
        if language == "console":
            found += differences(block, folder)
            transcripts += 1
    return found, transcripts


def anchors(document):
    """Yields the anchors that GitHub gives to the headings of a document."""
    for heading in re.findall(r"^#+ (.*)$", document, re.MULTILINE):
        yield re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


class Transcripts(unittest.TestCase):
    def expect_right(self, name, at_least):
        with tempfile.TemporaryDirectory() as folder:
            found, transcripts = check((ROOT / name).read_text(), pathlib.Path(folder))
        if found:
            self.fail("\n" + "\n\n".join(found))
        self.assertGreaterEqual(transcripts, at_least)

    def test_readme(self):
        self.expect_right("README.md", 8)

    def test_tutorial(self):
        self.expect_right("docs/tutorial.md", 8)

    def test_guides(self):
        for guide in sorted(ROOT.glob("docs/guides/*.md")):
            self.expect_right(guide.relative_to(ROOT), 1)

    def test_a_wrong_transcript_is_found(self):
        document = "```text f\none\ntwo\n```\n```console\n$ cat f\n{}\n$ echo end\nend\n```\n"
        for shown, problems in [("one\ntwo", 0), ("...", 0), ("o...\ntwo", 0), ("...\ntwo", 0),
                                ("one", 1), ("one\n2", 1), ("one\ntwo\nthree", 1), ("two\n...", 1)]:
            with tempfile.TemporaryDirectory() as folder:
                found, _ = check(document.format(shown), pathlib.Path(folder))
            self.assertEqual(len(found), problems, shown)


def broken_links(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        if "://" in target or (file.exists() and not anchor):
            continue
        if not file.exists() or anchor not in anchors(file.read_text()):
            yield f"{document.relative_to(ROOT)}: {target}"


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "bench/README.md"]
        self.assertGreater(len(documents), 20)
        self.assertEqual([link for file in documents for link in broken_links(file)], [])


if __name__ == "__main__":
    unittest.main()
