import { describe, expect, it } from "vitest";
import { onTrigger, type TriggerTable } from "../../lib/handle/on-trigger.ts";
import { unhurried } from "./seeds.ts";
import { playStruck, struckRun, turns } from "./strikes.ts";
import { replyAs } from "./world/handlers.ts";
import { answer, isWithin, well } from "./world/play.ts";

/**
 * Messages of two conversations; what one trigger reads is out from 1 s to 25 s, and it throws twice for the message `m4`. The
 * consumer's process is struck at one edge.
 */
const times = [0, 500, 3_000, 3_500, 60_000, 60_100, 61_000, 61_500, 300_000, 300_100, 300_200];
let acted: string[] = [];
const run = struckRun(
  () => {
    acted = [];
    const thrown = new Map<string, number>();
    return {
      facts: times.map((atMs, number) => ({ id: `m${number}`, conversation: `g${number % 2}`, atMs })),
      enabledTriggers: "own,reply",
      receptionOf: ({ method }, nowMs) =>
        method === "GET" && isWithin(nowMs, 1_000, 25_000) ? answer(503) : well,
      triggersOf: () => triggersWith(acted, thrown),
    };
  },
  11,
  () => breachesOfOwn(acted),
);

function triggersWith(acted: string[], thrown: Map<string, number>): TriggerTable {
  return {
    own: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, chat, effects }) => {
      const { id } = event.message;
      await chat.messages.list({ limit: 1 }).page();
      const count = thrown.get(id) ?? 0;
      if (id === "m4" && count < 2) {
        thrown.set(id, count + 1);
        throw new TypeError("A mistake of ours.");
      }
      await effects.once("own", async () => {
        acted.push(id);
        return true;
      });
    }),
    reply: replyAs(),
  };
}

/** Says what is broken of the messages that the trigger in trouble acted on. What is repeated was done before its process could report it. */
function breachesOfOwn(acted: readonly string[]): readonly string[] {
  const first = [...new Set(acted)];
  const ofGroup = (group: number) => first.map((id) => Number(id.slice(1))).filter((id) => id % 2 === group);
  const isInOrder = [0, 1].every((group) =>
    ofGroup(group).every((id, at, all) => at === 0 || id > (all[at - 1] ?? 0)),
  );
  return [
    ...(first.length === 11 ? [] : [`acted ${first.length}`]),
    ...(acted.length - first.length <= 1 ? [] : [`repeated ${acted.join(" ")}`]),
    ...(isInOrder ? [] : [`out of order: ${acted.join(" ")}`]),
  ];
}

describe(
  "a process that is struck at one of its steps while one of two triggers is in trouble",
  unhurried,
  () => {
    it.each(turns)(
      "breaks no promise of either trigger, whichever step it is: $blow",
      async ({ blow, turn }) => {
        expect(await playStruck(run, (at) => [{ at, blow }], { turn, every: 60 })).toEqual([]);
      },
    );
  },
);
