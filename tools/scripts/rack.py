"""A rack to try things on: smsrack-sim, smsrackd and smsrack-gate in a folder of their own, and clients for socket and gate."""

import http.client
import json
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time

START_S = 20  # modems made, database open, modems registered: far more than the second or two it takes
STOP_S = 20   # the service finishes what is in the modems' hands first


class RackError(Exception):
    """The rack did not do what it should; the text says what and where to look."""


class Client(http.client.HTTPConnection):
    """HTTP over the service's Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def free_port(first=8775):
    """The first port of loopback from there on that is free."""
    for port in range(first, first + 100):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise RackError(f"no port from {first} on is free")


class Rack:
    """Starts on entry, stops on exit. `folder` holds everything: sockets, database, logs."""

    def __init__(self, programs, modems):
        self.programs, self.modems = pathlib.Path(programs).resolve(), modems
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="smsrack-run-"))
        self.socket = self.folder / "smsrack.sock"
        self.control = self.folder / "sim.sock"
        self.certificate, self.key, self.tokens = (self.folder / name for name in ("tls.pem", "tls.key", "tokens"))
        self.port = free_port()
        self.token = None  # of role send, for the gate
        self.running = []
        self.shown = None  # of `running`: the dashboard, which the rack does without
        self.keep_folder = False

    def __enter__(self):
        try:
            self._start_modems()
            self._make_token_and_certificate()
            self._start_service()
            self._start_gate()
        except BaseException:
            self.keep_folder = True
            self.stop()
            raise
        return self

    def __exit__(self, kind, *_):
        self.keep_folder = kind not in (None, KeyboardInterrupt)
        self.stop()

    def _start(self, *command):
        log = self.folder / f"{command[0]}.log"
        with log.open("wb") as out:
            # A session of their own: Ctrl-C reaches this script alone, which then stops them in order.
            process = subprocess.Popen([str(self.programs / command[0]), *command[1:]], stdout=out, stderr=out,
                                       stdin=subprocess.DEVNULL, start_new_session=True)
        self.running.append((command[0], process, log))

    def _start_modems(self):
        folder = self.folder / "modems"
        folder.mkdir()
        self._start("smsrack-sim", "--modems", str(self.modems), "--dir", str(folder), "--service-ms", "300", "--service-dist", "exp",
                    "--report-ms", "500", "--seed", "1", "--log", str(self.folder / "submits.jsonl"), "--control", str(self.control))
        self.wait("the simulated modems", lambda: self.control.exists() and all((folder / f"modem{n}").exists() for n in range(self.modems)))

    def _make_token_and_certificate(self):
        self._said_by("tls", "new", "--name", "localhost", "--name", "127.0.0.1", "--cert", str(self.certificate), "--key", str(self.key))
        made = self._said_by("--json", "token", "new", "--role", "send", "--name", "demo", "--file", str(self.tokens))
        self.token = json.loads(made)["token"]

    def _said_by(self, *arguments):
        done = subprocess.run([str(self.programs / "smsrack"), *arguments], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RackError(f"smsrack {arguments[0]} ended with code {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def _start_gate(self):
        self._start("smsrack-gate", "--config", str(self.folder / "smsrack.toml"))
        self.wait("the gate", self._gate_listens)

    def _gate_listens(self):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _start_service(self):
        entries = "".join(f'[[modem]]\nname = "m{n}"\nport = "{self.folder}/modems/modem{n}"\n\n' for n in range(self.modems))
        config = self.folder / "smsrack.toml"
        config.write_text(f'[service]\nstate_dir = "{self.folder}/state"\nsocket = "{self.socket}"\n\n'
                          f'[http]\nlisten = "127.0.0.1:{self.port}"\ntls_cert = "{self.certificate}"\ntls_key = "{self.key}"\n'
                          f'tokens = "{self.tokens}"\n\n{entries}')
        (self.folder / "state").mkdir()
        self._start("smsrackd", "--config", str(config))
        self.wait("the service", self._is_ready)
        self.wait("the modems to register", lambda: all(m["link"] == "active" for m in self.get("/v1/modems")["modems"]))

    def _is_ready(self):
        try:
            return self.request("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def wait(self, what, condition, seconds=START_S):
        """Until `condition()`; RackError when a program ended or the time is over."""
        deadline = time.monotonic() + seconds
        while not condition():
            self.check_alive()
            if time.monotonic() > deadline:
                raise RackError(f"{what}: not there after {seconds} s; logs in {self.folder}")
            time.sleep(0.02)

    def check_alive(self):
        for entry in list(self.running):
            name, process, log = entry
            if process.poll() is not None:
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-5:])
                if entry is not self.shown:
                    raise RackError(f"{name} ended with code {process.returncode}; its last lines ({log}):\n{tail}")
                self.running.remove(entry)
                self.shown = None
                print(f"The dashboard ended with code {process.returncode}:\n{tail}", flush=True)

    def pid(self, program):
        return next(process.pid for name, process, _ in self.running if name == program)

    def request(self, method, target, body=None):
        client = Client(self.socket)
        try:
            client.request(method, target, body)
            answer = client.getresponse()
            return answer.status, answer.read()
        finally:
            client.close()

    def send_over_network(self, message):
        """As a program on another machine: over TLS, with the token. Gives the message's id."""
        trust = ssl.create_default_context(cafile=str(self.certificate))
        client = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=trust)
        try:
            client.request("POST", "/v1/messages", json.dumps(message), {"Authorization": f"Bearer {self.token}"})
            answer = client.getresponse()
            body = answer.read()
        finally:
            client.close()
        if answer.status != 202:
            raise RackError(f"POST over the network: {answer.status} {body[:200]!r}")
        return json.loads(body)["id"]

    def get(self, target):
        status, body = self.request("GET", target)
        if status != 200:
            raise RackError(f"GET {target}: {status} {body[:200]!r}")
        return json.loads(body)

    def dashboard(self):
        """Serves the dashboard until the rack stops. Gives the address, which logs one browser in, once, within a minute; None if it ended."""
        self._start("smsrack", "--socket", str(self.socket), "--json", "dashboard", "--no-open")
        self.shown = self.running[-1]
        log = self.folder / "smsrack.log"
        said = []
        self.wait("the dashboard",
                  lambda: said.extend(line for line in log.read_text().splitlines(keepends=True) if line.startswith("{")) or said or not self.shown)
        return json.loads(said[0])["address"] if said else None

    def inbound(self, count, text):
        """Lets the simulated modems receive `count` messages."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as control:
            control.settimeout(10)
            control.connect(str(self.control))
            control.sendall(json.dumps({"do": "inbound", "count": count, "text": text}).encode() + b"\n")
            answer = control.makefile().readline()
        if not json.loads(answer or "{}").get("ok"):
            raise RackError(f"smsrack-sim did not take the command inbound: {answer.strip()}")

    def cli(self, *arguments):
        """Runs `smsrack` on this rack; its output goes to the terminal."""
        return subprocess.run([str(self.programs / "smsrack"), "--socket", str(self.socket), *arguments], check=False).returncode

    def stop(self):
        for name, process, log in reversed(self.running):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                print(f"{name} did not stop within {STOP_S} s (log: {log})")
                self.keep_folder = True
                process.kill()
                process.wait()
        self.running = []
        if not self.keep_folder:
            shutil.rmtree(self.folder, ignore_errors=True)
