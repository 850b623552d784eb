import { connect, createServer, type Server, type Socket } from "node:net";

/** Leads debuggers to a function's process, whichever runs it now. */
export interface InspectorDoor {
  readonly port: number;
  /** Whether a debugger is connected. */
  isAttached(): boolean;
  /** Leads whoever comes from now on to this port of 127.0.0.1. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Thrown for a function that no debugger can be led to. The message is for who asked for it. */
export class InspectError extends Error {
  override readonly name = "InspectError";
}

/**
 * Opens a port of 127.0.0.1 for debuggers. It stays the same while processes come and go; a request is passed on as it is,
 * so that Node itself refuses foreign hosts.
 * @see https://nodejs.org/docs/latest-v24.x/api/cli.html#--inspecthostport
 * @throws InspectError when the port cannot be had
 */
export async function openInspectorDoor(wantedPort: number): Promise<InspectorDoor> {
  const attached = new Set<Socket>();
  const sockets = new Set<Socket>();
  const first = Promise.withResolvers<void>();
  let target = 0;
  // Who comes before there is a process waits for it.
  const server = createServer((outside) => {
    sockets.add(outside);
    outside.on("error", () => {});
    void first.promise.then(() => lead(outside));
  });
  const lead = (outside: Socket) => {
    const inside = connect(target, "127.0.0.1");
    for (const socket of [outside, inside]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        attached.delete(outside);
        outside.destroy();
        inside.destroy();
      });
    }
    outside.once("data", (head) => {
      if (/\r\nupgrade: *websocket/i.test(head.toString("latin1"))) attached.add(outside);
    });
    outside.pipe(inside);
    inside.pipe(outside);
  };
  const port = await listen(server, wantedPort);
  return {
    port,
    isAttached: () => attached.size > 0,
    leadTo(next) {
      target = next;
      first.resolve();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, wantedPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ message }) =>
      reject(new InspectError(`No debugger can be let in at port ${wantedPort}: ${message}. Name another.`)),
    );
    server.listen(wantedPort, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : wantedPort);
    });
  });
}
