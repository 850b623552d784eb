import * as z from "zod/mini";
import type { ItemResult } from "../chat/answers.ts";
import { checkCall } from "../chat/check-call.ts";
import { ChatApiError } from "../chat/errors.ts";
import { isNotAsDocumented } from "../chat/judge-answer.ts";
import type { CallOperation, SingleOperation } from "../chat/operation.ts";
import { unexpectedShape } from "../chat/read-answer.ts";
import type { Schema } from "../chat/schema.ts";
import type { Effect, EffectLimits } from "./effect.ts";
import { isLasting } from "./health/destinations.ts";

/**
 * Invalid input never becomes valid: its event is dead-lettered immediately.
 * @param shape schemas by field; others are rejected
 * @throws InvalidInputError
 */
export function checkEffect(effect: string, given: unknown, shape: Readonly<Record<string, Schema>>): void {
  checkCall(effect, "what it is given", z.strictObject(shape), given);
}

export const textOrNone = () => z.optional(z.string());

export const textsOrNone = () => z.optional(z.array(z.string()));

export interface RequestLimits {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

export function requestLimits({ deadlineMs, signal }: EffectLimits): RequestLimits {
  return { deadlineMs, signal };
}

/**
 * @param kind the operation's id in the platform's catalogue
 * @param act `isAgain`: an earlier attempt may have performed it
 */
export function repeatableEffect<T>(
  kind: string,
  inShadow: T,
  act: (call: CallOperation, limits: RequestLimits, isAgain: boolean) => Promise<T>,
): Effect<T> {
  return {
    kind,
    inShadow,
    stepsWith: ({ call, limits }) => ({ act: (isAgain) => act(call, requestLimits(limits), isAgain) }),
  };
}

/**
 * Reads whether it is done after an undocumented response, or a refusal of a repetition.
 * @throws what `act` throws, unless it is done
 */
export async function orReadBack<T>(
  act: () => Promise<T>,
  isDone: (error: unknown) => Promise<boolean>,
  done: T,
  isAgain = false,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const isRefused = error instanceof ChatApiError && isLasting(error.status);
    const isUnclear = isNotAsDocumented(error) || (isRefused && mayBeOurs(error, isAgain));
    if (isUnclear && (await isDone(error).catch(() => false))) return done;
    throw error;
  }
}

function mayBeOurs(error: unknown, isAgain: boolean) {
  return isAgain || (error instanceof ChatApiError && error.maybeExecuted);
}

export function inAnyForm<const O extends SingleOperation>(operation: O) {
  return { ...operation, takesAnyForm: true } as const;
}

/** The result of an effect that sets a lasting state, such as a ban. */
export interface Settled {
  /** True if it was so before this effect. */
  readonly wasSo: boolean;
}

export interface SettledSigns {
  readonly meanSo?: readonly string[];
  readonly isSo?: (call: CallOperation, limits: RequestLimits, error: unknown) => Promise<boolean>;
}

/**
 * Sets a state. Repeatable: "already so" counts as done.
 * @param kind the operation's id in the platform's catalogue
 */
export function settlingEffect(
  kind: string,
  request: (call: CallOperation, limits: RequestLimits) => Promise<unknown>,
  { meanSo = [], isSo = async () => false }: SettledSigns = {},
): Effect<Settled> {
  return repeatableEffect<Settled>(kind, { wasSo: false }, async (call, limits, isAgain) => {
    try {
      await orReadBack(
        () => request(call, limits),
        (error) => isSo(call, limits, error),
        undefined,
        isAgain,
      );
      return { wasSo: false };
    } catch (error) {
      if (hasCode(error, meanSo)) return { wasSo: !mayBeOurs(error, isAgain) };
      throw error;
    }
  });
}

export function hasCode(error: unknown, codes: readonly string[]): error is ChatApiError {
  return error instanceof ChatApiError && codes.includes(error.code);
}

/** Listed in docs/internals/platform/answers-and-errors.md#error-codes. */
export const messageIsGone: readonly string[] = ["ERR_MESSAGE_ID_NOT_FOUND", "ERR_MSG_NOT_FOUND"];

/** The result of creating a resource under a chosen id. */
export interface Created {
  /** In lower case, as the platform stores it. */
  readonly id: string;
  /** True if it existed before this effect. */
  readonly wasThere: boolean;
}

export interface CreateOptions {
  /**
   * If the id is taken: `refuse` fails, unless an earlier attempt may have created the resource and it looks
   * the same; `take` accepts any. Default: refuse.
   */
  readonly ifThere?: "refuse" | "take" | undefined;
}

export function checkCreateOptions(effect: string, options: unknown): void {
  checkCall(effect, "options", z.strictObject({ ifThere: z.optional(z.enum(["refuse", "take"])) }), options);
}

export interface Creation {
  readonly kind: string;
  readonly id: string;
  readonly takenCode: string;
  readonly create: (call: CallOperation, limits: RequestLimits) => Promise<unknown>;
  readonly isSame: (call: CallOperation, limits: RequestLimits) => Promise<boolean>;
}

/** Stores only the id: a new user's response may contain a token. */
export function creatingEffect(
  { kind, id: chosen, takenCode, create, isSame }: Creation,
  { ifThere = "refuse" }: CreateOptions,
): Effect<Created> {
  const id = chosen.toLowerCase();
  return repeatableEffect<Created>(kind, { id, wasThere: false }, async (call, limits, isAgain) => {
    try {
      await create(call, limits);
      return { id, wasThere: false };
    } catch (error) {
      if (!hasCode(error, [takenCode])) throw error;
      const isOurs = mayBeOurs(error, isAgain);
      if (ifThere === "take") return { id, wasThere: !isOurs };
      if (isOurs && (await isSame(call, limits))) return { id, wasThere: false };
      throw error;
    }
  });
}

export function hasFields(
  there: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(asked).every(([name, value]) => value === undefined || there[name] === value);
}

/** Each item's outcome: a refused item does not fail the others. */
export interface ItemOutcomes {
  readonly done: readonly string[];
  /** Items that were so before this effect. */
  readonly wasSo: readonly string[];
  readonly refused: readonly { readonly id: string; readonly code: string }[];
}

/**
 * Reads the outcomes by item (docs/internals/platform/answers-and-errors.md#results-per-item).
 * @param meanSo codes for "already so", which after an earlier attempt (`isAgain`) count as done
 * @throws ChatUnreachableError if an item has no outcome
 */
export function readOutcomes(
  operation: SingleOperation,
  asked: readonly string[],
  results: readonly (Readonly<Record<string, ItemResult>> | undefined)[],
  isAgain: boolean,
  meanSo: readonly string[] = [],
): ItemOutcomes {
  const done: string[] = [];
  const wasSo: string[] = [];
  const refused: { id: string; code: string }[] = [];
  const entries = results.flatMap((each) => Object.entries(each ?? {}));
  for (const [id, result] of entries) {
    const code = String(result.error?.code ?? "UNKNOWN");
    if (result.success) done.push(id);
    else if (meanSo.includes(code)) (isAgain ? done : wasSo).push(id);
    else refused.push({ id, code });
  }
  const answered = new Set(entries.map(([id]) => id.toLowerCase()));
  if (asked.every((id) => answered.has(id.toLowerCase()))) return { done, wasSo, refused };
  throw unexpectedShape(operation);
}
