import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export class InspectError extends Error {
  override readonly name = "InspectError";
}

/**
 * Forwards debuggers to the current process. Node itself refuses foreign hosts.
 * @see https://nodejs.org/docs/latest-v24.x/api/cli.html#--inspecthostport
 */
export class InspectorPort {
  readonly #attached = new Set<Socket>();
  readonly #sockets = new Set<Socket>();
  readonly #firstProcess = Promise.withResolvers<void>();
  readonly #server = createServer((outside) => {
    this.#sockets.add(outside);
    outside.on("error", () => {});
    void this.#firstProcess.promise.then(() => this.#forward(outside));
  });
  #target = 0;
  #port = 0;

  /** Opens a port; 0 takes any free one. @throws InspectError if it is taken */
  static async open(wantedPort: number): Promise<InspectorPort> {
    const opened = new InspectorPort();
    try {
      await once(opened.#server.listen(wantedPort, "127.0.0.1"), "listening");
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      throw new InspectError(`No debugger can be let in at port ${wantedPort}: ${reason}. Name another.`);
    }
    const address = opened.#server.address();
    opened.#port = typeof address === "object" && address !== null ? address.port : wantedPort;
    return opened;
  }

  get port(): number {
    return this.#port;
  }

  get isAttached(): boolean {
    return this.#attached.size > 0;
  }

  /** Forwards to this port of 127.0.0.1. Earlier connections wait for the first call. */
  forwardTo(port: number): void {
    this.#target = port;
    this.#firstProcess.resolve();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #forward(outside: Socket) {
    const inside = connect(this.#target, "127.0.0.1");
    for (const socket of [outside, inside]) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#attached.delete(outside);
        outside.destroy();
        inside.destroy();
      });
    }
    outside.once("data", (head) => {
      if (/\r\nupgrade: *websocket/i.test(head.toString("latin1"))) this.#attached.add(outside);
    });
    outside.pipe(inside).pipe(outside);
  }
}
