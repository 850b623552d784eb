import { describe, expect, it } from "vitest";
import type { FlowWaker } from "../../../lib/flows/wake-flows.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { traceIdOf } from "../../../lib/handle/run-triggers.ts";
import { events } from "../../../local/testing/events/events.ts";
import { body, createAttemptWorld, reply, replying } from "./attempt-world.ts";

const key = "app-1|message_sent|1";
const greet = replying;
describe("the log of an attempt", () => {
  it.each([
    ["reconcile", { ...body, webhook: "reconcile-function" }, { webhook: "reconcile-function" }],
    ["a sample", { ...body, webhook: undefined }, { webhook: "none" }],
    ["a webhook of the platform", { ...body, webhook: "functions" }, {}],
    ["the legacy engine", events.afterMessage(), {}],
  ])("names the sender of an event that no webhook delivered: %s", async (_which, delivered, expected) => {
    const world = createAttemptWorld({ greet });

    await world.attempt(delivered);

    const { fields = {} } = world.log.find(({ message: text }) => text === "handled an event") ?? {};
    expect("webhook" in fields ? { webhook: fields.webhook } : {}).toEqual(expected);
  });

  it("records the beginning and end of the event and each trigger, and how each effect was done", async () => {
    const world = createAttemptWorld({ greet });

    await world.attempt(body);
    await world.attempt(body);

    const told = world.details.map(({ message: text, fields }) => [text, fields.step, fields.how]);
    const step = "message_sent greet";
    const once = (how: string) => [
      ["began an event", undefined, undefined],
      ["began a trigger", step, undefined],
      ["an effect is done", step, how],
      ["ended a trigger", step, undefined],
    ];
    expect(told).toEqual([...once("now"), ...once("earlier")]);
    expect(world.details[0]?.fields).toMatchObject({ deliveryKey: key, laneId: "events lane-1" });
    expect(world.details.filter(({ fields }) => "how" in fields).map(({ fields }) => fields.made)).toEqual([
      "9001",
      "9001",
    ]);
  });

  it("records the trigger that begins at level INFO after a process crashed with the event", async () => {
    const world = createAttemptWorld({ greet });

    await world.attempt(body, { progress: { deaths: 1 } });

    expect(world.log.map(({ level, message: text, fields }) => [level, text, fields.step])).toContainEqual([
      "info",
      "began a trigger",
      "message_sent greet",
    ]);
  });

  it("records a held-back effect at level INFO, and does not count it as done", async () => {
    const held = onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects }) => {
      await effects.sendText("greeting", reply);
      await effects.answer("reply", reply, event.message);
    });
    const world = createAttemptWorld({ reply: held });

    await world.attempt(
      events.messageSent({ id: "1", text: "Hello", sender: "app_system", receiver: "ann" }),
    );

    expect(
      world.log.map(({ level, message: text, fields }) => [level, text, fields.how, fields.effects]),
    ).toEqual([
      ["info", "held an effect back", "own-message", undefined],
      ["info", "handled an event", undefined, ["reply greeting"]],
    ]);
  });

  it("records the flow that the event woke at level INFO", async () => {
    const waker: FlowWaker = {
      isListed: () => true,
      wake: async (_event, _of, onWoken) => {
        onWoken?.("refund_1");
        return true;
      },
    };
    const world = createAttemptWorld({}, { waker });

    await world.attempt(body);

    expect(world.log).toMatchObject([
      {
        message: "woke a flow",
        fields: { deliveryKey: key, step: "message_sent (flows)", flowId: "refund_1" },
      },
      { message: "handled an event", fields: { woke: ["refund_1"] } },
    ]);
  });

  it("records that all triggers ran before if a replay has nothing left to do", async () => {
    const world = createAttemptWorld({ greet });

    await world.attempt(body, { progress: { finished: ["message_sent greet"] } });

    expect(world.log.map(({ message: text, fields }) => [text, fields.ran, fields.outcome])).toEqual([
      ["handled an event", undefined, "already-done"],
    ]);
  });

  it("records the triggers that would handle the event if they were turned on", async () => {
    const other = onTrigger("group_member_joined", async () => undefined);
    const world = createAttemptWorld({}, { off: { greet, other } });

    await world.attempt(body);

    expect(world.details.map(({ fields }) => fields.step)).toEqual([undefined, "message_sent greet"]);
  });

  it("records until when an event waits and why", async () => {
    const world = createAttemptWorld({ greet });
    world.platform.answer = () => new Response("", { status: 503 });

    const outcome = await world.attempt(body);

    const { fields } = world.details.findLast(({ message: text }) => text === "an event waits") ?? {};
    expect(fields).toMatchObject({
      deliveryKey: key,
      wakeAt: outcome.kind === "wait" ? outcome.wakeAt : 0,
      cause: expect.stringContaining("503"),
      outcome: "waiting",
      why: expect.stringMatching(/^It waits until 2026-\S+Z: .*503/),
    });
  });

  it.each([
    ["greet", "greet: It waits until "],
    ["(flows)", "It waits until "],
  ])(
    "records which trigger's lane waits, without the name of the flows' lane: %s",
    async (laneOfTrigger, why) => {
      const waker: FlowWaker = {
        isListed: () => true,
        wake: async () => Promise.reject(new TypeError("no")),
      };
      const world = createAttemptWorld({ greet }, { waker });
      world.platform.answer = () => new Response("", { status: 503 });

      await world.attempt(body, { laneOfTrigger });

      const { fields } = world.details.findLast(({ message: text }) => text === "an event waits") ?? {};
      expect(fields).toMatchObject({ outcome: "waiting", why: expect.stringContaining(why) });
      expect(String(fields?.why).startsWith(why)).toBe(true);
    },
  );

  it("records the platform's answer, also while the outcome of a request is unknown", async () => {
    const world = createAttemptWorld({ greet });
    world.platform.answer = () => new Response("", { status: 503 });
    const first = await world.attempt(body);
    world.pass(2_000);

    const outcome = await world.attempt(body, {
      progress: first.kind === "wait" ? first.progress : {},
    });

    const cause = expect.stringContaining("503");
    expect(world.log.at(-1)?.fields).toMatchObject({ failure: "later", cause });
    expect(outcome).toMatchObject({ kind: "wait", progress: { cause } });
  });
});

it("a trigger's requests carry the occurrence's trace ID and the run's span ID, which the log names", async () => {
  const second = onTrigger("message_sent", async ({ chat, event }) => {
    await chat.messages.get(event.message.id);
  });
  const world = createAttemptWorld({ greet, second });

  await world.attempt(body);

  const spans = world.details.flatMap(({ fields: { span } }) => (span === undefined ? [] : [span]));
  expect(new Set(spans).size).toBe(2);
  expect(world.traceparents).toEqual(spans.map((span) => `00-${traceIdOf(key)}-${span}-00`));
});
