"""Shows what tools/commit-msg refuses, as a hook of git and of a history's new commits."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/commit-msg"
GOOD = "dispatch: keep order when a line drains\n\nA message that waits longer goes first.\n"
IDENTITY = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "a"), ("EMAIL", "a@b.invalid"))}


class CommitMsg(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="commit-msg-"))
        self.addCleanup(shutil.rmtree, self.root)

    def hook(self, message):
        file = self.root / "COMMIT_EDITMSG"
        file.write_text(message)
        return subprocess.run([SCRIPT, file], capture_output=True, text=True, check=False)

    def test_messages(self):
        cases = [
            ("one that is well", GOOD, None),
            ("72 characters", "a: b" + "c" * 68, None),
            ("73 characters", "a: b" + "c" * 69, "73 characters, at most 72"),
            ("two areas", "db, tests: keep a row", None),
            ("an area that is a path", "tools/modem_model: answer late", None),
            ("no area", "keep order when a line drains", "the form is"),
            ("an upper-case subject", "dispatch: Keep order", "the form is"),
            ("no blank after the colon", "dispatch:keep order", "the form is"),
            ("an article instead of a verb", "dispatch: the order is kept", "`the` is no verb"),
            ("the past", "dispatch: added a table", "`added` is no verb"),
            ("a gerund", "dispatch: adding a table", "`adding` is no verb"),
            ("a verb that ends like the past", "tests: feed each octet alone", None),
            ("a full stop", "dispatch: keep order.", "no full stop"),
            ("a body without an empty line", "dispatch: keep order\nand more", "the line after the subject"),
            ("nothing", "\n", "the form is"),
            ("what git appends", "dispatch: keep order\n# Please enter the message\n# ------------------------ >8 ------------------------\ndiff\n", None),
            ("a subject of git", 'Revert "Anything that was committed before, however long its subject may have been"', None),
            ("one that will be squashed", "fixup! dispatch: keep order", None),
        ]
        for what, message, words in cases:
            with self.subTest(what):
                run = self.hook(message)
                self.assertEqual(run.returncode, 0 if words is None else 1, run.stdout + run.stderr)
                self.assertIn(words or "", run.stdout)

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True, env={**os.environ, **IDENTITY})

    def commit(self, message):
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def new(self):
        run = subprocess.run([SCRIPT, "--new", "--root", self.root], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout

    def test_new_commits(self):
        code, said = self.new()
        self.assertEqual((code, "skipped, " in said), (77, True))
        self.git("init", "-q", "-b", "main")
        self.commit("Anything was allowed before the rule came")
        (self.root / "tools").mkdir()
        (self.root / "tools/commit-msg").write_text("")
        self.git("add", ".")
        self.commit("Here it comes")
        self.assertEqual(self.new(), (0, "commit-msg: 0 new commits, all well\n"))
        self.commit(GOOD)
        self.assertEqual(self.new(), (0, "commit-msg: 1 new commits, all well\n"))
        self.commit("Forgot something")
        code, said = self.new()
        self.assertEqual((code, "the form is" in said, "Forgot something" in said), (1, True, True))
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")    # it was published: nothing can be done any more
        self.assertEqual(self.new()[0], 0)
        self.commit("tests: Forgot more")
        self.assertIn("1 faults in 1 new commits", self.new()[1])


if __name__ == "__main__":
    unittest.main()
