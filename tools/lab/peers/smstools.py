"""smsd of smstools3: a file in `outgoing` for each message, a file in `incoming` for each that came."""

from .gateway import Gateway, configuration, new_files

FOLDERS = ("outgoing", "checked", "incoming", "sent", "failed", "stats")


class Smstools(Gateway):
    name = "smstools"
    package = "smstools"
    conf = "smstools-manual.conf"

    def prepare(self):
        self.serial, self.known = 0, set()
        for name in FOLDERS:
            (self.folder / name).mkdir()
        names = ", ".join(f"M{n}" for n in range(len(self.context.ports)))
        (self.folder / "smsd.conf").write_text(configuration(self.conf, self.context.ports, folder=self.folder, names=names))

    def commands(self):
        return [(["/usr/sbin/smsd", "-t", f"-c{self.folder / 'smsd.conf'}"], {})]

    def hand_in(self, messages):
        """As "SMS file" of its manual wants it: written elsewhere and moved in, so that it is whole at once."""
        for to, text in messages:
            self.serial += 1
            file = self.folder / "message"
            file.write_text(f"To: {to.lstrip('+')}\n\n{text}")
            file.rename(self.folder / "outgoing" / f"m{self.serial:07d}")

    def look_for_received(self):
        return new_files(self.folder / "incoming", self.known)


class SmstoolsTuned(Smstools):
    name = "smstools-tuned"
    conf = "smstools-tuned.conf"
