#!/usr/bin/env python3
"""What smsrackd sees of systemd: a notify socket, a file descriptor store, socket activation.

fake_systemd.py FOLDER ACTIVATED COMMAND...   runs COMMAND until SIGTERM; SIGHUP restarts it, as `systemctl restart` does.
ACTIVATED: path of a socket that is made here and given to it; "-": none. Each start writes its pid to FOLDER/pid, and each
notification goes to FOLDER/notified.
"""
import array
import ctypes
import os
import select
import signal
import socket
import sys

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # as the service manager is
folder, activated, command = sys.argv[1], sys.argv[2], sys.argv[3:]
notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notify.bind(folder + "/notify")
store = []  # (name, descriptor)
if activated != "-":
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(activated)
    listener.listen(64)
notified = open(folder + "/notified", "a", buffering=1)
wake_read, wake_write = os.pipe()
os.set_blocking(wake_write, False)
signal.set_wakeup_fd(wake_write)
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
    signal.signal(number, lambda *_: None)


def start():
    given = [("api.socket", listener.fileno())] if activated != "-" else []
    given += store
    pid = os.fork()
    if pid == 0:
        out_of_the_way = 100
        for place, (_, fd) in enumerate(given):
            os.dup2(fd, out_of_the_way + place, inheritable=False)
        for place in range(len(given)):
            os.dup2(out_of_the_way + place, 3 + place, inheritable=True)
        os.environ["NOTIFY_SOCKET"] = folder + "/notify"
        os.environ["LISTEN_PID"] = str(os.getpid())
        os.environ["LISTEN_FDS"] = str(len(given))
        os.environ["LISTEN_FDNAMES"] = ":".join(name for name, _ in given)
        os.execv(command[0], command)
    with open(folder + "/pid.new", "w") as out:
        out.write(str(pid))
    os.rename(folder + "/pid.new", folder + "/pid")
    return pid


def take_notification():
    global main
    text, control, _, _ = notify.recvmsg(4096, socket.CMSG_SPACE(16 * 4), socket.MSG_CMSG_CLOEXEC)
    fields = dict(line.split("=", 1) for line in text.decode().splitlines() if "=" in line)
    notified.write(" ".join(text.decode().split()) + "\n")
    for level, kind, data in control:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS and "FDSTORE" in fields:
            for fd in array.array("i", data):
                store.append((fields.get("FDNAME", "stored"), fd))
    if "FDSTOREREMOVE" in fields:
        for entry in [entry for entry in store if entry[0] == fields.get("FDNAME")]:
            os.close(entry[1])
            store.remove(entry)
    if "MAINPID" in fields:
        main = int(fields["MAINPID"])


main = start()
stopping = restarting = False
while True:
    readable, _, _ = select.select([notify, wake_read], [], [])
    if notify in readable:
        take_notification()
        continue
    for number in os.read(wake_read, 64):
        if number == signal.SIGCHLD:
            continue
        restarting = number == signal.SIGHUP
        stopping = not restarting
        os.kill(main, signal.SIGTERM)
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            pid = 0
        if pid == 0:
            break
        while select.select([notify], [], [], 0)[0]:
            take_notification()
        if pid == main and stopping:
            sys.exit(0)
        if pid == main and restarting:
            restarting = False
            main = start()
        elif pid == main:  # Restart=on-failure
            main = start()
