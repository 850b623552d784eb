import { describe, expect, it } from "vitest";
import type { Fetch } from "../../../../lib/chat/lean-fetch.ts";
import type { RotateOptions, RotationWorld } from "../../../helpers/rotation-world.ts";
import { createWorld, settle } from "./open-world.ts";

const password = "webhook-password";
const token = "4f1c0d5e-1c9e-4b8e-9a55-000000000001";
const hourMs = 3_600_000;

interface Delay {
  readonly when: "before" | "after";
  readonly ms: number;
  /** Counted from 1. Default: the first. */
  readonly turn?: number;
}

function delayFetch(world: RotationWorld, fits: RegExp, { when, ms, turn = 1 }: Delay): RotateOptions {
  let turns = 0;
  const wrapFetch =
    (fetch: Fetch): Fetch =>
    async (url, init) => {
      const isMeant = fits.test(`${init.method} ${url}`) && ++turns === turn;
      if (isMeant && when === "before") await world.sleep(ms);
      const answer = await fetch(url, init);
      if (isMeant && when === "after") await world.sleep(ms);
      return answer;
    };
  return { wrapFetch };
}

/** Lets the process sleep after it read the secret, or before it moves a label. */
function delaySecret(world: RotationWorld, method: "read" | "stage", turn: number): RotateOptions {
  let turns = 0;
  const wait = async (of: typeof method) => {
    if (of === method && ++turns === turn) await world.sleep(hourMs);
  };
  return {
    wrapSecret: (secret) => ({
      ...secret,
      read: () => secret.read().finally(() => wait("read")),
      stage: (...version) => secret.stage(...version).finally(() => wait("stage")),
    }),
  };
}

const late = { when: "before", ms: 50_000 } as const;
const updateOfWebhook = /^PUT .*\/webhooks/;
// A run lists the webhooks also before it makes the password.
const delays: readonly (readonly [string, (world: RotationWorld) => RotateOptions])[] = [
  [
    "sleeps before it enters it at the webhook",
    (world) => delayFetch(world, /^GET .*\/webhooks/, { when: "after", ms: hourMs, turn: 2 }),
  ],
  [
    "sleeps before it enters it at a bot",
    (world) => delayFetch(world, /^GET .*\/bots/, { when: "after", ms: hourMs }),
  ],
  ["has its update of the webhook carried out late", (world) => delayFetch(world, updateOfWebhook, late)],
  ["has its update of a bot carried out late", (world) => delayFetch(world, /^PUT .*\/bots/, late)],
];

/** Withdraws during the first run. */
async function expectOnePassword(
  world: RotationWorld,
  first: Promise<unknown>,
  { afterMs = 15_000, crashes = -1 } = {},
) {
  const other = settle(first);
  await world.clock.advance(afterMs);
  if (crashes >= 0)
    await world.passUntil(settle(world.abandon({ crash: { when: "after", request: crashes } })));
  await world.passUntil(settle(world.abandon()));
  await world.passUntil(other);
  for (let runs = 0; runs < 2; runs += 1) {
    await world.rotate(password, { beginsNew: false, bringsIn: false });
    await world.clock.advance(2 * hourMs);
  }
  await world.write();
  await world.clock.advance(60_000);

  const { current, pending } = await world.state(password);
  const { webhookPassword } = current.fields;
  expect(pending).toBeUndefined();
  expect([world.passwordOnPlatform(), world.passwordsOfBots()[0]]).toEqual([
    webhookPassword,
    webhookPassword,
  ]);
  expect(world.refused).toEqual([]);
}

describe("`finish --abandon` leaves one password on both sides if the other run", () => {
  it.each(delays)("%s", async (_, delay) => {
    const world = await createWorld();
    await expectOnePassword(world, world.start(password, delay(world)));
  });

  it.each(delays)("is Secrets Manager's and %s", async (_, delay) => {
    const world = await createWorld();
    await expectOnePassword(world, world.takeFourSteps(password, token, delay(world)));
  });

  it("sleeps after any read of the secret", async () => {
    for (const afterMs of [15_000, 70_000]) {
      for (let turn = 1; turn < 12; turn += 1) {
        const world = await createWorld();
        const first = world.start(password, delaySecret(world, "read", turn));
        await expectOnePassword(world, first, { afterMs });
      }
    }
  });

  it("sleeps before it makes the new password the current one", async () => {
    const world = await createWorld();
    const first = world.start(password, delaySecret(world, "stage", 2));
    await expectOnePassword(world, first, { afterMs: 70_000 });
  });

  it("has its update carried out late, and the withdrawal crashes at any request and is repeated", async () => {
    for (let crashes = 4; crashes < 20; crashes += 1) {
      const world = await createWorld();
      await expectOnePassword(world, world.start(password, delayFetch(world, updateOfWebhook, late)), {
        crashes,
      });
    }
  });
});
