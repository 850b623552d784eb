import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { basic, postPatiently } from "../helpers/deliver.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

/** Enough for eight of them side by side; three hundred take three times as long, and go well, too. */
const appIds = Array.from({ length: 100 }, (_, index) => `2379ab41f5c8${String(index).padStart(4, "0")}`);
const keyOf = (appId: string) => appId.padEnd(40, "0");
const [withoutSecret = "", withOthersKey = "", ...sound] = appIds;
const last = sound.at(-1) ?? "";
const webhookPassword = "a-password-of-the-webhooks";

describe(`a deployment for ${appIds.length} apps`, () => {
  const folder = copyProject({
    "config/apps.yml": `local:\n${appIds.map((id) => `  - ${id}\n`).join("")}`,
    "config/users.yml": "users:\n  - uid: support\n    name: Support\n",
  });
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
      const authorization = basic("platform", webhookPassword);
      const response = await postPatiently(() =>
        fetch(`${cloud.httpUrl}/webhooks/${appId}`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify({ trigger: "user_connection_status_changed", appId, data: {} }),
        }),
      );
      return response.status;
    };

    expect([await deliver(sound[0] ?? ""), await deliver(last)]).toEqual([200, 200]);
    expect([await deliver("local-app"), await deliver("2379ab41f5c8")]).toEqual([401, 401]);
  });

  it.each([
    ["seed", {}],
    ["seedUsers", {}],
    ["reconcile", { since: Date.now() / 1000 - 3_600 }],
  ])(
    "does %s for all of them within the function's time, and tells for which it failed",
    async (key, event) => {
      const { functionError, payload } = await cloud.invoke(key, event);

      expect(functionError).toBeDefined();
      const [told = "[]"] = /\[\{.*\]/s.exec(Object(payload).errorMessage) ?? [];
      const apps: { readonly appId: string; readonly error?: string }[] = JSON.parse(told);
      expect(apps.map(({ appId }) => appId)).toEqual(appIds);
      const failed = apps.filter(({ error }) => error !== undefined);
      expect(failed.map(({ appId }) => appId)).toEqual([withoutSecret, withOthersKey]);
    },
  );
});
