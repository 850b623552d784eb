import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../../lib/base/digest.ts";
import { effectKey, triggerKey } from "../../lib/effects/ledger.ts";
import { identify } from "../../lib/events/identity.ts";
import { effectTagOf } from "../../lib/events/marks/automatic.ts";
import type { KillPoint } from "../../local/cloud/lambda/function-definition.ts";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { callApp } from "../helpers/call-app.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { type Step, stepsOfLane } from "./scenarios/steps.ts";

/** Where a process crashes: while it has an event from the queue, or a ticket of a parked lane. */
interface Strike {
  readonly has: "event" | "ticket";
  readonly step: Step;
  /** Which of the invocation's requests of this kind; the first by default. */
  readonly nth?: number;
  readonly when: KillPoint["when"];
}

const whens = ["before", "after"] as const;
/** The process crashes before it did anything, so that the lane is parked and its event runs from there. */
const beforeAnything: Strike = { has: "event", step: "dynamodb.Query", when: "before" };
/** The lane is parked without a ticket. */
const parkedWithoutTicket: Strike = { has: "event", step: "sqs.SendMessage", when: "before" };
/** The reply is sent, but not recorded. */
const unknown: Strike = { has: "event", step: "chat.POST", when: "after" };

/** Strikes per conversation, one after the other. The slow ones first: unclear sends take a while. */
const conversations: readonly (readonly Strike[])[] = [
  // Only a cold process reads the secret.
  ...whens.map((when) => [{ has: "event", step: "secret", when } as const]),
  ...strikes("ticket", "chat.POST").map((strike) => [beforeAnything, strike]),
  ...strikes("event", "chat.POST", "dynamodb.PutItem", "dynamodb.UpdateItem").map((strike) => [strike]),
  ...strikes("ticket", "chat.GET", "sqs.ChangeMessageVisibilityBatch").map((strike) => [unknown, strike]),
  // The third update records the effect as done, the second the event as begun, the first takes the lane.
  ...[3, 2, 1].flatMap((nth) =>
    strikes("ticket", "dynamodb.UpdateItem").map((strike) => [beforeAnything, { ...strike, nth }]),
  ),
  ...strikes("ticket", "dynamodb.Query").map((strike) => [beforeAnything, strike]),
  // The first delete removes the event, the second unparks the lane.
  ...[1, 2].flatMap((nth) =>
    strikes("ticket", "dynamodb.DeleteItem").map((strike) => [beforeAnything, { ...strike, nth }]),
  ),
  ...strikes("event", "dynamodb.Query").map((strike) => [strike]),
  // With the event received again, a process parks the lane: the event, the lane's state, the ticket.
  ...[1, 2].flatMap((nth) =>
    strikes("event", "dynamodb.PutItem").map((strike) => [beforeAnything, { ...strike, nth }]),
  ),
  ...strikes("event", "sqs.SendMessage").map((strike) => [beforeAnything, strike]),
  // A lane is read only once it may be parked.
  ...strikes("event", "dynamodb.BatchGetItem").map((strike) => [beforeAnything, parkedWithoutTicket, strike]),
];

function strikes(has: Strike["has"], ...steps: Step[]): Strike[] {
  return steps.flatMap((step) => whens.map((when) => ({ has, step, when })));
}

describe("processes that are really killed, at every step of a lane that the simulation has", () => {
  let world: LocalStack;

  beforeAll(async () => {
    // A crashed process's messages return soon; still longer than any of these invocations takes.
    world = await startLocalStack({ cloud: { visibilityTimeoutSeconds: 15 } });
  });
  afterAll(() => world.close());

  it("are killed before and after each of their requests", () => {
    const struck = conversations.flat().map(({ step, when }) => `${step} ${when}`);

    expect(new Set(struck)).toEqual(
      new Set(stepsOfLane.flatMap((step) => whens.map((when) => `${step} ${when}`))),
    );
  });

  it("duplicate, lose and dead-letter nothing, and keep each conversation in order", async () => {
    const expected = new Map<string, string[]>();
    const say = async (uid: string, id: string) => {
      const body = messageSent({ id: `${uid}-${id}`, sender: uid });
      expect((await deliver(world, body)).status).toBe(200);
      expected.set(uid, [...(expected.get(uid) ?? []), replyTagOf(body)]);
      return body;
    };
    const uids = conversations.map((_, number) => `killed-${String(number).padStart(2, "0")}`);
    for (const uid of uids)
      expect((await callApp(world, "POST /users", { uid, name: uid })).status).toBe(200);

    const struck: Promise<unknown>[] = [];
    for (const [number, uid] of uids.entries()) {
      const ordered = (conversations[number] ?? []).map((strike) =>
        within(600_000, order(uid, strike), `${uid} ${JSON.stringify(strike)}`),
      );
      struck.push(...ordered);
      await say(uid, "first");
      // One after the other: events that share a batch share its crashes, too, and are then isolated.
      await ordered[0];
    }
    await Promise.all(struck);
    // Some lanes are still parked now.
    for (const uid of uids) await say(uid, "second");
    await world.cloud.drained({ timeoutMs: 500_000 });

    expect(world.cloud.receiveAll("DeadLetterQueue")).toEqual([]);
    expect(await repliesOf(world)).toEqual(expected);
  }, 900_000);

  function order(uid: string, { has, step, nth = 1, when }: Strike): Promise<void> {
    const body = JSON.parse(messageSent({ id: `${uid}-first`, sender: uid }));
    const group = sha256Hex(identify(body, "local-app")?.lane ?? "");
    const isMeant = (payload: string) =>
      has === "event"
        ? payload.includes(`${uid}-first`)
        : payload.includes("parked-lane") && payload.includes(group);
    return world.cloud.killWhen("processEvents", isMeant, { ...requestOf(step), nth, when });
  }
});

/** Rejects after a timeout. */
function within(limitMs: number, promise: Promise<void>, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error(`It never came to this: ${what}.`)), limitMs);
    promise.finally(() => clearTimeout(giveUp)).then(resolve, reject);
  });
}

function requestOf(step: Step): Pick<KillPoint, "service" | "operation"> {
  const [service, operation = ""] = step.split(".");
  if (service === "secret") return { service: "secretsmanager" };
  // The first platform request of these invocations either sends or looks up.
  if (service === "chat") return { service };
  return { service: service === "sqs" ? "sqs" : "dynamodb", operation };
}

/** The mark of the automatic reply to a delivery. */
function replyTagOf(body: string): string {
  const appId = "local-app";
  const occurrenceKey = identify(JSON.parse(body), appId)?.key ?? "";
  return effectTagOf(effectKey(triggerKey({ appId, occurrenceKey, triggerName: "auto-reply" }), "reply"));
}

/** The marks of the replies to each user, in the order in which they were sent. */
async function repliesOf(world: LocalStack): Promise<ReadonlyMap<string, readonly string[]>> {
  const { data } = await callApp(world, "GET /messages?sender=support&withTags=true&limit=1000");
  const sent = Map.groupBy(
    (data as { id: string; receiver: string; tags: string[] }[]).toSorted(
      (one, other) => Number(one.id) - Number(other.id),
    ),
    ({ receiver }) => receiver,
  );
  return new Map(
    [...sent].map(([receiver, messages]) => [
      receiver,
      messages.map(({ tags }) => tags.find((tag) => tag.startsWith("effect-")) ?? "unmarked"),
    ]),
  );
}
