import { laneOf } from "../../lib/queue/lanes/lane-record.ts";
import { toTicketMessage } from "../../lib/queue/lanes/ticket.ts";
import type { RoomOf, SeatedGuest, WaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";

export interface LaneRunnerOptions {
  readonly room: WaitingRoom;
  /** The lease and its app. */
  readonly of: RoomOf;
  /** The parked lanes' queue, as records name it. */
  readonly queueArn: string;
  /** Handles an event of the queue; false where something has to be waited for. */
  readonly handle: (event: object) => Promise<boolean>;
  readonly token: () => string;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** Goes on with the lanes that a stage left to a listener. */
export interface LaneRunner {
  /** Begins with all that waits and is not under way. @throws AwsCallError when the table gives no answer */
  look(): Promise<void>;
  /** Ends when nothing is under way. */
  settled(): Promise<void>;
}

const pageSize = 500;
/** What has to be waited for is looked at again so soon: a look costs three requests. */
const againMs = 5_000;
/** So many lanes side by side. */
const mostAtOnce = 10;

export function createLaneRunner(options: LaneRunnerOptions): LaneRunner {
  const { room, of, handle, now, onFailure } = options;
  /** When each lane entered, as far as it was handled. */
  const handled = new Map<string, number>();
  /** When a lane is looked at again. */
  const againAt = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();

  const run = async ({ seat, guest, enteredMs }: SeatedGuest): Promise<void> => {
    if (guest.kind !== "lane") return;
    const isDone = await handle({ Records: [toTicketRecord(guest, options)] }).catch((error: unknown) => {
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
    look: async () => {
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
    settled: async () => {
      await Promise.all(underWay.values());
    },
  };
}

/** Writes a lane's ticket as Lambda hands it out. */
function toTicketRecord(
  guest: Extract<SeatedGuest["guest"], { kind: "lane" }>,
  { of: { appId, pauseId }, queueArn, token }: LaneRunnerOptions,
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
