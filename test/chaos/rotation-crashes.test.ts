import { expect, it } from "vitest";
import type { RotatedCredential } from "../../lib/operate/rotation/rotated-credentials.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { createRotationWorld, dies } from "../helpers/rotation-world.ts";
import { unhurried } from "./seeds.ts";

const token = "4f1c0d5e-1c9e-4b8e-9a55-000000000001";
/** More requests than any of these rotations sends. */
const most = 60;
const overlapMs = 600_000;

/** Runs a rotation that crashes at one of its requests, then a complete one, with messages around both. */
async function dieAndGoOn(credential: RotatedCredential, request: number) {
  const world = await createRotationWorld();
  const stop = world.startTraffic(0.03);
  await world.clock.advance(2_000);
  const crash = { when: "after", request } as const;
  const died = await dies(world.rotate(credential, { crash, overlapMs }));
  await world.clock.advance(5_000);
  await world.rotate(credential, { overlapMs, overlap: "wait" });
  await world.clock.advance(2_000);
  stop();
  await world.clock.advance(60_000);
  const hasStranger = (await world.keys()).some(({ apiKey }) => apiKey === world.strangersKey);
  const verdict = await world.verdict();
  await world.close();
  return { died, isRight: hasStranger, ...verdict };
}

/** Lets Secrets Manager rotate; the function crashes at one request, and runs again from the first step. */
async function rotateBySteps(credential: RotatedCredential, request: number) {
  const world = await createRotationWorld();
  const stop = world.startTraffic(0.03);
  await world.clock.advance(2_000);
  const crash = { when: "after", request } as const;
  const died = await world.passUntil(dies(world.takeFourSteps(credential, token, { crash })));
  if (died) await world.passUntil(world.takeFourSteps(credential, token));
  const promoted = (await world.state(credential)).current.id;
  await world.clock.advance(1_200_000);
  // The run on the schedule, twice: it keeps the replaced value, and deletes it once its time is over.
  const schedule = { overlapMs, beginsNew: false, bringsIn: false };
  await world.rotate(credential, schedule);
  await world.clock.advance(600_000);
  await world.rotate(credential, schedule);
  stop();
  await world.clock.advance(60_000);
  const { fields } = (await world.state(credential)).current;
  const isRotated =
    credential === "api-key"
      ? fields.apiKey !== world.platform.keys.fullAccessKey
      : fields.webhookPassword !== "first";
  const verdict = await world.verdict();
  await world.close();
  return { died, isRight: promoted === token && isRotated, ...verdict };
}

const rotations = [
  ["a rotation", "api-key", dieAndGoOn],
  ["Secrets Manager's own rotation", "webhook-password", rotateBySteps],
  ["a rotation", "webhook-password", dieAndGoOn],
  ["Secrets Manager's own rotation", "api-key", rotateBySteps],
] as const;

it.each(firstByDay(rotations, 2))(
  "%s of %s refuses, loses and leaves behind nothing, wherever its process crashes",
  unhurried,
  async (_, credential, play) => {
    const verdicts = [];
    for (let request = 0; request < most; request += isNight ? 1 : 3) {
      // A crash before a request equals one after the previous request.
      const verdict = await play(credential, request);
      verdicts.push({ request, ...verdict });
      if (!verdict.died) break;
    }

    const ownKeys = credential === "api-key" ? [true] : [];
    const good = { isRight: true, refused: 0, unanswered: 0, pending: undefined, left: [], ownKeys };
    expect(verdicts).toEqual(verdicts.map(({ request, died }) => ({ request, died, ...good })));
    expect(verdicts.filter(({ died }) => died).length).toBeGreaterThan(5);
    expect(verdicts.at(-1)?.died).toBe(false);
  },
);
