"""A line on which everything takes its time: relays a port of 127.0.0.1 to another, and delays all bytes.

    slow_line.py PORT SECONDS [FILE]

It prints the port that it listens on. FILE says how many bytes have passed so far, both ways. Each direction is delayed by half of SECONDS, whatever the number of bytes: a line
that is long, not thin. `tc netem` would do the same, where the kernel has it and the user is root.

One loop around select: it waits in microseconds, where epoll and asyncio wait in whole milliseconds, and it takes so
little time of its own that what is measured is the line.
"""

import collections
import select
import socket
import sys
import time

port, delay = int(sys.argv[1]), float(sys.argv[2]) / 2
count_file = sys.argv[3] if len(sys.argv) > 3 else None

# Bytes that may be on their way in one direction.
WINDOW = 4 << 20


class Direction:
    """What goes from one socket to another: chunks with the moment when they are due."""

    total = 0

    def __init__(self, source, sink):
        self.source, self.sink = source, sink
        self.chunks = collections.deque()
        self.size = 0
        self.is_open = True

    def take(self):
        try:
            data = self.source.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.is_open = bool(data)
        self.size += len(data)
        Direction.total += len(data)
        self.chunks.append((time.monotonic() + delay, memoryview(data)))

    def give(self, now):
        """Gives on what is due; whether the sink has no room for it."""
        while self.chunks and self.chunks[0][0] <= now:
            moment, data = self.chunks.popleft()
            try:
                if not data:
                    self.sink.shutdown(socket.SHUT_WR)
                    continue
                sent = self.sink.send(data)
            except BlockingIOError:
                sent = 0
            except OSError:
                # Nobody takes it: what was sent to them is lost, as on any line.
                self.chunks.clear()
                self.is_open = False
                return False
            self.size -= sent
            if sent < len(data):
                self.chunks.appendleft((moment, data[sent:]))
                return True
        return False


def connect(near):
    far = socket.create_connection(("127.0.0.1", port))
    for end in (near, far):
        end.setblocking(False)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return [Direction(near, far), Direction(far, near)]


def write_count():
    with open(count_file, "w", encoding="ascii") as file:
        print(Direction.total, file=file)


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    pairs = []
    written = None
    while True:
        if count_file and written != Direction.total:
            written = Direction.total
            write_count()
        now = time.monotonic()
        full = [way.sink for pair in pairs for way in pair if way.give(now)]
        for pair in [pair for pair in pairs if not any(way.is_open or way.chunks for way in pair)]:
            pairs.remove(pair)
            for way in pair:
                way.source.close()
        ways = [way for pair in pairs for way in pair]
        dues = [way.chunks[0][0] for way in ways if way.chunks and way.sink not in full]
        readers = {way.source: way for way in ways if way.is_open and way.size < WINDOW}
        pause = max(0, min(dues) - time.monotonic()) if dues else None
        for ready in select.select([listener, *readers], full, [], pause)[0]:
            if ready is listener:
                near = listener.accept()[0]
                try:
                    pairs.append(connect(near))
                except OSError:
                    near.close()
            else:
                readers[ready].take()


main()
