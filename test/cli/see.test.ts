import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../lib/base/digest.ts";
import { deadLettering } from "../../lib/effects/health/destinations.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import { createLaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { noProgress } from "../../lib/queue/lanes/progress.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { lanesTableOf } from "../helpers/cloud-data.ts";
import { createProjectFolder, createRunChat, expectEnd } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { settle, unsubscribe } from "../helpers/settle.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

useChat();

afterEach(() => world.reset());

const say = (text: string) => writeToSupport(world, text);

const settled = () => settle(world);
const later = (ms: number) => ({ edges: { now: () => Date.now() + ms } });

const loseDeliveries = () => unsubscribe(world);

describe("trace", () => {
  it("shows a message's way through receiver, queue, consumer and effect to the reply", async () => {
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

  it("reads all lines of the event that made the message", async () => {
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

  it("says that an event waits to be handled", async () => {
    await world.cloud.pauseConsumers();
    const id = await say("Anybody?");
    await world.platform.idle();

    const { exitCode, json } = await chat(`trace ${id} --local --json`, later(600_000));
    world.cloud.resumeConsumers();
    await settled();

    expect(exitCode).toBe(0);
    expect(json).toMatchObject([{ events: [{ verdict: "under-way" }] }]);
    expect(JSON.stringify(json)).toContain("events that wait in the queue");
  });

  it("says that no delivery ever came", async () => {
    await loseDeliveries();
    const id = await say("Anybody?");
    await settled();

    const soon = await chat(`trace ${id} --local --json`);
    const ran = await chat(`trace ${id} --local`, later(120_000));

    expect(soon.json).toMatchObject([{ events: [{ verdict: "under-way" }] }]);
    expectEnd(ran, 1, "never-received", "see the webhook (doctor) and the receiver's log");
  });

  it("does not know what became of a message from before the log's first line", async () => {
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

  it("says that a dead letter may be among those that another reader has", async () => {
    const setAside = createSetAside(world.cloud);
    await setAside.bury("4712");
    await setAside.take("DeadLetterQueue", 10, 600);

    for (const asked of ["local-app|message_sent|4712", "4712"]) {
      const { stdout, stderr } = await chat(`trace ${asked} --local`);
      expect(stdout + stderr).toMatch(/whether it is a dead letter: About \d+ more could not be read/);
    }
  });

  it("refuses a key of another app than the named one", async () => {
    expectEnd(await chat("trace local-app|message_sent|1 --local --app other"), 2, "of the app local-app");
  });

  it("finds an event in its parked conversation, and says since when and why", async () => {
    await loseDeliveries();
    const [first, second] = [await say("One"), await say("Two")];
    await park([first, second]);

    expectEnd(
      await chat(`trace ${second} --local`),
      1,
      "It waits until 2026-",
      /it is number 2 of 2 of its conversation; .*HTTP status 503/,
    );
    expectEnd(
      await chat(`trace ${first} --local`),
      1,
      "it is number 1 of 2 of its conversation; it was begun 1 time and has not ended;",
    );
  });

  it("finds an event far behind in its parked conversation, and counts all that wait", async () => {
    await loseDeliveries();
    const id = await say("One");
    const others = Array.from({ length: 250 }, (_, index) => `other-${index}`);
    await park([...others.slice(0, 240), id, ...others.slice(240)]);

    expectEnd(
      await chat(`trace ${id} --local`, later(120_000)),
      1,
      `local-app|message_sent|${id}  parked`,
      "it is number 241 of 251 of its conversation",
    );
  });

  it("finds an event in a trigger's lane without a line about it", async () => {
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

  it("does not call an event handled that waits in a trigger's lane, of which the line is gone", async () => {
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

  it("tells what it cannot find out", async () => {
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
  ])("knows nothing of %s", async (event, code, word) => {
    const { exitCode, json } = await chat(`trace ${event} --local --json`);

    expect(exitCode).toBe(code);
    expect(JSON.stringify(json)).toContain(word);
  });

  type Aside = ReturnType<typeof createSetAside>;

  function delivery(id: string) {
    return JSON.stringify({ trigger: "message_sent", appId: "local-app", data: { message: { id } } });
  }

  /** Puts messages into the table as the consumer does while the platform is in trouble. */
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
  it("puts the functions' lines together by time, and picks", async () => {
    const id = await say("What is the price?");
    await settled();

    const all = await chat("logs --local");
    const picked = await chat(
      "logs --local --json --app local-app --conversation alice_user_support --metrics",
    );
    const other = await chat("logs --local --app local-app --conversation bob_user_support");
    const errors = await chat("logs --local --level error");
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
    for (const empty of [other, errors, ofReceiver])
      expect(empty).toMatchObject({
        stdout: "",
        stderr: expect.stringMatching(/\nNo line since \S+Z matches\.\n$/),
      });
  });

  it.each([
    ["--trigger message_send", 'the nearest name is "message_sent". The deployment\'s triggers: '],
    ["--trigger automatic-reply", "The deployment's triggers: auto-reply"],
    ["--trigger automatic-reply --follow", "The deployment's triggers: auto-reply"],
    ["--app nope", "It serves local-app"],
  ])("refuses %j, which names nothing that is there", async (options, message) => {
    expectEnd(await chat(`logs --local ${options}`), 6, message);
  });

  it("picks the lines of a trigger of the deployment", async () => {
    await say("What is the price?");
    await settled();

    const { json } = await chat("logs --local --trigger auto-reply --json");

    expect(json.slice(0, 2)).toMatchObject([
      { message: "answered a message" },
      { message: "handled an event", fields: { ran: expect.arrayContaining(["auto-reply"]) } },
    ]);
  });

  it("follows what is written, and gives each line once", async () => {
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
    const { json } = await chat("status --local --json");

    expectEnd(
      ran,
      0,
      "✓ nothing that is looked at needs attention",
      /\nevents +0 +0 +0 s\n/,
      /\nlocal-app +0\.4 +\d+ ms/,
    );
    const processed = expect.objectContaining({
      function: "processEvents",
      errors: 0,
      averageMs: expect.any(Number),
    });
    expect(json).toMatchObject([{ troubles: [], functions: expect.arrayContaining([processed]) }]);
  });

  it("names what needs somebody, with what to type", async () => {
    const aside = createSetAside(world.cloud);
    await aside.bury("1");
    await aside.quarantine("?");
    await fetch(world.webhook.url, { method: "POST", headers: { authorization: "Basic eDp5" }, body: "{}" });
    const table = lanesTableOf(world.cloud);
    const health = createHealthStore(table, Date.now);
    await health.open("local-app", "api.example write", Date.now());
    // None has tried it since: nothing waits.
    await health.open("local-app", "past.example write", Date.now() - 2 * 3_600_000);
    // No request tries this one.
    await health.open("local-app", deadLettering, Date.now() - 2 * 3_600_000);

    const { exitCode, stdout, json } = await chat("status --local").then(async (reading) => ({
      ...reading,
      json: (await chat("status --local --json")).json,
    }));

    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      "✗ Dead-lettered events: 1.  → npx cometchat-functions dead-letters list --local",
    );
    expect(stdout).toContain("✗ Quarantined deliveries: 1.");
    expect(stdout).toContain(
      "✗ App local-app: the breaker of api.example write is open; it is probed occasionally.",
    );
    expect(stdout).toContain("✗ App local-app: more than 20 events a minute were dead-lettered");
    expect(stdout).toContain("✗ App local-app: The receiver refused 1 delivery: the user name, password");
    expect(json).toMatchObject([
      { apps: [{ closed: ["api.example write", deadLettering], failures: { DeliveryUnauthorized: 1 } }] },
    ]);
  });

  it("goes on until it is interrupted, with --watch", async () => {
    const interruption = new AbortController();
    let sleeps = 0;
    const sleep = async () => {
      sleeps += 1;
      if (sleeps === 2) interruption.abort();
    };

    const { exitCode, json } = await chat("status --local --watch --json", {
      edges: { sleep, signal: interruption.signal },
    });

    expect([exitCode, json.length]).toEqual([0, 2]);
  });

  it("looks at the stack each time with --watch, and outlasts an outage of CloudFormation", async () => {
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
    const project = createProjectFolder();
    const fronted = { ...endpoints, AWS_ENDPOINT_URL_CLOUDFORMATION: front.url };
    const watch = createRunChat(project.folder, { region, endpoints: fronted });

    const { exitCode, json, stderr } = await watch("status --local --watch --json", {
      edges: { sleep, signal: interruption.signal },
    });
    await front.close();
    project.remove();

    expect(exitCode, stderr).toBe(1);
    expect(json).toMatchObject([
      { stack: "CREATE_COMPLETE", troubles: [] },
      { stack: "UPDATE_ROLLBACK_COMPLETE", troubles: [{ says: expect.stringContaining("last deployment") }] },
    ]);
  });
});
