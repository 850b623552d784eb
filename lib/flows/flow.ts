import { OwnError, PermanentError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { JsonValue } from "../base/json-value.ts";
import type { Log } from "../base/log.ts";
import { isDate, isValidDate } from "../base/realm.ts";
import { checkOptionNames, readPlainly } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
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

/** A time such as `{ minutes: 10 }` or `{ days: 1, hours: 12 }`: one second to one year. */
export type FlowLength = {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
} & (
  | { readonly days: number }
  | { readonly hours: number }
  | { readonly minutes: number }
  | { readonly seconds: number }
);

/**
 * Limit of a durable execution: 366 days.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_DurableConfig.html
 */
export const longestSeconds = 31_622_400;

/**
 * Returns seconds, rounded up.
 * @throws RangeError for less than a second or more than a year, InvalidInputError for another object
 */
export function secondsOf(length: FlowLength): number {
  readPlainly("a wait of a flow", "length", () => {
    if (!isRecord(length))
      throw new InvalidInputError(
        "a wait of a flow",
        "length",
        "such as { minutes: 10 }",
        length === undefined,
      );
    checkOptionNames("a wait of a flow", units, length);
    const wrongUnit = units.find((unit) => !["number", "undefined"].includes(typeof length[unit]));
    if (wrongUnit !== undefined) throw new InvalidInputError("a wait of a flow", wrongUnit, "a number");
  });
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = length;
  const total = Math.ceil(((days * 24 + hours) * 60 + minutes) * 60 + seconds);
  if (total >= 1 && total <= longestSeconds) return total;
  throw new RangeError(`A flow waits for 1 second at least and a year at most, not ${total} seconds.`);
}

/** @throws InvalidInputError */
export function checkUntil(date: unknown): void {
  const isValid = readPlainly("waitUntil", "date", () => isValidDate(date));
  if (!isValid) throw new InvalidInputError("waitUntil", "date", "a valid Date", date === undefined);
}

/**
 * Returns the seconds left, rounded up; 0 for the past.
 * @throws PermanentError if Lambda ends the execution first
 */
export function secondsUntil(date: Date, nowMs: number, startedMs?: number): number {
  const seconds = Math.max(0, Math.ceil((date.getTime() - nowMs) / 1000));
  const why = whyTooLong(seconds, nowMs, startedMs);
  if (why !== undefined) throw new PermanentError(why);
  return seconds;
}

/** Returns undefined unless Lambda ends the execution first. */
export function whyTooLong(seconds: number, nowMs: number, startedMs = nowMs): string | undefined {
  const lastsMs = Math.max(0, nowMs - startedMs) + seconds * 1000;
  if (!(lastsMs >= longestSeconds * 1000)) return undefined;
  return "An execution ends after 366 days, before this wait does. Call `flow.continueAs` first.";
}

const units = ["days", "hours", "minutes", "seconds"] as const;

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
  /**
   * Waits, at no cost.
   * @throws FlowStepError if it would end after the execution
   */
  wait(length: FlowLength): Promise<void>;
  /**
   * Waits until a time, at no cost; returns at once if it has passed. It is a step.
   * @throws FlowStepError as `wait`
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
   * Continues as a new execution, from the top, with the same `id` and this input: for flows that repeat
   * without end, before AWS's limits. No event is missed between them. Never returns. Within `all` or `any`,
   * or concurrently with another call, it fails the whole flow.
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

/** Keeps dates, which JSON does not have. */
export function toFlowText(value: unknown): string {
  return JSON.stringify(mark(value)) ?? "null";
}

/**
 * Maximum of a step's result or an event, by `checkpointBytes`; a checkpoint holds 256 KB with the step's own
 * data.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxValueBytes = 240_000;

/** In a checkpoint, the text is a JSON string. */
export function checkpointBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** @throws SyntaxError if it is not JSON */
export function fromFlowText(text: string) {
  return JSON.parse(text, (_key, value: unknown) => unmark(value));
}

const dateMark = "$date";
const plainMark = "$plain";

function mark(value: unknown): unknown {
  if (isDate(value)) return { [dateMark]: value.getTime() };
  if (Array.isArray(value)) return value.map(mark);
  if (!isRecord(value) || typeof value.toJSON === "function") return value;
  const marked = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mark(one)]));
  return isMarked(value) ? { [plainMark]: Object.entries(marked) } : marked;
}

function unmark(value: unknown): unknown {
  if (!isRecord(value) || !isMarked(value)) return value;
  const date = value[dateMark];
  if (typeof date === "number" || date === null) return new Date(date ?? Number.NaN);
  const plain = value[plainMark];
  return Array.isArray(plain) ? Object.fromEntries(plain) : value;
}

function isMarked(value: Record<string, unknown>) {
  const names = Object.keys(value);
  return names.length === 1 && (names[0] === dateMark || names[0] === plainMark);
}
