"""The image of a box, as far as it needs no boot: loader, slots, bundles, layout, the same twice. tools/boot-test and tools/update-test do the rest."""

import contextlib
import datetime
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
os.environ["PATH"] += ":/usr/sbin:/sbin"  # where Debian keeps mkfs.vfat and sfdisk

from appliance import bundle, data_file_system, disk, firmware, keys, recipe, slot  # noqa: E402

TOOLS = ("dpkg", "grub-script-check", "grub-editenv", "rauc", "mksquashfs", "unsquashfs", "mcopy", "mkfs.vfat", "sfdisk", "mke2fs", "openssl")
BOOT_SLOT = recipe.IMAGE / "overlay/usr/lib/smsrack/boot-slot"
DATE = 1_767_225_601


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="image-test-"))
        self.addCleanup(shutil.rmtree, self.folder)


class Loader(InAFolder):
    """The handler and GRUB share one file; here GRUB's own tool reads and writes it as well as the handler."""

    def setUp(self):
        super().setUp()
        self.env = self.folder / "grubenv"

    def given(self, **values):
        self.env.unlink(missing_ok=True)
        subprocess.run(["grub-editenv", self.env, "create"], check=True)
        subprocess.run(["grub-editenv", self.env, "set", *(f"{name}={value}" for name, value in values.items())], check=True)

    def ask(self, *words):
        done = subprocess.run([BOOT_SLOT, *words], capture_output=True, text=True, env=os.environ | {"SMSRACK_GRUBENV": str(self.env)})
        return done.returncode, done.stdout.strip()

    def values(self):
        listed = subprocess.run(["grub-editenv", self.env, "list"], check=True, capture_output=True, text=True).stdout
        return dict(line.split("=", 1) for line in listed.splitlines())

    def test_grub_cfg_is_a_script_that_grub_reads(self):
        subprocess.run(["grub-script-check", recipe.IMAGE / "grub.cfg"], check=True)

    def test_which_slot_goes_first_and_which_may_start(self):
        for order, a, b, primary, states in (
                ("A B", (1, 0), (0, 0), "A", "good bad"),    # nothing was ever installed
                ("A B", (0, 2), (0, 0), "A", "good bad"),    # a new disk
                ("B A", (1, 0), (0, 2), "B", "good good"),   # installed, not started yet
                ("B A", (1, 0), (0, 1), "B", "good good"),   # started once, not confirmed
                ("B A", (1, 0), (0, 0), "A", "good bad"),    # out of tries: back
                ("B A", (1, 0), (1, 0), "B", "good good"),   # confirmed
                ("A B", (1, 0), (1, 0), "A", "good good"),   # went back manually
                ("B A", (0, 0), (0, 0), "B", "bad bad")):    # both given up: the loader tries both
            with self.subTest(order=order, a=a, b=b):
                self.given(ORDER=order, A_OK=a[0], A_TRIES=a[1], B_OK=b[0], B_TRIES=b[1])
                self.assertEqual(self.ask("get-primary"), (0, primary))
                self.assertEqual(" ".join(self.ask("get-state", s)[1] for s in "AB"), states)

    def test_an_update_from_installing_to_confirmed(self):
        self.given(ORDER="A B", A_OK=1, A_TRIES=0, B_OK=1, B_TRIES=0)
        self.ask("set-state", "B", "bad")  # RAUC, before it writes the slot
        self.assertEqual((self.values()["B_OK"], self.values()["B_TRIES"]), ("0", "0"))
        self.assertEqual(self.ask("get-primary"), (0, "A"))
        self.ask("set-primary", "B")       # RAUC, after it
        self.assertEqual(self.values(), {"ORDER": "B A", "A_OK": "1", "A_TRIES": "0", "B_OK": "0", "B_TRIES": "2"})
        self.assertEqual(self.ask("is-confirmed", "B")[0], 1)
        self.ask("set-state", "B", "good")
        self.assertEqual(self.values(), {"ORDER": "B A", "A_OK": "1", "A_TRIES": "0", "B_OK": "1", "B_TRIES": "0"})
        self.assertEqual(self.ask("is-confirmed", "B")[0], 0)

    def test_going_back_to_a_confirmed_slot_needs_no_new_proof(self):
        self.given(ORDER="B A", A_OK=1, A_TRIES=0, B_OK=1, B_TRIES=0)
        self.ask("set-primary", "A")
        self.assertEqual(self.values(), {"ORDER": "A B", "A_OK": "1", "A_TRIES": "0", "B_OK": "1", "B_TRIES": "0"})

    def test_the_file_keeps_its_size_and_place_and_only_its_first_sector_changes(self):
        self.given(ORDER="A B", A_OK=1)
        before, inode = self.env.read_bytes(), self.env.stat().st_ino
        self.ask("set-primary", "B")
        after = self.env.read_bytes()
        self.assertEqual((len(after), self.env.stat().st_ino), (1024, inode))
        self.assertNotEqual(after[:512], before[:512])
        self.assertEqual(after[512:], b"#" * 512)

    def test_what_grub_counted_stays_and_a_damaged_file_is_begun_anew(self):
        self.given(ORDER="B A", A_OK=1, B_OK=0, B_TRIES=1, LAST="A")
        self.ask("set-state", "A", "good")
        self.assertEqual((self.values()["B_TRIES"], self.values()["LAST"]), ("1", "A"))
        self.env.write_bytes(os.urandom(1024))
        self.assertEqual(self.ask("get-primary"), (0, "A"))
        self.ask("set-state", "A", "good")
        self.assertEqual((self.values()["A_OK"], self.ask("get-state", "B")[1]), ("1", "bad"))

    def test_what_is_no_order_is_refused_and_changes_nothing(self):
        self.given(ORDER="A B", A_OK=1)
        before = self.env.read_bytes()
        for words in ((), ("set-primary",), ("set-primary", "C"), ("set-state", "A"), ("set-state", "A", "fine"), ("get-state", "rootfs.0"), ("boot",)):
            with self.subTest(words):
                self.assertEqual(self.ask(*words)[0], 64)
        self.assertEqual(self.env.read_bytes(), before)


class Bundles(InAFolder):
    """What a box accepts, by RAUC with the options of a box's system.conf."""

    def setUp(self):
        super().setUp()
        self.slot = self.folder / "slot.squashfs"
        (self.folder / "tree").mkdir()
        (self.folder / "tree/file").write_bytes(os.urandom(200_000))
        recipe.run("mksquashfs", self.folder / "tree", self.slot, "-quiet", "-no-progress")
        self.keys = keys.Folder(self.folder / "ours")
        self.keys.new("Example Ltd")
        self.bundle = self.signed("release")

    def signed(self, name, signing=None):
        made = self.folder / f"{name}.raucb"
        bundle.make(self.slot, made, "smsrack-amd64", "9.9", signing or self.keys.signing())
        return made

    def accepted(self, made, keyring=None):
        try:
            bundle.check(made, keyring or self.keys.keyring)
            return True
        except recipe.RecipeError as refused:
            self.assertRegex(str(refused), "(?i)verif")
            return False

    def kept(self, name):
        """The keyring of now, as a box has it that gets no other."""
        return pathlib.Path(shutil.copy(self.keys.keyring, self.folder / f"{name}.pem"))

    def test_a_box_checks_as_it_is_checked_here(self):
        conf = (recipe.IMAGE / "overlay/etc/rauc/system.conf").read_text()
        for line in bundle.BOX.splitlines():
            if "=" in line and not line.startswith(("compatible=", "bootloader=", "path=")):
                self.assertIn(f"\n{line}\n", conf)

    def test_ours_is_accepted_and_says_what_it_is(self):
        said = bundle.check(self.bundle, self.keys.keyring)
        self.assertIn("smsrack-amd64", said)
        self.assertIn("9.9", said)

    def test_the_box_reads_the_version_where_rauc_mounts_the_bundle(self):
        mounted = self.folder / "mounted"
        recipe.run("unsquashfs", "-q", "-n", "-no-xattrs", "-d", mounted, self.bundle)
        box = self.folder / "box"
        for name in ("data/firmware", "proc", "etc/smsrack", "usr/lib/smsrack"):
            (box / name).mkdir(parents=True)
        (box / "proc/cmdline").write_text("rauc.slot=A\n")
        for floor, code in (("9.9", 0), ("9.10", 1)):
            (box / "data/firmware/floor").write_text(f"{floor}\n")
            done = subprocess.run([recipe.IMAGE / "overlay/usr/lib/smsrack/before-install"], capture_output=True, text=True, check=False,
                                  env=os.environ | {"SMSRACK_ROOT": str(box), "RAUC_BUNDLE_MOUNT_POINT": str(mounted)})
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn("<< error version 9.9 is below the floor of this box, version 9.10", done.stdout)

    def test_another_key_is_refused_also_where_its_name_is_the_same(self):
        others = keys.Folder(self.folder / "others")
        others.new("Example Ltd")
        self.assertFalse(self.accepted(self.bundle, others.keyring))

    def test_a_flipped_octet_of_what_is_signed_is_refused(self):
        octets = bytearray(self.bundle.read_bytes())
        at = octets.rindex(b"smsrack-amd64")
        octets[at] ^= 1
        self.bundle.write_bytes(octets)
        with self.assertRaises(recipe.RecipeError):
            bundle.check(self.bundle, self.keys.keyring)

    def test_a_key_is_nobody_elses_and_nothing_is_made_over_it(self):
        for key in self.keys.path.glob("*/key.pem"):
            self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        with self.assertRaisesRegex(recipe.RecipeError, "not empty"):
            self.keys.new("Example Ltd")

    def test_a_new_signer_needs_nothing_of_the_boxes(self):
        box = self.kept("box")
        self.keys.signer()
        self.assertEqual(self.keys.signing().certificate.parent.name, "signer-2")
        self.assertTrue(self.accepted(self.signed("later"), box))
        self.assertTrue(self.accepted(self.bundle, box))

    def test_what_a_revoked_signer_signed_at_any_time_is_refused_and_the_next_ones_is_not(self):
        before = self.kept("before")
        stolen = self.keys.signing()
        self.keys.signer()
        self.keys.revoke("signer-1")
        self.assertFalse(self.accepted(self.bundle))
        self.assertFalse(self.accepted(self.signed("by-a-thief", stolen)))
        self.assertTrue(self.accepted(self.signed("next")))
        self.assertTrue(self.accepted(self.signed("next"), before))  # so a box that does not know it yet gets it
        self.assertGreater(keys.HEADER.match(self.keys.keyring.read_text())[1], keys.HEADER.match(before.read_text())[1])
        with self.assertRaisesRegex(recipe.RecipeError, "revoked"):
            keys.check(stolen)

    def test_another_root_comes_with_a_release_of_the_old_ones_signer_and_the_old_one_goes_later(self):
        box, old = self.kept("box"), self.keys.signing()
        self.keys.root("Example Ltd")
        new = self.keys.signing()
        both = self.kept("both")
        self.assertFalse(self.accepted(self.signed("too-early", new), box))
        bridge = keys.Signing(old.key, old.certificate, self.keys.keyring)
        keys.check(bridge)
        self.assertTrue(self.accepted(self.signed("bridge", bridge), box))
        self.assertTrue(self.accepted(self.signed("new", new), both))
        self.keys.drop("root-1")
        self.assertFalse(self.accepted(self.bundle))
        self.assertTrue(self.accepted(self.signed("after", new)))
        with self.assertRaisesRegex(recipe.RecipeError, "no other root"):
            self.keys.drop("root-2")

    def test_a_bundle_stays_good_when_its_signer_has_ended_but_nothing_new_is_signed_with_it(self):
        ends = keys.end_of(self.keys.signing().certificate.read_text())
        self.assertEqual(keys.check(self.keys.signing()), [])
        soon = keys.check(self.keys.signing(), ends - datetime.timedelta(days=9, hours=1))
        self.assertIn("ends in 9 days", soon[0])
        with self.assertRaisesRegex(recipe.RecipeError, "make another signer"):
            keys.check(self.keys.signing(), ends)
        days = (ends - datetime.datetime.now(datetime.timezone.utc)).days
        self.assertTrue(300 < days < 1100, days)

    def test_a_signer_can_vouch_for_nobody_and_signs_for_no_other_purpose(self):
        signer = self.keys.signing()
        said = recipe.run("openssl", "x509", "-noout", "-text", "-in", signer.certificate)
        self.assertIn("CA:FALSE", said)
        self.assertIn("Code Signing", said)
        mail = self.folder / "mail.pem"
        request = self.folder / "mail.csr"
        recipe.run("openssl", "req", "-new", "-key", signer.key, "-subj", "/CN=mail", "-out", request)
        root = self.keys.path / "root-1"
        (self.folder / "mail.cnf").write_text("extendedKeyUsage=emailProtection\n")
        recipe.run("openssl", "x509", "-req", "-in", request, "-CA", root / "cert.pem", "-CAkey", root / "key.pem", "-set_serial", "7", "-days", "9",
                   "-extfile", self.folder / "mail.cnf", "-out", mail)
        self.assertFalse(self.accepted(self.signed("mail", keys.Signing(signer.key, mail, self.keys.keyring))))

    def test_what_is_no_keyring_of_ours_is_refused_before_anything_is_built_with_it(self):
        signer = self.keys.signing()
        plain = self.folder / "plain.pem"
        for text in ("".join(keys.CERTIFICATES.findall(self.keys.keyring.read_text())), self.keys.keyring.read_text().partition("\n")[2]):
            plain.write_text(text)
            with self.assertRaisesRegex(recipe.RecipeError, "no keyring of tools/firmware-keys"):
                keys.check(keys.Signing(signer.key, signer.certificate, plain))

    def test_a_key_for_development_is_loud(self):
        self.assertEqual((keys.check(self.keys.signing()), self.keys.signing().development), ([], False))
        made = bundle.development_keys(self.folder / "development")
        self.assertTrue(made.development)
        self.assertIn("NOT FOR USE", keys.check(made)[0])
        self.assertTrue(made.keyring.read_text().splitlines()[0].endswith(" DEVELOPMENT"))
        self.assertEqual(bundle.development_keys(self.folder / "development"), made)
        # A release's signer with a keyring that still trusts one of development.
        mixed = keys.Signing(self.keys.signing().key, self.keys.signing().certificate, made.keyring)
        self.assertTrue(mixed.development)

    def test_the_command_says_what_is_there_and_what_to_do(self):
        def command(*words):
            return subprocess.run([ROOT / "tools/firmware-keys", *words], capture_output=True, text=True, check=False)
        for words in ((), ("new", "x"), ("revoke", "x"), ("show", "x", "--name", "n"), ("new", "x", "--name", "a/b")):
            self.assertEqual(command(*words).returncode, 64, words)
        folder = str(self.folder / "by-command")
        self.assertEqual(command("signer", folder).returncode, 1)
        self.assertIn("Move", command("new", folder, "--name", "Example Ltd").stdout)
        self.assertIn("signer-2", command("signer", folder).stdout)
        self.assertIn("Build the next release with another signer (signer-2)", command("revoke", folder, "signer-1").stdout)
        self.assertRegex(command("show", folder).stdout, r"root-1 +ends 20\d\d-.*\nsigner-1 +ends .* revoked 20.*\nsigner-2 +ends .* key is here")
        (self.folder / "by-command/root-1/key.pem").unlink()
        self.assertIn("bring root-N/key.pem back", command("signer", folder).stderr)


class Image(InAFolder):
    """From a tiny base tree, by the same code as a real one."""

    def base(self):
        tar = self.folder / "base.tar"
        with tarfile.open(tar, "w") as made:
            for path in ("./boot", "./etc", "./usr", "./usr/lib", "./usr/lib/udev", "./usr/lib/udev/rules.d", "./usr/share", "./var", "./var/lib", "./var/lib/dpkg"):
                info = tarfile.TarInfo(path)
                info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o755, recipe.PLAIN_DATE
                made.addfile(info)
            for path, content in (("./boot/vmlinuz", b"kernel"), ("./boot/initrd.img", b"first stage"), ("./etc/resolv.conf", b"old"),
                                  ("./var/lib/dpkg/status", b"gone"), ("./usr/lib/udev/rules.d/60-drm.rules", b"left out"),
                                  ("./usr/lib/udev/rules.d/60-serial.rules", b"stays"), ("./usr/share/smsrack-packages.txt", b"a 1\n")):
                info = tarfile.TarInfo(path)
                info.size, info.mtime = len(content), recipe.PLAIN_DATE
                made.addfile(info, io.BytesIO(content))
        return tar

    def release_keys(self):
        made = keys.Folder(self.folder / "keys")
        if not made.keyring.exists():
            made.new("Example Ltd")
        return made.signing()

    def build(self, name, debug=False, development=False):
        work = self.folder / name
        work.mkdir()
        (work / "bin").mkdir()
        for program in slot.program_names():
            shutil.copy("/usr/bin/true", work / "bin" / program)
        signing = bundle.development_keys(self.folder / "development") if development else self.release_keys()
        tree = slot.Tree(DATE)
        slot.product(tree, recipe.TARGETS["amd64"], slot.Release("9.9", "1.2", signing, "generic", debug), work / "bin", [])
        packed, image = work / "slot.squashfs", work / "disk.img"
        slot.pack(self.base(), tree, packed)
        loader = work / "BOOTX64.EFI"
        loader.write_bytes(b"MZ a boot loader" * 1000)
        disk.Disk(work, DATE).make(image, packed, loader)
        return packed, image

    def unpacked(self, packed):
        recipe.run("unsquashfs", "-q", "-n", "-no-xattrs", "-d", self.folder / "unpacked", packed)
        return self.folder / "unpacked"

    def test_two_runs_in_two_folders_are_the_same_to_the_octet(self):
        (first_slot, first), (second_slot, second) = self.build("one"), self.build("two")
        self.assertEqual(recipe.sha256(first_slot), recipe.sha256(second_slot))
        self.assertEqual(recipe.sha256(first), recipe.sha256(second))

    def test_the_board_of_a_new_box_is_one_whose_description_it_has(self):
        root = self.unpacked(self.build("one")[0])
        board = (root / "usr/share/smsrack/board").read_text()
        self.assertEqual(board, "generic\n")
        self.assertTrue((root / "usr/share/smsrack/boards/generic.toml").is_file())

    def test_a_slot_says_which_release_it_is_and_what_it_keeps_out(self):
        root = self.unpacked(self.build("one")[0])
        about = dict(line.split("=", 1) for line in (root / "usr/lib/smsrack/release").read_text().splitlines())
        self.assertEqual((about["VERSION"], about["FLOOR"], about["DEBUG"]), ("9.9", "1.2", "0"))
        self.assertRegex(about["BUILD"], "^[0-9a-f]{64}$")
        self.assertEqual((root / "etc/rauc/keyring.pem").read_text(), self.release_keys().keyring.read_text())
        self.assertFalse((root / "etc/issue").exists())  # Debian's own

    def test_an_image_that_trusts_a_key_for_development_says_so_at_its_screen(self):
        root = self.unpacked(self.build("one", development=True)[0])
        self.assertIn("DEVELOPMENT key. It is NOT FOR USE", (root / "etc/issue").read_text())
        self.assertIn("DEVELOPMENT", (root / "etc/rauc/keyring.pem").read_text().splitlines()[0])

    def test_the_disk_has_its_four_partitions_and_what_belongs_into_them(self):
        packed, image = self.build("one")
        table = json.loads(recipe.run("sfdisk", "--json", image))["partitiontable"]
        self.assertEqual([p["name"] for p in table["partitions"]], ["esp", "rootfs-a", "rootfs-b", "data"])
        places = disk.Disk(self.folder, DATE).starts()
        for partition in table["partitions"]:
            self.assertEqual((partition["start"] * 512, partition["size"] * 512), places[partition["name"]])
        content = image.read_bytes()
        start, octets = places["rootfs-a"]
        self.assertEqual(content[start:start + packed.stat().st_size], packed.read_bytes())
        start, octets = places["rootfs-b"]
        self.assertFalse(content[start:start + octets].strip(b"\0"))
        start, octets = places["data"]
        self.assertEqual(content[start + 1080:start + 1082], b"\x53\xef")  # ext4
        data = self.folder / "data"
        data.write_bytes(content[start:start + octets])
        about = recipe.run("dumpe2fs", data)
        self.assertIn("metadata_csum_seed", about)
        self.assertIn("Backup superblock at 32768", about)  # a torn one is repaired from it
        self.assertRegex(about, r"Reserved GDT blocks: +511\n")  # also where it is torn while data grows, up to 4 TiB
        listed = recipe.run("mdir", "-/", "-b", "-i", f"{image}@@{places['esp'][0]}", "::")
        for path in ("EFI/BOOT/BOOTX64.EFI", "EFI/smsrack/grub.cfg", "EFI/smsrack/grubenv", "EFI/smsrack/box.env", "setup/README.txt"):
            self.assertIn(f"::/{path}", listed)

    def test_a_new_disk_starts_a_as_one_that_is_not_confirmed(self):
        _, image = self.build("one")
        recipe.run("mcopy", "-i", f"{image}@@{disk.Disk(self.folder, DATE).starts()['esp'][0]}", "::EFI/smsrack/grubenv", self.folder / "grubenv")
        self.assertEqual((self.folder / "grubenv").stat().st_size, 1024)
        self.assertEqual(recipe.run("grub-editenv", self.folder / "grubenv", "list").splitlines(), list(disk.ENVIRONMENT))

    def test_a_slot_is_base_and_overlay_and_nobody_gets_in(self):
        tree = self.unpacked(self.build("one")[0])
        self.assertEqual((tree / "boot/vmlinuz").read_bytes(), b"kernel")
        self.assertEqual(os.readlink(tree / "etc/resolv.conf"), "../run/systemd/resolve/resolv.conf")
        self.assertFalse((tree / "var/lib/dpkg").exists())
        self.assertEqual([p.name for p in (tree / "usr/lib/udev/rules.d").glob("60-*")], ["60-serial.rules"])
        self.assertIn("compatible=smsrack-amd64\n", (tree / "etc/rauc/system.conf").read_text())
        self.assertTrue(os.access(tree / "usr/lib/smsrack/boot-slot", os.X_OK))
        self.assertEqual(int((tree / "usr/lib/clock-epoch").stat().st_mtime), DATE)
        everything = [str(p.relative_to(tree)) for p in tree.rglob("*")]
        self.assertFalse([p for p in everything if re.search(r"sshd|slot\.cfg|id_rsa", p)])
        self.assertNotIn("autologin", "".join(p.read_text() for p in (tree / "usr/lib/systemd/system").rglob("*getty*/*.conf")))

    def test_every_unit_that_is_asked_for_is_there(self):
        tree = self.unpacked(self.build("one")[0])
        units = tree / "usr/lib/systemd/system"
        debians = {"systemd-networkd.service"}
        for link in list(units.glob("*.wants/*")) + list(units.glob("*.requires/*")):
            self.assertTrue((units / link.name).exists() or link.name in debians, link)
        for unit in units.glob("*.*"):
            for program in re.findall(r"^Exec\w+=[-+]*(/usr/lib/smsrack/\S+)", unit.read_text(), re.MULTILINE) if unit.is_file() else ():
                self.assertTrue(os.access(tree / program[1:], os.X_OK), f"{unit.name}: {program}")

    def test_a_slot_that_does_not_fit_is_refused(self):
        big = self.folder / "big"
        with open(big, "wb") as file:
            file.truncate(disk.Disk(self.folder, DATE).starts()["rootfs-a"][1] + 1)
        with self.assertRaisesRegex(recipe.RecipeError, "layout.toml"):
            disk.Disk(self.folder, DATE).make(self.folder / "disk.img", big, big)


class Commands(unittest.TestCase):
    def test_wrong_use_is_refused(self):
        for words in (["firmware"], ["firmware", "armhf"], ["firmware", "amd64x"], ["boot-test"], ["boot-test", "armhf"], ["update-test", "x"]):
            with self.subTest(words):
                done = subprocess.run([ROOT / "tools" / words[0], *words[1:]], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (64, ""))
                self.assertIn(f"tools/{words[0]}:", done.stderr)

    def test_wrong_words_for_an_image_are_refused(self):
        for words in (["--key", "k"], ["--key", "k", "--cert", "c"], ["--keys", "f", "--key", "k", "--cert", "c", "--keyring", "r"],
                      ["--version", "v1"], ["--version", "0.0.1"], ["--version", "1.0", "--floor", "1.1"]):
            with self.subTest(words), contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as end:
                firmware.options_of(["amd64", *words])
            self.assertEqual(end.exception.code, 64)

    def test_the_floor_is_the_highest_line_and_no_release_is_below_its_own(self):
        self.assertFalse(slot.below(recipe.product_version(), slot.floor()))
        self.assertEqual(firmware.options_of(["amd64"]).floor, slot.floor())

    def test_what_is_signed_with_a_key_for_development_is_named_so(self):
        with tempfile.TemporaryDirectory() as folder:
            keys.Folder(f"{folder}/ours").new("Example Ltd")
            self.assertEqual(firmware.name_of(firmware.options_of(["amd64", "--version", "2.0", "--keys", f"{folder}/ours"])), "smsrack-2.0-amd64")
            bundle.development_keys(f"{folder}/development")
            self.assertEqual(firmware.name_of(firmware.options_of(["amd64", "--version", "2.0", "--keys", f"{folder}/development"])), "smsrack-2.0-amd64-devkey")

    def test_a_box_makes_its_data_anew_as_it_was_made_first(self):
        script = (recipe.IMAGE / "overlay/usr/lib/smsrack/partitions").read_text()
        self.assertIn(f"({' '.join(data_file_system.MAKE)})", script)
        self.assertIn(f"-E {','.join(data_file_system.EXTENDED)} -L data", script)

    def test_each_script_of_a_box_is_bash_that_reads(self):
        for script in (recipe.IMAGE / "overlay/usr/lib/smsrack").iterdir():
            with self.subTest(script.name):
                subprocess.run(["bash", "-n", script], check=True)
                self.assertTrue(script.stat().st_mode & 0o100)


if __name__ == "__main__":
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        print(f"image_test: skipped, not installed: {', '.join(missing)} (tools/build --with-tests)")
        sys.exit(77)
    unittest.main()
