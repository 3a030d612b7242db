"""Feeds the replies of the suite's fixtures to clients, and counts what each makes of them.

    python corpus.py FOLDER READER...   prints JSON: the counts of each reader

FOLDER has the index, corpus.json. A reader is a Python file:

    PROTOCOL                the protocol of its replies, as in the index
    FINISHED                the native stop reasons of a finished reply
    ERRORS                  the exceptions that the client raises on purpose
    SKIPS                   texts of replies that it is not asked to read
    read(server, request)   sends one request to `server`, reads the reply, and returns its calls
                            as pairs of name and input, and its native stop reason
"""

import importlib.util
import json
import re
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FORMAT_VERSION = 1


class Server(ThreadingHTTPServer):
    """Plays the provider on the loopback: answers each request with `reply`."""

    daemon_threads = True
    reply = b""
    loses_connection = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.send_header("connection", "close")
        self.end_headers()
        if self.server.reply:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(self.server.reply), self.server.reply))
        if not self.server.loses_connection:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True

    def log_message(self, *_):
        pass


class Corpus:
    def __init__(self, folder):
        self.folder = Path(folder)
        index = json.loads(self.read("corpus.json"))
        if index["version"] != FORMAT_VERSION:
            sys.exit(f"{folder}: this program reads version {FORMAT_VERSION} of the format.")
        self.replies = index["replies"]
        self.request = json.loads(self.read(index["request"]))

    def read(self, file):
        return (self.folder / file).read_bytes()


def load_reader(path):
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(Path(path).parent))
    spec.loader.exec_module(module)
    return module


def pairs_of(calls):
    return [(call["name"], call["input"]) for call in calls]


PLACES = (
    "between two earlier events",
    "before the terminal",
    "one byte before the terminal's end",
    "before the terminal, connection lost",
)


class Asked:
    """What a reader made of some replies, counted."""

    def __init__(self):
        self.counts = Counter()

    def count(self, outcome):
        self.counts["replies"] += 1
        self.counts[outcome] += 1


class Question:
    """A reader, and the server that answers it."""

    def __init__(self, reader, server, request):
        self.reader, self.server, self.request = reader, server, request
        self.exceptions = Counter()

    def ask(self, reply, loses_connection=False):
        """An outcome, the calls that a caller can run (they have a name and an object), and
        whether the stop reason is that of a finished reply."""
        self.server.reply, self.server.loses_connection = reply, loses_connection
        try:
            calls, stop = self.reader.read(self.server.url, self.request)
        except self.reader.ERRORS as error:
            return self.raised("error", error), [], False
        except Exception as error:
            return self.raised("crash", error), [], False
        calls = [call for call in calls if call[0] and isinstance(call[1], dict)]
        return "read", calls, stop in self.reader.FINISHED

    def raised(self, outcome, error):
        self.exceptions[f"{type(error).__name__} ({outcome})"] += 1
        return outcome

    def judge_finished(self, sent, expected, asked):
        outcome, calls, finished = self.ask(sent)
        if outcome == "read":
            outcome = "as-expected" if finished and calls == expected else "otherwise"
        asked.count(outcome)

    def judge_unfinished(self, sent, whole, asked, loses_connection=False):
        outcome, calls, finished = self.ask(sent, loses_connection)
        if outcome == "read":
            outcome = "no-calls"
            if calls:
                outcome = "calls-finished" if finished else "calls-unfinished"
                asked.counts["other-calls"] += any(call not in whole for call in calls)
        asked.count(outcome)


def edges_in(sent, end):
    """The offsets between two events, up to `end`."""
    return [found.end() for found in re.finditer(rb"\r?\n\r?\n", sent[:end]) if found.end() < end]


def judge(reader, corpus, server):
    question = Question(reader, server, corpus.request)
    finished, unfinished = Asked(), Asked()
    cut = {place: Asked() for place in PLACES}
    between, before, inside, lost = cut.values()
    replies = [one for one in corpus.replies if one["protocol"] == reader.PROTOCOL]
    skipped = 0
    for reply in replies:
        sent, turn = corpus.read(reply["stream"]["file"]), json.loads(corpus.read(reply["turn"]))
        if any(text in sent for text in reader.SKIPS):
            skipped += 1
            continue
        calls = pairs_of(turn.get("calls", []))
        if turn["stopReason"] not in ("stop", "tool-use") or turn.get("withheld"):
            question.judge_unfinished(sent, calls, unfinished)
            continue
        question.judge_finished(sent, calls, finished)
        if turn["stopReason"] != "tool-use":
            continue
        terminal = reply["stream"]["terminal"]
        start, last = terminal["start"], terminal["end"] - 1
        for edge in edges_in(sent, start):
            question.judge_unfinished(sent[:edge], calls, between)
        question.judge_unfinished(sent[:start], calls, before)
        question.judge_unfinished(sent[:last], calls, inside)
        question.judge_unfinished(sent[:start], calls, lost, loses_connection=True)
    return {
        "title": reader.__doc__.strip(),
        "protocol": reader.PROTOCOL,
        "replies": len(replies),
        "skipped": skipped,
        "finished": finished.counts,
        "unfinished": unfinished.counts,
        "cut": {where: asked.counts for where, asked in cut.items()},
        "exceptions": dict(question.exceptions.most_common()),
    }


def main(folder, *paths):
    corpus, server = Corpus(folder), Server()
    try:
        results = [judge(load_reader(path), corpus, server) for path in paths]
    finally:
        server.shutdown()
    json.dump(results, sys.stdout, indent=2)


if __name__ == "__main__":
    main(*sys.argv[1:])
