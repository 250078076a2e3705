"""Kannel: bearerbox holds the modems, smsbox the HTTP interface in front of it; what comes in is a request to an address of ours."""

import http.client
import http.server
import socket
import threading
import urllib.parse

from .gateway import Gateway, configuration, wait_for

TAKEN = 202  # "0: Accepted for delivery" and "3: Queued for later delivery" of "SMS Push reply codes"


def free_ports(count):
    """Free ports on loopback."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Kannel(Gateway):
    name = "kannel"
    package = "kannel"
    conf = "kannel-manual.conf"
    look_s = None

    def prepare(self):
        (self.folder / "store").mkdir()
        self.admin, self.boxes, self.sendsms, self.inbound = free_ports(4)
        self.server = self._serve_inbound()
        (self.folder / "kannel.conf").write_text(configuration(
            self.conf, self.context.ports, folder=self.folder, admin=self.admin, boxes=self.boxes, sendsms=self.sendsms, inbound=self.inbound))

    def commands(self):
        return [(["/usr/sbin/bearerbox", self.folder / "kannel.conf"], {}), (["/usr/sbin/smsbox", self.folder / "kannel.conf"], {})]

    def before(self, number):
        """smsbox ends by itself where bearerbox does not listen yet."""
        if number == 1:
            wait_for("bearerbox", lambda: listens(self.boxes), self.check_alive)

    def ready(self):
        """All modems online: what is handed in earlier waits for the next turn of `sms-resend-freq`."""
        if not (listens(self.sendsms) and listens(self.admin)):
            return False
        return self._get(self.admin, "/status.xml?password=bench")[1].count("<status>online") == len(self.context.ports)

    def hand_in(self, messages):
        """"Using the HTTP interface to send SMS messages" of its user guide: a request for each, answered when bearerbox has it."""
        for to, text in messages:
            words = urllib.parse.urlencode({"username": "bench", "password": "bench", "to": to, "text": text})
            status, body = self._get(self.sendsms, f"/cgi-bin/sendsms?{words}")
            if status != TAKEN:
                raise RuntimeError(f"Kannel refused a message: {status} {body[:200]}")

    def stop(self):
        super().stop()
        self.server.shutdown()
        self.server.server_close()

    def _get(self, port, target):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", target)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            connection.close()

    def _serve_inbound(self):
        """What `get-url` of its sms-service asks: the text is in the query."""
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                gateway.note([urllib.parse.unquote_plus(self.path)])
                self.send_response(200)
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                """No output: stderr is for progress."""

        server = http.server.ThreadingHTTPServer(("127.0.0.1", self.inbound), Handler)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return server


class KannelTuned(Kannel):
    name = "kannel-tuned"
    conf = "kannel-tuned.conf"


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        return True
    except OSError:
        return False
