"""A line between two network devices, which delays each packet and loses all of them while it is cut.

Called with the names of the devices and the delay of each way in milliseconds. `cut` and `join` come by standard input; its
end ends the line. The packets are those of the kernel's own TCP: connecting, acknowledging and repeating take their time too.
"""

import collections
import fcntl
import os
import select
import struct
import sys
import time

DEVICE = "/dev/net/tun"
TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
LARGEST = 65536


def open_device(name):
    device = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return device


def packets_of(device):
    while True:
        try:
            yield os.read(device, LARGEST)
        except (BlockingIOError, OSError):
            return


def send(device, packet):
    try:
        os.write(device, packet)
    except OSError:
        # The other end is down, or takes no more: the packet is lost, as on any line.
        pass


def main():
    first, second = open_device(sys.argv[1]), open_device(sys.argv[2])
    delay = float(sys.argv[3]) / 1000
    others = {first: second, second: first}
    under_way = collections.deque()
    is_cut = False
    print("open", flush=True)
    while True:
        wait = max(0, under_way[0][0] - time.monotonic()) if under_way else None
        readable, _, _ = select.select([first, second, sys.stdin], [], [], wait)
        now = time.monotonic()
        while under_way and under_way[0][0] <= now:
            _, device, packet = under_way.popleft()
            send(device, packet)
        for device in (first, second):
            if device not in readable:
                continue
            for packet in packets_of(device):
                if not is_cut:
                    under_way.append((time.monotonic() + delay, others[device], packet))
        if sys.stdin in readable:
            command = sys.stdin.readline().strip()
            if command == "":
                return
            is_cut = command == "cut"
            if is_cut:
                under_way.clear()
            print(command, flush=True)


main()
