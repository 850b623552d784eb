import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { effectTagOf } from "../../lib/effects/automatic.ts";
import { identify } from "../../lib/events/identity.ts";
import { startWorld, type World } from "../../local/world.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";

const senders = ["alice", "bob", "carla", "deniz", "emre"];
const messagesEach = 5;

/** A small seeded random source (mulberry32): the same seed, the same chaos. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("deliveries that come twice, at once and while things break", () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
    for (const uid of senders.slice(2)) {
      expect((await call("POST", "/users", { uid, name: uid })).status).toBe(200);
    }
  });
  afterAll(() => world.close());

  it.each([1, 2])("give one reply each, in order within a conversation (seed %i)", async (seed) => {
    await world.reset();
    for (const uid of senders.slice(2)) await call("POST", "/users", { uid, name: uid });
    await fetch(`${world.platform.url}/_platform/faults`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        seed,
        rules: [
          { on: "request", operationId: "send-message", fault: "dropAfter", probability: 0.08 },
          { on: "request", operationId: "send-message", fault: "dropBefore", probability: 0.05 },
          { on: "request", operationId: "send-message", fault: "serverError", probability: 0.08 },
          { on: "request", operationId: "send-message", fault: "truncate", probability: 0.05 },
          { on: "request", operationId: "list-all-messages", fault: "serverError", probability: 0.05 },
        ],
      }),
    });
    const random = createRandom(seed);
    const expected = new Map<string, string[]>();

    for (let round = 0; round < messagesEach; round += 1) {
      await Promise.all(
        senders.map(async (sender) => {
          const body = messageSent({ id: `${seed}-${sender}-${round}`, sender, text: `message ${round}` });
          expect((await deliver(world, body)).status).toBe(200);
          expected.set(sender, [...(expected.get(sender) ?? []), tagOf(body)]);
          const copies = Math.floor(random() * 3);
          await Promise.all(Array.from({ length: copies }, () => deliver(world, body)));
        }),
      );
      if (round === 2) await outage();
    }
    await world.cloud.drained({ timeoutMs: 50_000 });
    await call("DELETE", "/_platform/faults");

    expect(world.cloud.receiveAll("DeadLetterQueue")).toEqual([]);
    for (const sender of senders) expect(await repliesTo(sender), sender).toEqual(expected.get(sender));
  });

  /** The queue is gone for a moment: what is not stored is answered 503, and taken when it is sent again. */
  async function outage(): Promise<void> {
    await world.cloud.pauseConsumers(); // a message handed out into a broken connection stays hidden for three minutes
    await world.cloud.stopQueue();
    const body = messageSent({ id: "during-the-outage", sender: "app_system" });
    expect((await deliver(world, body)).status).toBe(503);
    await world.cloud.startQueue();
    world.cloud.resumeConsumers();
    expect((await deliver(world, body)).status).toBe(200);
  }

  /** The marks of the replies to a sender, in the order in which they were sent. */
  async function repliesTo(uid: string): Promise<string[]> {
    const response = await call("GET", `/messages?sender=support&withTags=true&limit=1000`);
    const { data } = (await response.json()) as { data: { id: string; receiver: string; tags: string[] }[] };
    return data
      .filter(({ receiver }) => receiver === uid)
      .toSorted((one, other) => Number(one.id) - Number(other.id))
      .map(({ tags }) => tags.find((tag) => tag.startsWith("effect-")) ?? "unmarked");
  }

  function call(method: string, path: string, body?: object): Promise<Response> {
    const base = path.startsWith("/_platform") ? world.platform.url : world.platform.appUrl("local-app");
    return fetch(`${base}${path}`, {
      method,
      headers: { apikey: world.app.fullAccessKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
});

/** The mark of the automatic reply to a delivery. */
function tagOf(body: string): string {
  const key = identify(JSON.parse(body), "local-app")?.key;
  return effectTagOf(`${key} auto-reply reply`);
}
