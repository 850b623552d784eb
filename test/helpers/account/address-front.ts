import { buffer } from "node:stream/consumers";
import { startLocalServer } from "../../../local/cloud/local-server.ts";
import type { Account } from "./account.ts";

/** The HTTP API of a deployed stack, in front of a local cloud with plain paths. */
export interface AddressFront {
  readonly url: string;
  /** With the stack's current address. */
  readonly current: () => string;
  close(): Promise<void>;
}

/** Forwards requests to addresses in the stack's template; answers 404 for the rest. */
export async function startAddressFront(
  stackName: string,
  ground: { readonly account: () => Account; readonly target: () => string },
): Promise<AddressFront> {
  const served = () => {
    const { Addresses } = ground.account().stacks.find(stackName)?.template.Outputs ?? {};
    return String(Addresses?.Value ?? "").split(",");
  };
  const { url, close } = await startLocalServer(async (request, response) => {
    const body = await buffer(request);
    const [, literal = "", path = ""] = request.url?.match(/^(?:\/([a-z0-9]{24}))?(\/.*)$/) ?? [];
    if (!served().includes(literal)) {
      response.writeHead(404).end('{"message":"Not Found"}');
      return;
    }
    const { authorization = "", "content-type": type = "application/json" } = request.headers;
    const answer = await fetch(ground.target() + path, {
      method: request.method ?? "GET",
      headers: { authorization, "content-type": type },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    response.writeHead(answer.status, { date: new Date().toUTCString() }).end(await answer.text());
  });
  return { url, close, current: () => [url, served()[0]].filter(Boolean).join("/") };
}
