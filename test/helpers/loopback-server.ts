import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Starts an HTTP server on loopback that passes each request to `answer`, until the test ends. */
export async function startLoopbackServer(
  answer: (request: RecordedRequest, response: ServerResponse, incoming: IncomingMessage) => unknown,
): Promise<{ url: string; requests: RecordedRequest[]; connections: () => number }> {
  const requests: RecordedRequest[] = [];
  let connections = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request: RecordedRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    requests.push(request);
    await answer(request, response, incoming);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The loopback server has no port.");
  return { url: `http://127.0.0.1:${address.port}`, requests, connections: () => connections };
}
