import { describe, expect, it } from "vitest";
import { sameForEveryApp } from "../../../../lib/chat/settings-from.ts";
import { createCanaryRecorder, createCanaryStore, makeCanary } from "../../../../lib/handle/canary/canary.ts";
import { type CanarySettings, canarySettingsSchema } from "../../../../lib/handle/canary/canary-settings.ts";
import { onTrigger } from "../../../../lib/handle/on-trigger.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { createTestGuard } from "../../../helpers/loop-guard.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";
import { createAttemptWorld, startMs } from "../attempt-world.ts";

const users = { sender: "canary-a", receiver: "canary-b" };
const appId = "app-1";

/** An app with a trigger and a waker of flows that act on anything, and their actions. */
function createWorld(settings: CanarySettings = { users }) {
  const acted: string[] = [];
  const all = onTrigger("*", async ({ event }) => void acted.push(event.trigger));
  const waker = { isListed: () => true, wake: async () => acted.push("a flow") > 0 };
  const lanes = createMemoryTable("lane", "item");
  const store = createCanaryStore(lanes, () => startMs);
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const recordIfCanary = createCanaryRecorder(sameForEveryApp(settings), {
    store,
    loopGuardOf: createTestGuard,
    log,
  });
  return { ...createAttemptWorld({ all }, { recordIfCanary, waker }), acted, lanes, store };
}

/** The canary as a webhook reports it. */
async function canary() {
  const { data, tags } = await makeCanary(createTestGuard(appId), users);
  return { ...users, id: "77", text: data.text, metadata: { ...data.metadata }, tags: [...tags] };
}

describe("a canary", () => {
  it("causes no action, and its arrival is recorded", async () => {
    const { attempt, acted, store } = createWorld();

    const outcome = await attempt(events.messageSent(await canary()), { receivedAt: startMs - 40 });

    expect(outcome).toEqual({ kind: "done" });
    expect(acted).toEqual([]);
    expect(await store.find(appId, "77")).toMatchObject({ receivedAt: startMs - 40, handledAt: startMs });
  });

  type Canary = Awaited<ReturnType<typeof canary>>;
  const { sender: author, receiver: reader } = users;

  const deleted = (form: "live" | "documented") =>
    events.messageDeleted({ ...users, id: "77", text: "", form });

  it.each<[string, boolean, (canary: Canary) => object]>([
    [
      "without tags and metadata",
      false,
      ({ tags: _tags, metadata: _metadata, ...stripped }) => events.messageSent(stripped),
    ],
    ["with a rewritten text", false, (sent) => events.messageSent({ ...sent, text: "###" })],
    ["when it is deleted, in the live form", true, () => deleted("live")],
    ["when it is deleted, in the documented form", true, () => deleted("documented")],
    ["when it is read", true, () => events.messageReadReceipt({ messageId: "77", author, reader })],
  ])("is recognized %s", async (_case, isNoted, toEvent) => {
    const { attempt, acted, store } = createWorld();
    if (isNoted) await store.noteSent(appId, "77");

    await attempt(toEvent(await canary()));

    expect(acted).toEqual([]);
  });

  it("records that moderation blocked it", async () => {
    const { attempt, acted, store } = createWorld();
    const { id, sender, receiver, text, metadata } = await canary();

    await attempt(events.moderationEngineBlocked({ id, sender, receiver, text, metadata }));

    expect(acted).toEqual([]);
    expect(await store.find(appId, "77")).toMatchObject({ blockedAt: startMs, handledAt: undefined });
  });

  it("keeps its records in any order", async () => {
    const { store } = createWorld();

    await store.noteHandled(appId, "77", startMs - 5);
    await store.noteSent(appId, "77");

    expect(await store.find(appId, "77")).toEqual({
      sentAt: startMs,
      receivedAt: startMs - 5,
      handledAt: startMs,
      blockedAt: undefined,
    });
  });
});

describe("a message that is not a canary", () => {
  it("is handled between the two users, with or without a forged mark", async () => {
    const { attempt, acted, lanes } = createWorld();
    const forged = `${"a".repeat(32)}-${"b".repeat(32)}`;

    await attempt(events.messageSent({ ...users, text: "canary" }));
    await attempt(
      events.messageSent({ ...users, text: `canary ${forged}`, tags: ["canary", `mark-${forged}`] }),
    );
    await attempt(events.messageDeleted({ ...users, id: "78" }));

    expect(acted).toEqual(["message_sent", "a flow", "message_sent", "a flow", "message_deleted", "a flow"]);
    expect(lanes.items()).toEqual([]);
  });

  it("is handled with a canary's mark for another sender, another receiver or a group", async () => {
    const { attempt, acted } = createWorld();
    const copied = await canary();

    await attempt(events.messageSent({ ...copied, sender: "mallory" }));
    await attempt(events.messageSent({ ...copied, receiver: "victim" }));
    await attempt(events.messageSent({ ...copied, sender: users.receiver, receiver: users.sender }));
    await attempt(events.messageSent({ ...copied, guid: "canary-b" }));

    expect(acted.filter((one) => one === "message_sent")).toHaveLength(4);
  });

  it("is handled with a mark that another effect made between the two users", async () => {
    const { attempt, acted } = createWorld();
    const marks = await createTestGuard(appId).mark("app-1 fact auto-reply reply", {
      ...users,
      receiverType: "user",
    });
    const text = `canary ${marks.metadata.automaticMark}`;

    await attempt(events.messageSent({ ...users, text, tags: marks.tags, metadata: marks.metadata }));

    expect(acted).toContain("message_sent");
  });

  it("is handled if no users are configured", async () => {
    const { attempt, acted } = createWorld({});

    await attempt(events.messageSent(await canary()));

    expect(acted).toEqual(["message_sent", "a flow"]);
  });
});

describe("canarySettingsSchema", () => {
  it("accepts no users, and two users", () => {
    expect(canarySettingsSchema.safeParse({ users: null }).success).toBe(true);
    expect(canarySettingsSchema.parse({ users: { sender: "A", receiver: "b" } })).toEqual({
      users: { sender: "a", receiver: "b" },
    });
  });

  it("refuses one user as both, and half of a pair", () => {
    expect(canarySettingsSchema.safeParse({ users: { sender: "a", receiver: "A" } }).success).toBe(false);
    expect(canarySettingsSchema.safeParse({ users: { sender: "a" } }).success).toBe(false);
  });
});
