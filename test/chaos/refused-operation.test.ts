import { describe, expect, it } from "vitest";
import { banMember } from "../../lib/effects/members.ts";
import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { firstByDay } from "../helpers/by-day.ts";
import { unhurried } from "./seeds.ts";
import type { Reception } from "./world/chat-platform.ts";
import { answerTimes } from "./world/judge.ts";
import { answer, hour, isWithin, minute, play, upTo, well } from "./world/play.ts";

const bansEveryMs = 12_000;
const firstReplyMs = 5 * minute;

async function run(receptionOf: (isBan: boolean, nowMs: number) => Reception, isLong = false) {
  const from = "anybody";
  const replies = upTo(50, (n) => ({
    id: `r${n}`,
    conversation: `r${n}`,
    atMs: firstReplyMs + n * bansEveryMs,
  }));
  const { world, verdict } = await play({
    maximumConcurrency: 2,
    hours: isLong ? 3 : 0.5,
    enabledTriggers: "ban,reply",
    triggersOf: () => ({
      reply: onTrigger("message_sent", { where: { from, group: "r*" } }, async ({ event, effects }) => {
        const { id, receiver } = event.message;
        const to = { receiver, receiverType: "group", onBehalfOf: "support" } as const;
        await effects.sendText("reply", { ...to, text: `re: ${id}` });
      }),
      ban: onTrigger("message_sent", { where: { from, group: "b*" } }, async ({ event, effects }) => {
        await effects.do("ban", banMember({ guid: event.message.receiver, uid: "x" }));
      }),
    }),
    receptionOf: ({ path, method }, nowMs) =>
      method === "GET" ? well : receptionOf(path.includes("bannedusers"), nowMs),
    facts: [...upTo(75, (n) => ({ id: `b${n}`, conversation: `b${n}`, atMs: n * bansEveryMs })), ...replies],
  });
  const times = answerTimes(world);
  const waits = replies.map(({ id, atMs }) => (times.get(id) ?? Number.POSITIVE_INFINITY) - atMs);
  return { longestMs: Math.max(...waits), dead: verdict.dead.map(({ factId }) => factId) };
}

describe("an operation that the platform refuses with a code of its own", unhurried, () => {
  const refusals = [
    answer(404, "ERR_SOMETHING_NEW"),
    answer(403, "ERR_PLAN_RESTRICTION"),
    answer(400, "ERR_SOMETHING_NEW"),
  ];
  it.each(firstByDay(refusals))("delays no other trigger's operations: $status $code", async (no) => {
    const { longestMs, dead } = await run((isBan) => (isBan ? no : well));

    expect(longestMs).toBeLessThan(1_000);
    expect(dead).toEqual([]);
  });

  it("costs no event if the platform refuses everything by mistake for 20 minutes", async () => {
    const no = answer(404, "ERR_API_NOT_FOUND");
    const { longestMs, dead } = await run((_, nowMs) => (isWithin(nowMs, 0, hour / 3) ? no : well), true);

    expect(dead).toEqual([]);
    expect(longestMs).toBeLessThan(hour / 3 + 15 * minute);
  });
});

describe("an outage of the operation", unhurried, () => {
  const outages = [answer(503), { kind: "page", status: 403 }, answer(403, "AUTH_ERR_NO_ACCESS")] as const;
  it.each(firstByDay(outages))("opens the breaker, so that other triggers wait, too: %o", async (no) => {
    const { longestMs } = await run((isBan) => (isBan ? no : well));

    expect(longestMs).toBeGreaterThan(minute);
  });
});
