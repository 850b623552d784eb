import { beforeEach, describe, expect, it } from "vitest";
import { deadLettering, heldBackOf } from "../../lib/effects/health/breaker.ts";
import { laneOf } from "../../lib/queue/lanes/lane-record.ts";
import { openLaneStores } from "../../lib/queue/lanes/lane-store.ts";
import { outageRoomOf } from "../../lib/queue/lanes/outage-room.ts";
import { createPauseStore } from "../../lib/queue/pauses/pause-store.ts";
import type { ParkedLaneRow } from "../../local/console/api/queues.ts";
import { lanesTableOf } from "../helpers/cloud-data.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { useConsole } from "../helpers/use-console.ts";

const console = useConsole();

beforeEach(async () => {
  // An earlier test's answer is delivered, too.
  await console.world.platform.idle();
  await console.world.cloud.reset();
  await console.world.cloud.pauseConsumers();
});

const order = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });
const write = () =>
  console.ask("/api/chat/local-app/messages", {
    method: "POST",
    headers: { "content-type": "application/json", onBehalfOf: "alice" },
    body: JSON.stringify({
      receiver: "support",
      receiverType: "user",
      type: "text",
      data: { text: "What is the price?" },
    }),
  });
const depth = (logicalId: string) => {
  const { visible, inFlight } = console.world.cloud.queueDepth(logicalId);
  return visible + inFlight;
};

describe("the queues' routes", () => {
  it("count the messages in each queue, and the set-aside ones by app, event and reason", async () => {
    const setAside = createSetAside(console.world.cloud);
    await setAside.bury("one");
    await setAside.bury("two", { appId: "other-app", trigger: "user_updated", reason: "permanent" });
    await setAside.quarantine("{}");

    const overview = await console.ask("/api/queues");
    const letters = await console.ask("/api/queues/dead-letters?app=other-app");
    const all = await console.ask("/api/queues/dead-letters?text=typeerror");
    const failed = await console.ask("/api/queues/dead-letters?trigger=auto-reply");

    expect(overview.body).toMatchObject({
      queues: [
        { name: "events", waiting: 0 },
        { name: "parked-lanes", waiting: 0 },
        { name: "calls", waiting: 0 },
        { name: "dead-letters", waiting: 2 },
        { name: "quarantine", waiting: 1 },
      ],
      blockers: [],
    });
    expect(letters.body).toMatchObject({
      all: 2,
      counts: { selected: 1, byTrigger: { user_updated: 1 }, byReason: { permanent: 1 } },
      rows: [{ appId: "other-app", cause: "TypeError: no uid", state: "visible" }],
    });
    expect(failed.body).toMatchObject({
      counts: { selected: 1, byFailedTrigger: { "auto-reply": 1 } },
      rows: [{ trigger: "message_sent", failedTriggers: expect.arrayContaining(["auto-reply"]) }],
    });
    expect(all.body).toMatchObject({ counts: { selected: 2 } });
    // Reading leaves all messages visible for a replay.
    expect(console.world.cloud.queueDepth("DeadLetterQueue")).toMatchObject({ visible: 2, inFlight: 0 });
  });

  it("group set-aside messages by cause, and act on one group only", async () => {
    const setAside = createSetAside(console.world.cloud);
    const { fullAccessKey } = console.world.app;
    for (const uid of ["ann", "bela", "cleo"]) {
      const cause = `ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND: No ${uid} ${fullAccessKey}.`;
      await setAside.bury(uid, { cause });
    }
    await setAside.bury("other");
    const { body: list } = await console.ask("/api/queues/dead-letters");
    const [largest] = (list as { groups: { name: string }[] }).groups;
    const cause = largest?.name ?? "";

    const { body: ofGroup } = await console.ask(`/api/queues/dead-letters?cause=${cause}`);
    const replayed = await console.ask(
      "/api/queues/dead-letters/replay",
      order({ picked: { cause }, expected: 3 }),
    );

    expect(list).toMatchObject({
      groups: [
        {
          name: expect.stringMatching(/^ERR_UID_NOT_FOUND-[0-9a-f]{6}$/),
          cause: "ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND",
          count: 3,
        },
        { cause: "TypeError: no uid", count: 1 },
      ],
    });
    expect(ofGroup).toMatchObject({ all: 4, counts: { selected: 3 }, groups: [{ count: 3 }] });
    expect(replayed.body).toMatchObject({ picked: 3, done: 3 });
    expect(depth("DeadLetterQueue")).toBe(1);
  });

  it("show a message with the platform's body, without the platform's secrets", async () => {
    const setAside = createSetAside(console.world.cloud);
    const { fullAccessKey } = console.world.app;
    const basic = Buffer.from(`bob:${fullAccessKey}`).toString("base64");
    await setAside.quarantine(JSON.stringify({ told: [fullAccessKey, basic], password: "of somebody" }));
    const [row] = console.world.cloud.receiveAll("QuarantineQueue");

    const { body } = await console.ask(`/api/queues/quarantine/${row?.messageId}`);

    expect(body).toMatchObject({
      content: expect.stringMatching(
        /^\{"told":\["\[redacted\]","Ym9iO.\[redacted\].=*"\],"password":"\[redacted\]"\}$/,
      ),
    });
  });

  it("leave unreadable and too old messages in their queue, and report them", async () => {
    const setAside = createSetAside(console.world.cloud);
    await setAside.quarantine("no JSON");
    await setAside.bury("old", { receivedAt: Date.now() - 40 * 24 * 3_600_000 });

    const quarantine = await console.ask("/api/queues/quarantine/replay", order({ picked: {}, expected: 1 }));
    const letters = await console.ask("/api/queues/dead-letters/replay", order({ picked: {}, expected: 1 }));

    expect(quarantine.body).toMatchObject({ done: 0, remarks: ["1 not replayed: they cannot be parsed."] });
    expect(letters.body).toMatchObject({
      done: 0,
      remarks: ["1 not replayed: received more than 30 days ago."],
    });
    expect([depth("QuarantineQueue"), depth("DeadLetterQueue")]).toEqual([1, 1]);
  });

  it("replay skipped events regardless of age if only these are picked, and failed ones normally", async () => {
    const setAside = createSetAside(console.world.cloud);
    const skipped = { reason: "passed-over" };
    for (const name of ["one", "two"]) await setAside.bury(name, skipped);
    await setAside.bury("failed");
    const replay = async (ids: readonly unknown[]) => {
      const asked = order({ picked: { ids }, expected: ids.length });
      return (await console.ask("/api/queues/dead-letters/replay", asked)).body;
    };
    const [one, two, failed] = console.world.cloud
      .receiveAll("DeadLetterQueue")
      .map(({ messageId }) => messageId);

    const mixed = await replay([one, failed]);
    await setAside.bury("three", skipped);
    const three = console.world.cloud.receiveAll("DeadLetterQueue").at(-1)?.messageId;
    await setAside.bury("alone");
    const alone = console.world.cloud.receiveAll("DeadLetterQueue").at(-1)?.messageId;

    expect(mixed).toMatchObject({ done: 1, remarks: [expect.stringContaining("Select only these")] });
    expect(await replay([one, two, three])).toMatchObject({ done: 3, remarks: [] });
    expect(await replay([alone])).toMatchObject({ done: 1, remarks: [] });
    const ignored = console.world.cloud
      .receiveAll("EventsQueue")
      .map(({ attributes, groupId }) => [groupId, attributes.IgnoresAge?.StringValue]);
    expect(Object.fromEntries(ignored)).toEqual({
      "lane-of-one": "yes",
      "lane-of-two": "yes",
      "lane-of-three": "yes",
      "lane-of-failed": undefined,
      "lane-of-alone": undefined,
    });
  });

  it.each([
    ["an unknown queue", "/api/queues/secrets", undefined, 404],
    ["an unknown message", "/api/queues/events/unknown", undefined, 404],
    ["a replay of events in their queue", "/api/queues/events/replay", { picked: {}, expected: 1 }, 400],
    ["no count", "/api/queues/dead-letters/drop", { picked: {} }, 400],
    ["no message", "/api/queues/dead-letters/drop", { picked: { ids: [] }, expected: 0 }, 400],
    ["another field", "/api/queues/dead-letters/drop", { picked: { all: true }, expected: 1 }, 400],
    ["an invalid number", "/api/queues/dead-letters?page=-1", undefined, 400],
  ])("refuse %s", async (_, path, body, status) => {
    const answer = await console.ask(path, body && order(body));

    expect(answer).toMatchObject({ status, body: { error: { message: expect.any(String) } } });
  });
});

describe("an event that became too old while it waited", () => {
  it("is replayed regardless of its age when it is handled again", async () => {
    const { cloud } = console.world;
    const { body: message } = await write();
    const journeys = `/api/journeys?message=${Object(message).data?.id}`;
    const row = async () => Object((await console.ask(journeys)).body).rows.at(-1);
    await expect.poll(() => depth("EventsQueue")).toBe(1);
    await console.send("/api/stack/clock", { byMs: 2 * 3_600_000 });
    cloud.resumeConsumers();
    await expect.poll(async () => (await row()).title).toBe("too old");
    await expect.poll(() => depth("DeadLetterQueue")).toBe(1);
    const { id } = await row();

    const again = await console.send(`/api/journeys/${id}/handle-again`, {});

    expect(again).toEqual({ status: 200, body: { message: "The dead letter was replayed." } });
    await expect.poll(async () => (await row()).title).toBe("acted");
    expect(depth("DeadLetterQueue")).toBe(0);
  });
});

describe("parked lanes", () => {
  it("are listed once each, with their events", async () => {
    const { cloud } = console.world;
    const rules = [{ on: "request", operationId: "send-message", fault: "serverError", status: 503 }];
    const faults = (body: object) =>
      console.ask("/api/platform/faults", { method: "PUT", body: JSON.stringify(body) });
    await write();
    await expect.poll(() => depth("EventsQueue")).toBe(1);
    await faults({ rules });
    cloud.resumeConsumers();
    const readLanes = async () => JSON.stringify((await console.ask("/api/queues/lanes")).body);
    await expect.poll(readLanes).toContain('"cause":');
    await faults({ rules: [] });
    // A second ticket of the same lane.
    const { queue } = cloud.stores.queues.get(cloud.resources.ParkedLanesQueue?.name ?? "");
    const [{ body: ticket, lane } = { body: "", lane: "" }] = queue.peek();
    queue.send({ body: ticket, lane, deduplicationId: "another" });

    const { body } = await console.ask("/api/queues/lanes");
    const { body: overview } = await console.ask("/api/queues");

    expect(body).toMatchObject({
      all: 1,
      lanes: [{ appId: "local-app", events: [{ trigger: "message_sent" }], hasMore: false }],
    });
    const tile = expect.objectContaining({ name: "parked-lanes", waiting: 1, inFlight: 0 });
    expect(overview).toMatchObject({ queues: expect.arrayContaining([tile]) });
  });

  it("name what they wait for: a hold-back, a host, a listener, a pause", async () => {
    const { cloud } = console.world;
    const table = lanesTableOf(cloud);
    const { healthStore, room, store } = openLaneStores(table, Date.now);
    const appId = "local-app";
    const sinceMs = Date.now();
    await healthStore.open(appId, deadLettering, sinceMs + 30_000);
    for (const destination of [heldBackOf("greet"), "api.example write"])
      await healthStore.noteWait(appId, destination, sinceMs);
    const pauses = createPauseStore(table, Date.now, () => crypto.randomUUID());
    const untilMs = sinceMs + 24 * 3_600_000;
    const lease = await pauses.begin(appId, { kind: "lease" }, { by: "ann", untilMs });
    const pause = await pauses.begin(appId, { kind: "trigger", name: "greet" }, { by: "bob", untilMs });
    const outages = [heldBackOf("greet"), "api.example write"].map((destination) =>
      outageRoomOf({ destination, sinceMs }),
    );
    for (const [group, pauseId] of [...outages, lease.id, pause.id].entries()) {
      const lane = laneOf("events", `${group}`);
      await room.enter({ appId, pauseId }, { kind: "lane", source: "events", group: lane.group });
      await store.park(lane.id, { wakeAt: sinceMs, since: sinceMs, heldBy: pauseId, head: undefined });
    }

    const { body } = await console.ask("/api/queues/lanes");
    const { body: overview } = await console.ask("/api/queues");

    const lanes = Object(body).lanes.map(({ waitsFor, canBeWoken }: ParkedLaneRow) => [waitsFor, canBeWoken]);
    expect(Object.fromEntries(lanes)).toEqual({
      "the next answer of api.example write": true,
      "the first event that greet handles: too many of its events fail for good": true,
      "the end of a listener": false,
      "the end of a pause": false,
    });
    expect(Object(overview).blockers).toMatchObject([
      { kind: "listener", by: "ann" },
      { kind: "pause", what: "trigger:greet" },
      { kind: "too-many-dead-letters", appId },
      { kind: "held-back", trigger: "greet" },
    ]);
  });
});
