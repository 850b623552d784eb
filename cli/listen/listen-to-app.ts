import type { PauseStore } from "../../lib/queue/pauses/pause-store.ts";
import type { WaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { CliError } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import { type Lease, takeLease } from "./lease.ts";
import { createLaneRunner, type LaneRunner } from "./run-lanes.ts";
import type { LocalConsumer } from "./start-consumer.ts";

export interface ListenOptions {
  readonly appId: string;
  /** AWS identity. */
  readonly by: string;
  readonly store: PauseStore;
  readonly room: WaitingRoom;
  /** Of the parked lanes' queue. */
  readonly queueArn: string;
  readonly consumer: LocalConsumer;
  /** Lets the stage check immediately whether the lease is over. */
  readonly wakeStage: (pauseId: string) => Promise<void>;
  readonly out: Output;
  readonly edges: Pick<CliEdges, "now" | "sleep" | "signal" | "token">;
}

const lookMs = 1_000;
/** Two renewals may fail before the lease expires. */
const renewMs = 8_000;

/**
 * Handles an app's events instead of the stage until interrupted.
 * @throws CliError if the lease is refused or lost
 */
export async function listenToApp(options: ListenOptions): Promise<void> {
  const { appId, by, store, room, queueArn, consumer, wakeStage, out, edges } = options;
  const { token, now } = edges;
  const lease = await takeLease(store, appId, { by, token, now });
  try {
    const runner = createLaneRunner({
      ...{ room, token, now, queueArn, handle: consumer.handle },
      of: { appId, pauseId: lease.id },
      onFailure: (error) => out.note(error instanceof Error ? error.message : String(error)),
    });
    out.note(`Listening for app ${appId}. End with Ctrl-C.`);
    await goOn(lease, runner, out, edges);
  } finally {
    await lease
      .end()
      .then(() => wakeStage(lease.id))
      .then(
        () => out.note("The stage acts again."),
        () => out.note("The stage could not be notified, and acts again within a minute."),
      );
  }
}

async function goOn(
  lease: Lease,
  runner: LaneRunner,
  out: Output,
  { now, sleep, signal }: ListenOptions["edges"],
): Promise<void> {
  let renewAtMs = now() + renewMs;
  let isTrouble = false;
  while (!signal.aborted) {
    try {
      if (now() >= renewAtMs) {
        if (!(await lease.renew())) throw lost();
        renewAtMs = now() + renewMs;
      }
      if (now() < lease.endsMs()) await runner.look();
      isTrouble = false;
    } catch (error) {
      if (error instanceof CliError || now() >= lease.endsMs()) throw error;
      if (!isTrouble) out.note("The stage gives no answer. Trying again.");
      isTrouble = true;
    }
    await sleep(lookMs, signal);
  }
  // Finishes what has begun while the lease lasts.
  const settled = runner.settled().then(() => true);
  const pause = () => sleep(renewMs).then(() => false);
  while (!(await Promise.race([settled, pause()]))) await lease.renew();
}

function lost(): CliError {
  return new CliError(
    "partlyDone",
    "LEASE_LOST",
    "The lease expired, and the stage acts again.",
    "Run the command again.",
  );
}
