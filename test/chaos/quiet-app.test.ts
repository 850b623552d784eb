import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { firstByDay, isNight } from "./by-day.ts";
import { seeds, unhurried } from "./seeds.ts";
import type { Reception } from "./world/chat-platform.ts";
import { answerTimes, judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const well: Reception = { kind: "well" };
const answer = (status: number, code?: string): Reception => ({
  kind: "answer",
  status,
  ...(code !== undefined && { code }),
});

/** A quiet app: one event, two more of its conversation within the hour, and nothing else that it could be compared with. */
async function runQuietApp(
  seed: number,
  {
    onRead,
    onWrite,
    followersFail = false,
    neighbour = false,
    hours = 30,
  }: {
    onRead: Reception;
    onWrite: Reception;
    followersFail?: boolean;
    neighbour?: boolean;
    hours?: number;
  },
) {
  const world = createWorld({
    seed,
    receptionOf: ({ method, text }) => {
      if (method === "GET") return onRead;
      return text === "re: refused" || followersFail ? onWrite : well;
    },
  });
  world.send({ id: "refused", conversation: "g1", atMs: 0 });
  world.send({ id: "follower-1", conversation: "g1", atMs: 20 * minuteMs });
  world.send({ id: "follower-2", conversation: "g1", atMs: 50 * minuteMs });
  if (neighbour) world.send({ id: "neighbour", conversation: "g2", atMs: 10 * minuteMs });
  await world.run(hours * hourMs);
  world.close();
  const { dead, lost, outOfOrder, stranded } = judge(world);
  const [first] = dead;
  const begun = world.diary.begun.get("refused")?.[0] ?? 0;
  const minutes = ((first?.atMs ?? Number.NaN) + epochMs - begun) / minuteMs;
  return {
    ...{ dead: dead.map(({ factId }) => factId), lost, outOfOrder, stranded, reason: first?.reason },
    minutes,
    answered: [...answerTimes(world).keys()],
  };
}

describe("an event that alone is refused with 500 in a quiet app", unhurried, () => {
  it.each(seeds())(
    "is dead-lettered after 90 minutes, and its followers are answered (seed %i)",
    async (seed) => {
      const figures = await runQuietApp(seed, { onRead: well, onWrite: answer(500) });

      expect(figures).toMatchObject({
        dead: ["refused"],
        reason: "tries",
        lost: [],
        outOfOrder: [],
        stranded: [],
      });
      expect(figures.answered).toEqual(["follower-1", "follower-2"]);
      expect(figures.minutes).toBeGreaterThanOrEqual(90);
      expect(figures.minutes).toBeLessThanOrEqual(92);
    },
  );

  const platform500 = answer(500);
  const cases = [
    { of: "500 to every request", onRead: platform500, onWrite: platform500 },
    { of: "503 to the event alone", onRead: well, onWrite: answer(503) },
    { of: "no answer", onRead: { kind: "silence" }, onWrite: { kind: "silence" } },
    { of: "503 to every request", onRead: answer(503), onWrite: answer(503) },
    { of: "502 to the event alone", onRead: well, onWrite: answer(502) },
    { of: "504 to the event alone", onRead: well, onWrite: answer(504) },
    { of: "429 to every request", onRead: answer(429), onWrite: answer(429) },
    { of: "429 to the event alone", onRead: well, onWrite: answer(429) },
    { of: "no answer to the event alone", onRead: well, onWrite: { kind: "silence" } },
    { of: "no connection", onRead: { kind: "no connection" }, onWrite: { kind: "no connection" } },
    { of: "a key that is refused", onRead: answer(401, "AUTH_ERR_APIKEY_NOT_FOUND"), onWrite: platform500 },
    { of: "a scope that is refused", onRead: answer(403, "AUTH_ERR_NO_ACCESS"), onWrite: platform500 },
    { of: "429 to the read", onRead: answer(429), onWrite: platform500 },
    { of: "503 to the read", onRead: answer(503), onWrite: platform500 },
    { of: "a proxy's page to the read", onRead: { kind: "page", status: 200 }, onWrite: platform500 },
  ] as const;
  it.each(firstByDay(cases, 3))(
    "is waited for where it is not known to be the only one: $of",
    async (receptions) => {
      const figures = await runQuietApp(1, { ...receptions, followersFail: true, hours: 3 });

      expect(figures).toMatchObject({ dead: [], answered: [] });
    },
  );

  it("is waited for where another conversation is refused, too", async () => {
    const figures = await runQuietApp(1, {
      ...{ onRead: well, onWrite: platform500, followersFail: true, neighbour: true, hours: 3 },
    });

    expect(figures).toMatchObject({ dead: [], answered: [] });
  });

  it.runIf(isNight)("is dead-lettered after 24 hours where it is not known to be the only one", async () => {
    const figures = await runQuietApp(1, { onRead: platform500, onWrite: platform500, hours: 25 });

    expect(figures).toMatchObject({ dead: ["refused"], reason: "patience" });
    expect(figures.minutes).toBeGreaterThanOrEqual(24 * 60);
  });
});
