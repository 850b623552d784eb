import type { PauseStore } from "../../lib/queue/pauses/pause-store.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";

/** The right to act in a stage's place for one app, until it runs out. */
export interface Lease {
  readonly id: string;
  /** Milliseconds since 1970: nothing may be begun from then on. */
  endsMs(): number;
  /** Makes it last longer; false where it ran out, and the stage acts again. @throws AwsCallError */
  renew(): Promise<boolean>;
  /** Gives it back: the stage goes on within ten seconds. */
  end(): Promise<void>;
}

/** A machine that is closed or cut off keeps the stage waiting no longer. */
const leaseMs = 30_000;
/** Less than the other's clock may differ: its holder stops before the stage goes on. */
const marginMs = 5_000;

const target = { kind: "lease" } as const;

/** Takes the lease of an app. @throws CliError where somebody has it, AwsCallError */
export async function takeLease(
  store: PauseStore,
  appId: string,
  { by, token, now }: { readonly by: string; readonly token: () => string; readonly now: () => number },
): Promise<Lease> {
  // Somebody who takes it at the same moment is told apart by it.
  const owner = `${by} ${token()}`;
  let untilMs = now() + leaseMs;
  const taken = (await store.read(appId)).get("lease");
  const held = taken !== undefined && now() < taken.untilMs ? taken : undefined;
  const pause = held ?? (await store.begin(appId, target, { by: owner, untilMs, reason: "listen" }));
  if (pause.by !== owner) {
    throw new CliError(`Somebody listens already for app ${appId}: ${pause.by.split(" ")[0]}.`, {
      code: "TAKEN",
      exitCode: exitCodes.refused,
      hint: "It ends with his command, or half a minute after his machine was last heard of.",
    });
  }
  const { id } = pause;
  return {
    id,
    endsMs: () => untilMs - marginMs,
    renew: async () => {
      const wanted = now() + leaseMs;
      const isHeld = await store.extend(appId, target, id, wanted);
      if (isHeld) untilMs = wanted;
      return isHeld;
    },
    end: async () => {
      await store.extend(appId, target, id, now());
      await store.endIfOver(appId, id);
    },
  };
}
