import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createAudit } from "../../../cli/audit.ts";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";

it.each([
  [undefined, undefined, [400]],
  ["arn:aws:kms:eu-central-1:1:key/k", 30, [400, 30]],
])(
  "makes the trail with the stage's key and time, and writes no secret there: %s, %s",
  async (kmsKey, auditDays, kept) => {
    const received: unknown[] = [];
    const server = createServer(async (request, response) => {
      received.push(JSON.parse(await text(request)));
      const isThere = received.length > 1;
      response.writeHead(isThere ? 200 : 400).end(isThere ? "{}" : '{"__type":"ResourceNotFoundException"}');
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port }: Partial<AddressInfo> = Object(server.address());
    const edges = { now: () => 0, token: () => "id" };
    const audit = createAudit(
      {
        ...{ stackName: "chat-prod", identity: "me", kmsKey, auditDays },
        client: (ClientClass) =>
          new ClientClass({
            ...{ region: "eu-central-1", endpoint: `http://127.0.0.1:${port}`, maxAttempts: 1 },
            credentials: async () => ({ accessKeyId: "a", secretAccessKey: "b" }),
          }),
      },
      { name: "pause", typed: { reason: "the key is Tr0ub4dor&3" } },
      edges,
    );

    rememberSecret("Tr0ub4dor&3");
    await audit.begin();
    server.close();

    const group = { logGroupName: "/cometchat-functions/chat-prod/audit" };
    expect(received).toContainEqual({ ...group, ...(kmsKey !== undefined && { kmsKeyId: kmsKey }) });
    expect(received.flatMap((input) => Object(input).retentionInDays ?? [])).toEqual(kept);
    expect(JSON.stringify(received)).toMatch(/the key is \[redacted\]/);
  },
);
