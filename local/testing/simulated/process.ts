import type { Clock } from "./clock.ts";

/** Requests go through `edge`, so that it can be killed (no answer comes) or frozen between any two steps. */
export interface Process {
  readonly name: string;
  isAlive(): boolean;
  isFrozen(): boolean;
  underWay(): number;
  /** Like SIGKILL; requests already sent are still processed. */
  kill(): void;
  /** Freezes everything in it until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Simulates an endless loop. */
  block(): void;
  /**
   * @param operation names it for the fault plan, such as `dynamodb.PutItem`
   * @param isUnderWay false for a time limit, which leaves the work to something else. Default: true
   */
  edge<T>(operation: string, act: () => Promise<T>, isUnderWay?: boolean): Promise<T>;
  onDeath(listener: () => void): () => void;
}

export type Blow = "none" | "killed before" | "killed after" | "frozen before" | "frozen after";

/** Decides what happens at an edge. */
export type StrikeAt = (operation: string, process: Process) => Blow;

/** Longer than any deadline of its event. */
const frozenMs = 95_000;

export function createProcess(name: string, clock: Clock, strikeAt: StrikeAt): Process {
  let isAlive = true;
  let isFrozen = false;
  let isBlocked = false;
  let underWay = 0;
  let held: (() => void)[] = [];
  const mourners = new Set<() => void>();

  /** Now or after the thaw; never to a killed process. */
  const deliver = (answer: () => void) => {
    if (!isAlive) return;
    if (isFrozen || isBlocked) held.push(answer);
    else answer();
  };

  const process: Process = {
    name,
    isAlive: () => isAlive,
    isFrozen: () => isFrozen,
    underWay: () => underWay,
    kill: () => {
      if (!isAlive) return;
      isAlive = false;
      held = [];
      for (const mourn of mourners) mourn();
    },
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
      const answers = held;
      held = [];
      for (const answer of answers) deliver(answer);
    },
    block: () => {
      isBlocked = true;
    },
    onDeath: (listener) => {
      mourners.add(listener);
      return () => mourners.delete(listener);
    },
    edge: (operation, act, isUnderWay = true) => {
      if (!isAlive) return new Promise(() => {});
      const counted = isUnderWay ? 1 : 0;
      underWay += counted;
      const blow = strikeAt(operation, process);
      const passed = passEdge({ blow, act, deliver, process, standStill });
      return passed.finally(() => {
        underWay -= counted;
      });
    },
  };
  const standStill = () => {
    process.freeze();
    clock.at(clock.now() + frozenMs, process.thaw);
  };
  return process;
}

function passEdge<T>(edge: {
  readonly blow: Blow;
  readonly act: () => Promise<T>;
  readonly deliver: (answer: () => void) => void;
  readonly process: Process;
  readonly standStill: () => void;
}): Promise<T> {
  const { blow, act, deliver, process, standStill } = edge;
  return new Promise((resolve, reject) => {
    const finish = (answer: () => void) => {
      if (blow === "killed after") process.kill();
      if (blow === "frozen after") standStill();
      deliver(answer);
    };
    const begin = () => {
      act().then(
        (value) => finish(() => resolve(value)),
        (error: unknown) => finish(() => reject(error)),
      );
    };
    if (blow === "killed before") return process.kill();
    if (blow === "frozen before") standStill();
    deliver(begin);
  });
}
