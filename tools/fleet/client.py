"""A program that submits messages to one box, one after the other, and repeats each until it is accepted."""

import dataclasses
import http.client
import json
import time

from lab.peers.smsrack import UnixConnection

from .worker import Worker

PAUSE_S = 0.2          # after a request without an answer, or a refusal
ANSWER_S = 30
OWN_FAULT = (400, 403, 404, 409, 413, 422)    # the same again gives the same answer


@dataclasses.dataclass(frozen=True)
class Accepted:
    """A 202: of which message, when, and how it said that it is kept."""
    to: str
    id: str
    box: object
    kept: str
    when: float


class Client(Worker):
    """Submits to the last message, or until it is stopped. `rate`: messages per second at most."""

    def __init__(self, box, messages, rate):
        super().__init__()
        self.box, self.messages, self.rate = box, messages, rate
        self.accepted, self.refused = [], []    # refusals: (when, status, body)

    def share(self):
        """Of its messages, accepted."""
        return len(self.accepted) / len(self.messages)

    def work(self):
        connection, due = None, time.monotonic()
        for message in self.messages:
            due = max(due + 1 / self.rate, time.monotonic() - 1)    # what a pause left behind is not caught up with
            self.stopped.wait(max(0.0, due - time.monotonic()))
            while not self.stopped.is_set():
                try:
                    connection = connection or UnixConnection(self.box.socket)
                    connection.timeout = ANSWER_S
                    connection.request("POST", "/v1/messages", json.dumps(message))
                    answer = connection.getresponse()
                    status, body = answer.status, answer.read()
                except (OSError, http.client.HTTPException):
                    connection = None
                    self.stopped.wait(PAUSE_S)
                    continue
                if self._is_taken(message, status, body):
                    break
                self.stopped.wait(PAUSE_S)

    def _is_taken(self, message, status, body):
        if status in (200, 202):
            said = json.loads(body)
            self.accepted.append(Accepted(message["to"], said["id"], self.box, said.get("kept", "alone"), time.monotonic()))
            return True
        self.refused.append((time.monotonic(), status, body[:200].decode(errors="replace")))
        return status in OWN_FAULT
