"""A line on which everything takes its time: relays a port of 127.0.0.1 to another, and delays all bytes.

    slow_line.py PORT SECONDS

It prints the port that it listens on. Each direction is delayed by half of SECONDS, whatever the number of bytes: a line
that is long, not thin. `tc netem` would do the same, where the kernel has it and the user is root.
"""

import asyncio
import sys

port, delay = int(sys.argv[1]), float(sys.argv[2]) / 2


async def carry(reader, writer):
    """Takes what arrives at once, and gives it on when its time has come."""
    loop = asyncio.get_running_loop()
    waiting = asyncio.Queue(1024)

    async def take():
        while True:
            data = await reader.read(1 << 18)
            await waiting.put((loop.time() + delay, data))
            if not data:
                return

    async def give():
        while True:
            moment, data = await waiting.get()
            pause = moment - loop.time()
            if pause > 0:
                await asyncio.sleep(pause)
            if not data:
                writer.write_eof()
                return
            writer.write(data)
            await writer.drain()

    try:
        await asyncio.gather(take(), give())
    except OSError:
        writer.close()


async def relay(reader, writer):
    try:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        writer.close()
        return
    await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))
    writer.close()
    far_writer.close()


async def main():
    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
