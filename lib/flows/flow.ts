import { isRecord } from "../base/json.ts";
import type { JsonValue } from "../base/json-value.ts";
import type { Log } from "../base/log.ts";
import { OwnError } from "../base/own-error.ts";
import type {
  AnswerOf,
  ArgumentsOf,
  CallOperation,
  ListOperation,
  SingleOperation,
} from "../chat/operation.ts";
import type { Effect } from "../effects/effect.ts";
import type { States } from "../effects/state/create-states.ts";
import type { AppEventOf, EventName } from "../events/app-event.ts";
import type { Conditions, Where } from "../events/conditions/where.ts";
import type { FlowLength } from "./flow-length.ts";

/**
 * The calls of a flow's function. The function runs again from the top whenever the flow resumes, and
 * finished calls return their first results. Its decisions must depend only on these calls: not on the clock,
 * random numbers or reads. Methods throw FlowStepError for a permanent failure; transient failures are
 * retried.
 */
export interface Flow<Waits extends FlowEventName = FlowEventName, Input = unknown> {
  /** The flow's unique id, the same whenever it resumes, and after `continueAs`. */
  readonly id: string;
  readonly app: { readonly appId: string; readonly region: string | undefined };
  /** Writes each line once, not again when the flow resumes. */
  readonly log: Log;
  /** Performs an effect once. Two effects of one name are distinct, in the order of their calls. */
  do<T>(name: string, effect: Effect<T>): Promise<T>;
  /** Calls any client operation, as an effect. */
  do<O extends SingleOperation>(name: string, operation: O, ...args: ArgumentsOf<O>): Promise<AnswerOf<O>>;
  /**
   * Reads a list of the client, up to `limit` items, also in shadow; the result is stored.
   * @throws InvalidInputError for another operation or limit
   */
  list<O extends ListOperation>(
    name: string,
    options: { readonly limit: number },
    operation: O,
    ...args: ArgumentsOf<O>
  ): Promise<readonly AnswerOf<O>[]>;
  /**
   * Runs code of your own and stores its result. It has 30 s. After a crash or time-out it may run again: it
   * must be repeatable. In shadow it does not run, and the flow ends.
   * @throws FlowStepError if the result is not JSON, such as a date or a set; the code has run
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: code without a result
  run<T extends JsonValue | undefined | void>(
    name: string,
    work: (tools: FlowTools) => Promise<T> | T,
  ): Promise<T>;
  /** The state of a kind that `defineState` declares; each read and change is a step. */
  readonly state: States;
  /** Waits, at no cost. */
  wait(length: FlowLength): Promise<void>;
  /**
   * Waits until a time, at no cost; returns at once if it has passed. It is a step.
   * @throws FlowStepError for a time more than a year ahead
   */
  waitUntil(date: Date): Promise<void>;
  /**
   * Waits for an event; undefined when the time is up. Events received since the latest finished `do` began
   * count, so an answer quicker than the flow is not missed. Each event is returned once. Of several names,
   * the event received first is returned, whatever its name.
   * @throws RangeError for conditions that no event can meet
   */
  waitFor<const Name extends Waits>(
    names: Name | readonly [Name, ...Name[]],
    options: { readonly where?: Where<Name>; readonly within: FlowLength },
  ): Promise<AppEventOf<Name> | undefined>;
  /** Runs several ways concurrently; fails as soon as one fails. Each way must use its own flow argument. */
  all<const Ways extends readonly FlowWay<Waits, unknown>[]>(
    ways: Ways,
  ): Promise<{ readonly [Index in keyof Ways]: Awaited<ReturnType<Ways[Index]>> }>;
  /**
   * Returns the first success of several concurrent ways; fails if all fail. The others stop: what they began
   * may be done, nothing more is begun.
   */
  any<const Ways extends readonly FlowWay<Waits, unknown>[]>(
    ways: Ways,
  ): Promise<Awaited<ReturnType<Ways[number]>>>;
  /** Overload for a given result type. */
  any<T>(ways: readonly FlowWay<Waits, T>[]): Promise<T>;
  /**
   * Resolves when an operator cancels the flow, or has cancelled it. Race it with `any` to clean up; a flow
   * that does not use it is stopped where it is.
   */
  readonly cancelled: Promise<void>;
  /**
   * Ends this execution and continues as a new one, from the top, with the same `id` and this input: for
   * flows that repeat without end, before AWS's limits. No event is missed between them. Never returns.
   * Within `all` or `any`, or concurrently with another call, it fails the whole flow.
   * @throws FlowStepError for an input that does not fit, and after more than 2,000 events within the hour
   * before, or since the latest `do`
   */
  continueAs(input: Input): Promise<never>;
  /** Returns the time, the same whenever the flow resumes. It is a step. */
  now(): Promise<Date>;
}

/** What the code of `flow.run` can use. */
export interface FlowTools {
  /** Calls an operation of the client. */
  readonly call: CallOperation;
  /** Aborted when the attempt ends. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds since 1970: nothing is started after it. */
  readonly deadlineMs: number;
}

/** One of a flow's concurrent ways. */
export type FlowWay<Waits extends FlowEventName, T> = (flow: Flow<Waits>) => Promise<T>;

/** Thrown if a step failed permanently; `message` names the step and cause. */
export class FlowStepError extends OwnError {
  override readonly name = "FlowStepError";
  readonly step: string;
  readonly why: string;

  constructor(step: string, why: string) {
    super(`"${step}" failed for good: ${why}`);
    this.step = step;
    this.why = why;
  }
}

/** Events that a flow can wait for: the platform's and derived ones. */
export type FlowEventName = Exclude<EventName, "*">;

export function readConditions(where: unknown): Conditions {
  return isRecord(where) ? where : {};
}
