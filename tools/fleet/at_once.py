"""One request to several boxes at the same moment."""

import concurrent.futures
import threading

from lab.peers.smsrack import UnixConnection


class AtOnce:
    """A connection and a thread for each box, from `with` to its end."""

    def __init__(self, boxes):
        self.connections = {box: UnixConnection(box.socket) for box in boxes}
        self.threads = concurrent.futures.ThreadPoolExecutor(len(self.connections))

    def __enter__(self):
        for connection in self.connections.values():
            connection.connect()
        return self

    def __exit__(self, *_):
        self.threads.shutdown()
        for connection in self.connections.values():
            connection.close()

    def post(self, target, bodies, kind="application/json"):
        """`bodies`: by box. Gives (status, answer) by box."""
        start = threading.Barrier(len(bodies))
        asked = {box: self.threads.submit(self._post, start, box, target, body, kind) for box, body in bodies.items()}
        return {box: future.result() for box, future in asked.items()}

    def _post(self, start, box, target, body, kind):
        start.wait()
        connection = self.connections[box]
        connection.request("POST", target, body, {"Content-Type": kind})
        answer = connection.getresponse()
        return answer.status, answer.read()
