import { describe, expect, it } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createAttemptWorld, hourMs, startMs } from "./attempt-world.ts";

/** Two triggers, one of which skips events older than an hour. */
function createWorld(more: Parameters<typeof createAttemptWorld>[1] = {}) {
  const ran: string[] = [];
  const fresh = onTrigger(
    "message_sent",
    { maxAge: "1h" },
    async ({ ageMs }) => void ran.push(`fresh ${ageMs}`),
  );
  const other = onTrigger("message_sent", async () => void ran.push("other"));
  return { ...createAttemptWorld({ fresh, other }, more), ran };
}

const sentAt = (ms: number) => events.messageSent({ id: "1", sentAt: ms / 1000 });
const receivedAt = startMs - 2 * hourMs;

describe("an event that waited too long for a trigger", () => {
  it("is dead-lettered for that trigger only, and counted", async () => {
    const world = createWorld();

    expect(await world.attempt(sentAt(receivedAt), { receivedAt })).toEqual({ kind: "done" });

    expect(world.ran).toEqual(["other"]);
    expect(world.deadLetters).toMatchObject([
      {
        messageId: "m-1",
        part: "message_sent fresh",
        reason: "passed-over",
        cause: "It waited for 2.0 hours, which is too long for the trigger fresh (maxAge).",
        finished: ["message_sent other", "message_sent (flows)"],
      },
    ]);
    expect(world.counted.map(([name, of]) => [name, of])).toContainEqual(["EventTooOld", { appId: "app-1" }]);
    expect(world.log).toContainEqual({
      level: "warn",
      message: "an event waited too long for a trigger",
      fields: expect.objectContaining({ queueMessageId: "m-1", step: "message_sent fresh" }),
    });
  });

  it("is handled by the remaining triggers if an operator ignores its age", async () => {
    const world = createWorld();
    const record = { ignoresAge: true, finished: ["message_sent other"] } as const;

    await world.attempt(sentAt(receivedAt), { receivedAt, record });

    expect(world.ran).toEqual(["fresh 0"]);
    expect(world.deadLetters).toEqual([]);
  });

  it("is dead-lettered even if most of its age is from before its receipt", async () => {
    const world = createWorld();
    const receivedAt = startMs - 18 * 60_000;

    await world.attempt(sentAt(receivedAt - 47 * 60_000), { receivedAt });

    expect(world.deadLetters).toMatchObject([{ part: "message_sent fresh", reason: "passed-over" }]);
  });

  it.each([
    ["was too old when it was received", startMs - 2 * hourMs, startMs - 1_000],
    ["is young enough", startMs - hourMs / 2, startMs - hourMs / 2],
  ])("is not one that %s", async (_what, sentMs, receivedMs) => {
    const world = createWorld();

    await world.attempt(sentAt(sentMs), { receivedAt: receivedMs });

    expect(world.deadLetters).toEqual([]);
  });

  it("waits in the trigger's lane if the queue refuses it", async () => {
    const world = createWorld({
      sendDeadLetter: () => Promise.reject(Object.assign(new Error("no queue"), { $fault: "server" })),
    });

    expect(await world.attempt(sentAt(receivedAt), { receivedAt })).toEqual({ kind: "done" });

    expect(await world.beside("fresh")).toMatchObject([
      { finished: ["message_sent other", "message_sent (flows)"] },
    ]);
  });
});
