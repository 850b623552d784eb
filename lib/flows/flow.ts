import type { Log } from "../base/log.ts";
import type { AnswerOf, ArgumentsOf, SingleOperation } from "../chat/operation.ts";
import type { Effect } from "../effects/effect.ts";
import type { AppEventOf } from "../events/app-event.ts";
import type { Where } from "../events/conditions/where.ts";
import type { FlowLength } from "./flow-length.ts";
import type { FlowEventName } from "./flow-where.ts";

/**
 * What a flow does and waits for. Its function runs again from the top whenever it goes on, and what was done already
 * gives what it gave: so nothing outside these calls may decide what it does next — no clock, no chance, no reading.
 * All that may throw throws FlowStepError, for good: passing trouble was waited for.
 */
export interface Flow<Waits extends FlowEventName = FlowEventName> {
  /** Names this flow among all that run; the same whenever it goes on. */
  readonly id: string;
  readonly app: { readonly appId: string; readonly region: string | undefined };
  /** Writes each line once, not again when the flow goes on. */
  readonly log: Log;
  /** Does an effect once, and gives what it gave. Two of one name are two, in the order in which they are asked for. */
  do<T>(name: string, effect: Effect<T>): Promise<T>;
  /** Calls any operation of the client, as an effect is done. */
  do<O extends SingleOperation>(name: string, operation: O, ...args: ArgumentsOf<O>): Promise<AnswerOf<O>>;
  /** Waits, at no cost. */
  wait(length: FlowLength): Promise<void>;
  /**
   * Waits for an event, and gives it; undefined when time is up. What was received since the latest finished `do` began
   * counts, so an answer that is quicker than the flow is not missed. One event is given once.
   * @throws RangeError for conditions that no event can have
   */
  waitFor<Name extends Waits>(
    name: Name,
    options: { readonly where?: Where<Name>; readonly within: FlowLength },
  ): Promise<AppEventOf<Name> | undefined>;
  /** Goes several ways at once and gives what each gave; fails as soon as one of them does. Use the flow each way is given. */
  all<const Ways extends readonly FlowWay<Waits, unknown>[]>(
    ways: Ways,
  ): Promise<{ readonly [Index in keyof Ways]: Awaited<ReturnType<Ways[Index]>> }>;
  /**
   * Goes several ways at once and gives what the first gave that came to a good end; fails when none does. The others
   * are left where they are: what they began may be done, and nothing more is begun.
   */
  any<T>(ways: readonly FlowWay<Waits, T>[]): Promise<T>;
  /**
   * Ends when somebody asks for the flow to be cancelled; to be raced with `any`, for a flow that has something to tidy
   * up. A flow that does not ask for it is stopped where it is.
   */
  readonly cancelled: Promise<void>;
  /** Gives the time, the same whenever the flow goes on. A step of its own. */
  now(): Promise<Date>;
}

/** One of several ways that a flow goes at once. */
export type FlowWay<Waits extends FlowEventName, T> = (flow: Flow<Waits>) => Promise<T>;

/** Says that a step of a flow failed for good; `message` says which, and why. */
export class FlowStepError extends Error {
  override readonly name = "FlowStepError";
  /** The step's name. */
  readonly step: string;
  readonly why: string;

  constructor(step: string, why: string) {
    super(`"${step}" failed for good: ${why}`);
    this.step = step;
    this.why = why;
  }
}
