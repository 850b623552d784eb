import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import type { OpenPauses } from "../pauses/open-pauses.ts";
import { type Lease, takeLease } from "./lease.ts";
import { createLaneRunner, type LaneRunner } from "./run-lanes.ts";
import type { LocalConsumer } from "./start-consumer.ts";

const lookMs = 1_000;
/** Two renewals may fail before the lease expires. */
const renewMs = 8_000;

/**
 * Handles an app's events instead of the stage until interrupted.
 * @throws CliError if the lease is refused or lost
 */
export async function listenToApp(
  appId: string,
  consumer: LocalConsumer,
  { pauses, room, sendPauseTicket }: OpenPauses,
  { target, out, edges }: WorkContext,
): Promise<void> {
  const queueUrl = (await target.stack()).physicalId("ParkedLanesQueue");
  const lease = await takeLease(pauses, appId, target.identity, edges);
  const of = { appId, pauseId: lease.id };
  try {
    const runner = createLaneRunner({
      room,
      of,
      consumer,
      edges,
      // Only the ARN's last part is used.
      queueArn: `arn:aws:sqs:::${queueUrl.split("/").at(-1)}`,
      onFailure: (error) => out.note(error instanceof Error ? error.message : String(error)),
    });
    out.note(`Listening for app ${appId}. End with Ctrl-C.`);
    await goOn(lease, runner, out, edges);
  } finally {
    await lease
      .end()
      // The stage checks immediately whether the lease is over.
      .then(() => sendPauseTicket(of))
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
  { now, sleep, signal }: CliEdges,
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
