"""The account that the engine runs as: PostgreSQL refuses root."""

import dataclasses
import os
import pwd
import shutil


@dataclasses.dataclass(frozen=True)
class Account:
    name: str
    uid: int
    gid: int

    def own(self, path):
        """Makes it the account's, with what is in it."""
        if os.geteuid() != 0:
            return
        shutil.chown(path, self.uid, self.gid)
        for inner in path.rglob("*"):
            shutil.chown(inner, self.uid, self.gid)

    def rights(self):
        """For subprocess: to run as it."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if os.geteuid() == 0 else {}


def of_engine():
    """Root takes the account of the package; anyone else runs it as oneself."""
    entry = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
