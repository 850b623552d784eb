import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Status } from "../../cli/see/status.ts";
import { sha256Hex } from "../../lib/base/digest.ts";
import { deadLettering } from "../../lib/effects/health/breaker.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { createLaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { noProgress } from "../../lib/queue/lanes/progress.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { publishAddresses } from "../../local/stack/publish-addresses.ts";
import { callApp } from "../helpers/call-app.ts";
import { lanesTableOf } from "../helpers/cloud-data.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { settle, unsubscribe } from "../helpers/settle.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const project = useChat({ cloud: { environment: { RECONCILE: "rehearse" } } });

afterEach(() => world.reset());

const say = (text: string) => writeToSupport(world, text);

const settled = () => settle(world);
const later = (ms: number) => ({ edges: { now: () => Date.now() + ms } });

const loseDeliveries = () => unsubscribe(world);

describe("trace", () => {
  it("shows the path of a message through receiver, queue, consumer and effect to the reply", async () => {
    const id = await say("What is the price?");
    await settled();

    const { exitCode, json } = await chat(`trace ${id} --local --json`);
    const { stdout } = await chat(`trace local-app|message_sent|${id} --local`);

    expect(exitCode).toBe(0);
    const [{ events, missing }] = json as [
      { events: { steps: { place: string; what: string }[] }[]; missing: string[] },
    ];
    expect(missing).toEqual([]);
    expect(events).toMatchObject([{ deliveryKey: `local-app|message_sent|${id}`, verdict: "handled" }]);
    const places = events[0]?.steps.map(({ place }) => place) ?? [];
    expect(new Set(places)).toEqual(
      new Set(["platform", "receiver", "queue", "consumer", "effect", "reply"]),
    );
    expect(stdout).toMatch(/effect +auto-reply reply: done, made \d+ +\(EffectsTable\)/);
    expect(stdout).not.toContain("What is the price");
  });

  it("reads all lines of the event that created the message", async () => {
    const id = await say("What is the price?");
    await settled();

    const { exitCode, json } = await chat(`trace ${Number(id) + 1} --local --json`);

    expect([exitCode, json]).toMatchObject([
      0,
      [
        {
          events: expect.arrayContaining([
            expect.objectContaining({ deliveryKey: `local-app|message_sent|${id}`, verdict: "handled" }),
          ]),
        },
      ],
    ]);
  });

  it("finds messages by user and text", async () => {
    const id = await say("What is the price?");
    await settled();

    const { exitCode, json } = await chat("trace --local --user alice --text price --json");
    const none = await chat("trace --local --user alice --text nonsense");
    const both = await chat(`trace ${id} --local --user alice`);

    expect(exitCode).toBe(0);
    expect(json).toMatchObject([{ events: [{ deliveryKey: `local-app|message_sent|${id}` }] }]);
    expect([none.exitCode, both.exitCode]).toEqual([6, 2]);
  });

  it("reports that no delivery arrived", async () => {
    await loseDeliveries();
    const id = await say("Anybody?");
    await settled();

    const soon = await chat(`trace ${id} --local --json`);
    const ran = await chat(`trace ${id} --local`, later(120_000));

    expect(soon.json).toMatchObject([{ events: [{ verdict: "under-way" }] }]);
    expectEnd(ran, 1, "never-received", "see the webhook (doctor) and the receiver's log");
  });

  it("reports a message from before the log's first line as unclear", async () => {
    await loseDeliveries();
    const id = await say("Anybody?");
    await settled();
    await chat("trigger message_sent --local --yes");
    await settled();

    const ran = await chat(`trace ${id} --local`, later(120_000));

    expectEnd(ran, 1, "unclear", "the log of processEvents begins there, after the message was sent");
  });

  it.each([
    ["dead letters", "dead", (aside: Aside, id: string) => aside.bury(id)],
    ["quarantine", "quarantined", (aside: Aside, id: string) => aside.quarantine(delivery(id))],
  ])("finds an event in %s", async (place, verdict, put) => {
    await put(createSetAside(world.cloud), "4711");

    for (const asked of ["local-app|message_sent|4711", "4711"]) {
      expectEnd(
        await chat(`trace ${asked} --local`),
        1,
        `local-app|message_sent|4711  ${verdict}`,
        new RegExp(`${place} +is there with the id [0-9a-f-]{36}`),
      );
    }
  });

  it("reports that a dead letter may be among those that another reader has", async () => {
    const setAside = createSetAside(world.cloud);
    await setAside.bury("4712");
    await setAside.take("DeadLetterQueue", 10, 600);

    for (const asked of ["local-app|message_sent|4712", "4712"]) {
      const { stdout, stderr } = await chat(`trace ${asked} --local`);
      expect(stdout + stderr).toMatch(/whether it is a dead letter: About \d+ more could not be read/);
    }
  });

  it("refuses a key whose app differs from --app", async () => {
    expectEnd(await chat("trace local-app|message_sent|1 --local --app other"), 2, "of the app local-app");
  });

  it("finds an event in its parked conversation, with time and cause", async () => {
    await loseDeliveries();
    const [first, second] = [await say("One"), await say("Two")];
    await park([first, second]);

    const [ofFirst, ofSecond] = [await chat(`trace ${first} --local`), await chat(`trace ${second} --local`)];

    expectEnd(ofFirst, 1, "number 1 of 2 of its conversation; it was begun 1 time and has not ended;");
    expectEnd(ofSecond, 1, "It waits until 2", /number 2 of 2 of its conversation; .*HTTP status 503/);
  });

  it("finds an event in a trigger's lane without a log line about it", async () => {
    await loseDeliveries();
    const id = await say("One");
    await park([id], " auto-reply");

    expectEnd(
      await chat(`trace ${id} --local`),
      1,
      `local-app|message_sent|${id}  parked`,
      "it is number 1 of 1 of the trigger auto-reply",
    );
  });

  it("does not report an event as handled that waits in a trigger's lane, if its log line is gone", async () => {
    const id = await say("What is the price?");
    await settled();
    const { json } = await chat(`trace ${id} --local --json`);
    const [{ events }] = json as [{ events: { steps: { place: string; time: string }[] }[] }];
    const received = events[0]?.steps.find(({ place }) => place === "receiver")?.time ?? "";
    await park([id], " auto-reply");

    expectEnd(
      await chat(`trace ${id} --local --since ${new Date(Date.parse(received) + 1).toISOString()}`),
      1,
      `local-app|message_sent|${id}  parked`,
      "waiting  It waits until",
      "handled it in",
    );
  });

  it("finds a dead letter of one trigger that still waits for others", async () => {
    await loseDeliveries();
    const id = await say("One");
    await park([id]);
    await createSetAside(world.cloud).bury(id);

    expectEnd(
      await chat(`trace ${id} --local`),
      1,
      `local-app|message_sent|${id}  dead`,
      "is there with the id",
      "it is number 1 of 1 of its conversation",
    );
  });

  it("reports what it cannot find out", async () => {
    const id = await say("What is the price?");
    await settled();
    await world.cloud.putAppSecret({ appId: "local-app", region: "us", apiKey: "none" });

    const ran = await chat(`trace ${id} --local`);
    const { appId, fullAccessKey: apiKey } = defaultSeed.apps[0];
    await world.cloud.putAppSecret({ appId, region: "us", apiKey });

    expectEnd(ran, 0, "not known: the message itself: ", "auto-reply reply: done");
  });

  it.each([
    ["987654321", 6, "NOT_FOUND"],
    ["nonsense", 6, "NOT_FOUND"],
    ["school|message_sent|987654321", 1, "unclear"],
    ["management|message_sent|1", 1, "unclear"],
  ])("finds nothing about %s", async (event, code, word) => {
    const { exitCode, json } = await chat(`trace ${event} --local --json`);

    expect(exitCode).toBe(code);
    expect(JSON.stringify(json)).toContain(word);
  });

  type Aside = ReturnType<typeof createSetAside>;

  /** Puts messages into the table as the consumer does during an outage of the platform. */
  async function park(ids: readonly string[], beside = "") {
    const store = createLaneStore(lanesTableOf(world.cloud), Date.now);
    const laneId = `events ${sha256Hex("local-app|alice_user_support")}${beside}`;
    const progress = { ...noProgress, deaths: 1, cause: "ChatApiError: HTTP status 503" };
    await store.park(laneId, {
      wakeAt: Date.now() + 60_000,
      since: Date.now(),
      head: { sequence: "1", progress, since: Date.now() },
    });
    for (const [index, id] of ids.entries()) {
      const key = `local-app|message_sent|${id}`;
      const messageBody = JSON.stringify({ appId: "local-app", trigger: "message_sent", key, receivedAt: 1 });
      await store.append(laneId, {
        messageId: id,
        messageBody,
        sequence: String(index + 1).padStart(4, "0"),
      });
    }
  }
});

describe("logs", () => {
  it("sorts the lines of several functions by time, and filters them", async () => {
    const id = await say("What is the price?");
    await settled();

    const all = await chat("logs --local");
    const picked = await chat(
      "logs --local --json --app local-app --conversation alice_user_support --metrics",
    );
    const other = await chat("logs --local --app local-app --conversation bob_user_support");
    const errors = await chat("logs --local --level error");
    const ofTrigger = await chat("logs --local --trigger auto-reply --json");
    const ofReceiver = await chat("logs --local --function Webhook");

    expect(all.stdout).toMatch(
      /^— \d{4}-\d\d-\d\d \(UTC\) —\n\d\d:\d\d:\d\d\.\d{3} {2}INFO {3}processEvents {2}/,
    );
    expect(all.stdout).toContain(`key=local-app|message_sent|${id}`);
    expect(all.stdout).not.toContain("What is the price");
    expect(picked.json).toHaveLength(2);
    expect(picked.json).toMatchObject([
      { source: "processEvents", kind: "own", message: "handled an event" },
      {},
    ]);
    expect(ofTrigger.json.slice(0, 2)).toMatchObject([
      { message: "answered a message" },
      { message: "handled an event", fields: { ran: expect.arrayContaining(["auto-reply"]) } },
    ]);
    for (const empty of [other, errors, ofReceiver])
      expect(empty).toMatchObject({
        stdout: "",
        stderr: expect.stringMatching(/\nNo line since \S+Z matches\.\n$/),
      });
  });

  it.each([
    ["--trigger message_send", 'the nearest name is "message_sent". The deployment\'s triggers: '],
    ["--trigger automatic-reply --follow", "The deployment's triggers: auto-reply"],
    ["--app nope", "It serves local-app"],
  ])("refuses %j, which names something unknown", async (options, message) => {
    expectEnd(await chat(`logs --local ${options}`), 6, message);
  });

  it("follows the log, and prints each line once", async () => {
    await say("What is the price?");
    await settled();
    const interruption = new AbortController();
    let looks = 0;
    const sleep = async () => {
      looks += 1;
      if (looks === 1) {
        await say("And the address?");
        await settled();
      }
      if (looks === 3) interruption.abort();
    };

    const { exitCode, json } = await chat("logs --local --follow --since 1m --json", {
      edges: { sleep, signal: interruption.signal },
    });

    const handled = (json as { message: string; fields: { deliveryKey: string } }[])
      .filter(({ message }) => message === "handled an event")
      .map(({ fields }) => fields.deliveryKey);
    expect(exitCode).toBe(0);
    expect(handled.length).toBeGreaterThanOrEqual(2);
    expect(new Set(handled).size).toBe(handled.length);
  });

  it.each([
    ["--conversation group_a", "--conversation requires --app."],
    ["--follow --until 1m", "--until cannot be used with --follow."],
    ["--since 1m --until 2m", "--since lies after --until."],
    ["--function webhok", "There is no function webhok."],
    ["--level loud", '--level cannot be "loud".'],
  ])("refuses %j", async (options, message) => {
    expectEnd(await chat(`logs --local ${options}`), 2, message);
  });
});
describe("status", () => {
  it("shows what waits, how functions ran, and each app's rate and lag", async () => {
    await say("What is the price?");
    await settled();

    const ran = await chat("status --local");
    const { json } = await chat("status --stage local --json");

    expectEnd(
      ran,
      0,
      `acts on the local stack (pid ${process.pid})\n`,
      "stack CREATE_COMPLETE",
      world.cloud.httpUrl,
      "✓ nothing that is looked at needs attention",
      /\nevents +0 +0 +0 s\n/,
      /\nlocal-app +0\.4 +\d+ ms/,
    );
    const processed = expect.objectContaining({
      function: "processEvents",
      errors: 0,
      averageMs: expect.any(Number),
    });
    const outputs = { SecretPrefix: "cometchat-functions/local" };
    const target = { kind: "local", stage: "local", region: "us-east-1", account: "000000000000", outputs };
    const functions = expect.arrayContaining([processed]);
    expect(json).toMatchObject([{ stack: "CREATE_COMPLETE", target, troubles: [], functions }]);
  });

  it("names what needs an operator, with the command to type", async () => {
    const aside = createSetAside(world.cloud);
    await aside.bury("1");
    await aside.quarantine("?");
    await fetch(world.webhook.url, { method: "POST", headers: { authorization: "Basic eDp5" }, body: "{}" });
    const table = lanesTableOf(world.cloud);
    const health = createHealthStore(table, Date.now);
    await health.open("local-app", "api.example write", Date.now());
    // No trigger has tried it since: nothing waits.
    await health.open("local-app", "past.example write", Date.now() - 2 * 3_600_000);
    // No request tries this one.
    await health.open("local-app", deadLettering, Date.now() - 2 * 3_600_000);

    const ran = await chat("status --local");
    const { json } = await chat("status --local --json");

    expectEnd(
      ran,
      1,
      "✗ Dead-lettered events: 1.  → npx cometchat-functions dead-letters list --local",
      "✗ Quarantined deliveries: 1.",
      "✗ App local-app: the breaker of api.example write is open; it is probed occasionally.",
      "✗ App local-app: more than 20 events a minute were dead-lettered",
      "✗ App local-app: The receiver refused 1 delivery: the user name, password",
    );
    expect(json).toMatchObject([
      { apps: [{ closed: ["api.example write", deadLettering], failures: { DeliveryUnauthorized: 1 } }] },
    ]);
  });

  it("reads the stack each time with --watch, and survives an outage of CloudFormation", async () => {
    const interruption = new AbortController();
    const statuses = ["CREATE_COMPLETE", "out", "UPDATE_ROLLBACK_COMPLETE"];
    const { region, endpoints } = world.cloud;
    const front = await startLocalServer(async (request, response) => {
      const [status = ""] = statuses;
      if (status === "out") return void response.destroy();
      const body = await text(request);
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const url = endpoints.AWS_ENDPOINT_URL_CLOUDFORMATION;
      const answer = await (await fetch(url, { method: "POST", headers, body })).text();
      response.end(answer.replaceAll("CREATE_COMPLETE", status));
    });
    const sleep = async () => {
      statuses.shift();
      if (statuses.length === 0) interruption.abort();
    };
    const fronted = { ...endpoints, AWS_ENDPOINT_URL_CLOUDFORMATION: front.url };
    publishAddresses(project.folder, { region, endpoints: fronted }, world.clock);

    const { exitCode, json, stderr } = await chat("status --local --watch --json", {
      edges: { sleep, signal: interruption.signal },
    });
    publishAddresses(project.folder, world.cloud, world.clock);
    await front.close();

    expect(exitCode, stderr).toBe(1);
    expect(json).toMatchObject([
      { stack: "CREATE_COMPLETE", troubles: [] },
      { stack: "UPDATE_ROLLBACK_COMPLETE", troubles: [{ says: expect.stringContaining("last deployment") }] },
    ]);
  });
});

it("reports that the doctor sent no canary if none is turned on", async () => {
  const { json } = await chat("doctor --local --canary --json");

  expect(Object(json[0]).findings).toContainEqual(
    expect.objectContaining({ check: "canary", status: "unknown", remedy: remediesFor("--local").deploy }),
  );
});

describe("resend", () => {
  it("sends a message that was never delivered, which is answered once, however often it is sent", async () => {
    await loseDeliveries();
    const id = await say("What is the price?");
    await settled();
    const unasked = await chat(`resend ${id} --local`);
    await settled();
    const before = await replies();
    const { exitCode, json } = await chat(`resend ${id} --local --yes --json`);
    await settled();
    const again = await chat(`resend local-app|message_sent|${id} --local --yes`);
    await settled();

    expect([unasked.exitCode, before, exitCode, again.exitCode]).toEqual([3, 0, 0, 0]);
    expect(json).toEqual([
      {
        app: "local-app",
        deliveryKey: `local-app|message_sent|${id}`,
        from: "platform",
        isSent: true,
        status: 200,
      },
    ]);
    expect(await replies()).toBe(1);
  });

  it("replays a dead letter of the message unchanged", async () => {
    await createSetAside(world.cloud).bury("4711", { reason: "patience" });
    await world.cloud.pauseConsumers();

    const { exitCode, json } = await chat("resend 4711 --local --yes --json");

    const back = world.cloud.receiveAll("EventsQueue");
    world.cloud.resumeConsumers();
    await settled();
    expect(exitCode).toBe(0);
    expect(json).toMatchObject([{ from: "dead-letters", isSent: true }]);
    expect(back[0]?.attributes.ReplayedAt).toBeDefined();
  });

  it("reports that deliveries that cannot be parsed stay in quarantine", async () => {
    await createSetAside(world.cloud).quarantine(delivery("4711"));

    expectEnd(
      await chat("resend 4711 --local --yes"),
      1,
      "Deliveries that still cannot be parsed stay in quarantine.",
    );
  });

  it("takes a delivery from a file or from standard input", async () => {
    const file = join(project.folder, "delivery.json");
    writeFileSync(file, sent());

    const ofFile = await chat(`resend ${file} --local --yes --json`);
    const ofInput = await chat("resend - --local --yes --json", { stdin: sent() });

    expect(ofFile.json).toMatchObject([
      { deliveryKey: "local-app|message_sent|9", from: "input", isSent: true },
    ]);
    expect(ofInput.exitCode).toBe(0);
  });

  it.each([
    ["another occurrence without --act-again", recurring(), "", 3, "add --act-again"],
    ["another occurrence with --act-again", recurring(), "--act-again", 0, "trace"],
    [
      "the same occurrence, which cannot be acted on again",
      sent(),
      "--act-again",
      3,
      "remembered for 35 days",
    ],
    ["an unknown event", '{"data":{}}', "", 2, "names no event"],
    ["invalid JSON", "hello", "", 2, "is not a delivery"],
  ])("recognises a delivery of %s", async (_case, stdin, options, code, message) => {
    expectEnd(await chat(`resend - --local --yes ${options}`, { stdin }), code, message);
  });

  it.each([
    ["a message that the platform does not have", "987654321", "The platform has no message 987654321."],
    ["an event that is kept nowhere", "local-app|group_member_joined|a|b", "Nothing is stored of the event"],
    ["an app that is not served", "school|message_sent|1", "does not serve the app school"],
  ])("finds nothing for %s", async (_case, event, says) => {
    expectEnd(await chat(`resend ${event} --local --yes`), 6, says);
  });

  function sent() {
    return JSON.stringify({ trigger: "message_sent", data: { message: { id: "9", conversationId: "c" } } });
  }

  /** An event whose repetitions cannot be distinguished. */
  function recurring() {
    return JSON.stringify({ trigger: "user_went_for_a_walk", data: { user: "alice" } });
  }
});

describe("reconcile", () => {
  it("queues messages that were never delivered, and continues where it stopped", async () => {
    await loseDeliveries();
    await say("What is the price?");
    await settled();

    // A span ends before the current second: its messages are included once the next one has begun.
    await vi.waitFor(async () => {
      expectEnd(
        await chat("reconcile --local --since 1h --until 0s --yes"),
        0,
        /local-app: ([12]) of \1 messages handed over, 0 skipped/,
      );
    });
    await settled();

    expect(await replies()).toBe(1);
  });

  it.each([
    ["a missing start time", "", "The start time is missing."],
    ["an app that is not served", "--since 3h --app school --yes", "must name apps"],
  ])("refuses %s", async (_case, options, message) => {
    expectEnd(await chat(`reconcile --local ${options}`), 2, message);
  });

  it("raises no alarm for a refused option: a refusal is not an error of the function", async () => {
    await chat("reconcile --local --since 3h --app school --yes");

    const { json } = await chat("status --local --json");
    const functions: Status["functions"] = Object(json[0]).functions;
    expect(functions.find((one) => one.function === "reconcile")).toMatchObject({ errors: 0 });
  });

  it("queues nothing without confirmation", async () => {
    expectEnd(await chat("reconcile --local --since 1h"), 3);
  });
});

/** What support has answered. */
async function replies(): Promise<number> {
  const { data } = await callApp(world, "GET /messages?sender=support&limit=100");
  return Object(data).length;
}

function delivery(id: string) {
  return JSON.stringify({ trigger: "message_sent", appId: "local-app", data: { message: { id } } });
}
