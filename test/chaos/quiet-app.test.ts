import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { unhurried } from "./seeds.ts";
import type { Reception } from "./world/chat-platform.ts";
import { answerTimes } from "./world/judge.ts";
import { answer, minute, play, well } from "./world/play.ts";

/** A quiet app: one event, two more of its conversation within the hour, and no others to compare it with. */
async function runQuietApp({
  onRead,
  onWrite,
  followersFail = false,
  neighbour = false,
  hours,
}: {
  onRead: Reception;
  onWrite: Reception;
  followersFail?: boolean;
  neighbour?: boolean;
  hours: number;
}) {
  const { world, verdict } = await play({
    facts: [
      { id: "refused", conversation: "g1", atMs: 0 },
      { id: "follower-1", conversation: "g1", atMs: 20 * minute },
      { id: "follower-2", conversation: "g1", atMs: 50 * minute },
      ...(neighbour ? [{ id: "neighbour", conversation: "g2", atMs: 10 * minute }] : []),
    ],
    hours,
    receptionOf: ({ method, text }) => {
      if (method === "GET") return onRead;
      return text === "re: refused" || followersFail ? onWrite : well;
    },
  });
  const { dead, lost, outOfOrder, stranded } = verdict;
  const [first] = dead;
  const begun = world.diary.begun.get("refused")?.[0] ?? 0;
  return {
    dead: dead.map(({ factId }) => factId),
    lost,
    outOfOrder,
    stranded,
    reason: first?.reason,
    minutes: ((first?.atMs ?? Number.NaN) + epochMs - begun) / minute,
    answered: [...answerTimes(world).keys()],
  };
}

describe("the only event that is refused in a quiet app", unhurried, () => {
  const receptions = [answer(500), answer(400, "ERR_SOMETHING_NEW"), answer(404, "ERR_API_NOT_FOUND")];
  it.each(receptions)(
    "is dead-lettered after 90 minutes, its followers are answered: $status",
    async (no) => {
      const figures = await runQuietApp({ onRead: well, onWrite: no, hours: 30 });

      expect(figures).toMatchObject({
        dead: ["refused"],
        reason: "tries",
        lost: [],
        outOfOrder: [],
        stranded: [],
        answered: ["follower-1", "follower-2"],
      });
      expect(figures.minutes).toBeGreaterThanOrEqual(90);
      expect(figures.minutes).toBeLessThanOrEqual(92);
    },
  );

  const cases = [
    { of: "500 to every request", onRead: answer(500), onWrite: answer(500) },
    { of: "a proxy's page to the event", onRead: well, onWrite: { kind: "page", status: 403 } },
    { of: "503 only to the event", onRead: well, onWrite: answer(503) },
    { of: "another conversation is refused, too", onRead: well, onWrite: answer(500), neighbour: true },
    { of: "no answer", onRead: { kind: "silence" }, onWrite: { kind: "silence" } },
    { of: "429 only to the event", onRead: well, onWrite: answer(429) },
    { of: "no connection", onRead: { kind: "no connection" }, onWrite: { kind: "no connection" } },
    { of: "a key that is refused", onRead: answer(401, "AUTH_ERR_APIKEY_NOT_FOUND"), onWrite: answer(500) },
    { of: "a proxy's page to the read", onRead: { kind: "page", status: 200 }, onWrite: answer(500) },
  ] as const;
  it.each(firstByDay(cases))("waits unless it is known to be the only one: $of", async (receptions) => {
    const hours = isNight ? 3 : 1.75;
    const figures = await runQuietApp({ ...receptions, followersFail: true, hours });

    expect(figures).toMatchObject({ dead: [], answered: [] });
  });
});
