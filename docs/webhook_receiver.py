import base64, hashlib, hmac, http.server, sys, time

KEY = base64.b64decode(open(sys.argv[1]).readline().strip().removeprefix("whsec_"))

class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        event, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        code = base64.b64encode(hmac.digest(KEY, f"{event}.{at}.".encode() + body, hashlib.sha256)).decode()
        good = abs(time.time() - int(at)) < 300 and any(
            hmac.compare_digest(f"v1,{code}", one) for one in self.headers["webhook-signature"].split())
        if good:
            # Store it, and do the work afterwards. An id that is known came twice.
            sys.stdout.write(f"{event} {body.decode()}\n")
            sys.stdout.flush()
        self.send_response(204 if good else 400)
        self.end_headers()

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Hook).serve_forever()
