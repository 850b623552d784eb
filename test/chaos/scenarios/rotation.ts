import {
  type RotatedCredential,
  rotatedCredentials,
} from "../../../lib/operate/rotation/rotated-credentials.ts";
import { createRandom } from "../../../local/testing/simulated/random.ts";
import { createRotationWorld } from "../../helpers/rotation-world.ts";

/** The order of the rotations; those of one list begin at the same moment. */
export const rotationOrders = {
  "password, then key": [["webhook-password"], ["api-key"]],
  "key, then password": [["api-key"], ["webhook-password"]],
  "both at once": [["api-key", "webhook-password"]],
  "password twice": [["webhook-password"], ["webhook-password"]],
} as const satisfies Record<string, readonly (readonly RotatedCredential[])[]>;

export interface RotationFigures {
  readonly sent: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly rotationDeaths: number;
  readonly processesReplaced: number;
  /** Fields and keys that are left over. */
  readonly left: readonly string[];
  readonly isSamePassword: boolean;
}

/**
 * Rotates under load while receivers, consumers and the rotations crash at moments drawn from the seed,
 * and one delivery in a hundred fails on its way.
 */
export async function runRotations({
  seed,
  perSecond,
  order,
  deaths = 3,
}: {
  readonly seed: number;
  readonly perSecond: number;
  readonly order: readonly (readonly RotatedCredential[])[];
  /** How often each rotation crashes at a request. Default: 3. */
  readonly deaths?: number;
}): Promise<RotationFigures> {
  const random = createRandom(seed);
  const ill = new Set<string>();
  // Once for each: after a third failure, the platform drops a delivery.
  const isIll = (body: string) => {
    if (random() >= 0.01 || ill.has(body)) return false;
    ill.add(body);
    return true;
  };
  const world = await createRotationWorld({ receivers: 6, consumers: 4, isIll });
  const { clock } = world;
  let rotationDeaths = 0;
  let processesReplaced = 0;
  const stopTraffic = world.startTraffic(perSecond);
  const stopDying = world.every(1_300, async () => {
    processesReplaced += 1;
    world.replaceProcess(Math.floor(random() * 60));
  });
  await clock.advance(3_000);

  const rotateToTheEnd = async (credential: RotatedCredential): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      const request = tries < deaths ? Math.floor(random() * 20) : undefined;
      const when = random() < 0.5 ? "before" : "after";
      try {
        await world.start(credential, {
          overlapMs: 700_000, // longer than a key that was created but not stored may remain
          crash: request === undefined ? undefined : { when, request },
        });
        return;
      } catch (error) {
        if (!(error instanceof Error) || tries > 200) throw error;
        // Another rotation of the same secret runs: wait for it, as the command's message advises.
        if (error.name === "CrashError") rotationDeaths += 1;
        else if (error.name !== "RotationError") throw error;
        await world.wait(1_000 + random() * 4_000);
      }
    }
  };
  for (const together of order) await world.passUntil(Promise.all(together.map(rotateToTheEnd)));
  await clock.advance(10_000);
  stopTraffic();
  const stopFew = world.startTraffic(0.2);
  const end = { overlap: "wait", beginsNew: false } as const;
  await world.passUntil(Promise.all(rotatedCredentials.map((credential) => world.start(credential, end))));
  await clock.advance(60_000);
  stopFew();
  stopDying();
  await clock.advance(120_000);
  const { refused, unanswered, pending, left, ownKeys } = await world.verdict();
  const { current } = await world.state("webhook-password");
  const isSamePassword = world.passwordOnPlatform() === current.fields.webhookPassword;
  await world.close();
  return {
    rotationDeaths,
    processesReplaced,
    refused,
    unanswered,
    isSamePassword,
    sent: world.sent.length,
    left: [
      ...left,
      ...(pending === undefined ? [] : ["AWSPENDING"]),
      ...ownKeys.filter((isUsed) => !isUsed).map(() => "a key"),
    ],
  };
}
