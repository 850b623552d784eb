import { describe, expect, it } from "vitest";
import type { RotatedCredential } from "../../lib/operate/rotation/rotated-credentials.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { createRotationWorld, dies } from "../helpers/rotation-world.ts";
import { unhurried } from "./seeds.ts";

const token = "4f1c0d5e-1c9e-4b8e-9a55-000000000001";
/** More requests than any of these rotations sends. */
const most = 60;

/** Lets Secrets Manager rotate; the function dies at one of its requests, and is called again from the first step on. */
async function rotateBySteps(credential: RotatedCredential, request: number) {
  const world = await createRotationWorld();
  const stop = world.startTraffic(0.03);
  await world.clock.advance(2_000);
  const crash = { when: "after", request } as const;
  const died = await world.passUntil(dies(world.takeFourSteps(credential, token, { crash })));
  if (died) await world.passUntil(world.takeFourSteps(credential, token));
  const promoted = (await world.state(credential)).current.id;
  await world.clock.advance(1_200_000);
  // The run on the schedule, twice: it keeps what was replaced, and ends it once its time is over.
  const schedule = { overlapMs: 600_000, beginsNew: false, bringsIn: false };
  await world.rotate(credential, schedule);
  await world.clock.advance(600_000);
  await world.rotate(credential, schedule);
  stop();
  await world.clock.advance(60_000);
  const { current } = await world.state(credential);
  const verdict = {
    died,
    isPromoted: promoted === token,
    ...(await world.verdict()),
    isRotated:
      credential === "api-key"
        ? current.fields.apiKey !== world.platform.keys.fullAccessKey
        : current.fields.webhookPassword !== "first",
  };
  await world.close();
  return verdict;
}

const rotations = [
  ["webhook-password", []],
  ["api-key", [true]],
] as const;

describe.each(firstByDay(rotations))(
  "Secrets Manager's own rotation of %s",
  unhurried,
  (credential, ownKeys) => {
    it("comes to the same end wherever the function dies", async () => {
      const verdicts = [];
      for (let request = 0; request < most; request += isNight ? 1 : 3) {
        const verdict = await rotateBySteps(credential, request);
        verdicts.push({ request, ...verdict });
        if (!verdict.died) break;
      }

      const good = {
        isPromoted: true,
        refused: 0,
        unanswered: 0,
        pending: undefined,
        left: [],
        ownKeys,
        isRotated: true,
      };
      expect(verdicts).toEqual(verdicts.map(({ request, died }) => ({ request, died, ...good })));
      expect(verdicts.filter(({ died }) => died).length).toBeGreaterThan(5);
      expect(verdicts.at(-1)?.died).toBe(false);
    });
  },
);
