import type { Socket } from "node:net";

/** What a planned fault may do to the connection that a request came over. */
export type ClientConnection = {
  /** Closes it without an answer, or without the rest of one. */
  drop(): void;
  /** Resolves when the other side gave up. */
  untilClosed(): Promise<void>;
  /** Sends the head and half of the body, then closes. */
  sendHalf(answer: WrittenAnswer): void;
};

/** An answer before it is sent. */
export type WrittenAnswer = { status: number; headers: Record<string, string>; text: string };

/** Gives the hold on the connection of a request that came over a socket, from what the server has of it. */
export function socketConnection({ incoming, outgoing }: SocketBindings): ClientConnection {
  const { socket } = incoming;
  return {
    drop: () => void socket.destroy(),
    untilClosed: () =>
      socket.destroyed
        ? Promise.resolve()
        : new Promise((resolve) => void socket.once("close", () => resolve())),
    sendHalf({ status, headers, text }) {
      const bytes = Buffer.from(text, "utf8");
      outgoing.writeHead(status, { ...headers, "content-length": bytes.length });
      outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.destroy());
    },
  };
}

type SocketBindings = {
  incoming: { socket: Socket };
  outgoing: {
    writeHead(status: number, headers: Record<string, string | number>): unknown;
    write(bytes: Uint8Array, written: () => void): unknown;
  };
};
