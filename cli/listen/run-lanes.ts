import { laneOf } from "../../lib/queue/lanes/lane-record.ts";
import { toTicketMessage } from "../../lib/queue/lanes/ticket.ts";
import type { RoomOf, SeatedGuest, WaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import type { CliEdges } from "../edges.ts";
import type { LocalConsumer } from "./start-consumer.ts";

interface LaneRunnerOptions {
  readonly room: WaitingRoom;
  readonly of: RoomOf;
  /** Of the parked lanes' queue. */
  readonly queueArn: string;
  readonly consumer: LocalConsumer;
  readonly edges: CliEdges;
  readonly onFailure: (error: unknown) => void;
}

const pageSize = 500;
/** Each look costs three requests. */
const againMs = 5_000;
const mostAtOnce = 10;

export type LaneRunner = ReturnType<typeof createLaneRunner>;

export function createLaneRunner(options: LaneRunnerOptions) {
  const { room, of, consumer, onFailure } = options;
  const { now } = options.edges;
  /** When it entered. */
  const handled = new Map<string, number>();
  const againAt = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();

  const run = async ({ seat, guest, enteredMs }: SeatedGuest): Promise<void> => {
    if (guest.kind !== "lane") return;
    const isDone = await consumer
      .handle({ Records: [toTicketRecord(guest, options)] })
      .catch((error: unknown) => {
        onFailure(error);
        return false;
      });
    handled.set(seat, enteredMs);
    if (isDone) againAt.delete(seat);
    else againAt.set(seat, now() + againMs);
  };
  const isDue = ({ seat, enteredMs }: SeatedGuest): boolean => {
    if (underWay.has(seat)) return false;
    const dueAt = againAt.get(seat);
    return dueAt === undefined ? handled.get(seat) !== enteredMs : dueAt <= now();
  };

  return {
    /**
     * Starts all waiting lanes.
     * @throws AwsCallError if the table gives no answer
     */
    look: async (): Promise<void> => {
      for (let after: string | undefined; ; ) {
        const guests = await room.guests(of, after, pageSize);
        for (const guest of guests) {
          if (guest.guest.kind !== "lane" || !isDue(guest) || underWay.size >= mostAtOnce) continue;
          underWay.set(
            guest.seat,
            run(guest).finally(() => underWay.delete(guest.seat)),
          );
        }
        after = guests.at(-1)?.seat;
        if (after === undefined) return;
      }
    },
    /** Resolves when nothing is running. */
    settled: async (): Promise<void> => {
      await Promise.all(underWay.values());
    },
  };
}

/** As a Lambda record. */
function toTicketRecord(
  guest: Extract<SeatedGuest["guest"], { kind: "lane" }>,
  { of: { appId, pauseId }, queueArn, edges: { token } }: LaneRunnerOptions,
): object {
  const source = guest.source === "calls" ? "calls" : "events";
  const lane = laneOf(source, guest.group, guest.trigger);
  const { MessageBody } = toTicketMessage({ appId, lane, lease: pauseId }, "");
  return {
    messageId: token(),
    receiptHandle: "none",
    body: MessageBody,
    attributes: { ApproximateReceiveCount: "1", MessageGroupId: lane.id },
    messageAttributes: {},
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
  };
}
