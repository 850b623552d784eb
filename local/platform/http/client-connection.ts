import type { Socket } from "node:net";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { resolveAddress } from "./address.ts";

export type ClientConnection = {
  /** Closes the connection without an answer, or without the rest of one. */
  drop(): void;
  untilClosed(): Promise<void>;
  sendHalf(answer: { status: number; headers: Record<string, string>; text: string }): void;
};

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

export type AnswerInProcess = (
  request: Request,
  bindings: { connection: ClientConnection },
) => Response | Promise<Response>;

/** Fails as `fetch` does. Only the platform's hosts and loopback exist. Aborted requests are finished. */
export function createInProcessFetch(
  answer: AnswerInProcess,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    requireKnownHost(request.url);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const abandoned = new Promise<void>((giveUp) => {
      request.signal.addEventListener("abort", () => giveUp(reject(request.signal.reason)), { once: true });
    });
    const connection: ClientConnection = {
      drop: () => reject(failure("other side closed", "UND_ERR_SOCKET")),
      untilClosed: () => abandoned,
      sendHalf: ({ status, headers, text }) => resolve(new Response(halfOf(text), { status, headers })),
    };
    Promise.resolve(answer(request, { connection })).then((response) => {
      if (response !== RESPONSE_ALREADY_SENT) resolve(response);
    }, reject);
    return await promise;
  };
}

function requireKnownHost(url: string) {
  const { hostname, host } = new URL(url);
  if (hostname === "127.0.0.1" || hostname === "localhost") return;
  if (/^(?:files|media)-[a-z]+\.cometchat\.io$/.test(hostname)) return;
  const { surface } = resolveAddress(host, "/");
  if (surface !== "none") return;
  throw failure(`getaddrinfo ENOTFOUND ${hostname}`, "ENOTFOUND");
}

function halfOf(text: string) {
  const bytes = new TextEncoder().encode(text);
  let isHalfSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isHalfSent) controller.error(failure("other side closed", "UND_ERR_SOCKET", "terminated"));
      else controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
      isHalfSent = true;
    },
  });
}

function failure(message: string, code: string, title = "fetch failed") {
  return new TypeError(title, { cause: Object.assign(new Error(message), { code }) });
}
