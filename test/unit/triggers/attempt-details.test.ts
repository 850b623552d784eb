import { describe, expect, it } from "vitest";
import { onTrigger } from "../../../lib/triggers/on-trigger.ts";
import { traceIdOf } from "../../../lib/triggers/traceparent.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createAttemptWorld } from "./attempt-world.ts";

const key = "app-1|message_sent|1";
const message = events.messageSent({ id: "1", text: "Hello", sender: "ann", receiver: "support" });
const greet = onTrigger("message_sent", async ({ effects }) => {
  await effects.sendText("greeting", {
    receiver: "ann",
    receiverType: "user",
    text: "Hello!",
    onBehalfOf: "support",
  });
});

describe("what an attempt tells at level DEBUG", () => {
  it("is when the event and each trigger began and ended, and how its effects came about", async () => {
    const world = createAttemptWorld({ greet });

    await world.attempt(message);
    await world.attempt(message);

    const told = world.details.map(({ message: text, fields }) => [text, fields.step, fields.how]);
    const step = "message_sent greet";
    const once = (how: string) => [
      ["began an event", undefined, undefined],
      ["began a trigger", step, undefined],
      ["an effect is done", step, how],
      ["ended a trigger", step, undefined],
    ];
    expect(told).toEqual([...once("now"), ...once("earlier")]);
    expect(world.details.filter(({ fields }) => "how" in fields).map(({ fields }) => fields.made)).toEqual([
      "9001",
      "9001",
    ]);
  });

  it("is which triggers would handle the event, were they turned on", async () => {
    const other = onTrigger("group_member_joined", async () => undefined);
    const world = createAttemptWorld({}, { off: { greet, other } });

    await world.attempt(message);

    expect(world.details.map(({ fields }) => fields.step)).toEqual([undefined, "message_sent greet"]);
  });

  it("is until when an event waits and why", async () => {
    const world = createAttemptWorld({ greet });
    world.platform.answer = () => new Response("", { status: 503 });

    const outcome = await world.attempt(message);

    const { fields } = world.details.findLast(({ message: text }) => text === "an event waits") ?? {};
    expect(fields).toMatchObject({
      deliveryKey: key,
      wakeAt: outcome.kind === "wait" ? outcome.wakeAt : 0,
      cause: expect.stringContaining("503"),
    });
  });
});

describe("the requests of a trigger's run", () => {
  it("carry the fact as their trace, equal in each attempt, and the run as their span, which the log names", async () => {
    const second = onTrigger("message_sent", async ({ chat, event }) => {
      await chat.messages.get(event.message.id);
    });
    const world = createAttemptWorld({ greet, second });

    await world.attempt(message);

    const spans = world.details.flatMap(({ fields: { span } }) => (span === undefined ? [] : [span]));
    expect(new Set(spans).size).toBe(2);
    expect(world.traceparents).toEqual(spans.map((span) => `00-${traceIdOf(key)}-${span}-00`));
  });
});
