import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../../lib/base/digest.ts";
import { checkArrivals } from "../../../../lib/operate/doctor/check-arrivals.ts";
import type { DoctorServices } from "../../../../lib/operate/doctor/doctor-services.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { createLaneStore } from "../../../../lib/queue/lanes/lane-store.ts";
import { createDoctorServices, doctorCredentials } from "../../../helpers/doctor-services.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

/** In the future, because the client ends by the real clock. */
const nowMs = Date.UTC(2100, 2, 2, 8);
const canary = { sender: "canary-a", receiver: "canary-b" };
const mark = { metadata: { automatic: true, automaticMark: "made-by-this-system" } };

/** Sent `id` minutes after the hour's beginning. */
const message = (id: number, sender = "alice", data: object = {}) => ({
  id: String(id),
  conversationId: `${sender}_user_support`,
  sender,
  receiver: "support",
  receiverType: "user",
  category: "message",
  type: "text",
  data: { text: "Hello", ...data },
  sentAt: nowMs / 1000 - 3_600 + id * 60,
});

/** @param arrived ids of messages whose `message_sent` has lines */
function look(
  messages: readonly object[],
  { arrived = [], arrivesElse = true }: { arrived?: readonly string[]; arrivesElse?: boolean } = {},
  more: Partial<DoctorServices> = {},
) {
  const looks: (readonly [sinceMs: number, keys?: readonly string[]])[] = [];
  const services = {
    ...createDoctorServices(),
    now: () => nowMs,
    fetch: async () => Response.json({ data: messages, meta: {} }),
    callAws: async () => ({
      Attributes: {
        ApproximateNumberOfMessages: "0",
        ApproximateNumberOfMessagesNotVisible: "0",
        ApproximateNumberOfMessagesDelayed: "0",
      },
    }),
    ...more,
  };
  const logs = {
    hasArrived: async (_appId: string, sinceMs: number, keys?: ReadonlySet<string>) => {
      looks.push(keys === undefined ? [sinceMs] : [sinceMs, [...keys]]);
      return keys === undefined ? arrivesElse : arrived.some((id) => keys.has(`a|message_sent|${id}`));
    },
  };
  const found = checkArrivals(doctorCredentials, services, logs, { changedAtMs: 0, canary });
  return { found, looks };
}

describe("checkArrivals", () => {
  it("reports that users' messages do not arrive although other events do", async () => {
    const { found, looks } = look([1, 2, 3, 4, 5, 6].map((id) => message(id)));

    expect(await found).toEqual({
      status: "wrong",
      says: "No message_sent arrived for users' last messages (2, 3, 4, 5, 6; the last one was sent at 07:06Z), but other events did. To hand them over: npx cometchat-functions reconcile --app a --since 2100-03-02T07:02:00Z --stage prod",
      remedy: expect.stringContaining("whether it fires for messages of your clients"),
    });
    const keys = [2, 3, 4, 5, 6].map((id) => `a|message_sent|${id}`);
    expect(looks).toEqual([[nowMs - 54 * 60_000], [nowMs - 63 * 60_000, keys]]);
  });

  it("passes if one of users' last messages arrived", async () => {
    const { found } = look([message(1), message(2), message(3)], { arrived: ["2"] });

    expect(await found).toEqual({ status: "ok", says: "A user's message of the hour arrived." });
  });

  it("reports that nothing arrived since the last message of any sender", async () => {
    const { found } = look([message(1), message(2, "bot", mark)], { arrived: ["1"], arrivesElse: false });

    expect(await found).toMatchObject({
      status: "wrong",
      says: expect.stringMatching(/^Nothing arrived since the message 2 was sent at 07:02Z/),
    });
  });

  it.each([
    ["no message", []],
    ["a canary", [message(1, "canary-a"), message(2, "canary-b")]],
    ["messages of this system", [message(1, "support", mark), message(2, "app_system")]],
    ["a blocked message", [message(1, "alice", { moderation: { status: "disapproved" } })]],
    ["a deleted message", [{ ...message(1), deletedAt: 1 }]],
  ])("concludes nothing about users' messages from %s", async (_case, messages) => {
    const { found } = look(messages, { arrived: ["1", "2"] });

    expect(await found).toEqual({
      status: "ok",
      says: "No message that a user sent from 07:00Z until 90 s ago could show whether messages arrive. Send one, and run this again after 90 s.",
    });
  });

  it.each([
    ["if all are older than its events", [1, 2, 3], 60, "(1, 2, 3; the last one"],
    ["if only the last is newer", [1, 2, 54], 600, "(1, 2; the last one"],
    ["if all are newer", [1, 2, 54], 3_600, "Events in the queue or in hand: 4."],
    ["if SQS reports no age", [1, 2, 3], undefined, "Events in the queue or in hand: 4."],
  ])("decides whether messages can still be in the queue %s", async (_case, ids, oldestSeconds, says) => {
    const counts = { ApproximateNumberOfMessages: "3", ApproximateNumberOfMessagesNotVisible: "1" };
    const ages =
      oldestSeconds === undefined
        ? { Timestamps: [], Values: [] }
        : { Timestamps: [nowMs / 1000 - 60], Values: [oldestSeconds] };
    const callAws: DoctorServices["callAws"] = async ({ service }) =>
      service === "sqs"
        ? { Attributes: { ...counts, ApproximateNumberOfMessagesDelayed: "0" } }
        : { MetricDataResults: [{ Id: "m0", ...ages }] };

    const found = await look(
      ids.map((id) => message(id)),
      {},
      { callAws },
    ).found;

    expect(found.says).toContain(says);
  });

  it("reports unknown while the messages' conversations wait", async () => {
    const lanes = createMemoryTable("lane", "item");
    const { id } = laneOf("events", sha256Hex("a|alice_user_support"));
    await createLaneStore(lanes, () => nowMs).park(id, {
      wakeAt: 0,
      since: 0,
      heldBy: undefined,
      head: undefined,
    });

    expect(await look([message(1), message(2)], {}, { lanes }).found).toEqual({
      status: "unknown",
      says: "The conversations of users' last messages wait.",
    });
  });
});
