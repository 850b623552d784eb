import { createLine } from "./line.ts";

/** A webhook on its way. */
export interface Webhook {
  /** When the platform first tried to deliver it, in milliseconds. */
  readonly atMs: number;
  readonly lane: number;
  readonly isAnswered: boolean;
}

/** A conversation: what waits of it in the queue, and on the table while it is parked. */
export interface ModelLane {
  readonly number: number;
  readonly app: number;
  readonly waiting: Webhook[];
  /** Its messages are in flight. */
  isHeld: boolean;
  isListed: boolean;
  parked: Webhook[] | undefined;
  failures: number;
}

export interface ModelLanes {
  /** Gives how many wait of its lane, and how many in all are not done with. */
  add(webhook: Webhook): { readonly ofLane: number; readonly inAll: number };
  /** Takes up to ten messages, as many as there are of each lane that is free. */
  takeBatch(): ReadonlyMap<ModelLane, Webhook[]>;
  release(lane: ModelLane): void;
  park(lane: ModelLane, webhooks: readonly Webhook[]): void;
  /** One of the waiting or parked is done with. */
  settle(): void;
  /** True when a lane is free and has messages. */
  hasReady(): boolean;
  /** The most that ever waited or was parked or under way. */
  peak(): number;
}

const batchSize = 10;

/** The FIFO queue's groups, and the parked lanes. */
export function createModelLanes(conversations: number, apps: number): ModelLanes {
  const lanes: (ModelLane | undefined)[] = new Array(conversations).fill(undefined);
  const ready = createLine<ModelLane>();
  let [open, peak] = [0, 0];

  const laneOf = (number: number): ModelLane => {
    const lane = lanes[number] ?? {
      ...{ number, app: number % apps, waiting: [], isHeld: false, isListed: false, failures: 0 },
      parked: undefined,
    };
    lanes[number] = lane;
    return lane;
  };
  const list = (lane: ModelLane) => {
    if (lane.isListed || lane.isHeld || lane.waiting.length === 0) return;
    lane.isListed = true;
    ready.add(lane);
  };

  return {
    add: (webhook) => {
      const lane = laneOf(webhook.lane);
      lane.waiting.push(webhook);
      open += 1;
      peak = Math.max(peak, open);
      list(lane);
      return { ofLane: lane.waiting.length, inAll: open };
    },
    takeBatch: () => {
      const batch = new Map<ModelLane, Webhook[]>();
      let room = batchSize;
      while (room > 0) {
        const lane = ready.take();
        if (lane === undefined) break;
        const taken = lane.waiting.splice(0, room);
        room -= taken.length;
        lane.isListed = false;
        lane.isHeld = true;
        batch.set(lane, taken);
      }
      return batch;
    },
    release: (lane) => {
      lane.isHeld = false;
      list(lane);
    },
    park: (lane, webhooks) => {
      lane.parked = [...(lane.parked ?? []), ...webhooks];
    },
    settle: () => {
      open -= 1;
    },
    hasReady: ready.hasSome,
    peak: () => peak,
  };
}
