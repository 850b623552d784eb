import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DeleteFunctionConcurrencyCommand, PutFunctionConcurrencyCommand } from "@aws-sdk/client-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readSampleEvents } from "../../cli/trigger/fresh-delivery.ts";
import { findStandIns, replaceNames } from "../../cli/trigger/unknown-users.ts";
import { createChatClient } from "../../lib/chat/client.ts";
import { deadLettering, heldBackOf, isHeldBack, triggerOf } from "../../lib/effects/health/breaker.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import { laneOf } from "../../lib/queue/lanes/lane-record.ts";
import { createLaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { outageRoomOf } from "../../lib/queue/lanes/outage-room.ts";
import { noProgress } from "../../lib/queue/lanes/progress.ts";
import { createWaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { createWitness } from "../../local/stack/witness.ts";
import { isNight } from "../helpers/by-day.ts";
import { lambdaOf, lanesTableOf } from "../helpers/cloud-data.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { findingSchema } from "../helpers/finding-schema.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";

/** Functions check pauses and leases every five seconds; the rest is for a busy machine. */
const timeoutMs = 120_000;

const appId = "local-app";
const destination = "api.example write";

let lines: string[] = [];
let onStage = createWitness<string>();
const project = useChat({
  log: (line) => {
    lines.push(line);
    onStage.note(line);
  },
});

beforeEach(async () => {
  await world.reset();
  lines = [];
  onStage = createWitness();
});

const stageSays = (text: string) =>
  onStage.first((line) => (line.includes(text) ? line : undefined), timeoutMs);

describe("pause, resume and the pauses of status", () => {
  it("pause a trigger while its events wait, show the pause, and continue with the events", async () => {
    const stopped = await chat(["pause trigger:auto-reply --local --for 2h --yes --reason", "wrong answers"]);
    await deliver(world, messageSent({ id: "m-1", sender: "alice", text: "What is the price?" }));
    await stageSays("put an event beside its lane");

    const shown = await chat("status --local --json");
    const text = await chat("status --local");
    const looked = await chat("doctor --local --json");
    const resumed = await chat("resume trigger:auto-reply --local --yes");
    await stageSays("answered a message");

    const trail = await chat("logs --local --function audit");

    expectEnd(stopped, 0, "trigger:auto-reply of app local-app is paused since");
    expect(trail.stdout).toMatch(/began a command.*by=arn:aws:\S+.*command=pause.*trigger:auto-reply/);
    expect(trail.stdout).toMatch(/ended a command.*command=pause.*exitCode=0/);
    expect(trail.stdout).not.toContain("command=status");
    expect(shown.json).toMatchObject([
      {
        pauses: [
          {
            app: "local-app",
            what: "trigger:auto-reply",
            since: expect.any(String),
            until: expect.any(String),
            by: expect.stringContaining("arn:aws:"),
            reason: "wrong answers",
            waiting: { lanes: 1, flows: 0 },
          },
        ],
      },
    ]);
    expectEnd(text, 0, "1 conversation and 0 flows wait", "nothing that is looked at needs attention");
    const { findings } = z.looseObject({ findings: z.array(findingSchema) }).parse(looked.json[0]);
    expect(findings.filter(({ check }) => check === "paused")).toEqual([
      {
        check: "paused",
        appId: "local-app",
        status: "ok",
        says: expect.stringMatching(
          /^The trigger auto-reply is paused since .* until .*, by arn:aws:\S+: wrong answers\.$/,
        ),
        remedy: "npx cometchat-functions resume trigger:auto-reply --app local-app --local",
      },
    ]);
    expect(resumed.stdout).toContain("(1 conversation and 0 flows wait): resumes within ten seconds.");
    expect((await chat("status --local --json")).json).toMatchObject([{ pauses: [] }]);
  });

  it("end no pause if the message that continues its events cannot be sent", async () => {
    const { faults } = world.cloud;
    const { services } = faults.settings();
    await chat("pause trigger:auto-reply --local --yes");
    faults.set({ services: { ...services, sqs: { isDown: true, throttled: 0, slowMs: 0 } } });
    const failed = await chat("resume trigger:auto-reply --local --yes");
    faults.set({ services });
    const resumed = await chat("resume trigger:auto-reply --local --yes");

    expectEnd(failed, 5, "AmazonSQS.SendMessage failed");
    expectEnd(resumed, 0, "resumes within ten seconds");
  });

  it("pause an app, and change nothing without confirmation", async () => {
    const refused = await chat("pause app:local-app --local");
    const unwanted = await chat("pause app:local-app --local", { answers: [false] });
    const before = await chat("resume app:local-app --local --yes");
    const wanted = await chat("pause app:local-app --local", { answers: [true] });
    const after = await chat("status --local --json");

    expect([refused, unwanted, before, wanted].map(({ exitCode }) => exitCode)).toEqual([3, 3, 6, 0]);
    expect(after.json).toMatchObject([{ pauses: [{ what: "app:local-app" }] }]);
  });

  it.runIf(isNight)(
    "pause an app while the function doctor is throttled, by the names of config/",
    async () => {
      const doctor = { FunctionName: "cometchat-functions-local-doctor" };
      await lambdaOf(world).send(
        new PutFunctionConcurrencyCommand({ ...doctor, ReservedConcurrentExecutions: 0 }),
      );
      const paused = await chat("pause app:local-app --local --yes");
      const strange = await chat("pause app:another --local --yes");
      const resumed = await chat("resume app:local-app --local --yes");
      await lambdaOf(world).send(new DeleteFunctionConcurrencyCommand(doctor));

      expectEnd(
        paused,
        0,
        "The function doctor is throttled or gives no answer. The names are those of config/",
      );
      expect([strange.exitCode, resumed.exitCode]).toEqual([6, 0]);
    },
  );

  it.each([
    ["pause auto-reply", 2, "cannot be paused"],
    ["pause trigger:auto-replies", 6, 'The deployment has no trigger "auto-replies".'],
    ["pause flow:none", 6, "The deployment has no flow."],
    ["pause app:other", 6, "It has only local-app."],
    ["pause trigger:auto-reply --app other", 6, 'The deployment has no app "other"'],
    ["pause app:local-app --all-apps", 2, "already names the app"],
    ["pause app:local-app --for 15d", 2, "at most 14d"],
    ["resume app:local-app", 6, "app:local-app is not paused."],
    ["resume hots", 2, '"hots" cannot be resumed.'],
  ])("refuse %j with exit code %i", async (args, exitCode, message) => {
    expectEnd(await chat(`${args} --local --yes`), exitCode, message);
  });
});

describe("resume hosts", () => {
  it("wakes all conversations that wait for a host, reports their recovery, and can be repeated", async () => {
    const sinceMs = Date.now() - 10 * 60_000;
    await leaveWaiting(["m-1", "m-2"], sinceMs);

    const seen = await chat("doctor --local");
    const status = await chat("status --local");
    const { fullAccessKey: apiKey } = world.app;
    await world.cloud.putAppSecret({ appId, region: "us", apiKey: "0".repeat(40) });
    const withoutKey = await chat("status --local");
    await world.cloud.putAppSecret({ appId, region: "us", apiKey });
    const refused = await chat("resume hosts --local");
    const unwanted = await chat("resume hosts --local", { answers: [false] });
    const woken = await chat(["resume hosts --local --app", appId, "--yes", "--json"]);
    const again = await chat("resume hosts --local"); // sends no request

    expect(seen.stdout).toContain("2 conversations wait for api.example write, the first for 10 min.");
    expectEnd(status, 1, `✗ App ${appId}: 2 conversations wait for api.example write`);
    expect(withoutKey.stdout).toMatch(/✗ .*refuses the API key[\s\S]*✗ .*2 conversations wait/);
    expect(seen.stdout).toContain(`→ npx cometchat-functions resume hosts --app ${appId} --local`);
    expect([refused.exitCode, unwanted.exitCode]).toEqual([3, 3]);
    expect(woken.json).toEqual([
      {
        woken: [
          {
            app: appId,
            destination,
            since: new Date(sinceMs).toISOString(),
            conversations: 2,
            oldest: new Date(sinceMs).toISOString(),
            cause: "refused with 503",
            wentOn: 2,
            waitAgain: 0,
            left: 0,
          },
        ],
      },
    ]);
    expect(lines.filter((line) => line.includes("answered a message"))).toHaveLength(2);
    expect([again.exitCode, again.stdout]).toEqual([0, "No conversation waits for a host.\n"]);
  });

  it.runIf(isNight)(
    "wakes events whose dead-lettering is held back, with the requests that wait for it",
    async () => {
      await leaveWaiting(["m-1", "m-2"], Date.now() - 3 * 60_000, heldBackOf("auto-reply"));
      const health = createHealthStore(lanesTableOf(world.cloud), Date.now);
      await health.open(appId, deadLettering, Date.now() + 60_000);

      const status = await chat("status --local");
      const woken = await chat("resume hosts --local --yes");

      expect(status.stdout).toContain(
        `✗ App ${appId}: 2 conversations wait for the held-back trigger auto-reply, which failed permanently`,
      );
      expectEnd(woken, 0, `held-back trigger auto-reply of app ${appId}: 2 of 2 went on`);
      expect(lines.filter((line) => line.includes("answered a message"))).toHaveLength(2);
    },
  );

  it("reports failing requests to a host for which no conversation is known to wait", async () => {
    await createHealthStore(lanesTableOf(world.cloud), Date.now).noteBad(
      appId,
      destination,
      "events g",
      Date.now() - 5_000,
    );

    const { stderr } = await chat("resume hosts --local");

    expect(stderr).toMatch(
      /Requests to api.example write fail since .*; no conversation is known to wait for it/,
    );
  });

  /** Parks a conversation with one message each, as an outage leaves it if its ticket was lost. */
  async function leaveWaiting(messageIds: readonly string[], sinceMs: number, awaited = destination) {
    const isHeld = isHeldBack(awaited);
    const table = lanesTableOf(world.cloud);
    const atThatTime = () => sinceMs;
    const store = createLaneStore(table, Date.now);
    const pauseId = outageRoomOf({ destination: awaited, sinceMs });
    const health = createHealthStore(table, Date.now);
    if (isHeld) await health.noteWait(appId, awaited, sinceMs);
    else await health.noteBad(appId, awaited, "events g", sinceMs);
    for (const id of messageIds) {
      const sequence = "1".padStart(40, "0");
      const key = `${appId}|message_sent|${id}`;
      const event = { v: 1, appId, family: "webhook", trigger: "message_sent", key, receivedAt: sinceMs };
      const body = messageSent({ id, sender: "alice", text: "What is the price?" });
      const lane = laneOf("events", `group-${id}`, isHeld ? triggerOf(awaited) : undefined);
      await store.put(lane.id, {
        messageId: id,
        sequence,
        messageBody: JSON.stringify({ ...event, body, base64: false }),
      });
      const { source, group, trigger } = lane;
      const waiter = { kind: "lane", source, group, trigger } as const;
      await createWaitingRoom(table, atThatTime).enter({ appId, pauseId }, waiter);
      const progress = { ...noProgress, cause: "refused with 503", ...(isHeld && { heldBack: true }) };
      const state = { wakeAt: sinceMs, since: sinceMs, heldBy: pauseId };
      await store.park(lane.id, { ...state, head: { sequence, progress, since: sinceMs } });
    }
  }
});

describe("trigger", () => {
  it("sends a message with the given fields that is handled, and reports which triggers act on it", async () => {
    const text = ["--set", "data.message.receiver=support", "--set", "data.message.data.text=hello"];
    const ran = await chat(["trigger message_sent --local", ...text, "--yes"]);

    expectEnd(ran, 0, /^accepted {2}local-app\|message_sent\|\d+\n/, "On message_sent act: auto-reply");
    const key = /message_sent\|\d+/.exec(ran.stdout)?.[0] ?? "";
    expect(await stageSays(`${key}"`)).toContain("answered a message");
  });

  it("replaces unknown users and groups by those of the app, in each sample", async () => {
    const { platform, app } = world;
    const ofApp = createChatClient({
      appId: app.appId,
      region: app.region,
      apiKey: app.fullAccessKey,
      baseUrlTemplate: platform.appUrl(app.appId),
    });
    for (const { sample, body } of readSampleEvents()) {
      const found = await findStandIns(body, ofApp);
      const others = new Map(found.map(({ id, other = "" }) => [id, other]));

      const text = JSON.stringify(replaceNames(body, others));

      expect(new Set(others.values()), sample).toHaveProperty("size", others.size);
      expect(text, sample).not.toMatch(
        /"(\w+_)?(ann|bela|carla|dimitri|eun|order-helper|chess-club)(_\w+)?"/,
      );
    }
    const conversation = { conversationId: "ann_user_bela" };
    const others = new Map([
      ["ann", "support"],
      ["bela", "bob"],
    ]);
    expect(replaceNames(conversation, others)).toEqual({ conversationId: "bob_user_support" });
  });

  it.each([
    ["", 0, "The app has no user ann: using alice.", ["local-app|message_sent"]],
    ["alice", 0, "The app has no user ann: using ", ["local-app|message_sent"]],
    ["nobody-here", 3, "Name a user that it has: --set data.message.sender=<uid>", []],
  ])(
    "replaces the sample's unknown sender, and refuses a typed one: %j",
    async (sender, code, told, sent) => {
      const set = sender === "" ? [] : ["--set", `data.message.sender=${sender}`];

      const ran = await chat(["trigger message_sent --local", ...set], { answers: [true] });

      expectEnd(ran, code, told);
      expect(ran.stdout.match(/local-app\|message_sent/g)?.slice(0, 1) ?? []).toEqual(sent);
    },
  );

  it.each([
    ["user", "receiver=nosuch", "The app has no user nosuch", "--set data.message.receiver=<uid>"],
    ["group", "receiver=nosuch", "The app has no group nosuch", "--set data.message.receiver=<guid>"],
  ])("sends nothing to an unknown %s", async (type, receiver, said, remedy) => {
    const set = ["--set", `data.message.receiverType=${type}`, "--set", `data.message.${receiver}`];

    const refusal = await chat(["trigger message_sent --local --yes", ...set]);

    expectEnd(refusal, 3, said, remedy);
    expect(refusal.stdout).toBe("");
  });

  it("suggests the nearest event, or lists all in order", async () => {
    const meant = await chat("trigger mesage_sent --local --yes");
    const unknown = await chat("trigger nothing-alike --local --yes");

    expectEnd(meant, 2, 'named "mesage_sent"', 'Did you mean "message_sent"?');
    expectEnd(unknown, 2, /The events: .*call_ended, .*message_sent, .*user_/);
  });

  it.each(
    [...Map.groupBy(readSampleEvents(), ({ family }) => family)].map(
      ([family, [first]]) => [family, first?.trigger] as const,
    ),
  )("sends a delivery of the family %s that is accepted and understood: %s", async (_family, event) => {
    await warmReceiver(world);
    expect(await chat(`trigger ${event} --local --yes --json`)).toMatchObject({
      exitCode: 0,
      json: [{ event, problems: [], sent: [{ status: 200 }] }],
    });
  });

  it("shows the answer to a question, which has no event to trace", async () => {
    const asked = await chat("trigger before_message --local --yes");
    const sent = await chat("trigger message_sent --local --yes");

    expect(asked.stdout).toMatch(/^accepted {2}local-app\|before_message\S*\n {2}\S.*\n$/);
    expect(sent.stdout).toContain("trace --local 'local-app|message_sent|");
  });

  it("sends as many distinct events as requested", async () => {
    const { json } = await chat("trigger call_unanswered --local --count 3 --yes --json");

    const [{ sent }] = json as [{ sent: { key: string }[] }];
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  it("reports what would be quarantined", async () => {
    const broken = ["--set", "data.message.id=", "--set", "data.message.sender="];
    expectEnd(
      await chat(["trigger message_sent --local", ...broken, "--yes"]),
      1,
      "It would be quarantined: data.message.id",
    );
  });

  it("sends nothing without confirmation", async () => {
    expectEnd(await chat("trigger message_sent --local"), 3, "Send 1 message_sent to app local-app");
  });

  it.each([
    ["message_sent --sample message-edited", 2, 'There is no sample "message-edited" of message_sent.'],
    ["message_sent --set trigger.name=x", 2, "leads through a value that has no fields"],
    ["message_sent --app other", 6, "The deployment does not serve the app other."],
    ["message_sent --count 101", 2, "--count cannot be"],
  ])("refuses %j with exit code %i", async (args, exitCode, message) => {
    expectEnd(await chat(`trigger ${args} --local --yes`), exitCode, message);
  });
});

describe("listen", () => {
  for (const name of ["functions", "lib", "build", "node_modules"]) {
    symlinkSync(join(import.meta.dirname, "../..", name), join(project.folder, name));
  }

  /** Starts listening; returns its output, line by line, and a function that ends it. */
  function start(...args: string[]) {
    const here = createWitness<string>();
    const ending = new AbortController();
    const print = (text: string) => {
      for (const line of text.split("\n")) here.note(line);
    };
    const ran = chat(["listen --local --yes", ...args], {
      edges: {
        signal: ending.signal,
        sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
        stdout: { write: print, isTerminal: false },
        stderr: { write: print, isTerminal: false },
      },
    });
    ran.then(({ exitCode }) => here.note(`ended with ${exitCode}`), print);
    const says = (text: string) => here.first((line) => (line.includes(text) ? line : undefined), timeoutMs);
    return { ran, says, end: () => ending.abort() };
  }

  it("runs the stage's events locally instead of deployed, and returns them to the stage at its end", async () => {
    const { ran, says, end } = start();
    await says("Listening for app local-app");

    await deliver(world, messageSent({ id: "801", sender: "alice" }));
    const answered = await says("answered a message");
    await deliver(world, messageSent({ id: "802", sender: "alice" }));
    await says("messageId=802");
    const listed = await chat("status --local");
    const second = await chat("listen --local --yes");
    end();
    const { exitCode } = await ran;
    await deliver(world, messageSent({ id: "803", sender: "alice" }));
    const later = await stageSays("answered a message");

    expect(answered).toContain("messageId=801");
    expect(listed.stdout).toContain("A listener acts for app local-app in the deployment's place since");
    expectEnd(second, 3, "Another machine already listens for app local-app");
    expect(exitCode).toBe(0);
    expect(later).toContain('"803"');
  });

  it.each(["listen", "trigger message_sent"])("is refused on production stages, as is %s", async (typed) => {
    writeFileSync(join(project.folder, "config/stages.yml"), "local:\nprod: { production: true }\n");
    const { AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL_CLOUDFORMATION } = world.cloud.endpoints;
    const keys = { AWS_ACCESS_KEY_ID: "somebody", AWS_SECRET_ACCESS_KEY: "of-a-test" };
    const env = { ...keys, AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL_CLOUDFORMATION };

    expectEnd(await chat(`${typed} --stage prod --yes`, { edges: { env } }), 3, "is marked as production");
  });
});
