import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { events } from "../../../local/testing/events/events.ts";
import { act, createFlowWorld, hear, messageFlow } from "./flow-world.ts";

const anyInput = z.object({});

describe("a flow", () => {
  it("does its steps in order, and waits between them", async () => {
    const flow = defineFlow("steps", anyInput, async (flow) => {
      await flow.do(
        "first",
        act(() => world, "first"),
      );
      await flow.wait({ minutes: 10 });
      await flow.do(
        "second",
        act(() => world, "second"),
      );
      return "over";
    });
    const world = createFlowWorld([flow]);
    const arn = await world.start("steps", {});

    await world.play(9);
    const early = [...world.acts];
    await world.play(11);

    expect(early).toEqual(["first"]);
    expect(world.acts).toEqual(["first", "second"]);
    expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '"over"' });
  });

  it("is given the event that it waits for, as the consumer read it", async () => {
    const flow = messageFlow("ask", async (flow) => {
      const event = await hear(flow);
      return event?.head.occurredAt instanceof Date ? event.message.data.text : "no date";
    });
    const world = createFlowWorld([flow]);
    const arn = await world.start("ask", {});
    await world.play(1);

    await world.deliver(events.messageSent({ text: "here" }));
    await world.play(2);

    expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '"here"' });
  });

  it("is given nothing when time is up", async () => {
    const flow = messageFlow("ask", async (flow) => {
      const event = await hear(flow);
      return event === undefined ? "nobody" : "somebody";
    });
    const world = createFlowWorld([flow]);
    const arn = await world.start("ask", {});

    await world.play(11);
    await world.deliver(events.messageSent({ text: "too late" }));
    await world.play(12);

    expect(world.statusOf(arn)).toMatchObject({ Status: "SUCCEEDED", Result: '"nobody"' });
  });
});
