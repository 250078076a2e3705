"""Messages to each box while something happens to one of them or to the engine, and what became of them."""

import collections
import contextlib
import dataclasses
import time

from .client import Client
from .verdict import judge

MOST = 100_000      # messages to one box: more than a trial lasts
ENDED_S = 300       # after the last message was accepted
LOOK_S = 3          # between two looks at all messages
SETTLE_S = 5        # a second copy would be seen by then
DOUBTFUL = ("uncertain", "outcome_unknown")
OVER = ("sent", "delivered", "undelivered", "failed", "expired", "cancelled", "uncertain")


@dataclasses.dataclass
class Account:
    """Of all messages that were accepted; lists of their numbers."""
    accepted: list
    refused: list
    lost: list       # accepted, and the network never got it, without a word
    twice: list      # the network got it more than once
    unknown: list    # the network did not get it, and its box says that it may have
    doubted: list    # the network got it once, and its box says that it may have
    denied: list     # the network got it, and its box says something else
    states: dict     # what its box says of each: the state and the code

    def is_over(self):
        return all(self.states[to][0] in OVER for to in self.lost + self.denied)

    def __str__(self):
        return (f"{len(self.accepted)} accepted, {len(self.lost)} lost, {len(self.twice)} sent twice, "
                f"{len(self.unknown)} + {len(self.doubted)} shown as uncertain (not sent + sent)")

    def tell(self, outcome, may_repeat=()):
        """Puts what is wrong with it into the outcome of a trial."""
        twice = [to for to in self.twice if to not in may_repeat]
        for what, found in (("lost", self.lost), ("sent twice", twice), ("sent, and their boxes do not say so", self.denied)):
            said = collections.Counter(self.states.get(to, ("not accepted", None)) for to in found)
            outcome.expect(not found, f"{len(found)} messages {what}, such as {', '.join(found[:3])}; state and code: {dict(said)}")
        outcome.expect(not self.refused, f"{len(self.refused)} refusals, such as {self.refused[:1]}")


class Load:
    """Submits from `with` to its end. `rates`: messages per second, by box. `mark`: a digit that no other load has; all its numbers begin with it."""

    def __init__(self, boxes, rates, mark):
        self.boxes, self.prefix = boxes, f"+336{mark}"
        self.clients = {box: Client(box, self._messages(i), rate) for i, (box, rate) in enumerate(rates.items())}

    def _messages(self, of):
        return [{"to": to, "text": f"Message to {to}", "ref": f"promise {to}"} for to in (f"{self.prefix}{of}{n:06d}" for n in range(MOST))]

    def __enter__(self):
        self.undo = contextlib.ExitStack()
        for client in self.clients.values():
            self.undo.enter_context(client)
        return self

    def __exit__(self, *problem):
        self.undo.__exit__(*problem)

    def accepted(self):
        return [message for client in self.clients.values() for message in list(client.accepted)]

    def numbers(self):
        """The number of each message, by its id."""
        return {message.id: message.to for message in self.accepted()}

    def submits(self):
        return [submit for submit in self.boxes.journal.update().submits if submit.to.startswith(self.prefix)]

    def account(self):
        told = {(box, number): (message["state"], message.get("code")) for box in self.boxes.all for number, message in box.messages().items()}
        accepted = self.accepted()
        state = {message.to: told.get((message.box, message.id), ("gone", None)) for message in accepted}
        found = judge(accepted, self.submits(), told)
        doubted = [to for to in found.denied if any(word in DOUBTFUL for word in state[to])]
        refused = [refusal for client in self.clients.values() for refusal in client.refused]
        denied = [to for to in found.denied if to not in doubted]
        return Account(accepted, refused, found.lost, found.twice, found.unknown, doubted, denied, state)

    def settle(self):
        """What became of the messages, when each has ended or ENDED_S is over."""
        deadline = time.monotonic() + ENDED_S
        while not self.account().is_over() and time.monotonic() < deadline:
            time.sleep(LOOK_S)
        time.sleep(SETTLE_S)
        return self.account()
