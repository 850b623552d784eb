import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

/** As many as one deployment may well serve: two and a half times of what a function's variables would have room for. */
const appIds = Array.from({ length: 300 }, (_, index) => `2379ab41f5c8${String(index).padStart(4, "0")}`);
const keyOf = (appId: string) => appId.padEnd(40, "0");
const [withoutSecret = "", withOthersKey = "", ...sound] = appIds;
const last = sound.at(-1) ?? "";
const webhookPassword = "a-password-of-the-webhooks";

describe(`a deployment for ${appIds.length} apps`, () => {
  const folder = copyProject({ "config/apps.yml": `local:\n${appIds.map((id) => `  - ${id}\n`).join("")}` });
  let platform: Platform;
  let cloud: Cloud;

  beforeAll(async () => {
    const apps = appIds.map((appId) => ({
      ...{ appId, region: "us" as const, name: appId },
      ...{ fullAccessKey: keyOf(appId), authOnlyKey: keyOf(appId).replace(/0$/, "1") },
    }));
    platform = await createPlatform({ seed: { management: { key: "a-key", secret: "a-secret" }, apps } });
    cloud = await startCloud({
      serviceFolder: folder,
      environment: { CHAT_BASE_URL_TEMPLATE: `${platform.url}/{appId}.{service}-{region}/v3` },
    });
    for (const appId of appIds.slice(1)) {
      const apiKey = keyOf(appId === withOthersKey ? last : appId);
      const webhook = { webhookUsername: "platform", webhookPassword };
      await cloud.putAppSecret({ appId, region: "us", apiKey, ...webhook });
    }
  });
  afterAll(async () => {
    await cloud?.close();
    await platform?.close();
    removeCopy(folder);
  });

  it("takes the webhooks of each, and of no other", async () => {
    const deliver = async (appId: string) => {
      const response = await fetch(`${cloud.httpUrl}/webhooks/${appId}`, {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`platform:${webhookPassword}`).toString("base64")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ trigger: "user_connection_status_changed", appId, data: {} }),
      });
      return response.status;
    };

    expect([await deliver(sound[0] ?? ""), await deliver(last)]).toEqual([200, 200]);
    expect([await deliver("local-app"), await deliver("2379ab41f5c8")]).toEqual([401, 401]);
  });

  it("seeds all of them within the function's time, and tells for which it failed", async () => {
    const { functionError, payload } = await cloud.invoke("seed", {});

    expect(functionError).toBeDefined();
    const [, result = "{}"] = /Result: (.*)$/s.exec(Object(payload).errorMessage) ?? [];
    const { apps } = JSON.parse(result) as {
      apps: { appId: string; error?: string; reasons?: { outcome: string }[] }[];
    };
    expect(apps.map(({ appId }) => appId)).toEqual(appIds);
    expect(apps.filter(({ error }) => error !== undefined).map(({ appId }) => appId)).toEqual([
      withoutSecret,
      withOthersKey,
    ]);
    const reasons = apps.flatMap((app) => app.reasons ?? []);
    expect(reasons).toHaveLength(sound.length * 5);
    expect(reasons.every(({ outcome }) => ["created", "updated", "unchanged"].includes(outcome))).toBe(true);
  });
});
