import { DeleteSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWorld, type World } from "../../local/stack/world.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const files = {
  "config/stages.yml": "local: { drift: report, management: true }\ndev:\nprod:\n",
  "config/app/moderation-reasons.yml": "reasons: [{ id: spam, name: Spam! }]\n",
  "config/app/webhooks.yml": "webhooks: [{ id: functions, triggers: [message_edited] }]\n",
};

describe("the seeding job of a stage that wants to be told, and lets it read management credentials", () => {
  let folder: string;
  let world: World;
  const lines: string[] = [];

  beforeAll(async () => {
    folder = copyProject(files);
    world = await startWorld({ cloud: { serviceFolder: folder }, log: (line) => void lines.push(line) });
  });
  afterAll(async () => {
    await world?.close();
    removeCopy(folder);
  });
  beforeEach(() => {
    lines.length = 0;
  });

  it("tells what is not as declared, webhooks included, counts it and changes nothing", async () => {
    const before = await requestsThatChange();

    const { payload } = await world.cloud.invoke("seed", {});

    expect(payload).toEqual({
      dryRun: true,
      apps: [
        {
          appId: "local-app",
          things: [
            { kind: "moderation reason", id: "spam", outcome: "updated" },
            { kind: "webhook", id: "functions", outcome: "updated" },
          ],
          unseen: [],
          drift: 2,
        },
      ],
    });
    expect(lines.find((line) => line.includes('"AppDrift":2'))).toContain('"repaired":"false"');
    expect(await requestsThatChange()).toBe(before);
  });

  it("says what it did not see where there are no management credentials", async () => {
    const secrets = new SecretsManagerClient({
      region: world.cloud.region,
      endpoint: world.cloud.endpoints.secretsManager,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    });
    const SecretId = `${world.cloud.outputs.SecretPrefix}/management`;
    await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));

    const { payload } = await world.cloud.invoke("seed", {});

    expect(payload).toMatchObject({ apps: [{ unseen: ["webhook"], drift: 1 }] });
  });

  async function requestsThatChange(): Promise<number> {
    const response = await fetch(`${world.platform.appUrl("local-app")}/moderation/reasons/spam`, {
      headers: { apikey: world.app.fullAccessKey },
    });
    const { data } = (await response.json()) as { data: { updatedAt: number } };
    return data.updatedAt;
  }
});
