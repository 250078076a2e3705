"""Messages handed to one box on one connection: one by one, or as one body of NDJSON."""

import collections
import itertools
import json
import threading
import time

from lab.peers.processes import ProcessError
from lab.peers.smsrack import UnixConnection

TEXT = "x" * 160    # one segment, full
numbers = itertools.count()


def new_messages(count):
    """To numbers that no other message has."""
    return [{"to": f"+336{n:08d}", "text": TEXT} for n in itertools.islice(numbers, count)]


def in_words(kept):
    """The share of each word."""
    return "kept: " + ", ".join(f"{word} {times / kept.total():.1%}" for word, times in kept.most_common())


class HandingIn:
    """`kept`: how often the box answered each word; the answers of a single box have none, which counts as None."""

    def __init__(self, box):
        self.box, self.connection, self.kept = box, UnixConnection(box.socket), collections.Counter()

    def __enter__(self):
        self.connection.connect()
        return self

    def __exit__(self, *_):
        self.connection.close()

    def one(self, message):
        """Seconds to its answer."""
        body = json.dumps(message)
        begin = time.perf_counter()
        self.connection.request("POST", "/v1/messages", body)
        answer = self.connection.getresponse()
        said = answer.read()
        seconds = time.perf_counter() - begin
        if answer.status != 202:
            raise ProcessError(f"{self.box.name} refused a message: {answer.status} {said[:200]!r}")
        self.kept[json.loads(said).get("kept")] += 1
        return seconds

    def many(self, messages):
        """Seconds from the first octet to the last answer. Sent by a thread: the box reads no faster than its answers are read."""
        body = "".join(json.dumps(message) + "\n" for message in messages).encode()
        sender = threading.Thread(target=lambda: self.connection.send(body), daemon=True)
        begin = time.perf_counter()
        self.connection.putrequest("POST", "/v1/messages")
        self.connection.putheader("Content-Type", "application/x-ndjson")
        self.connection.putheader("Content-Length", str(len(body)))
        self.connection.endheaders()
        sender.start()
        answer = self.connection.getresponse()
        said = answer.read()
        seconds = time.perf_counter() - begin
        sender.join()
        lines = [json.loads(line) for line in said.splitlines()]
        bad = [line for line in lines if "error" in line]
        if answer.status != 200 or bad or len(lines) != len(messages):
            raise ProcessError(f"{self.box.name}: {answer.status}, {len(lines)} answers to {len(messages)} messages; refused: {bad[:1]}")
        self.kept.update(line.get("kept") for line in lines)
        return seconds
