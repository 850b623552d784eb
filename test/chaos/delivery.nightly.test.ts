import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { createRandom } from "../../local/testing/simulated/random.ts";
import { callApp } from "../helpers/call-app.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { repliesOf, replyTagOf } from "./scenarios/real-replies.ts";

const senders = ["alice", "bob", "carla", "deniz", "emre"];
const messagesEach = 5;
const seed = 1;

/**
 * What happens to the replies on their way. The first four hit a conversation each, since one in trouble is parked. An
 * unclear send that was not carried out keeps its conversation waiting for a minute: there are two of them.
 */
const faults = [
  { id: "failed-inside", on: "request", operationId: "send-message", fault: "serverError", count: 1 },
  { id: "lost-on-its-way", on: "request", operationId: "send-message", fault: "dropBefore", count: 1 },
  { id: "answer-lost", on: "request", operationId: "send-message", fault: "dropAfter", count: 1 },
  { id: "answer-cut", on: "request", operationId: "send-message", fault: "truncate", count: 1 },
  { id: "too-many", on: "request", operationId: "send-message", fault: "tooManyRequests", skip: 3, count: 2 },
  {
    id: "answer-lost-later",
    on: "request",
    operationId: "send-message",
    fault: "dropAfter",
    skip: 6,
    count: 2,
  },
  { id: "look-failed", on: "request", operationId: "list-all-messages", fault: "serverError", count: 1 },
];

describe("deliveries that come twice, at once and while things break", () => {
  let world: LocalStack;

  beforeAll(async () => {
    world = await startLocalStack();
    for (const uid of senders.slice(2)) {
      expect((await callApp(world, "POST /users", { uid, name: uid })).status).toBe(200);
    }
  });
  afterAll(() => world.close());

  it("give one reply each, in order within a conversation", async () => {
    await fetch(`${world.platform.url}/_platform/faults`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seed, rules: faults }),
    });
    const random = createRandom(seed);
    const happened = new Set<string | undefined>();
    onTestFinished(
      world.platform.subscribe((record) => {
        if (record.type === "fault") happened.add(record.ruleId);
      }),
    );
    const expected = new Map<string, string[]>();

    for (let round = 0; round < messagesEach; round += 1) {
      await Promise.all(
        senders.map(async (sender) => {
          const body = messageSent({ id: `${sender}-${round}`, sender, text: `message ${round}` });
          expect((await deliver(world, body)).status).toBe(200);
          expected.set(sender, [...(expected.get(sender) ?? []), replyTagOf(body)]);
          const copies = Math.floor(random() * 3);
          await Promise.all(Array.from({ length: copies }, () => deliver(world, body)));
        }),
      );
      if (round === 2) await outage();
    }
    await world.cloud.drained({ timeoutMs: 500_000 });
    await fetch(`${world.platform.url}/_platform/faults`, { method: "DELETE" });

    expect(world.cloud.receiveAll("DeadLetterQueue")).toEqual([]);
    expect(await repliesOf(world)).toEqual(expected);
    expect(happened).toEqual(new Set(faults.map(({ id }) => id)));
  }, 600_000);

  /** The queue is gone for a moment: what is not stored is answered 503, and taken when it is sent again. */
  async function outage(): Promise<void> {
    await world.cloud.pauseConsumers(); // a message handed out into a broken connection stays hidden for 75 s
    await world.cloud.stopQueue();
    const body = messageSent({ id: "during-the-outage", sender: "app_system" });
    expect((await deliver(world, body)).status).toBe(503);
    await world.cloud.startQueue();
    world.cloud.resumeConsumers();
    expect((await deliver(world, body)).status).toBe(200);
  }
});
