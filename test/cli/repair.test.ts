import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Status } from "../../cli/see/status.ts";
import { callApp } from "../helpers/call-app.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { settle, unsubscribe } from "../helpers/settle.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const project = useChat({ cloud: { environment: { RECONCILE: "rehearse" } } });

afterEach(() => world.reset());

const say = (text: string) => writeToSupport(world, text);

/** What support has answered. */
async function replies(): Promise<number> {
  const { data } = await callApp(world, "GET /messages?sender=support&limit=100");
  return Object(data).length;
}

const settled = () => settle(world);
const loseDeliveries = () => unsubscribe(world);

describe("resend", () => {
  it("sends a message that never came, which is answered once, however often it is sent", async () => {
    await loseDeliveries();
    const id = await say("What is the price?");
    await settled();
    expect(await replies()).toBe(0);

    const { exitCode, json } = await chat(`resend ${id} --local --yes --json`);
    await settled();
    const again = await chat(`resend local-app|message_sent|${id} --local --yes`);
    await settled();

    expect([exitCode, again.exitCode]).toEqual([0, 0]);
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

  it("sends nothing unless somebody agrees", async () => {
    await loseDeliveries();
    const id = await say("What is the price?");

    const { exitCode } = await chat(`resend ${id} --local`);
    await settled();

    expect([exitCode, await replies()]).toEqual([3, 0]);
  });

  it("brings back what is among the dead letters, as it came", async () => {
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

  it("says that what cannot be understood stays in quarantine", async () => {
    const delivery = { trigger: "message_sent", appId: "local-app", data: { message: { id: "4711" } } };
    await createSetAside(world.cloud).quarantine(JSON.stringify(delivery));

    expectEnd(
      await chat("resend 4711 --local --yes"),
      1,
      "Deliveries that still cannot be parsed stay in quarantine.",
    );
  });

  it("takes a delivery from a file or from standard input", async () => {
    const delivery = JSON.stringify({
      trigger: "message_sent",
      data: { message: { id: "9", conversationId: "c" } },
    });
    const file = join(project.folder, "delivery.json");
    writeFileSync(file, delivery);

    const ofFile = await chat(`resend ${file} --local --yes --json`);
    const ofInput = await chat("resend - --local --yes --json", { stdin: delivery });

    expect(ofFile.json).toMatchObject([
      { deliveryKey: "local-app|message_sent|9", from: "input", isSent: true },
    ]);
    expect(ofInput.exitCode).toBe(0);
  });

  it.each([
    ["another fact, unless that is meant", recurring(), "", 3, "add --act-again"],
    ["another fact, if that is meant", recurring(), "--act-again", 0, "trace"],
    ["the same fact, that cannot be acted on again", sent(), "--act-again", 3, "remembered for 35 days"],
    ["no event", '{"data":{}}', "", 2, "names no event"],
    ["no JSON", "hello", "", 2, "is not a delivery"],
  ])("knows a delivery of %s", async (_case, stdin, options, code, message) => {
    expectEnd(await chat(`resend - --local --yes ${options}`, { stdin }), code, message);
  });

  it.each([
    ["a message that the platform does not have", "987654321", "The platform has no message 987654321."],
    ["an event that is kept nowhere", "local-app|group_member_joined|a|b", "Nothing is stored of the event"],
    ["an app that is not served", "school|message_sent|1", "does not serve the app school"],
  ])("finds nothing of %s", async (_case, event, says) => {
    expectEnd(await chat(`resend ${event} --local --yes`), 6, says);
  });

  function sent() {
    return JSON.stringify({ trigger: "message_sent", data: { message: { id: "9", conversationId: "c" } } });
  }

  /** An event of which nothing tells one time from another. */
  function recurring() {
    return JSON.stringify({ trigger: "user_went_for_a_walk", data: { user: "alice" } });
  }
});

describe("reconcile", () => {
  it("hands over messages that never came, and goes on where it stopped", async () => {
    await loseDeliveries();
    await say("What is the price?");
    await settled();

    // A span ends before the second that runs: what was said in this one is in it when the next one has begun.
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

  it("compares hours in a rehearsal, and hands nothing over", async () => {
    await loseDeliveries();

    expect(await chat("reconcile --local --since 3h --dry-run --json")).toMatchObject({
      exitCode: 0,
      json: [{ isRehearsal: true, runs: 1, apps: [{ measured: { hours: expect.any(Array) } }] }],
    });
  });

  it.each([
    ["no span", "", "The start time is missing."],
    ["a span that is too long ago", "--since 6d", "5 days ago at most"],
    ["less than an hour to compare", "--since 5m --dry-run", "compares whole hours"],
    ["an app that is not served", "--since 3h --app school --yes", "must name apps"],
  ])("refuses %s", async (_case, options, message) => {
    expectEnd(await chat(`reconcile --local ${options}`), 2, message);
  });

  it("rings no alarm by what somebody typed: a refusal is no error of the function", async () => {
    await chat("reconcile --local --since 3h --app school --yes");

    const { json } = await chat("status --local --json");
    const functions: Status["functions"] = Object(json[0]).functions;
    expect(functions.find((one) => one.function === "reconcile")).toMatchObject({ errors: 0 });
  });

  it("hands nothing over without an answer", async () => {
    expectEnd(await chat("reconcile --local --since 1h"), 3);
  });
});
