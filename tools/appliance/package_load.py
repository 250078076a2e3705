#!/usr/bin/env python3
"""Runs in the machine of tools/package-test: submits messages at a constant rate over connections that stay, and tells as JSON what became of them.

  package_load.py PREFIX RATE STOP       until there is a file STOP, 200 s at most
  package_load.py count                  how many messages of all loads are stored, and what the network has

PREFIX is the beginning of each ref, and of each number. A request is due when its time has come, whatever became of the one before. One whose connection was
closed is sent again with the same ref, as a careful client does; that is counted.
"""

import collections
import http.client
import json
import pathlib
import socket
import sqlite3
import sys
import threading
import time

SOCKET = "/run/smsrack/smsrack.sock"
DATABASE, NETWORK = "/var/lib/smsrack/smsrack.db", "/run/rack/network.jsonl"
CONNECTIONS = 8
ANSWER_S = 30
LONGEST_S = 200
TRIES = 5


class Client(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(ANSWER_S)
        self.sock.connect(SOCKET)


class Load:
    def __init__(self, prefix, rate, stop):
        self.prefix, self.rate, self.stop = prefix, rate, pathlib.Path(stop)
        self.lock = threading.Lock()
        self.requests = self.again = 0
        self.accepted, self.faults = [], []  # (time, id); words
        self.begun = time.monotonic() + 0.5

    def ask(self, client, body):
        """Status and content. OSError, HTTPException: of the last try."""
        for left in reversed(range(TRIES)):
            try:
                client.request("POST", "/v1/messages", body)
                answer = client.getresponse()
                return answer.status, answer.read()
            except (OSError, http.client.HTTPException) as error:
                client.close()
                if isinstance(error, (ConnectionRefusedError, FileNotFoundError)) or not left:
                    raise
                with self.lock:
                    self.again += 1

    def one(self, client, number):
        body = json.dumps({"to": f"+336{self.prefix}{number:07}", "text": "a word", "ref": f"{self.prefix}-{number}"})
        try:
            status, content = self.ask(client, body)
            fault = None if status == 202 else f"{status} {content[:200]!r}"
        except (OSError, http.client.HTTPException) as error:
            fault = repr(error)
        with self.lock:
            self.requests += 1
            if fault:
                self.faults.append(fault)
            else:
                self.accepted.append((time.monotonic(), json.loads(content)["id"]))

    def run(self, which):
        client, number = Client("localhost"), which
        while not self.stop.exists() and time.monotonic() < self.begun + LONGEST_S:
            time.sleep(max(0.0, self.begun + number / self.rate - time.monotonic()))
            self.one(client, number)
            number += CONNECTIONS

    def report(self):
        threads = [threading.Thread(target=self.run, args=(which,)) for which in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        times = sorted(when for when, _ in self.accepted)
        gap = max((later - earlier for earlier, later in zip(times, times[1:])), default=0.0)
        seconds = times[-1] - times[0] if times else 0.0
        return {"requests": self.requests, "accepted": len(self.accepted), "ids": len({name for _, name in self.accepted}), "faults": len(self.faults),
                "first_faults": self.faults[:3], "again": self.again, "longest_gap_ms": round(1000 * gap), "rate": round(len(times) / max(seconds, 0.001))}


def count():
    with sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True) as database:
        stored, refs = database.execute("SELECT count(*), count(DISTINCT ref) FROM messages WHERE ref GLOB '[0-9]*-[0-9]*'").fetchone()
    with open(NETWORK) as log:
        sent = collections.Counter(event["to"] for event in map(json.loads, log) if event["event"] == "submit")
    return {"stored": stored, "refs": refs, "sent": len(sent), "most": max(sent.values(), default=0)}


if __name__ == "__main__":
    print(json.dumps(count() if sys.argv[1] == "count" else Load(sys.argv[1], float(sys.argv[2]), sys.argv[3]).report()))
