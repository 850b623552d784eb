import { expect, it } from "vitest";
import type { Flow } from "../../../lib/flows/flow.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createFlowWorld, messageFlow, startMs } from "./flow-world.ts";

const day = 86_400_000;

async function play(run: (flow: Flow<"message_sent">) => Promise<unknown>, days = 366) {
  const world = createFlowWorld([messageFlow("yearly", run)]);
  const arn = await world.start("yearly", {}, { since: startMs - 2 * day });
  await world.playUntil(startMs + day);
  await world.deliver(events.messageSent({ sender: "ann" }));
  await world.playUntil(startMs + days * day + 1000);
  const { Status, Error: error } = world.statusOf(arn);
  return { Status, message: error?.ErrorMessage, counted: world.counted };
}

const refused = {
  Status: "FAILED",
  message: expect.stringMatching(/366 days.*flow\.continueAs/),
  counted: ["FlowFailed"],
};

it.each<[string, number, (flow: Flow) => Promise<unknown>]>([
  ["a wait", 1, (flow) => flow.wait({ days: 366 })],
  [
    "a later wait",
    300,
    async (flow) => {
      await flow.wait({ days: 300 });
      await flow.wait({ days: 300 });
    },
  ],
  [
    "a wait until a date",
    300,
    async (flow) => {
      await flow.wait({ days: 300 });
      await flow.waitUntil(new Date(startMs + 366 * day));
    },
  ],
])("fails %s that ends after Lambda ends the execution", async (_, days, run) => {
  expect(await play(run, days)).toEqual(refused);
});

it("waits nearly as long as an execution lasts", async () => {
  const outcome = await play(async (flow) => {
    await flow.wait({ days: 300 });
    await flow.waitUntil(new Date(startMs + 365 * day));
    await flow.wait({ hours: 23 });
  });

  expect(outcome).toMatchObject({ Status: "SUCCEEDED", counted: [] });
});

it("decides the same when the flow resumes", async () => {
  const outcome = await play(async (flow) => {
    const sent = await flow.any<unknown>([
      (way) => way.wait({ days: 366 }),
      (way) => way.waitFor("message_sent", { within: { days: 200 } }),
    ]);
    if (sent === undefined) throw new Error("The event is missing.");
    return flow.wait({ days: 1 });
  }, 2);

  expect(outcome).toMatchObject({ Status: "SUCCEEDED", counted: [] });
});

it("goes on in a new execution", async () => {
  let rounds = 0;
  const outcome = await play(async (flow) => {
    rounds += 1;
    await flow.wait({ days: 200 });
    return rounds === 2 ? undefined : flow.wait({ days: 200 }).catch(() => flow.continueAs({}));
  }, 210);

  expect(outcome).toMatchObject({ Status: "SUCCEEDED", counted: [] });
});
