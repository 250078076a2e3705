"""smsrack: one POST on the local socket for each message; a list goes as NDJSON; what comes in is an event."""

import http.client
import json
import select
import socket

from .gateway import Gateway, configuration

WAIT_S = 0.05
REFUSED = "smsrackd refused a message: {status} {body}"


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Smsrack(Gateway):
    name = "smsrack"
    conf = "smsrack.toml"
    look_s = 0

    def prepare(self):
        self.socket, self.connection, self.events, self.rest = self.folder / "smsrack.sock", None, None, b""
        (self.folder / "state").mkdir()
        (self.folder / "smsrack.toml").write_text(configuration(self.conf, self.context.ports, folder=self.folder))

    def commands(self):
        return [([self.context.programs / "smsrackd", "--config", self.folder / "smsrack.toml"], {})]

    def ready(self):
        try:
            return self._request("GET", "/readyz")[0] == 200
        except OSError:
            self._close()
            return False

    def hand_in(self, messages):
        for to, text in messages:
            status, body = self._request("POST", "/v1/messages", json.dumps({"to": to, "text": text}))
            if status != 202:
                raise RuntimeError(REFUSED.format(status=status, body=body[:200]))

    def hand_in_many(self, messages):
        lines = "".join(json.dumps({"to": to, "text": text}) + "\n" for to, text in messages)
        status, body = self._request("POST", "/v1/messages", lines, {"Content-Type": "application/x-ndjson"})
        if status != 200 or b'"error"' in body:
            raise RuntimeError(REFUSED.format(status=status, body=body[:200]))

    def listen(self):
        self.events = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.events.connect(str(self.socket))
        self.events.sendall(b"GET /v1/events?types=message.received HTTP/1.1\r\nHost: localhost\r\n\r\n")
        super().listen()

    def look_for_received(self):
        """Waits on the stream of events: it has them as soon as they are said."""
        if not select.select([self.events], [], [], WAIT_S)[0]:
            return []
        *lines, self.rest = (self.rest + self.events.recv(65536)).split(b"\n")
        return [line.decode(errors="replace") for line in lines if line.startswith(b"data:")]

    def kill(self):
        self._close()
        super().kill()

    def stop(self):
        self._close()
        super().stop()

    def _request(self, method, target, body=None, headers=None):
        """On one connection that stays, as a program that sends often would."""
        if self.connection is None:
            self.connection = UnixConnection(self.socket)
        self.connection.request(method, target, body.encode() if body else None, headers or {})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def _close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class SmsrackFast(Smsrack):
    """The modems have a faster rate too, and smsrack switches them to it; the peers have no setting for that."""

    name = "smsrack-fast"
    conf = "smsrack-fast.toml"
    by_default = False
