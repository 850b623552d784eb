import { expect, it } from "vitest";
import * as z from "zod/mini";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Operation } from "../../../local/cloud/durable/stored-execution.ts";
import type { FlowStep } from "../../../local/console/api/flows.ts";
import { showFlow } from "../../../local/console/flows/show-flow.ts";
import { groupOperations } from "../../../local/console/flows/show-steps.ts";
import { act, createFlowWorld, startMs } from "../../unit/flows/flow-world.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const anything = z.object({ uid: z.optional(z.string()) });

/** The displayed text of steps, as indented lines. */
function read(steps: readonly FlowStep[], depth = 0): string[] {
  return steps.flatMap(({ kind, name, state, words, tries, inner }) => [
    `${"  ".repeat(depth)}${kind} ${name}: ${state}${words === undefined ? "" : `, ${words}`}${tries.length > 0 ? `, ${tries.length} tries` : ""}`,
    ...read(inner, depth + 1),
  ]);
}

it("combines a step's tries, an event's question, and parallel branches", async () => {
  let failures = 2;
  const flow = defineFlow("greet", { input: anything, waitsFor: ["message_sent"] }, async (flow) => {
    await flow.do(
      "hello",
      act(() => world, "hello"),
    );
    await flow.do("hello", failing());
    await flow.wait({ days: 1 });
    await flow.any([
      async (way) => {
        await way.waitFor("message_sent", { where: { sender: "ann" }, within: { minutes: 5 } });
      },
      async (way) => {
        await way.cancelled;
      },
    ]);
    await flow.waitFor("message_sent", { where: { sender: "bela" }, within: { days: 5 } });
  });
  const failing = () => ({
    kind: "failing",
    stepsWith: () => ({
      act: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error("The door is locked.");
        return { id: "1" };
      },
      look: async () => undefined,
    }),
  });
  const world = createFlowWorld([flow]);
  await world.start("greet", { uid: "ann" });
  await world.playUntil(startMs + 2 * dayMs);

  const [execution] = world.store.peek();
  const shown = execution && showFlow(execution, undefined, (text) => text);

  expect(read(shown?.steps ?? [])).toEqual([
    "step hello: done",
    "step hello: done, 5 tries",
    "wait wait: done",
    "ways any: done",
    "  way 0: done",
    "    event message_sent: done, timed out without an event",
    "  way 1: stopped",
    "    cancel cancelled: stopped",
    "event message_sent: waiting",
  ]);
  expect(shown).toMatchObject({
    flow: "greet",
    appId: "app-1",
    about: "uid ann",
    state: "running",
    words: "waits for message_sent",
    causedBy: "the cause",
    waits: [{ fire: "let its time pass", event: { trigger: "message_sent" } }],
    input: { text: '{"uid":"ann"}', isCut: false },
  });
  expect(shown?.steps[1]?.tries[0]).toMatchObject({
    words: expect.stringMatching(/^Error(?: at show-flow|: The door)/),
    isGood: false,
  });
});

it("shows a paused step as one step", () => {
  const operation = (Type: Operation["Type"], Name: string, Result = ""): Operation => {
    return {
      Id: Name,
      Type,
      Name,
      Status: "SUCCEEDED",
      StartTimestamp: new Date(0),
      StepDetails: { Result },
    };
  };
  const groups = groupOperations([
    operation("STEP", "hello", '{"kind":"held","waits":1}'),
    operation("CALLBACK", "pause before hello"),
    operation("STEP", "wait for the end of the pause before hello", '"watched"'),
    operation("STEP", "hello (again 1)", '{"kind":"done","text":"1"}'),
    operation("STEP", "hello", '{"kind":"done","text":"2"}'),
  ]);

  expect(groups.map(({ name, all }) => [name, all.length])).toEqual([
    ["hello", 4],
    ["hello", 1],
  ]);
});
