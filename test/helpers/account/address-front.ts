import { createServer } from "node:http";
import type { Account } from "./account.ts";

/** The HTTP API of a deployed stack, in front of a local cloud with plain paths. */
export interface AddressFront {
  readonly url: string;
  /** With the stack's current address. */
  readonly current: () => string;
  close(): Promise<void>;
}

/** Passes on what comes to an address that the stack's template serves; answers 404 for the rest. */
export async function startAddressFront(
  stackName: string,
  ground: { readonly account: () => Account; readonly target: () => string },
): Promise<AddressFront> {
  const served = () => {
    const { Addresses } = ground.account().stacks.find(stackName)?.template.Outputs ?? {};
    return String(Addresses?.Value ?? "").split(",");
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, literal = "", path = ""] = request.url?.match(/^(?:\/([a-z0-9]{24}))?(\/.*)$/) ?? [];
    if (!served().includes(literal)) {
      response.writeHead(404).end('{"message":"Not Found"}');
      return;
    }
    const { authorization = "", "content-type": type = "application/json" } = request.headers;
    const answer = await fetch(ground.target() + path, {
      method: request.method ?? "GET",
      headers: { authorization, "content-type": type },
      ...(chunks.length > 0 && { body: new Uint8Array(Buffer.concat(chunks)) }),
    });
    response.writeHead(answer.status, { date: new Date().toUTCString() }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The front has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    current: () => [url, served()[0]].filter(Boolean).join("/"),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
