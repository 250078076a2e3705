"""What the workloads want of a gateway. One subclass for each; its configuration is in conf/.

Time: `received` gives moments of the monotonic clock. A message is a (number, text): each number occurs once in a run.
"""

import dataclasses
import pathlib
import re
import string
import threading
import time

from .processes import Program

CONF = pathlib.Path(__file__).resolve().parent / "conf"
EACH_MODEM = "#--- for each modem"  # what follows this line of a configuration is repeated
START_S = 60    # Kannel asks eight modems for ten things each, with a rest after each
LOOK_S = 0.005  # how often a folder is looked at for what came in
INBOUND = re.compile(r"Reply (\d+):")


@dataclasses.dataclass(frozen=True)
class Context:
    """Where a gateway runs: our programs, a folder of its own, the modems' ports."""
    programs: pathlib.Path
    folder: pathlib.Path
    ports: list


def configuration(name, ports, **values):
    """conf/NAME with its $names filled in, and its last part once for each modem. A $name that is not filled is an error."""
    common, _, each = (CONF / name).read_text().partition(EACH_MODEM + "\n")
    text = string.Template(common).substitute(values)
    for number, port in enumerate(ports):
        text += string.Template(each).substitute(values, number=number, port=port)
    return text


def wait_for(what, condition, check_alive, seconds=START_S):
    """Until `condition()`. ProcessError when a program ended; TimeoutError."""
    deadline = time.monotonic() + seconds
    while not condition():
        check_alive()
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} is not ready after {seconds} s")
        time.sleep(0.02)


class Gateway:
    """Made, started, stopped or killed, and started again on the same folder."""

    name = ""
    package = ""  # of Debian; smsrack has none
    by_default = True  # False: only where it is named
    look_s = LOOK_S  # between two looks for what came in; None: the gateway tells, by `note`

    def __init__(self, context):
        self.context, self.folder, self.running = context, context.folder, []
        self.folder.mkdir(parents=True)
        self.heard, self.listening = {}, None
        self.prepare()

    def prepare(self):
        """Writes the configuration and makes the folders: once."""
        raise NotImplementedError

    def commands(self):
        """The programs to start, in order: [(words, environment)]."""
        raise NotImplementedError

    def hand_in(self, messages):
        """Each alone, as a program that has one message would. Comes back when the gateway has taken responsibility for all."""
        raise NotImplementedError

    def hand_in_many(self, messages):
        """A whole list at once, where the gateway has a way for that."""
        self.hand_in(messages)

    def look_for_received(self):
        """Texts that a program can have by now; called again and again while `listen` is on."""
        return []

    def ready(self):
        """Whether messages can be handed in."""
        return True

    def before(self, number):
        """Called before command `number` is started."""

    def start(self):
        """Comes back when messages can be handed in."""
        for number, (words, environment) in enumerate(self.commands()):
            self.before(number)
            self.running.append(Program(words, self.folder / f"{pathlib.Path(words[0]).name}{number}.log", environment))
        wait_for(self.name, self.ready, self.check_alive)

    def check_alive(self):
        for program in self.running:
            program.check_alive()

    def stop(self):
        self.stop_listening()
        self._end(lambda program: program.stop())

    def kill(self):
        self._end(lambda program: program.kill())

    def _end(self, how):
        ending = [threading.Thread(target=how, args=(program,)) for program in self.running]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join()
        self.running = []

    def cpu(self):
        return sum(program.cpu() for program in self.running)

    def pss(self):
        return sum(program.pss() for program in self.running)

    def listen(self):
        """From now on `heard` gets {number of the inbound message: when a program could have it}."""
        if self.look_s is None:
            return
        self.listening = threading.Event()
        self.listener = threading.Thread(target=self._hear, daemon=True)
        self.listener.start()

    def _hear(self):
        while not self.listening.wait(self.look_s):
            self.note(self.look_for_received())

    def note(self, texts):
        now = time.monotonic()
        for text in texts:
            for number in INBOUND.findall(text):
                self.heard.setdefault(int(number), now)

    def stop_listening(self):
        if self.listening is not None:
            self.listening.set()
            self.listener.join(10)
            self.listening = None


def new_files(folder, known):
    """The texts of files that were not there before, or not whole; `known` remembers."""
    texts = []
    for file in folder.iterdir():
        if file.name not in known:
            try:
                text = file.read_text(errors="replace")
            except OSError:
                continue
            if INBOUND.search(text):
                known.add(file.name)
                texts.append(text)
    return texts
