"""Where a clone may be: any folder in which CMake can build, also where the sources can't be written to. Elsewhere the commands say why not."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
COMMANDS = (["tools/build"], ["tools/run", "--once"], ["tools/test"])


class CanBuildHere(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="can-build-here-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def clone(self, name):
        """A folder with the commands and nothing to build."""
        root = self.folder / name
        (root / "tools/scripts").mkdir(parents=True)
        for tool in ("build", "run", "test", "scripts/can_build_here"):
            shutil.copy(TOOLS / tool, root / "tools" / tool)
        return root

    def asked(self, root):
        done = subprocess.run([root / "tools/scripts/can_build_here"], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def refuses(self, root, words, *prefix):
        for command in COMMANDS:
            with self.subTest(command):
                done = subprocess.run([*prefix, root / command[0], *command[1:]], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_a_folder_with_blanks_and_letters_of_any_language_will_do(self):
        for name in ("smsrack", "with a blank", "größe (2), a+b"):
            with self.subTest(name):
                self.assertEqual(self.asked(self.clone(name)), (0, ""))

    def test_what_cmake_takes_for_its_own_is_refused(self):
        for name in ("a;b", 'a"b', "a'b", "a$b", "a\\b", "a`b"):
            with self.subTest(name):
                self.refuses(self.clone(name), f"in its path: {self.folder}/{name}. Move this clone elsewhere.")

    def test_a_build_folder_that_can_not_be_written_to_is_refused(self):
        root = self.clone("smsrack")
        (root / "build").write_text("a file")
        self.refuses(root, f"{root}/build can't be written to")

    def read_only(self, root):
        """What makes the clone read-only for the command behind it: its rights, or for root a mount."""
        if os.geteuid() != 0:
            root.chmod(0o555)
            self.addCleanup(root.chmod, 0o755)
            return []
        prefix = ["unshare", "--mount", "sh", "-ec", 'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"; exec "$@"', root]
        if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
            print("skipped: root can write everywhere, and may not mount here")
            self.skipTest("")
        return prefix

    def test_read_only_sources_want_a_build_folder_elsewhere(self):
        root = self.clone("smsrack")
        self.refuses(root, f"{root}/build can't be written to", *self.read_only(root))

    def test_read_only_sources_with_a_build_folder_elsewhere_will_do(self):
        root = self.clone("smsrack")
        (self.folder / "elsewhere").mkdir()
        (root / "build").symlink_to(self.folder / "elsewhere")
        prefix = self.read_only(root)
        done = subprocess.run([*prefix, root / "tools/scripts/can_build_here"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
