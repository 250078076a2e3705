"""Free ports of the loopback, below those that the kernel gives to connections that go out."""

import random
import socket

FIRST, LAST = 20000, 32000


def is_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(count):
    found = []
    for port in random.sample(range(FIRST, LAST), LAST - FIRST):
        if is_free(port):
            found.append(port)
            if len(found) == count:
                return found
    raise OSError(f"fewer than {count} ports of the loopback are free between {FIRST} and {LAST}")
