import { describe, expect, it } from "vitest";
import type { RotatedCredential } from "../../lib/operate/rotation/rotated-credentials.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { createRotationWorld, dies, type RotationCrash } from "../helpers/rotation-world.ts";

/** More requests than any of these rotations sends. */
const most = 60;

/** Runs a rotation that dies at one of its requests, then one that does not, with messages before, between and after. */
async function dieAndGoOn(credential: RotatedCredential, crash: RotationCrash) {
  const world = await createRotationWorld();
  const stop = world.startTraffic(0.03);
  await world.clock.advance(2_000);
  const died = await dies(world.rotate(credential, { crash, overlapMs: 600_000 }));
  await world.clock.advance(5_000);
  await world.rotate(credential, { overlapMs: 600_000, overlap: "wait" });
  await world.clock.advance(2_000);
  stop();
  await world.clock.advance(60_000);
  const stranger = (await world.keys()).some(({ apiKey }) => apiKey === world.strangersKey);
  const verdict = await world.verdict();
  await world.close();
  return { died, stranger, ...verdict };
}

const rotations = [
  ["webhook-password", []],
  ["api-key", [true]],
] as const;

describe.each(firstByDay(rotations.toReversed()))(
  "a rotation of %s whose process dies",
  (credential, ownKeys) => {
    it("goes on with the next run, whatever its last request was, and refuses, loses and leaves behind nothing", async () => {
      const verdicts = [];
      for (let request = 0; request < most; request += isNight ? 1 : 3) {
        // To die before a request is to die after the one before.
        const verdict = await dieAndGoOn(credential, { when: "after", request });
        verdicts.push({ request, ...verdict });
        if (!verdict.died) break;
      }

      const good = { refused: 0, unanswered: 0, pending: undefined, left: [], ownKeys, stranger: true };
      expect(verdicts).toEqual(verdicts.map(({ request, died }) => ({ request, died, ...good })));
      expect(verdicts.filter(({ died }) => died).length).toBeGreaterThan(5);
      expect(verdicts.at(-1)?.died).toBe(false);
    });
  },
);
