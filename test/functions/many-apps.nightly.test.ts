import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { basic, postPatiently } from "../helpers/deliver.ts";
import { addressesOfChat, copyProject, removeCopy } from "../helpers/project-copy.ts";

/** Enough for eight of them side by side; three hundred work, too. */
const appIds = Array.from({ length: 12 }, (_, index) => `2379ab41f5c8${String(index).padStart(4, "0")}`);
const keyOf = (appId: string) => appId.padEnd(40, "0");
const [withoutSecret = "", withOthersKey = "", ...sound] = appIds;
const last = sound.at(-1) ?? "";
const webhookPassword = "a-password-of-the-webhooks";

describe(`a deployment for ${appIds.length} apps`, () => {
  const folder = copyProject({
    "config/apps.yml": `local:\n${appIds.map((id) => `  - ${id}\n`).join("")}`,
    "config/stages.yml": "local: { drift: report, management: true }\ndev:\nprod:\n",
    "config/app/moderation-reasons.yml": "reasons: [{ id: spam, name: Spam! }]\n",
    "config/app/webhooks.yml": "webhooks: [{ id: functions, triggers: [message_edited] }]\n",
    "config/users.yml": "users:\n  - uid: support\n    name: Support\n",
  });
  let platform: Platform;
  let cloud: Cloud;
  const lines: string[] = [];

  beforeAll(async () => {
    const apps = appIds.map((appId) => ({
      appId,
      region: "us" as const,
      name: appId,
      fullAccessKey: keyOf(appId),
      authOnlyKey: keyOf(appId).replace(/0$/, "1"),
    }));
    platform = await createPlatform({ seed: { management: { key: "a-key", secret: "a-secret" }, apps } });
    cloud = await startCloud({
      serviceFolder: folder,
      environment: addressesOfChat(platform),
      log: (line) => lines.push(line),
    });
    await cloud.putSecret(`${cloud.outputs.SecretPrefix}/management`, { key: "a-key", secret: "a-secret" });
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

  it("accepts the webhooks of each, and of no other app", async () => {
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

  it("reconciles all of them within the function's timeout, and reports the failed ones", async () => {
    const { payload } = await cloud.invoke("reconcile", { since: Date.now() / 1000 - 3_600 });

    const { apps }: { apps: readonly AppResult[] } = Object(payload);
    expect(apps.map(({ appId }) => appId)).toEqual(appIds);
    const failed = apps.filter(({ error }) => error !== undefined);
    expect(failed.map(({ appId }) => appId)).toEqual([withoutSecret, withOthersKey]);
  });

  it("runs seedUsers for all of them, and its error names the failed ones, without the others' results", async () => {
    const { payload } = await cloud.invoke("seedUsers", {});

    const [said = "", named = ""] =
      /^The work failed for 2 of 12 apps: (.*)$/s.exec(Object(payload).errorMessage) ?? [];
    expect(named.startsWith(`${withoutSecret} (`)).toBe(true);
    expect(named).toContain(`, ${withOthersKey} (`);
    expect(appIds.filter((appId) => said.includes(appId))).toEqual([withoutSecret, withOthersKey]);
  });

  it("seeds all of them, reports the failed ones, and only counts differences in a stage with a report", async () => {
    const { payload } = await cloud.invoke("seed", {});

    const said: string = Object(payload).errorMessage;
    expect(said).toContain(`${withoutSecret}: its secret is missing. ${withOthersKey}: `);
    expect(appIds.filter((appId) => said.includes(appId))).toEqual([withoutSecret, withOthersKey]);
    const drifts = lines.filter((line) => line.includes('"AppDrift":2'));
    expect(drifts).toHaveLength(sound.length);
    expect(drifts[0]).toContain('"repaired":"false"');
    const reason = await fetch(`${platform.appUrl(last)}/moderation/reasons/spam`, {
      headers: { apikey: keyOf(last) },
    });
    expect(await reason.text()).not.toContain("Spam!");
  });
});

interface AppResult {
  readonly appId: string;
  readonly error?: string;
}
