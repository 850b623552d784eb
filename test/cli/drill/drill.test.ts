import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CloudFormationClient, ListStackResourcesCommand } from "@aws-sdk/client-cloudformation";
import { PutFunctionConcurrencyCommand, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { readMetrics } from "../../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../../lib/base/count-metric.ts";
import { type Finding, findingSchema } from "../../../lib/operate/doctor/run-checks.ts";
import { causeNameOf } from "../../../lib/queue/cause-name.ts";
import { addressesOf } from "../../../local/cloud/cloud-services.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { lambdaOf } from "../../helpers/cloud-data.ts";
import { expectEnd } from "../../helpers/run-chat.ts";
import { createSetAside } from "../../helpers/set-aside.ts";
import { writeToSupport } from "../../helpers/write-to-support.ts";
import { type DrillWorld, startDrillWorld } from "./drill-world.ts";

/** What is broken, what the doctor must say of it, and what mends it. */
interface Drill {
  /** Breaks it. What is needed to mend it may be given. */
  readonly damage: (drill: DrillWorld) => Promise<unknown>;
  readonly check: Finding["check"];
  readonly says: RegExp;
  /** As it stands below the finding. */
  readonly remedy: string;
  /** Types the remedy, or does what it says. Default: types the remedy. */
  readonly mend?: (drill: DrillWorld, remedy: string, damaged: unknown) => Promise<unknown>;
}

/** What can be broken and looked at together, by name. `setup` comes last: it ends with 1 while anything is wrong. */
interface Round {
  readonly drills: Readonly<Record<string, Drill>>;
  /** More options for the doctor. */
  readonly options?: readonly string[];
  /** What else shows the same trouble. */
  readonly alsoFound?: readonly Finding["check"][];
}

const app = "local-app";
const typed = (command: string) => `npx cometchat-functions ${command} --local`;
const movedBySqs = causeNameOf({
  appId: "",
  trigger: "",
  reason: "moved",
  cause: "SQS moved it: it was handed out too often.",
});
const setUp = typed(`setup --app ${app}`);

const type = async (drill: DrillWorld, remedy: string, options = {}) => {
  const { exitCode, stdout, stderr } = await drill.type(remedy, options);
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
};

const typeRemedy: Drill["mend"] = (drill, remedy) => type(drill, remedy);

/** Breaks the webhook as somebody does in the dashboard. */
const putWebhook = (settings: object) => (drill: DrillWorld) =>
  drill.manage("PUT /webhooks/functions", settings);

/** Sends a delivery with the right credentials. */
async function deliver({ world }: DrillWorld, body: string) {
  const { url, username } = world.webhook;
  const password = world.webhook.password;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return fetch(url, { method: "POST", headers: { authorization }, body });
}

const revoke: Drill["damage"] = async ({ call, readSecret }) => {
  const { apiKey = "" } = await readSecret();
  const { data } = await call("POST /apikeys", { name: "another", scope: "fullAccess" });
  const other = String(Object(data).apiKey);
  await call(`DELETE /apikeys/${apiKey}`, undefined, other);
  return other;
};

/** Puts other fields into the secret; gives the key that it had. */
const spoil =
  (fields: Readonly<Record<string, string | undefined>>): Drill["damage"] =>
  async ({ readSecret, changeSecret }) => {
    const { apiKey } = await readSecret();
    await changeSecret(fields);
    return apiKey;
  };

const typeKey: Drill["mend"] = (drill, remedy, key) => type(drill, remedy, { secret: String(key) });
const typeYes: Drill["mend"] = (drill, remedy) => type(drill, remedy, { more: ["--yes"] });
const rotateKey = typed(`rotate api-key --app ${app} --api-key-stdin`);

const rounds: readonly Round[] = [
  {
    drills: {
      "the key was revoked": {
        damage: revoke,
        check: "key",
        says: /refuses the API key/,
        remedy: rotateKey,
        mend: typeKey,
      },
    },
  },
  {
    drills: {
      "the key has a small scope": {
        damage: spoil({ apiKey: defaultSeed.apps[0].authOnlyKey }),
        check: "key",
        says: /scope is too small/,
        remedy: rotateKey,
        mend: typeKey,
      },
    },
  },
  {
    drills: {
      "the secret names another region": {
        damage: spoil({ region: "eu" }),
        check: "key",
        says: /knows the app in region us, and the secret says eu/,
        remedy: typed(`setup --app ${app} --app-region us`),
      },
    },
  },
  {
    drills: {
      "the secret is gone": {
        damage: async ({ secretsManager, readSecret, world }) => {
          const { apiKey } = await readSecret();
          const SecretId = `${world.cloud.outputs.SecretPrefix}/${app}`;
          await secretsManager("DeleteSecret", { SecretId, ForceDeleteWithoutRecovery: true });
          return apiKey;
        },
        check: "secret",
        says: /has no secret/,
        remedy: typed(`setup --app ${app}`),
        mend: async (drill, remedy, key) => {
          const more = ["--app-region", "us", "--api-key-stdin", "--yes"];
          await type(drill, remedy, { more, secret: String(key) });
          // A new secret has a new password.
          await type(drill, setUp);
        },
      },
    },
  },
  {
    drills: {
      "the secret is not complete": {
        damage: ({ changeSecret }) => changeSecret({ webhookPassword: undefined }, "/webhook"),
        check: "secret",
        says: /not complete.*webhookPassword/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "a blank was pasted with the password": {
        damage: async ({ readSecret, changeSecret }) => {
          const { webhookPassword } = await readSecret("/webhook");
          await changeSecret({ webhookPassword: `${webhookPassword} ` }, "/webhook");
        },
        check: "secret",
        says: /"webhookPassword" begins or ends with a blank/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "a blank was pasted with fields that setup does not make": {
        damage: async ({ changeSecret }) => {
          await changeSecret({ ticketToken: "abc " });
          await changeSecret({ legacyUsername: "old", legacyPassword: "\tdef" }, "/webhook");
        },
        check: "secret",
        says: /"ticketToken" begins or ends with a blank/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "a wrong password was stored, and the previous one still opens": {
        damage: async (drill) => {
          await drill.changeSecret({ webhookPassword: "aPasswordOfNobody" }, "/webhook");
          await drill.world.platform.idle();
          drill.world.cloud.kill("webhook");
          await writeToSupport(drill.world, "Hello?");
          await drill.world.platform.idle();
        },
        check: "receiver",
        says: /come with replaced credentials.*previous webhookPassword until 2\S+Z; then/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "the webhook secret is gone": {
        damage: ({ secretsManager, world }) =>
          secretsManager("DeleteSecret", {
            SecretId: `${world.cloud.outputs.SecretPrefix}/${app}/webhook`,
            ForceDeleteWithoutRecovery: true,
          }),
        check: "secret",
        says: new RegExp(`no secret \\S+/${app}/webhook`),
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "signatures are required, and there is no key for them": {
        damage: ({ changeSecret }) => changeSecret({ webhookSignature: "required" }, "/webhook"),
        check: "secret",
        says: /requires signatures and has no key for them/,
        remedy: "Add webhookSecret to it, or take webhookSignature out (docs/deploy.md#require-signatures)",
        mend: async ({ changeSecret, world }) => {
          await changeSecret({ webhookSignature: undefined }, "/webhook");
          // It looks at the secret again after a while.
          world.cloud.kill("webhook");
        },
      },
    },
    // What the doctor itself sends to the receiver is refused, too.
    alsoFound: ["receiver", "deliveries"],
  },
  {
    drills: {
      "the management credentials are refused": {
        damage: ({ world }) =>
          world.cloud.putSecret(`${world.cloud.outputs.SecretPrefix}/management`, { key: "k", secret: "s" }),
        check: "webhook",
        says: /^The platform refuses the management credentials \(the secret \S+\/management\)/,
        remedy: typed(`setup --app ${app} --management-stdin`),
        mend: (drill, remedy) => {
          const { key, secret } = defaultSeed.management;
          return type(drill, remedy, { answers: [key, secret, true, true, true] });
        },
      },
    },
  },
  {
    drills: {
      "the secret is another app's": {
        damage: spoil({ appId: "another-app", apiKey: "a-key-of-another-app" }),
        check: "secret",
        says: /holds the credentials of another app \(another-app\)/,
        remedy: setUp,
        mend: (drill, remedy, key) =>
          type(drill, remedy, { more: ["--app-region", "us", "--api-key-stdin"], secret: String(key) }),
      },
    },
  },
  {
    drills: {
      "the webhook's password was changed in the dashboard": {
        damage: async (drill) => {
          await putWebhook({ password: "somethingElse" })(drill);
          // It is to refuse while the canary is waited for, which a cold start may take too long for.
          await fetch(drill.world.webhook.url, { method: "POST", body: "{}" });
        },
        check: "canary",
        says: /the receiver refused \d+ deliveries meanwhile/,
        remedy: setUp,
      },
    },
    options: ["--canary", "--within", "6s"],
    alsoFound: ["deliveries"],
  },
  {
    drills: {
      "the webhook was given another user name": {
        damage: putWebhook({ username: "somebody" }),
        check: "webhook",
        says: /another user name/,
        remedy: setUp,
      },
      "the webhook tries nothing again": {
        damage: putWebhook({ retryOnFailure: false }),
        check: "retries",
        says: /does not try again/,
        remedy: setUp,
      },
      "a trigger was unsubscribed": {
        damage: ({ manage }) =>
          manage("DELETE /webhooks/functions/triggers", { triggerIds: ["message_sent"] }),
        check: "triggers",
        says: /lacks triggers that are needed: message_sent \(auto-reply, canary, escalate\)/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "the webhook leads to another app's address": {
        damage: (drill) =>
          putWebhook({ webhookURL: `${drill.world.cloud.httpUrl}/webhooks/another-app` })(drill),
        check: "webhook",
        says: /another app's id in its address/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "the webhook leads to an earlier deployment": {
        damage: putWebhook({ webhookURL: `https://earlier.example.com/webhooks/${app}` }),
        check: "webhook",
        says: /leads to another address/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "the webhook was deleted": {
        damage: ({ manage }) => manage("DELETE /webhooks/functions"),
        check: "webhook",
        says: /No webhook of the app leads here/,
        remedy: setUp,
      },
    },
  },
  {
    drills: {
      "a second webhook delivers the same": {
        damage: async ({ manage, world }) => {
          const { url: webhookURL, username, password } = world.webhook;
          const settings = { useBasicAuth: true, username, password, enabled: true, retryOnFailure: true };
          await manage("POST /webhooks", { id: "second", name: "Second", webhookURL, ...settings });
          await manage("POST /webhooks/second/triggers", { triggerIds: ["message_sent"] });
        },
        check: "webhook",
        says: /2 webhooks deliver the same here: functions, second/,
        remedy: "In the dashboard, Webhooks, switch off all but functions",
        mend: ({ manage }) => manage("DELETE /webhooks/second"),
      },
      "events were given up": {
        damage: ({ world }) =>
          sendTo(world.cloud.resources.DeadLetterQueue?.url ?? "", world.cloud.endpoints.sqs),
        check: "dead-letters",
        says: /^1 dead letter \(moved\): SQS moved it/,
        remedy: typed(`dead-letters list --cause ${movedBySqs}`),
        mend: async (drill, remedy) => {
          await type(drill, remedy);
          await type(drill, typed("dead-letters drop"), { more: ["--all", "--yes"] });
        },
      },
      "a delivery was set aside": {
        damage: (drill) => deliver(drill, "this is no JSON"),
        check: "quarantine",
        says: /^1 unreadable delivery is in quarantine/,
        remedy: typed("dead-letters list --quarantine"),
        mend: async (drill, remedy) => {
          await type(drill, remedy);
          await type(drill, typed("dead-letters drop --quarantine"), { more: ["--all", "--yes"] });
        },
      },
      "a queue's mapping was disabled, and another's concurrency raised": {
        damage: async ({ world }) => {
          const put = (queue: string, change: object) => changeMapping(world, queue, change);
          await put("EventsQueue", { Enabled: false });
          await put("ParkedLanesQueue", { ScalingConfig: { MaximumConcurrency: 50 } });
        },
        check: "resources",
        says: /^ProcessEventsEventSourceMappingSQSEventsQueue is disabled: it was changed outside/,
        remedy: typed("deploy --repair"),
        mend: typeYes,
      },
      "its concurrency was raised": {
        damage: async () => {},
        check: "resources",
        says: /^ProcessEventsEventSourceMappingSQSParkedLanesQueue runs 50 batches at once, not 2/,
        remedy: typed("deploy --repair"),
      },
      "another's batches were made smaller": {
        damage: ({ world }) => changeMapping(world, "CallsQueue", { BatchSize: 1 }),
        check: "resources",
        says: /^ProcessEventsEventSourceMappingSQSCallsQueue has the BatchSize 1, not 10/,
        remedy: typed("deploy --repair"),
      },
      "a function was stopped": {
        damage: ({ world }) =>
          lambdaOf(world).send(
            new PutFunctionConcurrencyCommand({
              FunctionName: "cometchat-functions-local-reconcile",
              ReservedConcurrentExecutions: 0,
            }),
          ),
        check: "resources",
        says: /^ReconcileLambdaFunction has a reserved concurrency of 0, not none: it never runs/,
        remedy: typed("deploy --repair"),
      },
      "an app was listed and not deployed": {
        damage: async ({ folder }) => {
          const file = join(folder, "config/apps.yml");
          const before = readFileSync(file, "utf8");
          writeFileSync(file, before.replace("  - local-app\n", "  - local-app\n  - not-yet\n"));
          return before;
        },
        check: "drift",
        says: /config\/ names apps that are not deployed: not-yet/,
        remedy: "npm start",
        mend: async ({ folder }, _remedy, before) =>
          writeFileSync(join(folder, "config/apps.yml"), String(before)),
      },
    },
    options: ["--app", app],
  },
  {
    drills: {
      "the legacy engine was switched on": {
        damage: async ({ manage, world }) => {
          const webhook = { id: "old", name: "Old", webhookURL: world.webhook.url, enabled: true };
          await manage("POST /webhooks", webhook, "legacy");
          world.platform.switchEngine(app, "legacy");
        },
        check: "legacy-webhooks",
        says: /Webhooks of the legacy engine lead here: old/,
        remedy: "In the dashboard, Webhooks, switch to the current engine and the legacy webhooks off",
        mend: async ({ manage, world }) => {
          world.platform.switchEngine(app, "current");
          await manage("DELETE /webhooks/old", undefined, "legacy");
        },
      },
      "the webhook was switched off": {
        damage: putWebhook({ enabled: false }),
        check: "webhook",
        says: /is switched off/,
        remedy: setUp,
      },
    },
  },
];

/** As in Lambda's console. */
async function changeMapping(world: DrillWorld["world"], queue: string, change: object) {
  const { cloud } = world;
  const stack = new CloudFormationClient({
    endpoint: cloud.endpoints.cloudFormation,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const { StackResourceSummaries = [] } = await stack.send(
    new ListStackResourcesCommand({ StackName: "cometchat-functions-local" }),
  );
  const [found] = StackResourceSummaries.filter(
    ({ LogicalResourceId }) => LogicalResourceId === `ProcessEventsEventSourceMappingSQS${queue}`,
  );
  await lambdaOf(world).send(
    new UpdateEventSourceMappingCommand({ UUID: found?.PhysicalResourceId, ...change }),
  );
}

/** Sums up what was counted in the last minutes. */
async function countedIn(
  { endpoints, outputs }: DrillWorld["world"]["cloud"],
  metrics: readonly { readonly name: string; readonly dimensions: Readonly<Record<string, string>> }[],
): Promise<readonly number[]> {
  const callAws = createAwsCaller({
    ...addressesOf(endpoints),
    AWS_ACCESS_KEY_ID: "l",
    AWS_SECRET_ACCESS_KEY: "l",
  });
  const deployment = outputs.SecretPrefix ?? "";
  const series = await readMetrics(
    callAws,
    metrics.map(({ name, dimensions }) => ({
      namespace: metricNamespace,
      name,
      dimensions: { deployment, ...dimensions },
      stat: "Sum",
    })),
    { fromMs: Date.now() - 300_000, toMs: Date.now() + 60_000 },
  );
  return series.map((values) => values.reduce((sum, [, value]) => sum + value, 0));
}

async function sendTo(QueueUrl: string, endpoint: string) {
  const sqs = new SQSClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  await sqs.send(
    new SendMessageCommand({ QueueUrl, MessageBody: "{}", MessageGroupId: "g", MessageDeduplicationId: "d" }),
  );
  sqs.destroy();
}

describe("the drill", () => {
  let drill: DrillWorld;
  const look = async (...options: string[]) => {
    const { json } = await drill.chat(["doctor --local --json", ...options]);
    return z.parse(z.object({ findings: z.array(findingSchema) }), json[0]).findings;
  };
  const wrongs = async (...options: string[]) =>
    (await look(...options)).filter(({ status }) => status === "wrong");

  beforeAll(async () => {
    drill = await startDrillWorld();
  });
  afterEach(() => drill?.restore());
  afterAll(() => drill?.close());

  it("begins with everything well, sends a canary that nobody answers, and leaves but a deleted message", async () => {
    const { platform, cloud } = drill.world;
    const before = platform.deliveries().length;

    const ran = await drill.chat("doctor --local --canary");
    await platform.idle();
    await cloud.drained();
    const { data } = await drill.call(
      "GET /messages?senders=canary-a,canary-b,support&categories=message&limit=100",
    );
    const told = platform
      .deliveries()
      .slice(before)
      .map(({ trigger }) => trigger);

    expectEnd(ran, 0, /✓ canary[\s\S]*nothing is wrong\n/);
    expect(data).toEqual([expect.objectContaining({ sender: "canary-a", deletedAt: expect.any(Number) })]);
    expect(told.toSorted()).toEqual(["message_deleted", "message_sent"]);
    expect(cloud.busEvents()).toEqual([]);
  });

  it.each(rounds.map((round) => [Object.keys(round.drills).join(", "), round] as const))(
    "names with its remedy, which works: %s",
    async (_names, { drills, options = [], alsoFound = [] }) => {
      const broken = Object.values(drills);
      const damaged: unknown[] = [];
      for (const { damage } of broken) damaged.push(await damage(drill));

      const found = await wrongs(...options);
      const named = found.filter(({ check }) => !alsoFound.includes(check));
      const mended = new Set<string>();
      for (const [index, { remedy, mend = typeRemedy }] of broken.entries()) {
        if (!mended.has(remedy)) await mend(drill, remedy, damaged[index]);
        mended.add(remedy);
      }
      const left = await wrongs("--canary");

      const expected = broken.map(({ check, says, remedy }) =>
        expect.objectContaining({ check, says: expect.stringMatching(says), remedy }),
      );
      expect(named).toEqual(expect.arrayContaining(expected));
      expect(named, JSON.stringify(named)).toHaveLength(broken.length);
      expect(left).toEqual([]);
    },
  );

  it("has one line for each cause of dead letters, with what shows them", async () => {
    const setAside = createSetAside(drill.world.cloud);
    for (const uid of ["anna", "bela", "cleo"]) {
      const cause = `ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND: No ${uid}.`;
      await setAside.bury(uid, { reason: "permanent", cause });
    }
    await setAside.bury("4");

    const found = (await wrongs()).filter(({ check }) => check === "dead-letters");
    const listed = await drill.type(found[0]?.remedy ?? "");

    expect(found.map(({ says }) => says)).toEqual([
      "3 dead letters (permanent) of message_sent, app local-app: ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND",
      "1 dead letter (tries) of message_sent, app local-app: TypeError: no uid",
    ]);
    expect(listed.stdout).toContain("3 dead letters\n");
  });

  it("does not vouch for a password that nothing was delivered with", async () => {
    await drill.changeSecret({ webhookPassword: "aPasswordOfNobody" }, "/webhook");

    expect(await look()).toContainEqual({
      check: "receiver",
      appId: app,
      status: "unknown",
      remedy: setUp,
      says: expect.stringMatching(/^Nothing was delivered since the secret's webhookPassword changed/),
    });
  });

  it("tells what it has no management credentials for as not known, and where to look", async () => {
    const SecretId = `${drill.world.cloud.outputs.SecretPrefix}/management`;
    await drill.secretsManager("DeleteSecret", { SecretId, ForceDeleteWithoutRecovery: true });

    const found = await look();
    await drill.world.cloud.putSecret(SecretId, defaultSeed.management);

    expect(found.filter(({ status }) => status === "wrong")).toEqual([]);
    expect(found.filter(({ status }) => status === "unknown").map(({ check }) => check)).toEqual([
      "webhook",
      "triggers",
      "retries",
      "legacy-webhooks",
    ]);
    expect(found.find(({ check }) => check === "webhook")?.says).toContain("look in the dashboard, Webhooks");
  });

  it("takes what does not answer for not known, and for nothing else's fault", async () => {
    await drill.world.cloud.stopQueue();

    const found = await look();
    await drill.world.cloud.startQueue();

    expect(found.filter(({ status }) => status === "wrong")).toEqual([]);
    expect(found.filter(({ status }) => status === "unknown").map(({ check }) => check)).toEqual([
      "queue",
      "dead-letters",
      "quarantine",
    ]);
  });

  it("notices a clock that is ahead", async () => {
    const now = () => Date.now() + 10 * 60_000;

    const { json, exitCode } = await drill.chat("doctor --local --json", { edges: { now } });

    expect(exitCode).toBe(1);
    expect(json).toEqual([
      expect.objectContaining({
        wrong: 1,
        findings: expect.arrayContaining([
          expect.objectContaining({
            check: "clock",
            status: "wrong",
            says: expect.stringMatching(/clock is (5[5-9]\d|6[0-4]\d) s ahead/),
          }),
        ]),
      }),
    ]);
  });

  it("says that the canary's users are not in the app", async () => {
    await drill.call("DELETE /users/canary-b", { permanent: true });

    const found = await wrongs("--canary", "--within", "3s");

    expect(found).toEqual([
      expect.objectContaining({
        check: "canary",
        says: "The canary's users are not both in the app: canary-a and canary-b.",
      }),
    ]);
  });

  it("is found by the scheduled function, too, which sends canaries and counts", async () => {
    const { cloud } = drill.world;
    await drill.manage("PUT /webhooks/functions", { retryOnFailure: false });

    const { payload } = await cloud.invoke("doctor", {});
    const counted = await countedIn(cloud, [
      { name: "DoctorFailed", dimensions: {} },
      { name: "DoctorFailed", dimensions: { check: "retries" } },
      { name: "CanaryFailed", dimensions: { appId: app } },
      { name: "CanaryMilliseconds", dimensions: { appId: app } },
    ]);

    expect(payload).toMatchObject({ findings: [{ check: "retries", status: "wrong" }] });
    expect(counted).toEqual([1, 1, 0, expect.any(Number)]);
    expect(counted[3]).toBeGreaterThan(0);
  });

  it("refuses an app that nobody serves", async () => {
    expectEnd(await drill.chat("doctor --local --app nobody"), 6, "does not serve the app nobody");
  });

  it("ends as interrupted when it is", async () => {
    const { exitCode, json } = await drill.chat("doctor --local --json", {
      edges: { signal: AbortSignal.abort() },
    });

    expect(exitCode).toBe(130);
    expect(json).toMatchObject([{ error: { code: "INTERRUPTED" } }]);
  });
});
