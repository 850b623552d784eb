import { describe, expect, it } from "vitest";
import { createAppCredentials } from "../../../../lib/chat/app-credentials.ts";

const secret = { appId: "app-1", region: "eu", apiKey: "key-1" };

function credentialsFrom(changed: Partial<typeof secret>) {
  return createAppCredentials({
    readSecret: async () => JSON.stringify({ ...secret, ...changed }),
    secretPrefix: "chat/prod",
    appId: "app-1",
    now: () => 0,
  });
}

describe("createAppCredentials, by the form of the secret's fields", () => {
  it.each(["us", "eu", "in"])("knows the region %s", async (region) => {
    expect(await credentialsFrom({ region }).get()).toEqual({ ...secret, region });
  });

  it.each(["EU", "eu ", "moon"])("refuses the region %j, and names those that there are", async (region) => {
    await expect(credentialsFrom({ region }).get()).rejects.toThrow(
      /^Secret chat\/prod\/app-1 names a region that the platform does not have: "region" must be one of us, eu, in/,
    );
  });

  it.each(["k", "k".repeat(200), "!~"])("takes the key %j", async (apiKey) => {
    expect((await credentialsFrom({ apiKey }).get()).apiKey).toBe(apiKey);
  });

  it.each(["k3y-1 k3y-2", " k3y-1", "k3y-1 ", "k3y-1\n", "k3y-é", "k3y-1".repeat(41)])(
    "refuses %j for a key",
    async (apiKey) => {
      const refused = credentialsFrom({ apiKey }).get();

      await expect(refused).rejects.toThrow('Secret chat/prod/app-1 holds no key in "apiKey"');
      await expect(refused).rejects.not.toThrow("k3y-");
    },
  );
});
