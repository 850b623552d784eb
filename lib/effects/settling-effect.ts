import { ChatApiError } from "../chat/errors.ts";
import type { CallOperation } from "../chat/operation.ts";
import type { Effect } from "./effect.ts";
import { orReadBack } from "./read-back.ts";
import { type RequestLimits, requestLimits } from "./request-limits.ts";

/** The result of an effect that sets a lasting state, such as a ban. */
export interface Settled {
  /**
   * True if it certainly was so before, and not by this effect. False if an earlier attempt may have done it.
   */
  readonly wasSo: boolean;
}

/** How an effect learns that nothing is left to do: codes of the platform, or a look. */
export interface SettledSigns {
  /** Already so: counts as done. */
  readonly meanSo?: readonly string[];
  /** Done if an earlier attempt may have done it; otherwise a refusal. */
  readonly meanSoOnlyAgain?: readonly string[];
  /** Returns whether it is so. Called if the platform's answer is in an undocumented form. */
  readonly isSo?: (call: CallOperation, limits: RequestLimits) => Promise<boolean>;
}

/**
 * Returns an effect that sets a state and may be repeated: after an attempt that got no answer or died it is
 * performed again, and the platform's "already so" counts as done.
 * @param kind the operation's id in the platform's catalogue
 */
export function settlingEffect(
  kind: string,
  request: (call: CallOperation, limits: RequestLimits) => Promise<unknown>,
  { meanSo = [], meanSoOnlyAgain = [], isSo = async () => false }: SettledSigns = {},
): Effect<Settled> {
  return {
    kind,
    inShadow: { wasSo: false },
    stepsWith: ({ call, scope }) => ({
      act: async (isAgain) => {
        try {
          const limits = requestLimits(scope);
          await orReadBack(
            () => request(call, limits),
            () => isSo(call, limits),
            undefined,
          );
          return { wasSo: false };
        } catch (error) {
          const mayBeOurs = isAgain || (error instanceof ChatApiError && error.maybeExecuted);
          if (isRefusal(error, meanSo)) return { wasSo: !mayBeOurs };
          if (mayBeOurs && isRefusal(error, meanSoOnlyAgain)) return { wasSo: false };
          throw error;
        }
      },
    }),
  };
}

/** Returns whether the platform refused a request with one of these codes. */
export function isRefusal(error: unknown, codes: readonly string[]): error is ChatApiError {
  return error instanceof ChatApiError && codes.includes(error.code);
}

/**
 * The codes for a message that does not exist, or no longer
 * (docs/internals/platform/answers-and-errors.md#error-codes).
 */
export const messageIsGone: readonly string[] = ["ERR_MESSAGE_ID_NOT_FOUND", "ERR_MSG_NOT_FOUND"];
