import { beforeEach, describe, expect, it } from "vitest";
import { deadLetters, readDeadLetter } from "../../../lib/queue/dead-letter.ts";
import { day, ids, minute, queuedEvent, renewWorld, world } from "./operator-world.ts";

beforeEach(renewWorld);

describe("deadLetters.list", () => {
  it("reports an event's origin, and why and when it was dead-lettered", async () => {
    const receivedAt = world.now() - 2 * minute;
    await world.bury({ messageId: "m-1", receivedAt, finished: ["message_sent audit"] });

    const { found, unseen } = await world.list();

    expect(unseen).toBe(0);
    expect(found).toEqual([
      {
        id: expect.any(String),
        origin: "events",
        group: "lane-1",
        appId: "app-1",
        trigger: "message_sent",
        reason: "tries",
        cause: "TypeError: no uid",
        deliveryKey: "k",
        receivedAt,
        setAsideAt: receivedAt + 2 * minute,
        tries: 5,
        finished: ["message_sent audit"],
        wasMoved: false,
      },
    ]);
  });

  it("lists all dead letters of a lane, however many, and returns them to the queue", async () => {
    await world.buryAll(ids(25));

    const first = await world.list();
    const second = await world.list();

    expect(first.found).toHaveLength(25);
    expect(second).toEqual(first);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("returns all messages to the queue when it stops answering", async () => {
    await world.buryAll(ids(15));
    let receipts = 0;
    const { services } = world.createOperator((target) =>
      target.endsWith("ReceiveMessage") && ++receipts > 1 ? "not arrived" : "answered",
    );

    await expect(deadLetters.list({}, services)).rejects.toThrow("ReceiveMessage failed");

    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("counts the messages that another reader holds", async () => {
    await world.buryAll(ids(3));
    world.queueOf("deadLetters").receive({ max: 2, visibilityTimeoutMs: 10 * minute });

    const { found, unseen } = await world.list();

    expect(found).toHaveLength(1);
    expect(unseen).toBe(2);
  });

  it("reads the body of a message that SQS moved", async () => {
    world.giveUp("events", "lane-9", [queuedEvent("k", { appId: "app-2", receivedAt: 7 })]);
    world.giveUp("calls", "lane-8", [
      JSON.stringify({ v: 1, check: "call_summary", appId: "app-3", receivedAt: 8 }),
    ]);
    world.giveUp("parkedLanes", "lane-7", [JSON.stringify({ v: 1, ticket: "parked-lane", appId: "app-4" })]);
    world.giveUp("parkedLanes", "lane-6", [JSON.stringify({ v: 1, ticket: "pause", appId: "app-5" })]);
    world.send("deadLetters", { MessageBody: "[]", MessageGroupId: "g", MessageDeduplicationId: "d" });

    const { found } = await world.list();

    expect(found.every(({ reason, wasMoved }) => reason === "moved" && wasMoved)).toBe(true);
    expect(found.map((one) => [one.origin, one.appId, one.trigger, one.group, one.receivedAt])).toEqual([
      ["events", "app-2", "message_sent", "lane-9", 7],
      ["calls", "app-3", "call_summary", "lane-8", 8],
      ["parkedLanes", "app-4", "", "lane-7", undefined],
      ["parkedLanes", "app-5", "", "lane-6", undefined],
      [undefined, "", "", "g", undefined],
    ]);
  });
});

describe("readDeadLetter", () => {
  const message = {
    id: "id-1",
    receiptHandle: "r",
    heldUntil: 0,
    group: "g",
    sequence: "1",
    sentAt: 5,
    body: "",
  };

  it.each([
    ["a message of another version", { v: 2, trigger: "message_sent", body: "{}" }],
    ["a trigger without a body", { v: 1, trigger: "message_sent" }],
    ["a body without a trigger", { v: 1, body: "{}" }],
    ["another ticket", { v: 1, ticket: "parking-lot" }],
    ["null", null],
    ["a list", [1]],
  ])("finds no origin for %s", (_case, body) => {
    const read = readDeadLetter({ ...message, body: JSON.stringify(body), attributes: {} });

    expect(read).toMatchObject({ origin: undefined, reason: "moved", wasMoved: true, setAsideAt: 5 });
    expect(read.cause).toBe("SQS moved it: it was handed out too often.");
  });

  it("ignores an unknown source and an invalid time", () => {
    const body = JSON.stringify({ v: 1, check: "call_summary", receivedAt: "yesterday" });

    expect(readDeadLetter({ ...message, body, attributes: { Source: "elsewhere" } })).toMatchObject({
      origin: "calls",
      receivedAt: undefined,
    });
  });
});

describe("deadLetters.show", () => {
  it("shows what the platform sent", async () => {
    const body = Buffer.from('{"text":"é🎉"}').toString("base64");
    await world.bury({ messageId: "m-1", messageBody: queuedEvent("k", { body, base64: true }) });
    await world.bury({ messageId: "m-2" });
    const { found } = await world.list();

    const shown = await deadLetters.show(found[0]?.id ?? "", world.services);

    expect(shown).toEqual({ message: found[0], content: '{"text":"é🎉"}' });
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("shows a message that is not a delivery unchanged, and returns undefined for an unknown ID", async () => {
    await world.bury({ messageId: "m-1", messageBody: "not even JSON" });
    const { found } = await world.list();

    const shown = await deadLetters.show(found[0]?.id ?? "", world.services);

    expect(shown?.content).toBe("not even JSON");
    expect(await deadLetters.show("no such id", world.services)).toBeUndefined();
  });
});

describe("deadLetters.replay", () => {
  it("sends an event unchanged to its queue and lane, with the attributes that the consumer needs", async () => {
    const messageBody = queuedEvent("k", { body: "é🎉 \u0001" });
    await world.bury({ messageId: "m-1", messageBody, finished: ["a b", "c d"] });
    await world.bury({ messageId: "m-2", source: "calls", group: "lane-2", messageBody: "{}" });
    world.pass(3 * day);

    const report = await world.replay();

    expect(report).toMatchObject({ selected: 2, replayable: 2, replayed: 2, unseen: 0, failure: undefined });
    const [event] = world.inQueue("events");
    expect(event).toMatchObject({ body: messageBody, lane: "lane-1" });
    expect(Number(event?.attributes.ReplayedAt?.StringValue)).toBeCloseTo(world.now(), -3);
    expect(event?.attributes.Finished?.StringValue).toBe("a b\nc d");
    const [check] = world.inQueue("calls");
    expect(check).toMatchObject({ body: "{}", lane: "lane-2" });
    expect(Object.keys(check?.attributes ?? {})).toEqual(["ReplayedAt"]);
    expect(world.inQueue("deadLetters")).toEqual([]);
  });

  it("interleaves the events of several lanes", async () => {
    await world.buryAll(["a-1", "a-2", "a-3", "b-1", "b-2", "b-3"], (id) => ({ group: id.slice(0, 1) }));

    await world.replay();

    expect(world.bodies("events")).toEqual(["a-1", "b-1", "a-2", "b-2", "a-3", "b-3"]);
  });

  it("replays everything if the operator's clock is behind", async () => {
    await world.bury({ messageId: "m-1" });

    const services = { ...world.services, now: () => world.now() - 4 * minute };

    expect(await deadLetters.replay({}, services)).toMatchObject({ replayed: 1 });
  });

  it("replays a lane in order of receipt, for any order of dead-lettering", async () => {
    const base = world.now();
    await world.buryAll(["3", "4", "1", "2"], (id) => ({ receivedAt: base + Number(id) * minute }));

    await world.replay();

    expect(world.bodies("events")).toEqual(["1", "2", "3", "4"]);
  });

  it("keeps the order of dead-lettering for events received in the same millisecond", async () => {
    const receivedAt = world.now();
    await world.buryAll(ids(12), () => ({ receivedAt }));

    await world.replay();

    expect(world.bodies("events")).toEqual(ids(12));
  });

  it("replays only the selected dead letters, also from behind others", async () => {
    await world.buryAll(ids(12));
    await world.buryAll(ids(3, "b"), () => ({ appId: "app-2" }));

    const report = await world.replay({ selection: { appId: "app-2" } });

    expect(report).toMatchObject({ selected: 3, replayed: 3, unseen: 0 });
    expect(world.bodies("events")).toEqual(ids(3, "b"));
    expect(world.inQueue("deadLetters")).toHaveLength(12);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("counts in a dry run and changes nothing", async () => {
    await world.bury({ messageId: "m-1" });
    await world.bury({ messageId: "m-2", appId: "app-2", reason: "patience" });
    await world.bury({
      messageId: "m-3",
      trigger: "group_deleted",
      receivedAt: world.now() - 31 * day,
    });
    world.send("deadLetters", { MessageBody: "[]", MessageGroupId: "g", MessageDeduplicationId: "d" });
    const before = world.bodies("deadLetters");

    const report = await world.replay({ rehearse: true });

    expect(report).toEqual({
      isRehearsal: true,
      ids: [expect.any(String), expect.any(String), expect.any(String), expect.any(String)],
      selected: 4,
      byApp: { "app-1": 2, "app-2": 1, "": 1 },
      byTrigger: { message_sent: 2, group_deleted: 1, "": 1 },
      byFailedTrigger: {},
      byReason: { tries: 2, patience: 1, moved: 1 },
      tooOld: 1,
      passedOver: 0,
      triggerOff: 0,
      unreadable: 1,
      replayable: 2,
      replayed: 0,
      unseen: 0,
      failure: undefined,
      note: expect.stringContaining("keep their order among themselves, not with others"),
    });
    expect(world.bodies("deadLetters")).toEqual(before);
    expect(world.isUntouched("deadLetters")).toBe(true);
    expect(world.bodies("events")).toEqual([]);
  });

  it("skips events that are too old, unless `includesOld` is set", async () => {
    const limit = world.now() - 30 * day;
    await world.buryAll(["old"], () => ({ receivedAt: limit }));
    await world.buryAll(["young"], () => ({ receivedAt: limit + minute }));

    const careful = await world.replay();
    const bold = await world.replay({ includesOld: true });

    expect(careful).toMatchObject({ tooOld: 1, replayed: 1 });
    expect(bold).toMatchObject({ tooOld: 0, replayed: 1 });
    expect(world.bodies("events")).toEqual(["young", "old"]);
  });

  it("skips events that a trigger passed over, unless `ignoresAge` is set", async () => {
    await world.bury({ messageId: "m-1", reason: "passed-over" });

    const careful = await world.replay();
    const bold = await world.replay({ ignoresAge: true });

    expect(careful).toMatchObject({ passedOver: 1, tooOld: 0, replayed: 0 });
    expect(bold).toMatchObject({ passedOver: 0, replayed: 1 });
    expect(world.inQueue("events")[0]?.attributes.IgnoresAge?.StringValue).toBe("yes");
  });

  it("skips events of a trigger that was off, unless `includesOff` is set", async () => {
    await world.bury({ messageId: "m-1", reason: "trigger-off" });

    const careful = await world.replay();
    const bold = await world.replay({ includesOff: true });

    expect(careful).toMatchObject({ triggerOff: 1, replayed: 0 });
    expect(bold).toMatchObject({ triggerOff: 0, replayed: 1 });
  });

  it("replays an event that was dead-lettered again right after its replay", async () => {
    await world.bury({ messageId: "m-1" });
    await world.replay();
    await world.bury({ messageId: "m-2", finished: ["message_sent audit"] });

    const report = await world.replay();

    expect(report.replayed).toBe(1);
    expect(world.inQueue("events").map(({ attributes }) => attributes.Finished?.StringValue)).toEqual([
      undefined,
      "message_sent audit",
    ]);
  });
});
