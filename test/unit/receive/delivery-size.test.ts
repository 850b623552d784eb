import { expect, it } from "vitest";
import { digestCredentials } from "../../../lib/base/http/basic-auth.ts";
import { receiveWebhook } from "../../../lib/receive/receive-webhook.ts";
import { basic } from "../../helpers/deliver.ts";

const digest = digestCredentials({ username: "w", password: "w" });
const accepted = { senders: [{ digest, families: ["webhook"] }], signingKeys: [] } as const;

/** Delivers as many bytes to a receiver whose quarantine takes everything. */
async function statusOf(bytes: number): Promise<number> {
  const ignore = () => undefined;
  const { status } = await receiveWebhook(
    {
      headers: { authorization: basic("w", "w") },
      pathParameters: { appId: "app-1" },
      body: Buffer.alloc(bytes),
    },
    {
      apps: new Map([["app-1", { get: async () => accepted, refresh: async () => accepted }]]),
      enqueue: async () => undefined,
      quarantine: async () => undefined,
      notice: ignore,
      hint: ignore,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      count: ignore,
      now: () => 0,
    },
  );
  return status;
}

it("takes a delivery of exactly 1 MiB and refuses one that has a byte more", async () => {
  expect(await statusOf(1_048_576)).toBe(200);
  expect(await statusOf(1_048_577)).toBe(413);
});
