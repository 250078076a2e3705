"""What a trial found: figures for its line of the table, and what did not hold."""

import dataclasses


@dataclasses.dataclass
class Outcome:
    figures: list = dataclasses.field(default_factory=list)
    faults: list = dataclasses.field(default_factory=list)
    skipped: str = ""    # why it was not tried

    def note(self, words):
        self.figures.append(words)

    def expect(self, good, fault):
        if not good:
            self.faults.append(fault)

    def word(self):
        return "skipped" if self.skipped else "failed" if self.faults else "held"
