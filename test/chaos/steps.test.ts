import { describe, expect, it } from "vitest";
import { onTrigger, type TriggerTable } from "../../lib/handle/on-trigger.ts";
import { firstByDay } from "../helpers/by-day.ts";
import { stepsOfConsumer } from "./scenarios/steps.ts";
import { unhurried } from "./seeds.ts";
import { playStruck, type Strike, struckRun, turns } from "./strikes.ts";
import { replyAs } from "./world/handlers.ts";
import { answer, isWithin, minute, platformDuring, upTo, well } from "./world/play.ts";

/**
 * Four messages of two conversations, one's first send unclear and the other's refused: the main path,
 * parking, tickets and look-ups. Then two in one batch, one of them slow, and after three minutes, when
 * stopped processes continue, one more of each. The consumer's processes are struck at the given edges.
 */
const run = struckRun(() => {
  const failed = new Set<string>();
  return {
    facts: [
      ...upTo(6, (n) => ({
        id: `m${n}`,
        conversation: `g${n % 2}`,
        atMs: n < 4 ? n * 30 : 180_000,
        text: "fickle",
      })),
      ...["slow", "quick"].map((conversation) => ({ id: conversation, conversation, atMs: 400 })),
    ],
    receptionOf: ({ method, receiver }) => {
      if (receiver === "slow") return { kind: "well", ms: 1_500 };
      if (receiver === "quick" || method === "GET" || failed.has(receiver)) return well;
      failed.add(receiver);
      return receiver === "g0"
        ? { kind: "answer lost" }
        : {
            kind: "answer",
            status: 429,
            headers: { "retry-after": "40", "x-rate-limit": "20000", "x-rate-limit-remaining": "0" },
          };
    },
  };
}, 8);

/**
 * Ten messages of two conversations: before, in and after a pause of a trigger, and then of the app. The
 * consumer's process is struck at one edge.
 */
const pausedTimes = [0, 0, 3_000, 3_500, 8_900, 9_100, 22_000, 23_000, 27_900, 28_100];
const pausedRun = struckRun(
  () => ({
    enabledTriggers: "reply,audit",
    pauses: [
      { target: { kind: "trigger", name: "reply" }, fromMs: 1_000, toMs: 9_000 },
      { target: { kind: "app" }, fromMs: 20_000, toMs: 28_000 },
    ],
    facts: pausedTimes.map((atMs, number) => ({ id: `m${number}`, conversation: `g${number % 2}`, atMs })),
    untilMs: 30_000,
  }),
  pausedTimes.length,
  ({ world: { diary } }) =>
    diary.audited.size === pausedTimes.length ? [] : [`audited ${diary.audited.size}`],
);

/** Messages of seven conversations; the platform is out from 1 s to 100 s. One edge is struck. */
const wokenRun = struckRun(
  () => ({
    facts: [
      ...upTo(14, (n) => ({ id: `m${n}`, conversation: `g${n % 7}`, atMs: 2_000 + n * 500 })),
      { id: "last", conversation: "g0", atMs: 20 * minute },
    ],
    receptionOf: platformDuring(1_000, 100_000, answer(503)),
  }),
  15,
  ({ verdict: { latenciesMs } }) => {
    const lastMs = latenciesMs.at(-1) ?? 0;
    return lastMs > 10 * minute ? [`answered after ${lastMs}`] : [];
  },
);

/**
 * Messages of two conversations; one trigger's source is out from 1 s to 25 s, and it throws twice for `m4`.
 * The consumer's process is struck at one edge.
 */
const troubledTimes = [0, 500, 3_000, 3_500, 60_000, 60_100, 61_000, 61_500, 300_000, 300_100, 300_200];
let acted: string[] = [];
const troubledRun = struckRun(
  () => {
    acted = [];
    const thrown = new Map<string, number>();
    return {
      facts: troubledTimes.map((atMs, number) => ({
        id: `m${number}`,
        conversation: `g${number % 2}`,
        atMs,
      })),
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

/** Lists the failing trigger's broken promises. Repeated work was done before its process could report it. */
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

describe.each([
  ["while a send is unclear and another one refused", run, 8],
  ["while something is paused", pausedRun, 40],
  ["while conversations wait for a destination", wokenRun, 480],
  ["while one of two triggers fails", troubledRun, 60],
] as const)("a process that is struck at one of its steps %s", unhurried, (_while, run, every) => {
  it.each(turns)("breaks no promise at any step: $blow", async ({ blow, turn }) => {
    expect(await playStruck(run, (at) => [{ at, blow }], { turn, every })).toEqual([]);
  });
});

describe("a process that is struck at one of its steps", unhurried, () => {
  it("has every step in a run without strikes", async () => {
    const { breaches, edges } = await run([]);

    expect(breaches).toEqual([]);
    expect(new Set(edges)).toEqual(new Set(stepsOfConsumer));
  });

  it.each(firstByDay([...turns].reverse()))(
    "breaks no promise if a later step is struck too: $blow",
    async ({ blow }) => {
      const both = (at: number): Strike[] => [
        { at, blow: "killed after" },
        { at: at + 5, blow },
      ];
      expect(await playStruck(run, both, { turn: 0, every: 9 })).toEqual([]);
    },
  );
});
