#!/usr/bin/env python3
"""A server of HTTP that writes down what is asked of it: url_sink.py PORT. A line for each request: its path, then NAME=VALUE for each word of its query, one blank
between them. With "coding=2" in the query, as Kannel's %c says it, the `text` is UTF-16. The answer is the `answer` of the query."""

import http.server
import sys
import urllib.parse


def words_of(query):
    """[(name, octets)]"""
    pairs = (word.partition("=") for word in query.split("&"))
    return [(name, urllib.parse.unquote_to_bytes(value.replace("+", " "))) for name, _, value in pairs]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        words = words_of(query)
        is_wide = ("coding", b"2") in words
        line = [path]
        line += [f"{name}={value.decode('utf-16-be' if is_wide and name == 'text' else 'utf-8', errors='replace')}" for name, value in words]
        # One write, so that two requests at a time do not mix.
        sys.stdout.write(" ".join(line) + "\n")
        sys.stdout.flush()
        body = dict(words).get("answer", b"")
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """The lines of requests are all."""


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever(0.05)
