import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { createSecretVersions } from "../../lib/operate/rotation/secret-versions.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { deleteApiKey, listApiKeys, putApiKey } from "../../local/platform/store/apps.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { putWebhook } from "../../local/stack/put-webhook.ts";
import { callApp } from "../helpers/call-app.ts";
import { callerOf, callSecrets, forgetSecret, secretNow, secretOf } from "../helpers/cloud-data.ts";
import {
  createProjectFolder,
  createRunChat,
  expectEnd,
  type RunChat,
  type RunChatOptions,
} from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const project = useChat();
const file = (name: string) => join(project.folder, name);
const declare = (name: string, text: string) => writeFileSync(file(`config/app/${name}.yml`), text);

describe("an app in config/ and its secrets", () => {
  let shop: { readonly appId: string; readonly key: string; readonly weakKey: string };
  beforeAll(async () => {
    shop = await createApp("Shop");
  });

  /** Each test changes its own config/. */
  let project: ReturnType<typeof createProjectFolder>;
  let chat: RunChat;
  beforeEach(() => {
    project = createProjectFolder();
    chat = createRunChat(project.folder, world.cloud, world.clock);
  });
  afterEach(async () => {
    project.remove();
    await forgetSecret(world.cloud, secretId());
    await forgetSecret(world.cloud, webhookSecretId());
  });

  const secretId = () => `cometchat-functions/local/${shop.appId}`;
  const webhookSecretId = () => `${secretId()}/webhook`;
  const appsFile = () => readFileSync(join(project.folder, "config/apps.yml"), "utf8");
  const add = (...more: string[]) =>
    chat(["setup --app", shop.appId, "--local", "--app-region", "us", "--api-key-stdin", "--yes", ...more], {
      stdin: `${shop.key}\n`,
    });

  describe("setup --app", () => {
    it.each(["", "--dry-run"])("names the seed file if the platform lacks the app: %j", async (more) => {
      expectEnd(
        await chat(`setup --app shop-two --local ${more}`),
        6,
        "The platform has no app shop-two.",
        "Add { appId: shop-two } to the apps of seed.yml (docs/testing.md), end the stack, then: npm start -- --data <folder> --seed seed.yml",
      );
    });

    it("prints the seed option in each remedy of the doctor if the platform lacks a listed app", async () => {
      writeFileSync(
        join(project.folder, "config/apps.yml"),
        appsFile().replace("  - local-app", "  - local-app\n  - shop-two"),
      );

      const { json } = await chat("doctor --local --app shop-two --json");

      const says = JSON.stringify(json);
      expect(says).toContain("The app has no secret.");
      expect(says).toContain("--seed seed.yml");
      expect(says).not.toContain("setup --app shop-two");
    });

    it("creates the app's secret with a new password, lists the app, and changes no other app", async () => {
      const other = `cometchat-functions/local/${world.app.appId}`;
      const before = { secret: await describeSecret(other), list: appsFile() };

      const ran = await add();

      expectEnd(ran, 7, "npm start -- --data <folder>");
      expect(appsFile()).toBe(before.list.replace("  - local-app\n", `  - local-app\n  - ${shop.appId}\n`));
      expect(await describeSecret(other)).toEqual(before.secret);
      expect(await secretNow(world.cloud, secretId())).toEqual({
        appId: shop.appId,
        region: "us",
        apiKey: shop.key,
      });
      const webhook = await secretNow(world.cloud, webhookSecretId());
      expect(webhook).toEqual({
        appId: shop.appId,
        webhookUsername: "platform",
        webhookPassword: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
      });
      expect(ran.stdout).toBe("");
      for (const secret of [shop.key, String(webhook.webhookPassword)])
        expect(ran.stderr).not.toContain(secret);
    });

    it.each([
      ["no region", "--api-key-stdin", "Add --app-region us, eu or in."],
      ["no key", "--app-region us", "Add --api-key-stdin, and write the key to standard input."],
      ["a region that there is not", "--app-region usa --api-key-stdin", 'no region "usa"'],
    ])("names the missing or invalid option for %s", async (_case, options, message) => {
      expectEnd(await chat(`setup --app ${shop.appId} --local --yes ${options}`), 2, message);
      expect(await stateOf(secretId())).toBe("not there");
    });

    it.each(["management", "../x"])("refuses %j as the id of an app", async (appId) => {
      expectEnd(await chat(["setup --local", `--app=${appId}`]), 2, `"${appId}" cannot be an app`);
    });

    it("distinguishes a key's wrong scope, app and region, and changes nothing", async () => {
      const tell = async (key: string, region: string) => {
        const { exitCode, json } = await chat(
          [
            "setup --app",
            shop.appId,
            "--local",
            "--app-region",
            region,
            "--api-key-stdin",
            "--json",
            "--yes",
          ],
          { stdin: key },
        );
        return [exitCode, ...json.map((one) => Object(one).error.code)];
      };

      expect(await tell(shop.weakKey, "us")).toEqual([4, "KEY_TOO_WEAK"]);
      expect(await tell(world.app.fullAccessKey, "us")).toEqual([4, "KEY_REFUSED"]);
      expect(await tell(shop.key, "eu")).toEqual([2, "NO_SUCH_APP"]);
      expect(await stateOf(secretId())).toBe("not there");
      expect(appsFile()).not.toContain(shop.appId);
    });

    it("refuses to put another key into a complete secret, and names rotate", async () => {
      await world.cloud.putSecret(secretId(), {
        appId: shop.appId,
        region: "us",
        apiKey: "another-key-of-this-app",
        webhookUsername: "platform",
        webhookPassword: "a-password",
      });

      expectEnd(await add(), 3, `rotate --local api-key --app ${shop.appId}`);
      expect(await secretNow(world.cloud, secretId())).toMatchObject({ apiKey: "another-key-of-this-app" });
    });

    it("prints the list to write by hand if config/apps.yml has a form that it cannot edit", async () => {
      writeFileSync(join(project.folder, "config/apps.yml"), "local: &all\n  - local-app\nprod: *all\n");

      expectEnd(await add(), 3, `Edit the file: the stage local must list local-app, ${shop.appId}`);
      expect(appsFile()).toBe("local: &all\n  - local-app\nprod: *all\n");
    });
  });

  describe("status", () => {
    it("names an app that is not served and an incomplete secret, with the commands that fix them", async () => {
      const well = await chat("status --local");
      await add();
      await world.cloud.putSecret("cometchat-functions/local/local-app/webhook", { appId: "local-app" });

      const { exitCode, stdout } = await chat("status --local");

      expect([well.exitCode, well.stdout]).toEqual([
        0,
        expect.stringContaining("✓ nothing that is looked at needs attention"),
      ]);
      expect(exitCode).toBe(1);
      expect(stdout).toContain(
        `config/ names apps that are not deployed: ${shop.appId}.  → End the running npm start, then: npm start`,
      );
      expect(stdout).toMatch(
        /App local-app: The app's secret is not complete.*setup --app local-app --local/,
      );
    });
  });

  describe("remove --app", () => {
    it("removes the app from the list and its secret recoverably; adding the app again restores both", async () => {
      await add();
      const now = async () => [
        await secretNow(world.cloud, secretId()),
        await secretNow(world.cloud, webhookSecretId()),
      ];
      const before = await now();

      const removed = await chat(`remove --app ${shop.appId} --local --yes --recovery-days 7 --json`);
      const states = [await stateOf(secretId()), await stateOf(webhookSecretId())];
      const again = await add();

      expect(removed.exitCode).toBe(0);
      expect(removed.json).toMatchObject([{ list: "removed", secret: { outcome: "removed" } }]);
      expect(Date.parse(Object(removed.json[0]).secret.recoverableUntil) - Date.now()).toBeGreaterThan(
        6.9 * 86_400_000,
      );
      expect(states).toEqual(["being deleted", "being deleted"]);
      expect(again.stderr).toContain("restored");
      expect(await now()).toEqual(before);
    });

    it("keeps the secret while deployed functions serve the app, and prints the next command", async () => {
      expectEnd(
        await chat("remove --app local-app --local --yes"),
        7,
        "kept while it is served",
        "then remove the secret: npx cometchat-functions remove --app local-app --local",
      );
      expect(appsFile()).not.toMatch(/^ +- local-app/m);
      expect(await stateOf("cometchat-functions/local/local-app")).toBe("there");
    });

    it("refuses while the app has files of its own, which nothing would read", async () => {
      await add();
      mkdirSync(join(project.folder, "config/apps", shop.appId), { recursive: true });
      writeFileSync(join(project.folder, "config/apps", shop.appId, "replies.yml"), "maxAge: 1h\n");

      const refusal = `Delete config/apps/${shop.appId}/ first (replies.yml)`;
      expectEnd(await chat(`remove --app ${shop.appId} --local --dry-run`), 3, refusal);
      expectEnd(await chat(`remove --app ${shop.appId} --local --yes`), 3, refusal);
      expect(appsFile()).toContain(shop.appId);
    });

    it("needs confirmation, refuses an unknown app, and keeps the secret with --keep-secret", async () => {
      await add();

      const unasked = await chat(`remove --app ${shop.appId} --local`);
      const unknown = await chat("remove --app unknown-app --local --yes");
      const unlisted = await chat(`remove --app ${shop.appId} --local --yes --keep-secret`);

      expect([unasked, unknown, unlisted].map(({ exitCode }) => exitCode)).toEqual([3, 6, 0]);
      expect(await stateOf(secretId())).toBe("there");
    });
  });

  describe("without rights or network,", () => {
    it("setup changes nothing if Secrets Manager refuses", async () => {
      const refusing = await startLocalServer((_, response) => {
        response.writeHead(403).end('{"__type":"AccessDeniedException","Message":"No."}');
      });
      const before = appsFile();

      const ran = await addToStage({ AWS_ENDPOINT_URL_SECRETS_MANAGER: refusing.url });
      await refusing.close();

      expectEnd(ran, 4, "Check which credentials this shell has");
      expect(appsFile()).toBe(before);
    });

    it("setup changes nothing if the platform does not answer", async () => {
      const before = appsFile();

      expectEnd(await addToStage({ CHAT_BASE_URL_TEMPLATE: "http://127.0.0.1:1" }), 5);
      expect(await stateOf(`cometchat-functions/prod/${shop.appId}`)).toBe("not there");
      expect(appsFile()).toBe(before);
    });
  });

  /** The variables of a shell whose AWS is the local one, where only the stage local is deployed. */
  function ofStage(): Readonly<Record<string, string>> {
    const { AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL_CLOUDFORMATION, AWS_ENDPOINT_URL_SECRETS_MANAGER } =
      world.cloud.endpoints;
    return {
      AWS_ACCESS_KEY_ID: "somebody",
      AWS_SECRET_ACCESS_KEY: "of-a-test",
      AWS_ENDPOINT_URL_STS,
      AWS_ENDPOINT_URL_CLOUDFORMATION,
      AWS_ENDPOINT_URL_SECRETS_MANAGER,
      CHAT_BASE_URL_TEMPLATE: `${world.platform.url}/{appId}.{service}-{region}/v3`,
    };
  }

  function addToStage(more: Readonly<Record<string, string>>) {
    const args = ["setup --stage prod --app-region us --api-key-stdin --yes --app", shop.appId];
    return chat(args, { stdin: shop.key, edges: { env: { ...ofStage(), ...more } } });
  }

  /** Creates another app on the emulated platform. */
  async function createApp(name: string): Promise<typeof shop> {
    const management = createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: world.platform.managementUrl,
    });
    const { id, apiKeys } = await management.apps.create({ name, region: "us" });
    const keys = Object.values(apiKeys ?? {}).map((key) => ({ scope: "", apiKey: "", ...Object(key) }));
    const keyOf = (wanted: string) => String(keys.find(({ scope }) => scope === wanted)?.apiKey);
    return { appId: id, key: keyOf("fullAccess"), weakKey: keyOf("authOnly") };
  }

  async function stateOf(id: string): Promise<string> {
    const facts = await describeSecret(id).catch(() => undefined);
    if (facts === undefined) return "not there";
    return Object(facts).DeletedDate === undefined ? "there" : "being deleted";
  }

  /** All that AWS shows of a secret, with its versions. */
  const describeSecret = (SecretId: string) => callSecrets(world.cloud, "DescribeSecret", { SecretId });
});

describe("rotate", () => {
  beforeEach(async () => {
    for (const name of ["", "/webhook"]) {
      await forgetSecret(world.cloud, `${world.cloud.outputs.SecretPrefix}/${world.app.appId}${name}`);
    }
    await world.cloud.putAppSecret(secretOf(world));
    world.cloud.kill("webhook"); // it may have looked for other credentials less than 5 s ago
    await world.reset();
    await warmReceiver(world);
  });

  const onApp = (words: string, options?: RunChatOptions) =>
    chat(`rotate ${words} --local --app ${world.app.appId}`, options);

  it("replaces key and password while deliveries continue, keeps the old key for an hour, and prints no secret", async () => {
    const key = await onApp("api-key --yes");
    const status = await onApp("finish --dry-run --json");
    const keys = await keysOf(world);
    const password = await onApp("webhook-password --yes --json");
    const delivered = await deliveryAfter(world);
    const finished = await onApp("finish --now --yes");

    expectEnd(key, 0, "Rotated for app local-app: the new one is in use.");
    expect(status.json).toMatchObject([{ overlaps: [{ thing: "api-key", isOver: false }] }]);
    expect(keys).toHaveLength(3);
    expectEnd(password, 0, "proven; switching over");
    expect(password.json).toEqual([
      {
        app: "local-app",
        things: ["webhook-password"],
        state: "overlapping",
        begun: true,
        until: expect.stringMatching(/Z$/),
      },
    ]);
    expect(delivered).toMatchObject({ status: 200 });
    expectEnd(finished, 0);
    const said = [key, password, finished].map(({ stdout, stderr }) => stdout + stderr).join("");
    const { fullAccessKey } = world.app;
    const secrets = [
      fullAccessKey,
      world.webhook.password,
      await currentKey(world),
      await currentPassword(world),
    ];
    for (const secret of secrets) expect(said).not.toContain(String(secret));
  });

  it("replaces the API key although the app has no webhook secret, and names the missing fields", async () => {
    const webhookSecret = `${world.cloud.outputs.SecretPrefix}/${world.app.appId}/webhook`;
    await forgetSecret(world.cloud, webhookSecret);

    expectEnd(await onApp("api-key --yes"), 0, "Rotated for app local-app: the new one is in use.");
    expectEnd(await onApp("webhook-password --yes"), 6, "There is no secret for the webhook's password");
  });

  it("needs no management credentials if the platform gets no password", async () => {
    const secretId = `${world.cloud.outputs.SecretPrefix}/management`;
    await world.cloud.putSecret(secretId, { key: "" });
    onTestFinished(() => world.cloud.putSecret(secretId, defaultSeed.management));

    const key = await onApp("api-key --yes");
    const status = await onApp("finish --dry-run");
    const finish = await onApp("finish --now --yes");

    expect([key.exitCode, status.exitCode, finish.exitCode]).toEqual([0, 0, 0]);
  });

  it("refuses a second rotation during the overlap, and ends the overlap with finish --now", async () => {
    await onApp("api-key --yes");

    const again = await onApp("api-key --yes --json");
    const rehearsed = await onApp("api-key --dry-run");
    const notYet = await onApp("finish --yes --json");
    const ended = await onApp("finish --now --yes --json");
    await onApp("api-key --yes");
    const endedInWords = await onApp("finish --now --yes");
    const status = await onApp("finish --dry-run --json");

    expect(again).toMatchObject({ exitCode: 3, json: [{ error: { code: "IN_OVERLAP" } }] });
    expectEnd(rehearsed, 3, "no other rotation begins before");
    expect(notYet.json).toMatchObject([{ state: "overlapping" }]);
    expect(ended.json).toMatchObject([{ state: "rotated" }]);
    expect(endedInWords.stdout).toBe("Finished the earlier rotation of app local-app.\n");
    expect(status.json).toMatchObject([{ overlaps: [] }]);
    expect(await keysOf(world)).toHaveLength(2);
    expect(await keysOf(world)).not.toContain(world.app.fullAccessKey);
  });

  it.each([["api-key"], ["webhook-password"]])(
    "describes what %s would do, and changes nothing",
    async (thing) => {
      const ran = await onApp(`${thing} --dry-run`);
      const status = await onApp("finish --dry-run --json");

      expectEnd(ran, 0, /1\. Create [\s\S]*4\. [\s\S]*Nothing was changed\./);
      expect(ran.stderr).toBe(`acts on the local stack (pid ${process.pid})\n`);
      expect(status.json).toMatchObject([{ overlaps: [] }]);
      expect(await keysOf(world)).toEqual([world.app.authOnlyKey, world.app.fullAccessKey].toSorted());
    },
  );

  it("changes nothing without confirmation", async () => {
    const { exitCode, stderr } = await onApp("api-key");
    const declined = await onApp("webhook-password", { answers: [false] });

    expect([exitCode, declined.exitCode]).toEqual([3, 3]);
    expect(stderr).toContain("other servers that use it stop working then");
    expect(await keysOf(world)).toHaveLength(2);
  });

  it("stops where the password must be entered in the dashboard, and continues afterwards", async () => {
    await forgetManagement(world);
    const before = await currentPassword(world);

    const stopped = await onApp("webhook-password --yes --json");
    const status = await onApp("finish --dry-run");
    const shown: string[] = [];
    const [typed = ""] = /(?<=npx cometchat-functions )setup .*$/m.exec(stopped.stderr) ?? [];
    await chat(typed, { edges: { stdout: { write: (text) => void shown.push(text), isTerminal: true } } });
    const [, password = ""] = /^pending {3}(\S+)$/m.exec(shown.join("")) ?? [];
    await putWebhook(world.platform, world.app.appId, {
      ...world.webhook,
      password,
      triggerIds: ["message_sent"],
    });
    const done = await onApp("webhook-password --continue --yes --json");

    expect(stopped).toMatchObject({ exitCode: 7, json: [{ error: { code: "NO_MANAGEMENT" } }] });
    expect(stopped.stderr).toContain(`at the webhook with the address ${world.webhook.url}`);
    expect(status.stdout).toContain(
      "Next: npx cometchat-functions rotate --local webhook-password --app local-app",
    );
    expect(shown.join("")).toContain(`password  ${before}\n`);
    expect(shown.join("")).toContain("rotate --local finish --dry-run --app local-app\n");
    expect(await currentPassword(world)).toBe(password);
    expect(done.json).toMatchObject([{ state: "overlapping", begun: false }]);
    expect(await deliveryAfter(world)).toMatchObject({ status: 200 });
  });

  it("ends the key's overlap although the password's rotation is stuck, and reports that", async () => {
    await onApp("api-key --yes");
    await versionsOf(world, "/webhook").fill(crypto.randomUUID(), {});

    const finished = await onApp("finish --now --yes --json");
    const status = await onApp("finish --dry-run --json");

    expectEnd(finished, 7, "Already ended: the old value of the API key.");
    expect(finished.json).toMatchObject([
      {
        error: {
          code: "UNKNOWN_PENDING",
          hint: expect.stringMatching(
            /remove its label AWSPENDING.*\nThen continue: npx cometchat-functions rotate --local finish --now --app local-app$/,
          ),
        },
      },
    ]);
    expectEnd(await onApp("finish --now --yes"), 3, "that no rotation made");
    expect(status.json).toMatchObject([
      { overlaps: [], trouble: expect.stringContaining("pending version") },
    ]);
  });

  it("describes what finish would do with each of its options, and withdraws a pending value", async () => {
    const lines = ["", "--now", "--wait", "--abandon"];
    const plansOf = async () => {
      const plans: unknown[] = [];
      for (const more of lines) {
        const { json } = await onApp(`finish --dry-run --json ${more}`);
        plans.push(json.flatMap((one) => Object(one).plan));
      }
      return plans;
    };

    const nothing = await plansOf();
    await onApp("api-key --yes");
    const inOverlap = await plansOf();
    await forgetManagement(world);
    await onApp("webhook-password --yes");
    const unsure = await onApp("finish --dry-run --abandon --json");
    const entered = await onApp("finish --dry-run --abandon --continue");
    const abandoned = await onApp("finish --abandon --continue --yes --json");

    const none = [
      "End nothing, but delete keys that no version of the secret has, once they are ten minutes old.",
    ];
    expect(nothing).toEqual([none, none, none, ["Withdraw nothing."]]);
    expect(inOverlap).toEqual([
      ["Nothing is ended yet: add --wait to wait until then, or --now to end it at once."],
      ["End now the old value of the API key."],
      [expect.stringMatching(/^Wait until 2\S+Z, and end the old value of the API key\.$/)],
      ["Withdraw nothing."],
    ]);
    expect(unsure).toMatchObject({ exitCode: 3, json: [{ error: { code: "NO_MANAGEMENT" } }] });
    expect(entered.stdout).toContain(
      "Without --dry-run: Withdraw the pending value of the webhook's password.",
    );
    expect(abandoned.json).toMatchObject([{ state: "abandoned", things: ["webhook-password"] }]);
  });

  it("reports what is stored and how to continue if the platform stops answering", async () => {
    const faults = `${world.platform.url}/_platform/faults`;
    onTestFinished(async () => void (await fetch(faults, { method: "DELETE" })));
    const sleep = async () => {
      const rules = [{ on: "request", fault: "serverError", status: 503 }];
      await fetch(faults, { method: "PUT", body: JSON.stringify({ seed: 1, rules }) });
    };

    const stopped = await onApp("webhook-password --yes", { edges: { sleep } });
    await fetch(faults, { method: "DELETE" });
    const done = await onApp("webhook-password --yes --json");

    expectEnd(
      stopped,
      7,
      /stored as pending, and the one in use stays[\s\S]*rotate --local webhook-password --app local-app/,
    );
    expect(done.json).toMatchObject([{ state: "overlapping", begun: false }]);
  });

  it("does not report as pending what is in use already if it stops between two steps", async () => {
    let versions = 0;
    const token = () => {
      versions += 1;
      if (versions === 4) throw new Error("no random numbers");
      return crypto.randomUUID();
    };

    const stopped = await onApp("api-key --yes", { edges: { token } });
    const done = await onApp("api-key --yes --json");

    expectEnd(stopped, 8, /keeping the old one[\s\S]*no random numbers/);
    expect(stopped.stderr).not.toContain("stored as pending, and");
    expect(done.json).toMatchObject([{ state: "overlapping", begun: false }]);
  });

  it("abandons a rotation of Secrets Manager that made no value, as the doctor prints", async () => {
    await forgetManagement(world);
    await callSecrets(world.cloud, "RotateSecret", {
      SecretId: `${world.cloud.outputs.SecretPrefix}/${world.app.appId}/webhook`,
      ClientRequestToken: crypto.randomUUID(),
      RotationLambdaARN: "arn:of:nobody",
    });
    const look = async () => {
      const { stdout } = await chat(`doctor --local --app ${world.app.appId}`);
      return /rotation {2}.*(?:\n.*→ npx cometchat-functions (.*))?/.exec(stdout) ?? [];
    };

    const [line, typed = ""] = await look();
    const planned = await onApp("finish --abandon --dry-run");
    const abandoned = await chat(`${typed} --yes --json`);
    const again = await chat(`${typed} --yes --json`);

    expect(line).toContain("local-app/webhook");
    expect(planned.stdout).toContain("Withdraw the pending value of the webhook's password.");
    expect(abandoned.json).toMatchObject([{ state: "abandoned", things: ["webhook-password"] }]);
    expect(again.json).toMatchObject([{ state: "idle" }]);
    expect((await look())[0]).toContain("No rotation is under way.");
  });

  describe("with a key that the platform no longer accepts", () => {
    beforeEach(async () => {
      await world.cloud.putAppSecret({ ...secretOf(world), apiKey: "0".repeat(40) });
    });

    it("reports that another one is needed", async () => {
      expect(await onApp("api-key --yes --json")).toMatchObject({
        exitCode: 4,
        json: [{ error: { code: "AUTH_ERR_APIKEY_NOT_FOUND" } }],
      });
    });

    it("refuses to end the overlap, and prints the command that replaces the key", async () => {
      await onApp("api-key --api-key-stdin --yes", { stdin: world.app.fullAccessKey });
      const { db } = world.platform.services;
      deleteApiKey({ db, appId: world.app.appId }, world.app.fullAccessKey);
      const other = {
        apiKey: "a".repeat(40),
        name: "from the dashboard",
        createdAt: 0,
        createdBy: "somebody",
      };
      putApiKey({ db, appId: world.app.appId }, { ...other, scope: "fullAccess" });

      const finish = await onApp("finish --now --yes --json");
      const rotated = await onApp("api-key --api-key-stdin --revoke-now --yes --json", {
        stdin: other.apiKey,
      });

      const typed = "npx cometchat-functions rotate --local api-key --api-key-stdin --app local-app";
      expect(finish).toMatchObject({
        exitCode: 4,
        json: [{ error: { hint: expect.stringContaining(typed) } }],
      });
      expect(rotated).toMatchObject({ exitCode: 0, json: [{ state: "rotated", begun: true }] });
      expect(await keysOf(world)).toEqual([world.app.authOnlyKey, other.apiKey].toSorted());
      expect(await currentKey(world)).toBe(other.apiKey);
    });

    it("asks for one, hidden, if standard input is a terminal", async () => {
      const ran = await onApp("api-key --api-key-stdin", {
        answers: [world.app.fullAccessKey, true],
        edges: { readStdin: () => Promise.reject(new Error("shows what is typed")) },
      });

      // No old one is valid.
      expect(ran.stdout).toBe("Rotated for app local-app: the new one is in use.\n");
      expect(ran.stderr).not.toContain(world.app.fullAccessKey);
      expect(await currentKey(world)).toBe(world.app.fullAccessKey);
    });

    it("does not read one from a terminal that would show it", async () => {
      const ran = await onApp("api-key --api-key-stdin --yes", { edges: { isStdinTerminal: true } });

      expectEnd(ran, 2, "a terminal that would show the secret");
    });

    it("announces in a dry run that it would be replaced immediately", async () => {
      await onApp("api-key --api-key-stdin --yes", { stdin: world.app.fullAccessKey });
      const { stdout } = await onApp("api-key --revoke-now --dry-run");

      expect(stdout).toContain("3. Immediately delete the secret's other keys on the platform.");
    });
  });

  it.each([
    ["rotate api-key --local --app nobody", 6, "There is no secret cometchat-functions/local/nobody"],
    ["rotate api-key --local --app local-app --overlap 1m", 2, "--overlap is at least 5m"],
    ["rotate webhook-password --local --app local-app --overlap 400d", 2, "at most 30d"],
    ["rotate schedule --local --now", 2, "rotate schedule does not take --now."],
    [
      "rotate secrets --local",
      2,
      /"secrets" cannot be rotated\.[\s\S]*Type rotate with one of api-key, webhook-password, finish, schedule\./,
    ],
  ])("refuses %j", async (args, expected, words) => {
    expectEnd(await chat(args), expected, words);
  });
});

describe("app as code", () => {
  beforeEach(async () => {
    await world.reset();
    await world.cloud.putAppSecret(secretOf(world));
  });

  it("exports the app; a plan then has nothing to do, and a second export writes nothing", async () => {
    const first = await chat("app export --local --yes --json");
    const bytes = readFileSync(file("config/app/webhooks.yml"), "utf8");
    const plan = await chat("app apply --dry-run --local --check");
    const second = await chat("app export --local --yes --json");

    expect(first.exitCode).toBe(0);
    expect(bytes).toContain("triggers:");
    expect([plan.stderr, plan.exitCode]).toEqual([expect.any(String), 0]);
    expect(plan.stdout).toContain("Unknown, because");
    expect(JSON.stringify(second.json)).not.toContain('"written"');
    expect(readFileSync(file("config/app/webhooks.yml"), "utf8")).toBe(bytes);
  });

  it("plans, applies the plan, and then has nothing left to do", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent, restricted: [createGroup] }]\n");

    const planned = await chat("app apply --dry-run --local --check --out plan.json --only roles");
    const applied = await chat("app apply plan.json --local --yes --json");
    const again = await chat("app apply --dry-run --local --check --only roles");

    expectEnd(planned, 1, "+  role agent");
    expect(applied).toMatchObject({ exitCode: 0 });
    expect(applied.json).toMatchObject([
      {
        apps: [
          { appId: "local-app", outcomes: [{ id: "agent", outcome: "created" }, { outcome: "created" }] },
        ],
      },
    ]);
    expect(again.exitCode).toBe(0);
  });

  it("asks for confirmation, and changes nothing without an answer", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");

    const nobody = await chat("app apply --local --only roles");
    const no = await chat("app apply --local --only roles", { answers: [false] });

    expect([nobody.exitCode, no.exitCode]).toEqual([3, 3]);
    expect(await roles()).toEqual(["default"]);
  });

  it("reports where a plan cannot be written, and does not replace a folder by one", async () => {
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");

    for (const out of ["nowhere/plan.json", "config"]) {
      const { exitCode, json } = await chat([
        "app apply --dry-run --local --only roles --out",
        out,
        "--json",
      ]);

      expect([out, exitCode]).toEqual([out, 2]);
      expect(json).toMatchObject([
        { error: { code: "WRONG_USE", message: expect.stringContaining("plan") } },
      ]);
    }
  });

  async function roles() {
    const { data } = await callApp(world, "GET /roles");
    return Object(data).map(({ role }: { role: string }) => role);
  }
});

describe("app apply with mistakes", () => {
  const shipped = (name: string) => readFileSync(file(name), "utf8");
  const stages = shipped("config/apps.yml");

  beforeEach(async () => {
    await world.reset();
    await world.cloud.putAppSecret(secretOf(world));
    write("config/apps.yml", stages);
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");
    declare("webhooks", "webhooks: []\n");
  });

  const write = (name: string, text: string) => writeFileSync(file(name), text);
  const plan = (words = "") => chat(`app apply --dry-run --local ${words}`);
  const apply = (words: string) => chat(`app apply --local --yes ${words}`);

  const postTool = (slug: string, headers: object) =>
    callApp(world, "POST /ai-agents/agent-builder/api-tools", {
      slug,
      name: "Stock",
      description: "Stock",
      endpoint: "https://shop.example.com/",
      method: "GET",
      enableBasicAuth: false,
      headers: JSON.stringify(headers),
    });

  it("reports the line and column of a secret in a file, and does not print it", async () => {
    declare("extensions", "extensions:\n  gifs-giphy:\n    settings: { giphyApiKey: 0123456789 }\n");

    const ran = await plan();
    declare("extensions", "extensions: {}\n");

    const place = "config/app/extensions.yml:3:17: extensions.gifs-giphy.settings.giphyApiKey";
    expectEnd(ran, 2, `${place}: a secret must not stand here`);
    expect(ran.stderr).not.toContain("0123456789");
  });

  it.each([
    ["--only rolse", "There is no file config/app/rolse.yml."],
    ["--app strange", 'config/apps.yml names no app "strange" for the stage local.'],
  ])("refuses %j, and names the valid values", async (words, message) => {
    expectEnd(await plan(words), 2, message);
  });

  it("reports that an app has no secret, and how to create one", async () => {
    write("config/apps.yml", "local: [local-app, forgotten]\n");

    expectEnd(
      await plan("--app forgotten"),
      6,
      "There is no secret cometchat-functions/local/forgotten",
      "setup --local --app forgotten",
    );
  });

  it("keeps a bot's credentials if a rotation began since the plan", async () => {
    const before = shipped("config/app/bots.yml");
    declare("bots", "bots: [{ uid: robot, name: Robot }]\n");
    onTestFinished(() => declare("bots", before));
    const SecretId = `cometchat-functions/local/${world.app.appId}/webhook`;
    onTestFinished(() => forgetSecret(world.cloud, SecretId));
    const rotate = async () => {
      const fields = { ...(await secretNow(world.cloud, SecretId)), webhookPassword: "of-tomorrow" };
      await callSecrets(world.cloud, "PutSecretValue", {
        SecretId,
        SecretString: JSON.stringify(fields),
        VersionStages: ["AWSPENDING"],
        ClientRequestToken: randomUUID(),
      });
      return true;
    };

    const ran = await chat("app apply --local --only bots", { answers: [rotate] });

    expectEnd(ran, 7, "✗ bot robot: blocked: A rotation is changing its credentials");
  });

  it("reports what was done and what was not, and continues when it is repeated", async () => {
    declare("roles", 'roles: [{ role: agent, name: Agent, permissions: { "no.such": allow } }]\n');

    const first = await apply("--only roles");
    declare("roles", 'roles: [{ role: agent, name: Agent, permissions: { "listUsers.mode": friends } }]\n');
    const second = await apply("--only roles --write-unknown --json");

    expectEnd(
      first,
      7,
      "✓ role agent: created",
      "✗ permissions of the role agent: failed: ItemsRefusedError: The platform refused of the permissions: no.such.",
      "it continues with what is left",
    );
    expect(second.json).toMatchObject([{ apps: [{ outcomes: [{ outcome: "updated" }], unchanged: 1 }] }]);
  });

  it("names the missing field of the secret for an existing resource, and does not report it as declared", async () => {
    await postTool("there", {});
    const tool =
      "slug: there, name: Stock, description: Stock, endpoint: 'https://shop.example.com/', method: GET";
    declare("agents", `apiTools: [{ ${tool}, headers: { X-Key: { secret: shopKey } } }]\n`);

    const checked = await plan("--only agents --check");
    const applied = await apply("--only agents");
    const later = await apply("--only agents --json");
    declare("agents", "agents: []\n");

    const lack = 'API tool there: blocked: The app\'s secret has no field "shopKey".';
    expect([checked.exitCode, applied.exitCode]).toEqual([1, 7]);
    expect(checked.stdout).toContain("1 partly compared");
    expect(checked.stdout).toContain("API tool there (shopKey)");
    expect(applied.stdout).toContain(`✗ ${lack}`);
    expect(later.json).toMatchObject([{ apps: [{ unchanged: 0, outcomes: [{ outcome: "blocked" }] }] }]);
  });

  it("reports after an export which fields of the secret are missing, and which have other values", async () => {
    const headers = { Authorization: "Bearer new-token-2" };
    for (const slug of ["stock", "more"]) await postTool(slug, headers);
    const [held, lacking] = ["stock", "more"].map((slug) => `tool-${slug}-headers-Authorization`);
    await world.cloud.putAppSecret({ ...secretOf(world), [String(held)]: "Bearer old-token-1" });

    const { exitCode, stdout } = await chat("app export --local --yes --only agents");
    const { json } = await chat("app export --local --yes --only agents --json");

    expect(exitCode).toBe(0);
    expect(json).toMatchObject([{ missingSecrets: [lacking, `${held}-2`], otherValues: [] }]);
    expect(stdout).toContain(`other values than the platform: ${held}.`);
    expect(stdout).not.toMatch(/-token-/);
  });

  it("reports in one line what a plan without moderation lacks, and exports the rest", async () => {
    world.platform.switches.missingFeature = "moderation";
    declare("moderation-reasons", "reasons: [{ id: spam, name: Spam }, { id: hate, name: Hate }]\n");

    const planned = await plan("--only roles --only moderation-reasons");
    const exported = await chat(
      "app export --local --yes --only moderation-rules --only moderation-reasons --only roles",
    );
    world.platform.switches.missingFeature = "none";

    const refusal = "403 ERR_FEATURE_NOT_ACCESSIBLE";
    expect(planned.stdout.split("\n").filter((line) => line.includes(refusal))).toEqual([
      expect.stringMatching(/^ {2}Cannot be made: moderation reason spam, .*the app's plan/),
    ]);
    expect([exported.exitCode, exported.stdout]).toEqual([
      0,
      expect.stringContaining(`(${refusal}): moderation-reasons, moderation-rules. See in the CometChat`),
    ]);
  });

  it("refuses an invalid plan, one of another stage or of no app, and more options", async () => {
    write("config.json", "{}");
    await plan("--out plan.json");
    write("other.json", shipped("plan.json").replace('"stage": "local"', '"stage": "prod"'));
    write("empty.json", JSON.stringify({ ...JSON.parse(shipped("plan.json")), apps: [] }));

    const none = await apply("config.json");
    const missing = await apply("nowhere.json");
    const other = await apply("other.json");
    const more = await apply("plan.json --delete");
    const empty = await apply("empty.json");

    expect([none, missing, other, more, empty].map(({ exitCode }) => exitCode)).toEqual([2, 2, 3, 2, 2]);
    expect(other.stderr).toContain("The plan was made for the stage prod");
  });

  it("refuses a plan if the files have changed since, and writes no secret into it", async () => {
    declare("webhooks", "webhooks: [{ id: another, triggers: needed }]\n");
    await plan("--out plan.json");
    declare("roles", "roles: [{ role: agent, name: Other }]\n");

    const { exitCode, json } = await apply("plan.json --json");

    expect(exitCode).toBe(3);
    expect(json).toEqual([{ error: expect.objectContaining({ code: "STATE_CHANGED" }) }]);
    expect(shipped("plan.json")).not.toContain(world.webhook.password);
    expect(shipped("plan.json")).toContain("(secret)");
  });

  it("reads from the deployment which triggers are needed, and subscribes to them", async () => {
    declare("webhooks", "webhooks: [{ id: functions, name: Functions }]\n");

    const { exitCode, stdout } = await apply("--only webhooks");
    const again = await plan("--only webhooks --check");

    expect([exitCode, again.exitCode]).toEqual([0, 0]);
    expect(stdout).toContain("webhook functions");
  });

  it("names the missing field of the management credentials", async () => {
    declare("webhooks", "webhooks: [{ id: functions, triggers: [message_sent] }]\n");
    const prefix = world.cloud.outputs.SecretPrefix;
    await world.cloud.putSecret(`${prefix}/management`, {});

    const { exitCode, stdout, stderr } = await plan();
    await world.cloud.putSecret(`${prefix}/management`, {
      key: "local-management-key-not-secret",
      secret: "local-management-secret-not-secret",
    });

    expect([exitCode, stdout, stderr]).toEqual([1, "", expect.stringContaining('has no text in "key"')]);
  });
});

const versionsOf = (world: LocalStack, name = "") =>
  createSecretVersions(
    callerOf(world.cloud),
    `${world.cloud.outputs.SecretPrefix}/${world.app.appId}${name}`,
  );

/** Sends a message; returns the answer to its delivery. */
async function deliveryAfter(world: LocalStack) {
  await writeToSupport(world, "hello");
  await world.platform.idle();
  return world.platform.deliveries().at(-1)?.attempts.at(-1);
}

async function currentKey(world: LocalStack) {
  return (await versionsOf(world).read()).current.fields.apiKey;
}

async function currentPassword(world: LocalStack) {
  return (await versionsOf(world, "/webhook").read()).current.fields.webhookPassword;
}

async function forgetManagement(world: LocalStack) {
  const secretId = `${world.cloud.outputs.SecretPrefix}/management`;
  await forgetSecret(world.cloud, secretId);
  onTestFinished(() => world.cloud.putSecret(secretId, defaultSeed.management));
}

/** The keys of the app, as another server's key lists them. */
async function keysOf({ platform, app }: LocalStack): Promise<readonly string[]> {
  return listApiKeys({ db: platform.services.db, appId: app.appId })
    .map(({ apiKey }) => apiKey)
    .toSorted();
}
