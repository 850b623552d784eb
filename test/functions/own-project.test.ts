import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSecretVersions } from "../../lib/operate/rotation/secret-versions.ts";
import { listApiKeys } from "../../local/platform/store/apps.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { callerOf, callSecrets } from "../helpers/cloud-data.ts";
import { messageSent } from "../helpers/deliver.ts";
import { faultyTrigger, ownProject } from "../helpers/own-project.ts";
import { type DeployedCopy, deployCopy } from "../helpers/project-copy.ts";
import { createProjectFolder, createRunChat, type RunChat } from "../helpers/run-chat.ts";
import { signWithSecret } from "../helpers/tokens.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";

const loginSecret = "a-secret-of-forty-characters-and-no-less";
const origin = "https://app.example.com";

let folder: string;
let copy: DeployedCopy;

beforeAll(async () => {
  folder = await ownProject();
  copy = await deployCopy(folder, { loginSecret });
});
afterAll(() => copy?.close());

const target = (path: string) => ({
  url: `${copy.cloud.httpUrl}/${path}/local-app`,
  username: "platform",
  password: "the-webhook-password",
});
async function ask(path: string, body: object) {
  return (await fetch(signedRequest(target(path), body))).text();
}

describe("the login of docs/recipes/login-endpoint.md and the users of docs/functions.md, deployed on this machine", () => {
  const url = () => `${copy.cloud.httpUrl}/auth-token/local-app`;
  const logIn = async (sub: string, secret = loginSecret) => {
    const iat = Math.floor(Date.now() / 1_000);
    const from = { iss: "https://shop.example.com/", aud: "chat" };
    const claims = { ...from, sub, name: "Ann Berger", iat, exp: iat + 120 };
    const authorization = `Bearer ${signWithSecret(secret, { claims })}`;
    const answer = await fetch(url(), { method: "POST", headers: { authorization, origin } });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
  };
  const api = async (path: string) => {
    const answer = await fetch(`${copy.platform.appUrl("local-app")}${path}`, {
      headers: { apikey: copy.app.fullAccessKey },
    });
    return JSON.parse(await answer.text());
  };

  it("creates a user at a login, and a valid token for that user", async () => {
    const { status, body, headers } = await logIn("Ann");

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        uid: "c-ann",
        authToken: expect.stringMatching(/^c-ann_/),
        expiresAt: null,
        loginExpiresAt: expect.any(Number),
      },
    });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect((await api("/users/c-ann")).data).toMatchObject({ name: "Ann Berger" });
    expect((await api(`/users/c-ann/auth_tokens/${body.authToken}`)).data).toMatchObject({ uid: "c-ann" });
  });

  it("refuses a login with another issuer's signature", async () => {
    expect((await logIn("Ann", "another-secret-of-forty-characters-or-more")).status).toBe(401);
  });

  it("answers a browser's preflight only for the listed page", async () => {
    const preflight = async (from: string) => {
      const headers = { origin: from, "access-control-request-method": "POST" };
      const answer = await fetch(url(), { method: "OPTIONS", headers });
      return [answer.status, answer.headers.get("access-control-allow-origin"), answer.headers.get("vary")];
    };

    expect(await preflight(origin)).toEqual([204, origin, "origin"]);
    expect(await preflight("https://evil.example.com")).toEqual([403, null, "origin"]);
  });

  it("counts a user's logins across processes", async () => {
    const window = () => Math.floor(Date.now() / 600_000);
    const logInOften = async (sub: string) => {
      const statuses: number[] = [];
      for (let count = 0; count < 11; count += 1) {
        if (count === 5) {
          copy.cloud.kill("authToken");
          const isReady = async () => expect((await logIn(`${sub}-first`)).status).toBe(200);
          await vi.waitFor(isReady, { interval: 1_000 });
        }
        statuses.push((await logIn(sub)).status);
      }
      return statuses;
    };
    const begunIn = window();

    const first = await logInOften("busy");
    // Another ten are accepted if a window of ten minutes ends meanwhile.
    const statuses = window() === begunIn ? first : await logInOften("busy-too");

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  it("creates the users of the file, and has nothing to do the second time", async () => {
    const first = await copy.cloud.invoke("seedUsers", {});
    const second = await copy.cloud.invoke("seedUsers", {});

    const all = { failed: 0, left: 0, failures: [] };
    expect(first.payload).toMatchObject({ apps: [{ appId: "local-app", result: all }] });
    expect(second.payload).toEqual({
      apps: [{ appId: "local-app", result: { created: 0, changed: 0, unchanged: 4, ...all } }],
    });
    expect((await api("/users/bela")).data).toMatchObject({
      name: "Kovács, Béla",
      metadata: { team: "legal" },
    });
  });

  it("writes no token, key or name to the log", () => {
    const told = copy.lines.join("\n");

    expect(told).toContain("CallerRefused");
    expect(told).not.toMatch(/eyJ[\w-]{10}|Berger|ann_1|10ca1f01/);
  });
});

describe("an app's custom parts, deployed on this machine", () => {
  it("include a function with configuration by stage and by app", async () => {
    const ofApp = await copy.cloud.invoke("whoIsOnCall", { appId: "local-app" });
    const ofOther = await copy.cloud.invoke("whoIsOnCall", { appId: "constructor" });

    expect(ofApp.payload).toEqual({
      uid: "bela",
      escalateTo: "chief",
      table: "cometchat-functions-local-effects",
    });
    expect(ofOther.payload).toMatchObject({ uid: "ann", escalateTo: "chief" });
  });

  it("include an app's own reasons, which replace the common ones", async () => {
    const { payload } = await copy.cloud.invoke("seed", { dryRun: true });

    expect(payload).toEqual({
      dryRun: true,
      apps: [
        {
          appId: "local-app",
          things: [{ kind: "moderation reason", id: "own", outcome: "created" }],
          unseen: [],
          drift: 1,
        },
      ],
    });
  });

  it("include decisions that replace the lists, only where they decide, even with pending promises", async () => {
    const message = messageBody({ text: "please buy me a gift card", sender: "ann" });

    // A cold process may decide nothing.
    await vi.waitFor(async () => {
      const judged = await ask("moderation", { contextMessages: [{ ann: message }] });
      expect(JSON.parse(judged)).toMatchObject({ confidence: 0.123, reason: "Our own." });
    });
    await vi.waitFor(async () => {
      const held = await ask("before-message", { trigger: "before_message", data: message });
      expect(held).toBe('{"action":"do_not_propagate"}'); // 0.7 is dropped in this stage
    });
  });
});

describe("the log of the deployed bundles", () => {
  let log: string[];

  beforeAll(async () => {
    log = copy.lines;
    await copy.cloud.pauseConsumers();
    log.length = 0;
  });
  afterAll(() => copy.cloud.resumeConsumers());

  it("has one JSON object per line with the invocation's id, also for lanes that run in parallel", async () => {
    const [one, two] = [
      ["ann", "1"],
      ["bob", "2"],
    ].map(([sender = "", id = ""]) => recordOf(sender, id));
    await copy.cloud.invoke("processEvents", { Records: [one, two] });
    await copy.cloud.invoke("processEvents", { Records: [recordOf("cid", "3")] });

    const own = log.filter((line) => !line.includes("said to the console"));
    const lines = own.map((line) => JSON.parse(line)).filter((line) => !("_aws" in line));

    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) {
      expect(line).toMatchObject({
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        function: "process-events",
      });
      expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
    }
    const idsOf = (queueMessageId: string) =>
      new Set(
        lines.filter((line) => line.queueMessageId === queueMessageId).map(({ requestId }) => requestId),
      );
    expect(idsOf("q-1").size).toBe(1);
    expect(idsOf("q-1")).toEqual(idsOf("q-2"));
    expect(idsOf("q-3")).not.toEqual(idsOf("q-1"));
  });

  it("names the event, file and line of a trigger's error, and shows neither text nor secret", async () => {
    const line = faultyTrigger.split("\n").findIndex((text) => text.includes("found.name!")) + 1;
    const text = `falter, the key is ${copy.app.fullAccessKey}`;
    log.length = 0;

    await copy.cloud.invoke("processEvents", { Records: [recordOf("dan", "4", text)] });

    const told = log.map(parsed);
    const about = { appId: "local-app", trigger: "message_sent", queueMessageId: "q-4" };
    expect(told.find((one) => one?.message === "about to fail")).toMatchObject({
      ...about,
      level: "INFO",
      messageId: "4",
      note: "falter, the key is [redacted]",
      text: "[redacted]",
    });
    expect(told.filter((one) => one?.message === "could not handle an event yet")).toEqual([
      expect.objectContaining({
        ...about,
        level: "WARN",
        step: "message_sent faulty",
        deliveryKey: expect.stringContaining("|message_sent|4"),
        attempt: 1,
        failure: "ours",
        cause: expect.stringMatching(/^TypeError at functions\/own\/faulty\.ts:\d+:\d+$/),
        stack: expect.stringMatching(new RegExp(`^functions/own/faulty\\.ts:${line}:\\d+\\n.*lib/handle/`)),
      }),
    ]);
    for (const hidden of ["what she wrote", copy.app.fullAccessKey])
      expect(log.join("\n")).not.toContain(hidden);
  });

  it("contains metrics that CloudWatch finds: the whole line is the object", async () => {
    await warmReceiver({ webhook: target("webhooks") });
    log.length = 0;

    await ask("webhooks", { no: "envelope" });

    const Metrics = [{ Name: "DeliveryQuarantined", Unit: "Count" }];
    const CloudWatchMetrics = [{ Namespace: "CometChatFunctions", Dimensions: [["appId"]], Metrics }];
    expect(log.map(parsed).filter((one) => one !== undefined && "_aws" in one)).toEqual([
      {
        _aws: { Timestamp: expect.any(Number), CloudWatchMetrics },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        appId: "local-app",
        DeliveryQuarantined: 1,
      },
    ]);
  });
});

describe("rotate, the deployed bundle", () => {
  let secretId: string;
  let project: ReturnType<typeof createProjectFolder>;
  let chat: RunChat;

  beforeAll(async () => {
    secretId = `${copy.cloud.outputs.SecretPrefix}/${copy.app.appId}`;
    project = createProjectFolder();
    cpSync(join(folder, "config"), join(project.folder, "config"), { recursive: true });
    chat = createRunChat(project.folder, copy.cloud);
  });
  afterAll(() => project?.remove());

  const call = (operation: string, input: object = {}) =>
    callSecrets(copy.cloud, operation, { SecretId: secretId, ...input });
  const read = () => createSecretVersions(callerOf(copy.cloud), secretId).read();
  const keys = () =>
    listApiKeys({ db: copy.platform.services.db, appId: copy.app.appId }).map(({ apiKey }) => apiKey);

  it("is turned on by the command, which rotates nothing", async () => {
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

  it("replaces the key in Secrets Manager's four steps, and deletes the old one on its schedule", async () => {
    await call("RotateSecret", { ClientRequestToken: crypto.randomUUID() });
    await settled();
    const rotated = (await read()).current.fields;

    const kept = await copy.cloud.invoke("rotate", {});
    const { current } = await read();
    await call("PutSecretValue", {
      ClientRequestToken: crypto.randomUUID(),
      SecretString: JSON.stringify({ ...current.fields, replacedApiKeyUntil: "2026-01-01T00:00:00.000Z" }),
    });
    // Not needed if the platform gets no password.
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

  it("reports the cause of a failure, counts it, and shows no secret", async () => {
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

  it("is turned off if the configuration names nothing to rotate", async () => {
    writeFileSync(join(project.folder, "config/rotation.yml"), "rotate:\n");
    const { stdout } = await chat(["rotate", "schedule", "--local", "--yes"]);

    expect(stdout).toContain(`${secretId}: rotates no longer\nDone.\n`);
    expect(await call("DescribeSecret")).not.toHaveProperty("RotationEnabled");
  });

  it("warns which calls a scheduled rotation of the webhook's password would refuse", async () => {
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

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The queue's record for a message of its own conversation. */
function recordOf(sender: string, id: string, text = "falter") {
  const queued = {
    v: 1,
    appId: "local-app",
    family: "webhook",
    trigger: "message_sent",
    key: `local-app|message_sent|${id}`,
    receivedAt: Date.now(),
    body: messageSent({ id, sender, receiver: "bob", text }),
    base64: false,
  };
  return {
    messageId: `q-${id}`,
    receiptHandle: "handle",
    body: JSON.stringify(queued),
    attributes: { ApproximateReceiveCount: "1", MessageGroupId: sender, SequenceNumber: id },
    messageAttributes: {},
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:events.fifo",
    awsRegion: "us-east-1",
  };
}
