import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createServedApps, startFetchingSecrets } from "../../../lib/receive/served-apps.ts";
import { verifySender } from "../../../lib/receive/verify-sender.ts";

/** Serves this many apps with fixed credentials. */
function serve(apps: number, onCall: () => void = () => {}) {
  return createServedApps({
    callAws: async () => {
      onCall();
      return { SecretString: JSON.stringify({ webhookUsername: "u", webhookPassword: "p" }) };
    },
    secretPrefix: "chat/prod",
    appIds: Array.from({ length: apps }, (_, index) => `app-${index}`),
    now: () => 0,
  });
}

/** Starts a function for this many apps; returns the number of secrets requested before the first request. */
async function startServing(apps: number) {
  let asked = 0;
  const served = serve(apps, () => {
    asked += 1;
  });
  startFetchingSecrets(served, () => 0);
  await setImmediate();
  return asked;
}

describe("startFetchingSecrets", () => {
  it("fetches the credentials of a few apps before the first request", async () => {
    expect(await startServing(10)).toBe(10);
  });

  it("leaves those of many apps to their first requests", async () => {
    expect(await startServing(11)).toBe(0);
  });
});

describe("createServedApps", () => {
  it("reads as few secrets for unknown apps as for wrong credentials of served ones", async () => {
    let reads = 0;
    const served = serve(20, () => {
      reads += 1;
    });
    const ask = (appId: string) =>
      verifySender({ headers: {}, pathParameters: { appId }, body: Buffer.alloc(0) }, served);

    await ask("unknown");
    expect(reads).toBe(3); // as for a served app: the current, pending and previous version
    for (let index = 0; index < 1_000; index += 1) await ask(`unknown-${index}`);
    expect(reads).toBe(20 * 3);
  });

  it("returns the same credentials of each served app each time, and of no other app", () => {
    const served = serve(500);

    expect(served.size).toBe(500);
    expect([served.has("app-499"), served.has("app-500"), served.has("toString")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(served.get("app-499")).toBeDefined();
    expect(served.get("app-499")).toBe(served.get("app-499"));
    expect(served.get("app-500")).toBeUndefined();
    expect([...served.keys()]).toHaveLength(500);
  });
});
