import type { PauseStore } from "../../lib/queue/pauses/pause-store.ts";
import { CliError } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";

/** How long a disconnected machine keeps the stage waiting. */
const leaseMs = 30_000;
/** For a difference of the clocks: the holder stops before the stage continues. */
const marginMs = 5_000;

const target = { kind: "lease" } as const;

export type Lease = Awaited<ReturnType<typeof takeLease>>;

/**
 * To act for one app instead of the stage.
 * @throws CliError if the lease is taken, AwsCallError
 */
export async function takeLease(store: PauseStore, appId: string, by: string, { token, now }: CliEdges) {
  // Distinguishes two processes at the same moment.
  const owner = `${by} ${token()}`;
  let untilMs = now() + leaseMs;
  const taken = (await store.read(appId)).get("lease");
  const held = taken !== undefined && now() < taken.untilMs ? taken : undefined;
  const pause = held ?? (await store.begin(appId, target, { by: owner, untilMs, reason: "listen" }));
  if (pause.by !== owner) {
    throw new CliError(
      "refused",
      "TAKEN",
      `Another machine already listens for app ${appId}: ${pause.by.split(" ")[0]}.`,
      "It ends with the other command, or 30 s after the last sign of the other machine.",
    );
  }
  const { id } = pause;
  return {
    id,
    /** Milliseconds since 1970: nothing may be started from then on. */
    endsMs: () => untilMs - marginMs,
    /** False if it expired and the stage acts again. */
    renew: async (): Promise<boolean> => {
      const wanted = now() + leaseMs;
      const isHeld = await store.extend(appId, target, id, wanted);
      if (isHeld) untilMs = wanted;
      return isHeld;
    },
    /** The stage continues within ten seconds. */
    end: async (): Promise<void> => {
      await store.extend(appId, target, id, now());
      await store.endIfOver(appId, id);
    },
  };
}
