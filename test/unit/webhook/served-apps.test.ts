import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createServedApps, startFetchingSecrets } from "../../../lib/webhook/served-apps.ts";

/** Starts a function that serves so many apps; gives how many secrets it has asked for before any request. */
async function startServing(apps: number): Promise<number> {
  let asked = 0;
  const served = createServedApps({
    callAws: async () => {
      asked += 1;
      return { SecretString: JSON.stringify({ webhookUsername: "u", webhookPassword: "p" }) };
    },
    secretPrefix: "chat/prod",
    appIds: Array.from({ length: apps }, (_, index) => `app-${index}`),
    now: () => 0,
  });
  startFetchingSecrets(served, () => 0);
  await setImmediate();
  return asked;
}

describe("startFetchingSecrets", () => {
  it("fetches the credentials of a few apps before the first request", async () => {
    expect(await startServing(10)).toBe(10);
  });

  it("leaves those of many apps to the requests that need them", async () => {
    expect(await startServing(11)).toBe(0);
  });
});
