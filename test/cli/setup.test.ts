import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { ClientRequest } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { noFaults } from "../../local/platform/faults/control.ts";
import { createWitness } from "../../local/stack/witness.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { manageApp } from "../helpers/call-app.ts";
import { callSecrets, forgetSecret, secretNow } from "../helpers/cloud-data.ts";
import { diesAtRequest } from "../helpers/dies-at-request.ts";
import { createProjectFolder, createRunChat, expectEnd, type RunChat } from "../helpers/run-chat.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const [app] = defaultSeed.apps;
const management = JSON.stringify(defaultSeed.management);
const stdin = `${app.fullAccessKey}\n${management}`;
const webhookSecret = `${app.appId}/webhook`;
const fromNothing = [
  ...["setup", "--local", "--app", app.appId, "--app-region", "us"],
  ...["--api-key-stdin", "--management-stdin", "--yes", "--json"],
];
const byHand = "setup --local --app-region us --api-key-stdin --by-hand --yes";
const prefix = "cometchat-functions/local";
const refusal = { success: false, error: { code: "ERR_TRIGGER_NOT_FOUND", message: "There is none." } };

describe("chat setup", { timeout: 900_000 }, () => {
  const project = createProjectFolder();
  let platform: Platform;
  let cloud: Cloud;
  let chat: RunChat;

  beforeAll(async () => {
    const switches = { deliveryTimeoutMs: 60_000, reasonDescriptions: "fixed" } as const;
    platform = await createPlatform({ port: 0, switches });
    cloud = await startCloud({ environment: addresses() });
    chat = createRunChat(project.folder, cloud);
  });
  afterAll(async () => {
    await cloud?.close();
    await platform?.close();
    project.remove();
  });
  afterEach(async () => {
    // A process that is ended while it works has failed, and an event without its tables comes back.
    await platform.idle();
    await cloud.settled();
    await cloud.reset();
    platform.reset();
    await forgetSecrets();
  });

  it("sets up an app from scratch to its first answered message", async () => {
    const ran = await chat(fromNothing, { stdin });
    const reply = await firstReply();

    expectEnd(ran, 0);
    expect(ran.json).toEqual([
      expect.objectContaining({
        secret: "made",
        deployment: "serves it already",
        webhook: expect.objectContaining({ outcome: "created", id: "functions" }),
      }),
    ]);
    expect(reply).toMatchObject({ sender: "support" });
  });

  it("asks nothing, and changes only the webhook's settings, the next time", async () => {
    await chat(fromNothing, { stdin });
    const before = await stackNow();

    const ran = await chat("setup --local --yes --json");

    expectEnd(ran, 0, "✓ webhook functions: nothing differed; credentials set again");
    expect(ran.json).toEqual([
      expect.objectContaining({
        secret: "unchanged",
        list: "unchanged",
        settings: 0,
        webhook: expect.objectContaining({ outcome: "brought up to date", changed: [] }),
      }),
    ]);
    expect(await stackNow()).toEqual(before);
  });

  it("asks before it switches a webhook on, and reports what was lost meanwhile with a command", async () => {
    await chat(fromNothing, { stdin });
    await manage("PUT /webhooks/functions", { enabled: false });
    const before = await stackNow();

    const unasked = await chat("setup --local --json");
    const untouched = await stackNow();
    const declined = await chat("setup --local", { answers: [false] });
    const agreed = await chat("setup --local", { answers: [true] });
    const [typed = ""] = /npx cometchat-functions reconcile .*/.exec(agreed.stderr) ?? [];
    const handed = await chat(typed.replace("npx cometchat-functions ", ""), { answers: [true] });

    expect([unasked.exitCode, declined.exitCode, agreed.exitCode]).toEqual([3, 3, 0]);
    expect(unasked.stderr).toContain(
      "Set the webhook functions of the app local-app (switched on; credentials",
    );
    expect(untouched).toEqual(before);
    expect(agreed.stderr).toContain("✓ webhook functions: brought up to date; switched on");
    // There was no delivery before: reconcile's maximum.
    expect(typed).toMatch(/--local --app local-app --since 119h$/);
    expectEnd(handed, 0, /Messages after [\d:]+ UTC are not looked at yet; type it again at [\d:]+ UTC\./);
  });

  const losses = [
    ["led to another host", () => ({ webhookURL: "https://earlier.example.com/webhooks/local-app" })],
    ["led to another app", (url: string) => ({ webhookURL: `${url}/webhooks/another-app` })],
    ["was switched off, and renamed later", () => ({ enabled: false })],
    ["was deleted, beside one of another host", undefined],
  ] as const;
  it.each(firstByDay(losses))(
    "prints the command for what was lost since the last delivery while the webhook %s",
    async (_, change) => {
      const { stderr: first } = await chat(fromNothing, { stdin });
      const startedMs = Date.now();
      await firstReply();
      await cloud.settled();
      const endedMs = Date.now();
      if (change === undefined) await manage("DELETE /webhooks/functions");
      else await manage("PUT /webhooks/functions", change(cloud.httpUrl));
      if (change !== undefined) await manage("PUT /webhooks/functions", { name: "Ours" });

      const mended = await chat("setup --local --yes --json");

      expectEnd(mended, 0, "npx cometchat-functions reconcile --local --app local-app");
      const [, since = ""] = /--since (\d{4}-.*Z)$/m.exec(mended.stderr) ?? [];
      const lastMs = Date.parse(since) + 5 * 60_000;
      expect(lastMs).toBeGreaterThan(startedMs - 1_000);
      expect(lastMs).toBeLessThanOrEqual(endedMs);
      expect(first).not.toContain("reconcile");
    },
  );

  const broken = [
    ["since the last delivery", true, /--since \d{4}-.*Z$/m],
    ["of five days where none is known", false, /--since 119h$/m],
  ] as const;
  it.runIf(isNight).each(broken)(
    "reports what was lost %s, if a run ended before its new webhook's triggers",
    async (_, has, since) => {
      const put = () => chat(fromNothing, { stdin });
      if (has) {
        await put();
        await firstReply();
        await cloud.settled();
        await manage("DELETE /webhooks/functions");
      }
      const fails = { on: "request", operationId: "add-triggers", fault: "serverError" } as const;
      platform.faults.set({ ...noFaults, rules: [fails] });

      const ended = await put();
      platform.faults.set(noFaults);
      const again = await put();

      expectEnd(ended, 5, "run it again");
      expectEnd(again, 0, "✓ webhook functions: brought up to date; switched on; triggers", since);
    },
  );

  it.each(
    firstByDay([
      [
        "one trigger",
        1,
        (one: string, other: string) => ({ data: { [one]: refusal, [other]: { success: true } } }),
      ],
      ["the whole call because of one trigger", 2, () => refusal],
    ] as const),
  )(
    "switches the webhook on although the platform refuses %s, and reports that last",
    async (_, count, answer) => {
      const { json } = await chat(fromNothing, { stdin });
      const [one = "", other = ""] = Object(json[0]).webhook.triggers;
      await manage("DELETE /webhooks/functions/triggers", { triggerIds: [one, other] });
      await manage("PUT /webhooks/functions", { enabled: false, password: "another" });
      const body = JSON.stringify(answer(one, other));
      const fails = {
        on: "request",
        operationId: "add-triggers",
        fault: "refusedInOk",
        body,
        count,
      } as const;
      platform.faults.set({ ...noFaults, rules: [fails] });

      const ended = await chat("setup --local --yes --json");
      platform.faults.set(noFaults);
      const done = await chat("setup --local --yes --json");

      expectEnd(ended, 7, `✓ webhook functions: brought up to date; switched on; triggers ${other}\n`);
      expect(ended.json).toEqual([{ error: expect.objectContaining({ code: "NOT_SUBSCRIBED" }) }]);
      expect(ended.stderr).toMatch(
        new RegExp(`reconcile --local --app local-app --since .*did not subscribe .* to ${one}:`, "s"),
      );
      expect(done.stderr).toMatch(new RegExp(`brought up to date; triggers ${one}`));
      expect(await firstReply()).toMatchObject({ sender: "support" });
    },
  );

  describe("if the app does not accept all of config/app/", () => {
    const file = join(project.folder, "config/app/moderation-reasons.yml");
    const shipped = readFileSync(file, "utf8");
    beforeEach(() => {
      writeFileSync(file, "reasons: [{ id: spam, name: Spam, description: Ours. }]\n");
    });
    afterEach(() => writeFileSync(file, shipped));

    it("still registers the webhook, and reports what is missing after the doctor's findings", async () => {
      const ended = await chat(
        fromNothing.filter((arg) => arg !== "--json"),
        { stdin },
      );

      expectEnd(
        ended,
        7,
        /^app local-app\n.*✓ webhook .*\d+ healthy/ms,
        "✓ webhook functions: created\n",
        /moderation reason spam: .* took .*, but not: description\.\n/,
      );
      expect(await firstReply()).toMatchObject({ sender: "support" });
    });

    it("still shows what to enter by hand", async () => {
      const ended = await chat(byHand, { stdin: app.fullAccessKey });

      expectEnd(
        ended,
        7,
        "but not: description.",
        `address              ${cloud.httpUrl}/webhooks/local-app`,
      );
    });

    it("still registers the webhook if a part of the app cannot be read", async () => {
      const operationId = "list-reasons";
      const refuses = { on: "request", operationId, fault: "serverError", status: 503 } as const;
      platform.faults.set({ ...noFaults, rules: [refuses] });

      const ended = await chat(fromNothing, { stdin });
      platform.faults.set(noFaults);

      expectEnd(ended, 7, /moderation reason spam: It could not be read: .*503/);
      expect(await firstReply()).toMatchObject({ sender: "support" });
    });

    it("registers no webhook if the platform refuses the key meanwhile", async () => {
      const operationId = "update-reason-details";
      const refuses = { on: "request", operationId, fault: "serverError", status: 401 } as const;
      platform.faults.set({ ...noFaults, rules: [refuses] });

      const ended = await chat(fromNothing, { stdin });
      platform.faults.set(noFaults);

      expectEnd(ended, 7, "only partly matches config/app/: moderation reason spam: ");
      expect(await manage("GET /webhooks")).toMatchObject({ data: [] });
    });
  });

  it.runIf(isNight)(
    "warns that the webhook of another deployment stays on, before and after it registers one",
    async () => {
      const webhookURL = "https://a.example.com/webhooks/local-app";
      await chat(fromNothing, { stdin });
      await manage("PUT /webhooks/functions", { webhookURL });
      const warning =
        "Webhooks of the app local-app that lead to other hosts stay on: functions (a.example.com). If a deployment answers there, both answer each message.";

      const unasked = await chat("setup --local --json");
      const done = await chat("setup --local --yes --json");
      const again = await chat("setup --local --json");
      await manage("PUT /webhooks/functionslocal", { enabled: false });
      const off = await chat("setup --local --json");
      await manage("PUT /webhooks/functions", { enabled: false });
      const alone = await chat("setup --local --json");

      expectEnd(unasked, 3, `${warning} Register a webhook for the app local-app, with its triggers?`);
      expectEnd(done, 0, "✓ webhook functionslocal: created", `\n${warning}\n`);
      expectEnd(off, 3, `${warning} Set the webhook functionslocal of the app local-app (switched on; `);
      for (const { stderr } of [again, alone]) expect(stderr).not.toContain(warning);
    },
  );

  const missing = [
    ["webhook secret", [webhookSecret]],
    ["two secrets", [app.appId, webhookSecret]],
  ] as const;
  it.runIf(isNight).each(missing)(
    "prints the command for what was not stored without the %s, also hours later",
    async (_, names) => {
      await chat(fromNothing, { stdin });
      await firstReply();
      await cloud.settled();
      for (const name of names) await forgetSecret(cloud, `${prefix}/${name}`);
      cloud.kill("webhook");
      await writeToSupport({ platform, app }, "Hello?");
      await platform.idle();

      const mended = await chat(fromNothing, { stdin, edges: { now: () => Date.now() + 3 * 3_600_000 } });

      expect(mended.stderr).toMatch(/reconcile --local --app local-app --since \d{4}-.*Z$/m);
    },
  );

  it.runIf(isNight)("does not take a recreated secret for a first setup", async () => {
    await chat(fromNothing, { stdin });
    await manage("PUT /webhooks/functions", { enabled: false });
    await forgetSecrets();

    expectEnd(await chat(fromNothing, { stdin }), 0, /--since 119h$/m);
  });

  it.runIf(isNight)("continues with the webhook that another operator created meanwhile", async () => {
    await chat(fromNothing, { stdin });
    await manage("DELETE /webhooks/functions");
    const confirm = async () => {
      await manage("POST /webhooks", { id: "functions", name: "Theirs", webhookURL: cloud.httpUrl });
      await manage("POST /webhooks/functions/triggers", { triggerIds: ["message_sent"] });
      return true;
    };
    const ask = { confirm, text: async () => "", password: async () => "" };

    const ran = await chat("setup --local", { edges: { ask } });

    expectEnd(ran, 0);
    expect(await manage("GET /webhooks")).toMatchObject({ data: [{ id: "functions" }] });
  });

  it.runIf(isNight)(
    "prints the command for what was refused with another password, also after another change",
    async () => {
      await chat(fromNothing, { stdin });
      await manage("PUT /webhooks/functions", { password: "another" });
      await writeToSupport({ platform, app }, "Hello?");
      await platform.idle();
      const refusedMs = Date.now();
      await manage("PUT /webhooks/functions", { name: "Ours" });

      const mended = await chat("setup --local --yes --json", { edges: { now: () => Date.now() + 600_000 } });

      const [, since = ""] =
        /reconcile --local --app local-app --since (\d{4}-.*Z)$/m.exec(mended.stderr) ?? [];
      // Deliveries refused in a minute may have been sent in the minute before.
      expect(Date.parse(since)).toBeLessThanOrEqual(Math.floor(refusedMs / 60_000) * 60_000 - 60_000);
    },
  );

  it("completes with --dry-run, and changes nothing", async () => {
    const rehearse = async (words = "", typed = "") => {
      const before = await stackNow();
      const { exitCode, stdout, stderr } = await chat(`setup --local --dry-run --yes ${words}`, {
        stdin: typed,
      });
      expect({ exitCode, stderr, world: await stackNow() }).toMatchObject({ exitCode: 0, world: before });
      return stdout;
    };
    const serves = /\d\. Make the local stack.* serve the app local-app/;
    const registers = "Register a webhook for the app local-app, with its triggers?";
    const last = /\d\. Check the result, as doctor does\.\n/;

    const empty = await rehearse("--app local-app");
    const given = await rehearse("--app-region us --api-key-stdin --management-stdin", stdin);
    await chat(fromNothing, { stdin });
    await manage("PUT /webhooks/functions", { enabled: false });
    const half = await rehearse();

    expect(empty).toMatch(/1\. Ask: The app's region.*\n2\. Ask: The app's REST API key/);
    expect(empty).toContain("Ask: Management API key");
    expect(given).toContain("Keep the management credentials in the secret");
    for (const shown of [empty, given]) for (const line of [serves, registers]) expect(shown).toMatch(line);
    expect(half).toMatch(/^1\. Set the webhook functions of the app local-app \(switched on; credentials/m);
    for (const shown of [empty, given, half]) expect(shown).toMatch(last);
  });

  it("asks the user, and shows no secret", async () => {
    const { key, secret } = defaultSeed.management;
    const answers = ["us", app.fullAccessKey, true, key, secret, true, true, true];

    const ran = await chat("setup --local", { answers });

    expectEnd(ran, 0, "✓ webhook");
    const { webhookPassword } = await secretOfNow(webhookSecret);
    for (const hidden of [app.fullAccessKey, secret, webhookPassword])
      expect(ran.stdout + ran.stderr).not.toContain(hidden);
  });

  it("continues wherever it crashed, and duplicates nothing", async () => {
    await chat(fromNothing, { stdin });
    const whole = await stackNow();
    const ends: unknown[] = [];
    for (let number = 0; ; number += isNight ? 1 : 6) {
      await forgetSecrets(["webhook"]); // the others have read none
      platform.reset();
      const end = await diesAtRequest(number, () => chat(fromNothing, { stdin }), isChange);
      if (end === "lived") break;

      const { exitCode } = await chat(fromNothing, { stdin });
      const now = await stackNow();
      if (exitCode !== 0 || JSON.stringify(now) !== JSON.stringify(whole))
        ends.push({ number, exitCode, now });
    }

    expect(ends).toEqual([]);
  });

  it("shows what to enter by hand if there are no management credentials", async () => {
    const ran = await chat(byHand, { stdin: app.fullAccessKey });

    expectEnd(
      ran,
      7,
      `address              ${cloud.httpUrl}/webhooks/local-app`,
      "username             platform",
      "npx cometchat-functions setup --local --app local-app --show-password",
      "npx cometchat-functions doctor --local",
      /triggers {13}.*message_sent/,
    );
    expect(ran.stdout).not.toContain((await secretOfNow(webhookSecret)).webhookPassword);
  });

  it("shows the webhook's password on a terminal only", async () => {
    await chat(fromNothing, { stdin });
    const shown: string[] = [];
    const terminal = { write: (text: string) => void shown.push(text), isTerminal: true };

    const onTerminal = await chat("setup --local --show-password", { edges: { stdout: terminal } });
    const piped = await chat("setup --local --show-password");

    expect(onTerminal.exitCode).toBe(0);
    expect(shown.join("")).toContain((await secretOfNow(webhookSecret)).webhookPassword);
    expect(piped.exitCode).toBe(2);
    expect(piped.stdout).toBe("");
  });

  it("refuses to show a missing password or another app's", async () => {
    const show = () =>
      chat(`setup --local --app ${app.appId} --show-password`, {
        edges: { stdout: { write: (text) => void shown.push(text), isTerminal: true } },
      });
    const shown: string[] = [];

    const missing = await show();
    await cloud.putSecret(`${prefix}/${app.appId}`, { appId: "another", webhookPassword: "of-another" });
    const foreign = await show();
    await cloud.putSecret(`${prefix}/${app.appId}`, { appId: app.appId });
    const unfinished = await show();

    expect([missing.exitCode, foreign.exitCode, unfinished.exitCode]).toEqual([6, 6, 6]);
    expect(missing.stderr).toContain("npx cometchat-functions setup --local --app local-app");
    expect(shown).toEqual([]);
  });

  const beginRotation = async () => {
    const pending = { ...(await secretOfNow(webhookSecret)), webhookPassword: "of-tomorrow" };
    await callSecrets(cloud, "PutSecretValue", {
      SecretId: `${prefix}/${webhookSecret}`,
      SecretString: JSON.stringify(pending),
      VersionStages: ["AWSPENDING"],
      ClientRequestToken: randomUUID(),
    });
    await manage("PUT /webhooks/functions", { password: "of-tomorrow" });
  };
  const finishing = "npx cometchat-functions rotate --local finish --dry-run --app local-app";

  it("does not change the webhook while a rotation is under way", async () => {
    await chat(fromNothing, { stdin });
    await beginRotation();
    const before = await stackNow();

    expectEnd(await chat("setup --local --yes --json"), 3, finishing);
    expect(await stackNow()).toEqual(before);
  });

  it("does not change the webhook if a rotation began since the question", async () => {
    await chat(fromNothing, { stdin });
    const before: unknown[] = [];
    const agree = async () => {
      await beginRotation();
      before.push(await stackNow());
      return true;
    };

    expectEnd(await chat("setup --local", { answers: [agree] }), 7, finishing);
    expect([await stackNow()]).toEqual(before);
  });

  it.runIf(isNight)("replaces management credentials that were withdrawn or are invalid", async () => {
    await chat(fromNothing, { stdin });
    await callSecrets(cloud, "DeleteSecret", { SecretId: `${prefix}/management` });
    const withdrawn = await chat("setup --local --management-stdin --yes --json", {
      stdin: management,
    });
    const restored = await secretOfNow("management");
    await cloud.putSecret(`${prefix}/management`, { token: "of another kind" });
    const unsaid = await chat("setup --local --yes --json");
    const spoilt = await chat("setup --local --management-stdin --yes --json", {
      stdin: management,
    });

    expect([withdrawn.exitCode, unsaid.exitCode, spoilt.exitCode]).toEqual([0, 1, 0]);
    expect(restored).toEqual(defaultSeed.management);
    expect(unsaid.stderr).toContain("--management-stdin");
    expect(await secretOfNow("management")).toEqual(defaultSeed.management);
  });

  it("reports what was done if the user declines the rest", async () => {
    const args = ["setup", "--local", "--app-region", "us", "--by-hand"];

    expectEnd(await chat(args, { answers: [app.fullAccessKey, false] }), 3);
    expect(await secretOfNow()).toEqual({});
    expectEnd(await chat(args, { answers: [app.fullAccessKey, true, false] }), 7, "Finished steps stay");
    expect(await secretOfNow()).toHaveProperty("apiKey");
  });

  it("refuses management credentials that the platform rejects, and stores none", async () => {
    const wrong = `${app.fullAccessKey}\n{"key":"another","secret":"pair"}`;

    expectEnd(await chat(fromNothing, { stdin: wrong }), 4, "does not accept the management credentials");
    expect(await secretOfNow("management")).toEqual({});
  });

  function addresses(): Record<string, string> {
    return {
      CHAT_BASE_URL_TEMPLATE: `${platform.url}/{appId}.{service}-{region}/v3`,
      CHAT_MANAGEMENT_URL: platform.managementUrl,
    };
  }

  /** Writes as alice, and waits for the functions' answer. */
  async function firstReply() {
    const witness = createWitness<Parameters<Parameters<Platform["subscribe"]>[0]>[0]>();
    const stop = platform.subscribe(witness.note);
    await writeToSupport({ platform, app }, "Hello?");
    const reply = await witness.first(
      (event) => (event.type === "message" && event.message.sender === "support" ? event.message : undefined),
      120_000,
    );
    stop();
    return reply;
  }

  const manage = (call: string, body?: object) => manageApp({ platform, app }, call, body);

  /** What setting up leaves in the world, except times and random values. */
  async function stackNow() {
    const hide = (text: string) => text.replaceAll(/("(?:createdAt|updatedAt)":)\d+/g, "$10");
    return {
      webhooks: hide(JSON.stringify(await manage("GET /webhooks"))),
      triggers: hide(JSON.stringify(await manage("GET /webhooks/functions/triggers"))),
      secret: await secretOfNow(),
      webhookSecret: { ...(await secretOfNow(webhookSecret)), webhookPassword: "hidden" },
      management: await secretOfNow("management"),
    };
  }

  const secretOfNow = (name: string = app.appId) => secretNow(cloud, `${prefix}/${name}`);

  async function forgetSecrets(functions = ["webhook", "processEvents", "doctor"]) {
    for (const name of [app.appId, webhookSecret, "management"])
      await forgetSecret(cloud, `${prefix}/${name}`);
    // They still have the former state, as running functions do for a while.
    for (const name of functions) cloud.kill(name);
  }
});

/** Whether a request may change something: a crash before a read equals one after the previous change. */
function isChange(request: ClientRequest) {
  const target = request.getHeader("x-amz-target");
  if (target !== undefined) return !/\.(Get|List|Describe|Query|Receive)/.test(String(target));
  // STS and CloudFormation, which `setup` only reads, are called at "/".
  return request.method !== "GET" && request.path !== "/";
}
