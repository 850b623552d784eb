import { laneOf } from "../../lib/queue/lanes/lane-record.ts";
import { toTicketMessage } from "../../lib/queue/lanes/ticket.ts";
import type { PauseStore } from "../../lib/queue/pauses/pause-store.ts";
import type { RoomKey, StoredWaiter, WaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { CliError, partlyDone, refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import { type OpenPauses, waitersIn } from "../pauses/open-pauses.ts";
import type { LocalConsumer } from "./start-consumer.ts";

const lookMs = 1_000;
/** Two renewals may fail before the lease expires. */
const renewMs = 8_000;

/** Runs until interrupted. @throws CliError if the lease is refused or lost */
export async function listenToApp(
  appId: string,
  consumer: LocalConsumer,
  { pauses, room, sendRoomTicket }: OpenPauses,
  context: WorkContext,
): Promise<void> {
  const { target, out, edges } = context;
  const queueUrl = (await target.stack()).physicalId("ParkedLanesQueue");
  const lease = await takeLease(pauses, appId, target.identity, edges);
  const of = { appId, pauseId: lease.id };
  try {
    const runner = createLaneRunner(of, room, queueUrl, consumer, context);
    out.note(`Listening for app ${appId}. End with Ctrl-C.`);
    await goOn(lease, runner, out, edges);
  } finally {
    await lease
      .end()
      .then(() => sendRoomTicket(of))
      .then(
        () => out.note("The stage acts again."),
        () => out.note("The stage could not be notified, and acts again within a minute."),
      );
  }
}

async function goOn(lease: Lease, runner: LaneRunner, out: Output, { now, sleep, signal }: CliEdges) {
  let renewAtMs = now() + renewMs;
  let isTrouble = false;
  while (!signal.aborted) {
    try {
      if (now() >= renewAtMs) {
        if (!(await lease.renew()))
          throw partlyDone(
            "LEASE_LOST",
            "The lease expired, and the stage acts again.",
            "Run the command again.",
          );
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
  // Finishes running work while the lease lasts.
  const settled = runner.settled().then(() => true);
  const pause = () => sleep(renewMs).then(() => false);
  while (!(await Promise.race([settled, pause()]))) await lease.renew();
}

const leaseMs = 30_000;
/** Covers a difference of the clocks: the holder stops before the stage continues. */
const marginMs = 5_000;

const target = { kind: "lease" } as const;

type Lease = Awaited<ReturnType<typeof takeLease>>;

async function takeLease(store: PauseStore, appId: string, by: string, { token, now }: CliEdges) {
  // Distinguishes two processes at the same moment.
  const owner = `${by} ${token()}`;
  let untilMs = now() + leaseMs;
  const taken = (await store.read(appId)).get("lease");
  const held = taken !== undefined && now() < taken.untilMs ? taken : undefined;
  const pause = held ?? (await store.begin(appId, target, { by: owner, untilMs, reason: "listen" }));
  if (pause.by !== owner) {
    throw refused(
      "TAKEN",
      `Another machine already listens for app ${appId}: ${pause.by.split(" ")[0]}.`,
      "It ends with the other command, or 30 s after the last sign of the other machine.",
    );
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
    /** The stage continues within ten seconds. */
    end: async () => {
      await store.extend(appId, target, id, now());
      await store.endIfOver(appId, id);
    },
  };
}

/** Each look costs three requests. */
const againMs = 5_000;
const mostAtOnce = 10;

type LaneRunner = ReturnType<typeof createLaneRunner>;

function createLaneRunner(
  of: RoomKey,
  room: WaitingRoom,
  queueUrl: string,
  consumer: LocalConsumer,
  { out, edges: { now, token } }: WorkContext,
) {
  const handled = new Map<string, number>();
  const againAt = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();

  const run = async ({ key, waiter, enteredMs }: StoredWaiter) => {
    if (waiter.kind !== "lane") return;
    const source = waiter.source === "calls" ? "calls" : "events";
    const lane = laneOf(source, waiter.group, waiter.trigger);
    const { MessageBody } = toTicketMessage({ appId: of.appId, lane, lease: of.pauseId }, "");
    const record = {
      messageId: token(),
      receiptHandle: "none",
      body: MessageBody,
      attributes: { ApproximateReceiveCount: "1", MessageGroupId: lane.id },
      messageAttributes: {},
      eventSource: "aws:sqs",
      // Only the ARN's last part counts.
      eventSourceARN: `arn:aws:sqs:::${queueUrl.split("/").at(-1)}`,
    };
    const isDone = await consumer.handle({ Records: [record] }).catch((error: unknown) => {
      out.note(error instanceof Error ? error.message : String(error));
      return false;
    });
    handled.set(key, enteredMs);
    if (isDone) againAt.delete(key);
    else againAt.set(key, now() + againMs);
  };
  const isDue = ({ key, enteredMs }: StoredWaiter) => {
    if (underWay.has(key)) return false;
    const dueAt = againAt.get(key);
    return dueAt === undefined ? handled.get(key) !== enteredMs : dueAt <= now();
  };

  return {
    look: async () => {
      for await (const waiter of waitersIn(room, of)) {
        if (waiter.waiter.kind !== "lane" || !isDue(waiter) || underWay.size >= mostAtOnce) continue;
        underWay.set(
          waiter.key,
          run(waiter).finally(() => underWay.delete(waiter.key)),
        );
      }
    },
    settled: async () => {
      await Promise.all(underWay.values());
    },
  };
}
