import { createServer, type IncomingMessage, type RequestListener } from "node:http";

// A client that still waits for an answer after this time is cut off.
const drainMs = 1_500;

export type LocalServer = Awaited<ReturnType<typeof startLocalServer>>;

export interface LocalServerOptions {
  /**
   * Takes calls of web pages, too, as an API does that is open to the internet: who may call is for what is behind it to say.
   * What stands for AWS's own services takes calls from programs only, so that no page that happens to be open on this
   * machine reads a secret or runs a function. Default false.
   */
  readonly takesPages?: boolean;
  /** Never closes a connection by itself, for a client that would take it for the server's end. Default false. */
  readonly keepsIdle?: boolean;
  /** Default: any free one. */
  readonly port?: number | undefined;
}

/**
 * Serves `handle` on 127.0.0.1.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startLocalServer(
  handle: RequestListener,
  { takesPages = false, keepsIdle = false, port: wantedPort = 0 }: LocalServerOptions = {},
) {
  let isOpen = false;
  const server = createServer((request, response) => {
    if (!isOpen) {
      request.socket.destroy();
      return;
    }
    response.once("close", () => {
      if (!isOpen) request.socket.destroySoon();
    });
    if (!namesThisMachine(request) || !(takesPages || comesFromProgram(request))) {
      request.resume();
      response.writeHead(403, { "content-type": "application/json" }).end('{"message":"Forbidden"}');
      return;
    }
    handle(request, response);
  });

  if (keepsIdle) server.keepAliveTimeout = 0;

  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        isOpen = true;
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  const port = await listen(wantedPort);
  let closed = Promise.resolve();

  return {
    /** Stays the same across `close` and `open`. */
    url: `http://127.0.0.1:${port}`,
    /** Refuses new requests and resolves when the running ones are answered, after 1.5 s at most. */
    close() {
      if (!isOpen) return closed;
      isOpen = false;
      closed = new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
      });
      return closed;
    },
    /** Listens again on the same port. */
    async open() {
      await closed;
      await listen(port);
    },
  };
}

/** A page whose name was rebound to this machine has another host; it could read what it is answered. */
function namesThisMachine({ headers: { host = "" } }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host);
}

/** Browsers send `Origin` with what a page's script posts, and `Sec-Fetch-Site` with whatever another page asks for. */
function comesFromProgram({ headers }: IncomingMessage): boolean {
  const { origin, "sec-fetch-site": site = "none" } = headers;
  return origin === undefined && site === "none";
}
