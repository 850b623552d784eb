import { describe, expect, it } from "vitest";
import { identify } from "../../../lib/events/identity.ts";
import { createEnqueue } from "../../../lib/queue/enqueue.ts";
import { createQuarantine, type QuarantineReason } from "../../../lib/queue/quarantine.ts";
import { quarantinedDeliveries, readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import { bytesOf, readQueuedEvent } from "../../../lib/queue/read-queued-event.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createOperatorWorld, day, minute } from "./operator-world.ts";

/** The queues, and a function that quarantines deliveries. */
function createQuarantineWorld() {
  const world = createOperatorWorld();
  const { callAws, queueUrls } = world.services;
  const quarantine = (body: string | Buffer, receivedAt: number, reason: QuarantineReason = "not-json") =>
    createQuarantine(callAws, queueUrls.quarantine)(
      { appId: "app-1", bytes: Buffer.from(body), receivedAt },
      reason,
      reason === "not-understood" ? [{ path: "data.message.id", expected: "text", found: "missing" }] : [],
    );
  return { ...world, quarantine };
}

const understood = JSON.stringify(events.messageSent({ text: "é🎉" }));

it("quarantinedDeliveries.list reports each delivery's problems, and returns them to the queue", async () => {
  const world = createQuarantineWorld();
  const receivedAt = world.now();
  await world.quarantine("<html>", receivedAt);
  world.pass(minute);
  await world.quarantine(understood, receivedAt + 1, "not-understood");

  const { found, unseen } = await quarantinedDeliveries.list({}, world.services);

  expect(unseen).toBe(0);
  expect(found).toMatchObject([
    { appId: "app-1", trigger: "", reason: "not-json", cause: "", receivedAt },
    { trigger: "message_sent", reason: "not-understood", cause: "data.message.id: text, not missing" },
  ]);
  expect(JSON.stringify(found)).not.toContain("é🎉");
  expect(world.isUntouched("quarantine")).toBe(true);
});

describe("readQuarantined", () => {
  const message = {
    id: "id-1",
    receiptHandle: "r",
    heldUntil: 0,
    group: "",
    sequence: "",
    sentAt: 5,
    attributes: {},
  };

  it("names every problem of a delivery", () => {
    const problem = (path: string) => ({ path, expected: "text", found: "null" });
    const body = {
      v: 1,
      appId: "a",
      reason: "not-understood",
      receivedAt: 1,
      body: "{}",
      base64: false,
      problems: [problem("data.a"), problem("data.b")],
    };

    const { cause } = readQuarantined({ ...message, body: JSON.stringify(body) });

    expect(cause).toBe("data.a: text, not null; data.b: text, not null");
  });

  it("reports a message of another system", () => {
    expect(readQuarantined({ ...message, body: "{}" })).toEqual({
      id: "id-1",
      appId: "",
      trigger: "",
      reason: "unknown",
      cause: "It is not a message of this system.",
      receivedAt: undefined,
      setAsideAt: 5,
    });
  });
});

it.each([
  ["compressed by the queue", Buffer.from("\u0001".repeat(400_000))],
  ["not text", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
])("quarantinedDeliveries.show returns a delivery unchanged: %s", async (_what, bytes) => {
  const world = createQuarantineWorld();
  await world.quarantine(bytes, world.now());
  const { found } = await quarantinedDeliveries.list({}, world.services);

  const shown = await quarantinedDeliveries.show(found[0]?.id ?? "", world.services);

  expect(shown).toEqual({ message: found[0], content: bytes.toString("utf8") });
  expect(await quarantinedDeliveries.show("no such id", world.services)).toBeUndefined();
  expect(world.isUntouched("quarantine")).toBe(true);
});

describe("quarantinedDeliveries.replay", () => {
  it("stores a delivery that is now understood as the receiver does, with its time of receipt", async () => {
    const world = createQuarantineWorld();
    const receivedAt = world.now();
    await world.quarantine(understood, receivedAt, "not-understood");
    world.pass(2 * day);

    const report = await quarantinedDeliveries.replay({}, world.services);

    expect(report).toMatchObject({ replayed: 1, unreadable: 0, failure: undefined });
    const [event] = world.inQueue("events");
    const queued = readQueuedEvent(JSON.parse(event?.body ?? ""));
    const { key, trigger, family } = identify(JSON.parse(understood), "app-1") ?? {};
    expect(queued).toMatchObject({ appId: "app-1", key, trigger, family, receivedAt });
    expect(bytesOf(queued).toString()).toBe(understood);
    expect(Number(event?.attributes.ReplayedAt?.StringValue)).toBeCloseTo(world.now(), -3);
    expect(world.inQueue("quarantine")).toEqual([]);
  });

  it("leaves and counts deliveries that are still invalid, and messages of another system", async () => {
    const world = createQuarantineWorld();
    const noId = events.messageSent();
    await world.quarantine("<html>", world.now());
    await world.quarantine('{"no":"envelope"}', world.now(), "no-envelope");
    await world.quarantine(JSON.stringify({ ...noId, data: {} }), world.now(), "not-understood");
    world.send("quarantine", { MessageBody: "somebody else's" });

    const report = await quarantinedDeliveries.replay({}, world.services);

    expect(report).toMatchObject({ selected: 4, unreadable: 4, replayable: 0, replayed: 0 });
    expect(world.bodies("events")).toEqual([]);
    expect(world.inQueue("quarantine")).toHaveLength(4);
    expect(world.isUntouched("quarantine")).toBe(true);
  });

  it("is not deduplicated with the same delivery that the queue has just received", async () => {
    const world = createQuarantineWorld();
    const receivedAt = world.now();
    const { queueUrls, callAws } = world.services;
    const identity = identify(JSON.parse(understood), "app-1");
    if (identity === undefined) throw new Error("The builder's event has an identity.");
    await createEnqueue(callAws, queueUrls.events)(
      { appId: "app-1", bytes: Buffer.from(understood), receivedAt },
      identity,
    );
    await world.quarantine(understood, receivedAt, "not-understood");

    await quarantinedDeliveries.replay({}, world.services);

    expect(world.inQueue("events")).toHaveLength(2);
  });

  it("replays a conversation's deliveries in order of receipt", async () => {
    const world = createQuarantineWorld();
    const receivedAt = world.now();
    const bodies = ["1", "2", "3"].map((id) => JSON.stringify(events.messageSent({ id })));
    for (const place of [2, 0, 1]) {
      await world.quarantine(bodies[place] ?? "", receivedAt + place, "not-understood");
    }

    await quarantinedDeliveries.replay({}, world.services);

    const back = world.bodies("events").map((body) => bytesOf(readQueuedEvent(JSON.parse(body))).toString());
    expect(back).toEqual(bodies);
  });
});
