"""Starts an image of tools/firmware in QEMU, as a box that was just written: first start, modems found, messages out and in, a second start.

  tools/boot-test TARGET [--image FILE] [--sim FILE]

Limits are for a quiet machine with two cores; SMSRACK_SLOW=4 makes each four times as long. Without --image the image is built
(tools/firmware TARGET --debug). Consoles and logs are kept in build/firmware/boot-test-TARGET.
"""

import argparse
import csv
import json
import pathlib
import shutil
import sys
import time

from . import console, disk, firmware, machine, recipe

READY_S = 60              # after power, where nothing else runs; the test fails at twice that
MESSAGES = 100
PASSWORD = "a word of the owner"
SENT_WITHIN_S = 300       # 100 messages, 8 lines, a second each, on an emulated machine
LISTENERS = "cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6"
DHCP_CLIENT = ("0044", "0222")  # ports 68 and 546, which ask for addresses


class Failed(Exception):
    """What was expected and is not so."""


def say(text):
    print(f"tools/boot-test: {text}", flush=True)


def check(holds, words):
    if not holds:
        raise Failed(words)


def options_of(words):
    parser = firmware.Parser(prog="tools/boot-test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="TARGET", choices=sorted(recipe.TARGETS), help="amd64 or arm64")
    parser.add_argument("--image", type=pathlib.Path, metavar="FILE", help="an image (.img.zst) that was built with --debug")
    parser.add_argument("--sim", type=pathlib.Path, default=recipe.ROOT / "build/release/bin/smsrack-sim", metavar="FILE", help="the simulator of modems")
    return parser.parse_args(words)


def new_folder(name):
    folder = recipe.WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def message_list(folder):
    path = folder / "list.csv"
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["to", "text"])
        rows.writerows([f"+3361000{n:04}", f"Message {n} of the boot test"] for n in range(MESSAGES))
    return path


def wait_until(what, holds, seconds):
    deadline = time.monotonic() + console.limit(seconds)
    while not holds():
        check(time.monotonic() < deadline, f"{what}: not within {console.limit(seconds):.0f} s")
        time.sleep(0.5)


def ready(box, which):
    kernel, seconds = box.ready(2 * READY_S), box.seconds()
    late = "" if seconds < console.limit(READY_S) else f"; more than {console.limit(READY_S):.0f} s"
    say(f"{which}: ready {seconds:.0f} s after power, {kernel:.0f} s after the kernel{late}")


def first_start(box, kept):
    ready(box, "first start, with asking each port")
    shell = box.console
    shell.login(60)
    kept["machine-id"] = shell.command("cat /etc/machine-id", 30)
    kept["token"] = token_of_this_box(shell)
    modems = shell.command("grep -c '^\\[\\[modem' /etc/smsrack/smsrack.toml", 30)
    check(modems == str(box.rack.modems), f"the configuration names {modems} modems, and there are {box.rack.modems}")
    size = int(shell.command("df --output=size -BM /data | tail -n 1 | tr -dc 0-9", 30))
    check(size > machine.DISK_MIB // 2, f"the data partition has {size} MiB of a disk of {machine.DISK_MIB}")
    check(shell.command("smsrack status | grep -ci pause", 60, may_fail=True)[0] == 0, "a new box is not paused")
    open_ports(shell)
    password_is_taken(shell)
    partitions_stayed(shell)
    # Once the rack is no longer paused, it would try the radio, by a message of its own.
    wait_until("the end of smsrack-confirm", lambda: ended_well(shell, "smsrack-confirm"), 120)
    say("first start: modems found, data partition grown, rack paused, no port open, the owner's password taken")


def give_password(disk_image, folder):
    """As an owner does it who writes into the boot partition on another computer."""
    file = folder / "password.txt"
    file.write_text(f"{PASSWORD}\r\n")
    recipe.run("mcopy", "-i", f"{disk_image}@@{disk.MIB}", file, "::setup/password.txt")


def token_of_this_box(shell):
    """The hash of the admin token that the first start made, and left for root alone."""
    told = shell.command("stat -c %a:%U /etc/smsrack/admin-token && tr -d '\\n' </etc/smsrack/admin-token | sha256sum | cut -d ' ' -f 1", 30).split()
    check(told[0] == "600:root", f"admin-token is {told[0]}")
    check(shell.command(f"grep -c '^box admin {told[1]} ' /etc/smsrack/tokens", 30, may_fail=True)[0] == 0, "the hash kept is not that of admin-token")
    return told[1]


def password_is_taken(shell):
    check(shell.command("test -e /boot/efi/setup/password.txt", 30, may_fail=True)[0] == 1, "setup/password.txt is still there")
    fits = f"""perl -e '$h = (getpwnam("root"))[1]; exit(crypt("{PASSWORD}", $h) eq $h ? 0 : 1)'"""
    check(shell.command(fits, 30, may_fail=True)[0] == 0, "the password of setup/password.txt does not hold")


def partitions_stayed(shell):
    """What systemd hears to be gone it unmounts, and on a busy machine it hears late. None may go while the table of partitions is changed."""
    for label in ("esp", "data"):
        unit = shell.command(f"systemd-escape --path --suffix=device $(readlink /run/box/{label})", 30)
        gone = shell.command(f"systemctl show -p ActiveEnterTimestampMonotonic -p InactiveEnterTimestampMonotonic {unit}", 30).split()
        check("InactiveEnterTimestampMonotonic=0" in gone and "ActiveEnterTimestampMonotonic=0" not in gone, f"{unit} was gone for a while: {gone}")


def open_ports(shell):
    """No port of the network may listen; a client of DHCP is none that listens, though it has a port."""
    found = []
    for line in shell.command(LISTENERS, 60).splitlines():
        words = line.split()
        if len(words) > 3 and ":" in words[1] and words[1].split(":")[1] not in DHCP_CLIENT:
            address, port = words[1].split(":")
            if (words[3] in ("0A", "07")) and address not in ("0100007F",):
                found.append(int(port, 16))
    check(not found, f"open ports of the network: {found}")


def waiting_messages(shell, state):
    return json.loads(shell.command(f"smsrack --json messages --state {state}", 60))["messages"]


def messages(box):
    shell, rack = box.console, box.rack
    shell.command("mkdir -p /run/stick && mount -o ro /dev/vdb /run/stick && smsrack resume", 60)
    begun = time.monotonic()
    shell.command("smsrack send --file /run/stick/list.csv", 120)
    wait_until(f"{MESSAGES} messages in the network", lambda: len({s["to"] for s in rack.submits()}) >= MESSAGES, SENT_WITHIN_S)
    submits = rack.submits()
    check(len(submits) == MESSAGES, f"{len(submits)} submits for {MESSAGES} messages")
    lines = {s["modem"] for s in submits}
    check(len(lines) == rack.modems, f"only the lines {sorted(lines)} sent")
    wait_until("all messages sent, as the box says",
               lambda: not any(waiting_messages(shell, state) for state in ("queued", "sending")), 60)
    say(f"{MESSAGES} messages through {len(lines)} lines in {time.monotonic() - begun:.0f} s, each once")
    rack.order(do="inbound", modem=3, **{"from": "+33698765432", "text": "a word from outside"})
    wait_until("a received message in the inbox", lambda: "a word from outside" in shell.command("smsrack inbox", 60), 60)
    say("a received message is in the inbox")


def ended_well(shell, unit):
    """Whether it has run; a unit that has not begun is `inactive` as well, and so is one that there is not."""
    said = shell.command(f"systemctl show -p ExecMainExitTimestampMonotonic -p Result {unit}", 30).split()
    return "Result=success" in said and "ExecMainExitTimestampMonotonic=0" not in said


def second_start(box, kept):
    box.shut_down()
    box.start()
    ready(box, "second start")
    shell = box.console
    shell.login(60)
    check(token_of_this_box(shell) == kept["token"], "the second start made another admin token")
    same = shell.command("cat /etc/machine-id", 30)
    check(same == kept["machine-id"], f"the machine-id was {kept['machine-id']}, and is {same}")
    check("a word from outside" in shell.command("smsrack inbox", 60), "the inbox is empty after a start")
    confirmed = shell.command("/usr/lib/smsrack/boot-slot is-confirmed A", 30, may_fail=True)[0] == 0
    check(confirmed, "slot A is not confirmed")
    check(ended_well(shell, "smsrack-restore"), "smsrack-restore, which looks at the database before the service does, did not run")
    failed = shell.command("systemctl --failed --no-legend --plain", 30)
    check(not failed, f"failed units:\n{failed}")
    # Also among what is started later: at a shutdown they are all in one transaction, and systemd takes a unit out of a circle.
    units = "default.target systemd-resolved.service smsrack-time.service rauc.service"
    verified = shell.command(f"systemd-analyze verify --man=no {units}", 120)
    check("ordering cycle" not in verified, f"units in a circle:\n{verified}")
    ignored = shell.command("udevadm info -q property /dev/ttyUSB0 | grep -c ID_MM_PORT_IGNORE=1", 30, may_fail=True)[1]
    check(ignored == "1", "ModemManager may take /dev/ttyUSB0")
    password_is_taken(shell)
    wait_until("systemd-resolved, which smsrack-names starts", lambda: shell.command("systemctl is-active systemd-resolved", 30, may_fail=True)[1] == "active", 60)
    say("second start: same identity, messages kept, slot confirmed")
    box.shut_down()


def run(options):
    target = recipe.TARGETS[options.target]
    folder = new_folder(f"boot-test-{target.name}")
    image = options.image or recipe.WORK / f"out/{firmware.name_of(firmware.options_of([target.name, '--debug']))}.img.zst"
    rack = machine.Rack(options.sim, folder)
    disk_file = machine.new_disk(image, folder / "disk.img")
    give_password(disk_file, folder)
    stick = machine.stick(folder / "stick.img", {"list.csv": message_list(folder)})
    box = machine.Machine(target, disk_file, folder, rack, stick)
    kept = {}
    try:
        box.start()
        first_start(box, kept)
        messages(box)
        second_start(box, kept)
    except (Failed, console.Silence) as fault:
        raise Failed(f"{fault}\nWhat the box says of itself:\n{box.tells()}") from None
    finally:
        box.stop()
        rack.stop()
    disk_file.unlink()


def main():
    begun, options = time.monotonic(), options_of(sys.argv[1:])
    try:
        run(options)
    except (Failed, console.Silence, recipe.RecipeError, OSError) as error:
        print(f"tools/boot-test: FAILED after {time.monotonic() - begun:.0f} s: {error}\n"
              f"tools/boot-test: the console is in {recipe.WORK}/boot-test-{options.target}/console.log", file=sys.stderr)
        return 1
    say(f"passed in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
