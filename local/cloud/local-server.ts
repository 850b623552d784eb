import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";

/** Afterwards, clients are disconnected. */
const drainMs = 1_500;

export type LocalServer = Awaited<ReturnType<typeof startLocalServer>>;

export interface LocalServerOptions {
  /** Accepts calls of web pages. Otherwise no page reads a secret or runs a function. Default false. */
  readonly takesPages?: boolean;
  /** Keeps idle connections, for clients that misread their end. Default false. */
  readonly keepsIdle?: boolean;
  readonly port?: number | undefined;
}

/** @throws Error with code EADDRINUSE, `isTaken`, if the port is taken */
export async function startLocalServer(
  handle: RequestListener,
  { takesPages = false, keepsIdle = false, port: wantedPort = 0 }: LocalServerOptions = {},
) {
  let isOpen = false;
  let running = 0;
  const server = createServer((request, response) => {
    if (!isOpen) {
      request.socket.destroy();
      return;
    }
    running += 1;
    response.once("close", () => {
      running -= 1;
      if (!isOpen) endWhenAnswered();
    });
    if (isLocalHost(request) && (takesPages || isFromProgram(request))) handle(request, response);
    else refuse(request, response);
  });
  if (keepsIdle) server.keepAliveTimeout = 0;

  /** Connections without a request would prevent closing. */
  const endWhenAnswered = () => {
    if (running === 0) server.closeAllConnections();
  };
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
    url: `http://127.0.0.1:${port}`,
    /** Resolves when running requests are answered, after 1.5 s at most. */
    close() {
      if (!isOpen) return closed;
      isOpen = false;
      closed = new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
        endWhenAnswered();
      });
      return closed;
    },
    async open() {
      await closed;
      await listen(port);
    },
  };
}

export function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

function refuse(request: IncomingMessage, response: ServerResponse) {
  request.resume();
  response.writeHead(403, { "content-type": "application/json" }).end('{"message":"Forbidden"}');
}

/** Prevents DNS rebinding. */
function isLocalHost({ headers: { host = "" } }: IncomingMessage) {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host);
}

/** Browsers send `Origin` with a page's posts, and `Sec-Fetch-Site` with all requests. */
function isFromProgram({ headers }: IncomingMessage) {
  const { origin, "sec-fetch-site": site = "none" } = headers;
  return origin === undefined && site === "none";
}
