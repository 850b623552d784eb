import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import type { Stage } from "../../../build/stages.ts";
import { createAudit } from "../../../cli/audit.ts";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";
import { clientTo } from "../../helpers/client-to.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

/** A trail in a log group that `answer` emulates. */
async function openTrail(answer: (input: unknown, response: ServerResponse) => void, settings: Stage = {}) {
  const { url } = await startLoopbackServer((request, response) =>
    answer(JSON.parse(request.body), response),
  );
  return createAudit(
    {
      stackName: "chat-prod",
      identity: "me",
      settings,
      client: clientTo(url),
    },
    { name: "pause", typed: { reason: "the key is Tr0ub4dor&3" } },
    { now: () => 0, token: () => "id" },
  );
}

it("fails if a line is rejected, for example if the clock is ahead", async () => {
  const audit = await openTrail((_input, response) =>
    response.end('{"rejectedLogEventsInfo":{"tooNewLogEventStartIndex":0}}'),
  );

  await expect(audit.begin()).rejects.toThrow(
    "CloudWatch Logs did not take the line (tooNewLogEventStartIndex)",
  );
});

it.each<[Stage, number[]]>([
  [{}, [400]],
  [{ kmsKey: "arn:aws:kms:eu-central-1:1:key/k", retention: { auditDays: 30 } }, [400, 30]],
])(
  "creates the trail with the stage's key and retention, and writes no secret: %j",
  async (settings, kept) => {
    const received: unknown[] = [];
    const audit = await openTrail((input, response) => {
      received.push(input);
      const isThere = received.length > 1;
      response.writeHead(isThere ? 200 : 400).end(isThere ? "{}" : '{"__type":"ResourceNotFoundException"}');
    }, settings);

    rememberSecret("Tr0ub4dor&3");
    await audit.begin();

    const group = { logGroupName: "/cometchat-functions/chat-prod/audit" };
    expect(received).toContainEqual({
      ...group,
      ...(settings.kmsKey !== undefined && { kmsKeyId: settings.kmsKey }),
    });
    expect(received.flatMap((input) => Object(input).retentionInDays ?? [])).toEqual(kept);
    expect(JSON.stringify(received)).toMatch(/the key is \[redacted\]/);
  },
);
