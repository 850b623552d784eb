import { describe, expect, it } from "vitest";
import { identify } from "../../lib/events/identity.ts";
import { nameOccurrence } from "../../lib/events/occurrence.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { watchEvents } from "./events.ts";
import { chat, type Json, sendText, startPlatform } from "./helpers.ts";

/** Runs the same steps with a clock that advances five minutes after each, and returns the events. */
async function walk(
  switches: { changesMoveUpdatedAt: boolean },
  trigger: string,
  steps: readonly [string, object][],
) {
  const clock = createVirtualClock(1_700_000_000_000);
  await startPlatform({ clock, switches });
  const events = await watchEvents(trigger);
  await chat("POST /groups/lobby/members", { participants: ["alice"] });
  const sent = await sendText("one", "support", "lobby");
  for (const [line, body] of steps) {
    await clock.advance(5 * 60_000);
    await chat(line.replace("{id}", String(sent.id)), body);
  }
  return (await events()).map(([, data]) => data);
}

const scopes: [string, object][] = ["admin", "participant", "admin"].map((scope) => [
  "PUT /groups/lobby/members/alice",
  { scope },
]);
const names: [string, object][] = ["Hall", "Porch"].map((name) => ["PUT /groups/lobby", { name }]);
const edits: [string, object][] = ["two", "three"].map((text) => ["PUT /messages/{id}", { data: { text } }]);

const cases = [
  ["group_member_scope_changed", scopes, (data: Json) => data.group.updatedAt],
  ["group_updated", names, (data: Json) => data.group.updatedAt],
  ["message_edited", edits, (data: Json) => data.message.updatedAt],
] as const;

describe("the switch changesMoveUpdatedAt", () => {
  it.each(cases)("moves or keeps the updatedAt of %s", async (trigger, steps, updatedAt) => {
    const moving = await walk({ changesMoveUpdatedAt: true }, trigger, steps);
    const standing = await walk({ changesMoveUpdatedAt: false }, trigger, steps);

    expect([moving.length, standing.length]).toEqual([steps.length, steps.length]);
    expect(new Set(moving.map(updatedAt)).size).toBe(steps.length);
    expect(new Set(standing.map(updatedAt)).size).toBe(1);
    // Each is a separate occurrence, although updatedAt does not change.
    const times = new Map<string, number>();
    const memory = {
      read: async (slots: readonly string[]) => slots.map((slot) => times.get(slot)),
      claim: async (slot: string, receivedAt: number) => {
        times.set(slot, receivedAt);
        return receivedAt;
      },
    };
    const names = [];
    for (const [index, data] of standing.entries()) {
      const identity = identify({ trigger, data, webhook: "hook" }, "app") ?? { key: "", canRecur: false };
      names.push(await nameOccurrence(identity, 1_700_000_000_000 + index * 5 * 60_000, memory));
    }
    expect(new Set(names).size).toBe(steps.length);
  });
});
