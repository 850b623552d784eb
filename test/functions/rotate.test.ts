import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AwsCaller, createAwsCaller } from "../../lib/aws/aws-call.ts";
import { createSecretVersions } from "../../lib/operate/rotation/secret-versions.ts";
import { listApiKeys } from "../../local/platform/store/apps.ts";
import { ownProject } from "../helpers/own-project.ts";
import { type DeployedCopy, deployCopy } from "../helpers/project-copy.ts";
import { createProjectFolder, createRunChat, type RunChat } from "../helpers/run-chat.ts";

describe("rotate, the deployed bundle", () => {
  let copy: DeployedCopy;
  let callAws: AwsCaller;
  let secretId: string;
  let project: ReturnType<typeof createProjectFolder>;
  let chat: RunChat;

  beforeAll(async () => {
    const folder = await ownProject();
    copy = await deployCopy(folder);
    secretId = `${copy.cloud.outputs.SecretPrefix}/${copy.app.appId}`;
    project = createProjectFolder();
    cpSync(join(folder, "config"), join(project.folder, "config"), { recursive: true });
    chat = createRunChat(project.folder, copy.cloud);
    callAws = createAwsCaller({
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_SECRETS_MANAGER: copy.cloud.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER,
    });
  });
  afterAll(async () => {
    await copy?.close();
    project?.remove();
  });

  const call = (operation: string, input: object = {}) =>
    callAws({
      service: "secretsmanager",
      target: `secretsmanager.${operation}`,
      input: { SecretId: secretId, ...input },
    });
  const read = () => createSecretVersions(callAws, secretId).read();
  const keys = () =>
    listApiKeys({ db: copy.platform.services.db, appId: copy.app.appId }).map(({ apiKey }) => apiKey);

  it("is turned on by the command, and rotates nothing by that", async () => {
    const planned = await chat(["rotate", "schedule", "--local", "--dry-run", "--json"]);
    const turnedOn = await chat(["rotate", "schedule", "--local", "--yes"]);
    const again = await chat(["rotate", "schedule", "--local", "--yes", "--json"]);
    await settled();

    expect(planned.json).toEqual([
      {
        apps: [
          { app: "local-app", secret: `${secretId}/webhook`, does: "leave" },
          { app: "local-app", secret: secretId, does: "turn on", everyDays: 30 },
        ],
        isDone: false,
      },
    ]);
    expect(turnedOn.stdout).toContain(`${secretId}: rotates from now on, every 30 days\nDone.\n`);
    expect(again.json).toMatchObject([{ apps: [{ does: "leave" }, { does: "leave" }], isDone: false }]);
    expect(await call("DescribeSecret")).toMatchObject({
      RotationEnabled: true,
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
    expect((await read()).current.fields.apiKey).toBe(copy.app.fullAccessKey);
  });

  it("replaces the key in Secrets Manager's four steps, and ends the old one by its schedule", async () => {
    await call("RotateSecret", { ClientRequestToken: crypto.randomUUID() });
    await settled();
    const rotated = (await read()).current.fields;

    const kept = await copy.cloud.invoke("rotate", {});
    const { current } = await read();
    await call("PutSecretValue", {
      ClientRequestToken: crypto.randomUUID(),
      SecretString: JSON.stringify({ ...current.fields, replacedApiKeyUntil: "2026-01-01T00:00:00.000Z" }),
    });
    // Which nobody needs who tells the platform no password.
    await copy.cloud.putSecret(`${copy.cloud.outputs.SecretPrefix}/management`, { key: "" });
    copy.cloud.kill("rotate");
    const ended = await copy.cloud.invoke("rotate", {});

    expect(rotated.apiKey).not.toBe(copy.app.fullAccessKey);
    expect(kept.payload).toEqual({ apps: 1, failed: 0 });
    expect(current.fields).toMatchObject({ apiKey: rotated.apiKey, replacedApiKey: copy.app.fullAccessKey });
    expect(ended.payload).toEqual({ apps: 1, failed: 0 });
    expect((await read()).current.fields).not.toHaveProperty("replacedApiKey");
    expect(keys()).toContain(rotated.apiKey);
    expect(keys()).not.toContain(copy.app.fullAccessKey);
  });

  it("ends an overlap although the app's other rotation is stuck, and names the remedy of that", async () => {
    const { current } = await read();
    const replaced = { replacedApiKey: "0".repeat(40), replacedApiKeyUntil: "2026-01-01T00:00:00.000Z" };
    const secretString = JSON.stringify({ ...current.fields, ...replaced });
    await call("PutSecretValue", { ClientRequestToken: crypto.randomUUID(), SecretString: secretString });
    const webhook = createSecretVersions(callAws, `${secretId}/webhook`);
    const stuck = crypto.randomUUID();
    await webhook.fill(stuck, {});

    const { payload } = await copy.cloud.invoke("rotate", {});

    expect(payload).toEqual({ apps: 1, failed: 1 });
    expect((await read()).current.fields).not.toHaveProperty("replacedApiKey");
    expect(copy.lines.join("\n")).toMatch(
      /could not end what a rotation replaced.*"hint":"Make it the current/,
    );
    await webhook.move("AWSPENDING", { from: stuck });
  });

  it("says what is in the way, counts it, and shows no secret", async () => {
    const { payload, functionError } = await copy.cloud.invoke("rotate", {
      Step: "createSecret",
      SecretId: "arn:aws:secretsmanager:us-east-1:0:secret:somebody/else-abcdef",
      ClientRequestToken: crypto.randomUUID(),
    });

    expect(functionError).toBe("Unhandled");
    expect(payload).toMatchObject({ errorType: "RotationError" });
    const log = copy.lines.join("\n");
    const { apiKey } = (await read()).current.fields;
    for (const secret of [copy.app.fullAccessKey, apiKey, "the-webhook-password"]) {
      expect(log).not.toContain(String(secret));
    }
    expect(log).toContain("took a step of a rotation");
  });

  it("is turned off where the configuration names nothing", async () => {
    writeFileSync(join(project.folder, "config/rotation.yml"), "rotate:\n");
    const { stdout } = await chat(["rotate", "schedule", "--local", "--yes"]);

    expect(stdout).toContain(`${secretId}: rotates no longer\nDone.\n`);
    expect(await call("DescribeSecret")).not.toHaveProperty("RotationEnabled");
  });

  it("says which calls a scheduled rotation of the webhook's password would refuse", async () => {
    writeFileSync(join(project.folder, "config/rotation.yml"), "rotate: [webhook-password]\n");
    const { stderr } = await chat(["rotate", "schedule", "--local", "--dry-run"]);

    expect(stderr).toContain(
      "if the platform calls for moderation, extension, notification, legacy, it uses",
    );
  });

  /** Resolves when no rotation is under way. */
  async function settled() {
    for (;;) {
      const { current, pending } = await read();
      if (pending === undefined || pending.id === current.id) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});
