import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { PutFunctionConcurrencyCommand } from "@aws-sdk/client-lambda";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { readMetrics } from "../../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../../lib/base/count-metric.ts";
import { remediesFor } from "../../../lib/operate/doctor/remedies.ts";
import type { Finding } from "../../../lib/operate/doctor/run-checks.ts";
import { causeNameOf } from "../../../lib/queue/cause-name.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { firstByDay, isNight } from "../../helpers/by-day.ts";
import { callerOf, lambdaOf } from "../../helpers/cloud-data.ts";
import { basic, deliver } from "../../helpers/deliver.ts";
import { expectEnd } from "../../helpers/run-chat.ts";
import { createSetAside } from "../../helpers/set-aside.ts";
import { writeToSupport } from "../../helpers/write-to-support.ts";
import { type DrillWorld, startDrillWorld } from "./drill-world.ts";

type Drill = readonly [
  name: string,
  /** Breaks it. Returns what `mend` needs. */
  damage: (drill: DrillWorld) => Promise<unknown>,
  check: Finding["check"],
  says: RegExp,
  /** As the doctor prints it below the finding. */
  remedy: string,
  /** Types the remedy, or does what it describes. Default: types the remedy. */
  mend?: (drill: DrillWorld, remedy: string, damaged: unknown) => Promise<unknown>,
];

/** Faults that are tested together. `setup` comes last: it ends with 1 while anything is wrong. */
interface Round {
  readonly drills: readonly Drill[];
  /** More options for the doctor. */
  readonly options?: readonly string[];
  /** Other checks that report the same fault. */
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

const typeRemedy: Drill[5] = (drill, remedy) => type(drill, remedy);

/** Breaks the webhook as in the dashboard. */
const putWebhook = (settings: object) => (drill: DrillWorld) =>
  drill.manage("PUT /webhooks/functions", settings);

const revoke: Drill[1] = async ({ call, readSecret }) => {
  const { apiKey = "" } = await readSecret();
  const { data } = await call("POST /apikeys", { name: "another", scope: "fullAccess" });
  const other = String(Object(data).apiKey);
  await call(`DELETE /apikeys/${apiKey}`, undefined, other);
  return other;
};

/** Puts other fields into the secret; returns its former key. */
const spoil =
  (fields: Readonly<Record<string, string | undefined>>): Drill[1] =>
  async ({ readSecret, changeSecret }) => {
    const { apiKey } = await readSecret();
    await changeSecret(fields);
    return apiKey;
  };

const typeKey: Drill[5] = (drill, remedy, key) => type(drill, remedy, { secret: String(key) });
const typeYes: Drill[5] = (drill, remedy) => type(drill, remedy, { more: ["--yes"] });
const rotateKey = typed(`rotate api-key --app ${app} --api-key-stdin`);

const single: readonly Drill[] = [
  ["the key was revoked", revoke, "key", /refuses the API key/, rotateKey, typeKey],
  [
    "the key has a small scope",
    spoil({ apiKey: defaultSeed.apps[0].authOnlyKey }),
    "key",
    /scope is too small/,
    rotateKey,
    typeKey,
  ],
  [
    "the secret names another region",
    spoil({ region: "eu" }),
    "key",
    /knows the app in region us, and the secret says eu/,
    typed(`setup --app ${app} --app-region us`),
  ],
  [
    "the secret is gone",
    async ({ secretsManager, readSecret, world }) => {
      const { apiKey } = await readSecret();
      const SecretId = `${world.cloud.outputs.SecretPrefix}/${app}`;
      await secretsManager("DeleteSecret", { SecretId, ForceDeleteWithoutRecovery: true });
      return apiKey;
    },
    "secret",
    /has no secret/,
    typed(`setup --app ${app}`),
    async (drill, remedy, key) => {
      const more = ["--app-region", "us", "--api-key-stdin", "--yes"];
      await type(drill, remedy, { more, secret: String(key) });
      // A new secret has a new password.
      await type(drill, setUp);
    },
  ],
  [
    "the secret is not complete",
    ({ changeSecret }) => changeSecret({ webhookPassword: undefined }, "/webhook"),
    "secret",
    /not complete.*webhookPassword/,
    setUp,
  ],
  [
    "a blank was pasted with fields that setup does not make",
    async ({ changeSecret }) => {
      await changeSecret({ ticketToken: "abc " });
      await changeSecret({ legacyUsername: "old", legacyPassword: "\tdef" }, "/webhook");
    },
    "secret",
    /"ticketToken" begins or ends with a blank/,
    setUp,
  ],
  [
    "a wrong password was stored, and the previous one still opens",
    async (drill) => {
      await drill.changeSecret({ webhookPassword: "aPasswordOfNobody" }, "/webhook");
      await drill.world.platform.idle();
      drill.world.cloud.kill("webhook");
      await writeToSupport(drill.world, "Hello?");
      await drill.world.platform.idle();
    },
    "receiver",
    /come with replaced credentials.*legacy engine.*previous webhookPassword until 2\S+Z; then/,
    setUp,
  ],
  [
    "the webhook secret is gone",
    ({ secretsManager, world }) =>
      secretsManager("DeleteSecret", {
        SecretId: `${world.cloud.outputs.SecretPrefix}/${app}/webhook`,
        ForceDeleteWithoutRecovery: true,
      }),
    "secret",
    new RegExp(`no secret \\S+/${app}/webhook`),
    setUp,
  ],
  [
    "the management credentials are refused",
    ({ world }) =>
      world.cloud.putSecret(`${world.cloud.outputs.SecretPrefix}/management`, { key: "k", secret: "s" }),
    "webhook",
    /^The platform refuses the management credentials \(the secret \S+\/management\)/,
    typed(`setup --app ${app} --management-stdin`),
    (drill, remedy) => {
      const { key, secret } = defaultSeed.management;
      return type(drill, remedy, { answers: [key, secret, true, true, true] });
    },
  ],
  [
    "the secret is another app's",
    spoil({ appId: "another-app", apiKey: "a-key-of-another-app" }),
    "secret",
    /holds the credentials of another app \(another-app\)/,
    setUp,
    (drill, remedy, key) =>
      type(drill, remedy, { more: ["--app-region", "us", "--api-key-stdin"], secret: String(key) }),
  ],
];

const rounds: readonly Round[] = [
  ...firstByDay(single).map((drill) => ({ drills: [drill] })),
  {
    drills: [
      [
        "signatures are required, and there is no key for them",
        ({ changeSecret }) => changeSecret({ webhookSignature: "required" }, "/webhook"),
        "secret",
        /requires signatures and has no key for them/,
        "Add webhookSecret to it, or take webhookSignature out (docs/deploy.md#require-signatures)",
        async ({ changeSecret, world }) => {
          await changeSecret({ webhookSignature: undefined }, "/webhook");
          // It reads the secret again after a while.
          world.cloud.kill("webhook");
        },
      ],
    ],
    // The doctor's own request to the receiver is refused, too.
    alsoFound: ["receiver", "deliveries"],
  },
  {
    drills: [
      [
        "the webhook's password was changed in the dashboard",
        async (drill) => {
          await putWebhook({ password: "somethingElse" })(drill);
          // It must refuse while the canary is awaited, for which a cold start may take too long.
          const { url, username } = drill.world.webhook;
          const headers = { authorization: basic(username, "somethingElse") };
          const post = () => fetch(url, { method: "POST", headers, body: "{}" });
          await vi.waitFor(async () => expect((await post()).status).toBe(401), { interval: 1_000 });
        },
        "canary",
        /the receiver refused \d+ deliveries meanwhile/,
        setUp,
      ],
    ],
    options: ["--canary", "--within", "6s"],
    alsoFound: ["deliveries"],
  },
  {
    drills: [
      [
        "the webhook was given another user name",
        putWebhook({ username: "somebody" }),
        "webhook",
        /another user name/,
        setUp,
      ],
      [
        "the webhook tries nothing again",
        putWebhook({ retryOnFailure: false }),
        "retries",
        /does not try again/,
        setUp,
      ],
      [
        "a trigger was unsubscribed",
        ({ manage }) => manage("DELETE /webhooks/functions/triggers", { triggerIds: ["message_sent"] }),
        "triggers",
        /lacks triggers that are needed: message_sent \(auto-reply, canary, escalate\)/,
        setUp,
      ],
    ],
  },
  {
    drills: [
      [
        "a second webhook delivers the same",
        async ({ manage, world }) => {
          const { url: webhookURL, username, password } = world.webhook;
          const settings = { useBasicAuth: true, username, password, enabled: true, retryOnFailure: true };
          await manage("POST /webhooks", { id: "second", name: "Second", webhookURL, ...settings });
          await manage("POST /webhooks/second/triggers", { triggerIds: ["message_sent"] });
        },
        "webhook",
        /2 webhooks deliver the same here: functions, second/,
        "In the dashboard, Webhooks, switch off all but functions",
        ({ manage }) => manage("DELETE /webhooks/second"),
      ],
      [
        "events were given up",
        ({ world }) =>
          createSetAside(world.cloud).send("DeadLetterQueue", {
            MessageBody: "{}",
            MessageGroupId: "g",
            MessageDeduplicationId: "d",
          }),
        "dead-letters",
        /^1 dead letter \(moved\): SQS moved it/,
        typed(`dead-letters list --cause ${movedBySqs}`),
        async (drill, remedy) => {
          await type(drill, remedy);
          await type(drill, typed("dead-letters drop"), { more: ["--all", "--yes"] });
        },
      ],
      [
        "a delivery was set aside",
        ({ world }) => deliver(world, "this is no JSON"),
        "quarantine",
        /^1 unreadable delivery is in quarantine/,
        typed("dead-letters list --quarantine"),
        async (drill, remedy) => {
          await type(drill, remedy);
          await type(drill, typed("dead-letters drop --quarantine"), { more: ["--all", "--yes"] });
        },
      ],
      [
        "a function was stopped",
        ({ world }) =>
          lambdaOf(world).send(
            new PutFunctionConcurrencyCommand({
              FunctionName: "cometchat-functions-local-reconcile",
              ReservedConcurrentExecutions: 0,
            }),
          ),
        "resources",
        /^ReconcileLambdaFunction has a reserved concurrency of 0, not none: it never runs/,
        typed("deploy --repair"),
        typeYes,
      ],
      [
        "an app was listed and not deployed",
        async ({ folder }) => {
          const file = join(folder, "config/apps.yml");
          const before = readFileSync(file, "utf8");
          writeFileSync(file, before.replace("  - local-app\n", "  - local-app\n  - not-yet\n"));
          return before;
        },
        "drift",
        /config\/ names apps that are not deployed: not-yet/,
        "End the running npm start, then: npm start",
        async ({ folder }, _remedy, before) => writeFileSync(join(folder, "config/apps.yml"), String(before)),
      ],
    ],
    options: ["--app", app],
  },
  {
    drills: [
      [
        "the legacy engine was switched on",
        async ({ manage, world }) => {
          const webhook = { id: "old", name: "Old", webhookURL: world.webhook.url, enabled: true };
          await manage("POST /webhooks", webhook, "legacy");
          world.platform.switchEngine(app, "legacy");
        },
        "legacy-webhooks",
        /Webhooks of the legacy engine lead here: old/,
        "In the dashboard, Webhooks, switch to the current engine and the legacy webhooks off",
        async ({ manage, world }) => {
          world.platform.switchEngine(app, "current");
          await manage("DELETE /webhooks/old", undefined, "legacy");
        },
      ],
      ["the webhook was switched off", putWebhook({ enabled: false }), "webhook", /is switched off/, setUp],
    ],
  },
];

/** Sums up what was counted in the last minutes. */
async function countedIn(
  cloud: DrillWorld["world"]["cloud"],
  metrics: readonly { readonly name: string; readonly dimensions: Readonly<Record<string, string>> }[],
): Promise<readonly number[]> {
  const deployment = cloud.outputs.SecretPrefix ?? "";
  const series = await readMetrics(
    callerOf(cloud),
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

let drill: DrillWorld;
beforeAll(async () => {
  drill = await startDrillWorld();
});
afterAll(() => drill?.close());

describe("the drill", () => {
  afterEach(() => drill.restore());

  it("reports a healthy deployment, sends a canary that gets no reply, and leaves only a deleted message", async () => {
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

  it.each(rounds.map((round) => [round.drills.map(([name]) => name).join(", "), round] as const))(
    "reports with a remedy that works: %s",
    async (_names, { drills, options = [], alsoFound = [] }) => {
      const damaged: unknown[] = [];
      for (const [, damage] of drills) damaged.push(await damage(drill));

      const found = await drill.wrongs(...options);
      const named = found.filter(({ check }) => !alsoFound.includes(check));
      const mended = new Set<string>();
      for (const [index, [, , , , remedy, mend = typeRemedy]] of drills.entries()) {
        if (!mended.has(remedy)) await mend(drill, remedy, damaged[index]);
        mended.add(remedy);
      }
      const left = await drill.wrongs("--canary");

      const expected = drills.map(([, , check, says, remedy]) =>
        expect.objectContaining({ check, says: expect.stringMatching(says), remedy }),
      );
      expect(named).toEqual(expect.arrayContaining(expected));
      expect(named, JSON.stringify(named)).toHaveLength(drills.length);
      expect(left).toEqual([]);
    },
  );

  it("reports a password as unknown if no delivery has used it", async () => {
    await drill.changeSecret({ webhookPassword: "aPasswordOfNobody" }, "/webhook");

    expect(await drill.look()).toContainEqual({
      check: "receiver",
      appId: app,
      status: "unknown",
      remedy: setUp,
      says: expect.stringMatching(/^Nothing was delivered since the secret's webhookPassword changed/),
    });
  });

  it("reports checks without management credentials as unknown, and where to look", async () => {
    const SecretId = `${drill.world.cloud.outputs.SecretPrefix}/management`;
    await drill.secretsManager("DeleteSecret", { SecretId, ForceDeleteWithoutRecovery: true });

    const found = await drill.look();
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

  it("reports a service that does not answer as unknown, and nothing as wrong", async () => {
    await drill.world.cloud.stopQueue();

    const found = await drill.look();
    const { exitCode } = await drill.chat("doctor --local");
    await drill.world.cloud.startQueue();

    expect(exitCode).toBe(5);
    expect(found.filter(({ status }) => status === "wrong")).toEqual([]);
    expect(found.filter(({ status }) => status === "unknown").map(({ check }) => check)).toEqual([
      "queue",
      "dead-letters",
      "quarantine",
    ]);
  });

  it("notices a clock that is ahead", async () => {
    const now = () => Date.now() + 10 * 60_000;

    const ran = await drill.chat("doctor --local", { edges: { now } });

    expectEnd(ran, 1, /✗ clock .*clock is (5[5-9]\d|6[0-4]\d) s ahead[\s\S]*, 1 wrong/);
  });

  it("reports that the canary's users are not in the app", async () => {
    await drill.call("DELETE /users/canary-b", { permanent: true });

    const found = await drill.wrongs("--canary", "--within", "3s");

    expect(found).toEqual([
      expect.objectContaining({
        check: "canary",
        says: "The canary's users are not both in the app: canary-a and canary-b.",
      }),
    ]);
  });

  it("finds the fault in the scheduled function, too, which sends canaries and counts", async () => {
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

  it("refuses an app that is not served", async () => {
    expectEnd(await drill.chat("doctor --local --app nobody"), 6, "does not serve the app nobody");
  });
});

/** Util-linux's `script`, which gives a program a terminal. */
const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const remedies = remediesFor("--local");
const alarms = z.parse(
  z.record(z.string(), z.looseObject({ type: z.string() })),
  parse(readFileSync(join(import.meta.dirname, "../../../infrastructure/alarms.yml"), "utf8")),
);
const { fullAccessKey } = defaultSeed.apps[0];

/** The remedies without questions, of the doctor and the alarms, with their exit codes. */
const { status, repair, logsOf, listDeadLetters, listQuarantine, listCause, rotationStatus, wake, logs } =
  remedies;
const plain = new Map([
  ...[status, listDeadLetters, listQuarantine, listCause("ERR_UID_NOT_FOUND-1f0c2a")].map(ending(0)),
  ...[rotationStatus(app), wake(app), logs(app), logsOf("webhook"), repair].map(ending(0)),
  ...[remedies.resume(`app:${app}`)].map(ending(6)), // nothing is paused
  ...Object.values(alarms).map(({ type }) =>
    // No function counts what is received here.
    ending(type.startsWith("reconcile") ? 3 : 0)(typed(type)),
  ),
]);

function ending(code: number) {
  return (line: string) => [line, code] as const;
}

describe("a printed remedy", () => {
  const withKey = (apiKey: string) => drill.changeSecret({ apiKey });
  const argumentsOf = (remedy: string) => remedy.replace("npx cometchat-functions ", "").split(" ");
  const asTyped = (remedy: string) => [
    "--disable-warning=ExperimentalWarning",
    join(drill.folder, "cli/main.ts"),
    ...argumentsOf(remedy),
  ];

  it.each([...plain])("ends with the expected exit code: %s", async (remedy, expected) => {
    expectEnd(await drill.chat(argumentsOf(remedy)), expected);
  });

  it("asks for its input, and shows no key", async () => {
    await withKey("");
    const answers = [fullAccessKey, true, true, true];

    const ran = await drill.chat(argumentsOf(remedies.setUpApp(app)), { answers });

    expectEnd(ran, 0);
    expect(ran.stdout + ran.stderr).not.toContain(fullAccessKey);
  });

  it.runIf(isNight && hasTerminals)("ends the same on a terminal and in a pipe", async () => {
    const [terminal, pipe] = await Promise.all([
      onTerminal(asTyped(remedies.status), drill.folder, []),
      inPipe(asTyped(remedies.status), drill.folder, ""),
    ]);

    expect({ ...terminal, pipe }).toEqual({
      code: 0,
      unasked: [],
      shown: expect.not.stringContaining("unsettled"),
      pipe: { code: 0, stderr: expect.not.stringContaining("unsettled") },
    });
  });

  it.skipIf(!hasTerminals)("works on a terminal as printed, and shows no key", async () => {
    await withKey("");

    const { code, shown, unasked } = await onTerminal(asTyped(remedies.setUpApp(app)), drill.folder, [
      ["scope fullAccess", `${fullAccessKey}\r`],
      ["(y/N)", "y\r"],
    ]);

    expect({ shown, unasked, code }).toEqual({
      shown: expect.not.stringContaining(fullAccessKey),
      unasked: [],
      code: 0,
    });
    expect(shown).not.toContain("unsettled");
    // Ctrl-T would show the key.
    expect(shown).not.toContain("toggle visibility");
  });

  it.runIf(isNight && hasTerminals)("ends with Ctrl-D as with Ctrl-C, and changes nothing", async () => {
    const { code, shown } = await onTerminal(asTyped(remedies.replaceKey(app)), drill.folder, [
      ["from the dashboard:", "\u0004"],
    ]);

    expect({ shown, code }).toEqual({ shown: expect.stringContaining("Interrupted."), code: 130 });
    expect(shown).not.toContain("unsettled");
  });

  it.runIf(isNight)("takes its key from a pipe, with --yes instead of confirmations", async () => {
    await withKey("0".repeat(40));
    const remedy = `${remedies.replaceKey(app)} --yes`;

    const { code, stderr } = await inPipe(asTyped(remedy), drill.folder, `${fullAccessKey}\n`);

    expect(code, stderr).toBe(0);
  });
});

/** Runs a program whose standard streams are pipes. */
async function inPipe(args: readonly string[], cwd: string, stdin: string) {
  const child = spawn(process.execPath, args, { cwd });
  child.stdin.end(stdin);
  child.stdout.resume();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { stderr, code };
}

/** What a question contains, and what is typed then. */
type Answers = readonly (readonly [question: string, typed: string])[];

/** Runs a program on its own terminal, and answers its questions once they appear. */
async function onTerminal(args: readonly string[], cwd: string, answers: Answers) {
  const line = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env: { ...process.env, TERM: "xterm" },
    timeout: 300_000,
  });
  const [answered, [code]] = await Promise.all([answer(child, answers), once(child, "close")]);
  return { ...answered, code: child.killed ? "did not end" : code };
}

/** Types each answer once its question appears, and the last one at each repetition of its question. */
async function answer(
  { stdin, stdout }: ChildProcess,
  answers: Answers,
): Promise<{ shown: string; unasked: readonly string[] }> {
  const left = [...answers];
  let shown = "";
  let answered = 0;
  for await (const chunk of stdout ?? []) {
    shown += String(chunk);
    const next = left[0] ?? answers.at(-1);
    if (next === undefined || !shown.includes(next[0], answered)) continue;
    answered = shown.length;
    left.shift();
    stdin?.write(next[1]);
  }
  return { shown, unasked: left.map(([question]) => question) };
}
