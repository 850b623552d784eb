import { ChatApiError } from "../chat/errors.ts";
import type { CallOperation } from "../chat/operation.ts";
import type { Effect } from "./effect.ts";
import { orReadBack } from "./read-back.ts";
import { type RequestLimits, requestLimits } from "./request-limits.ts";

/** What came of an effect that brings something about which stays so, such as a ban. */
export interface Settled {
  /** It surely was so before, by somebody else's doing. Where an earlier attempt may have done it, this is false. */
  readonly wasSo: boolean;
}

/** How an effect learns that there is nothing to do: codes of the platform, or a look. */
export interface SettledSigns {
  /** It is so already: done, whoever did it. */
  readonly meanSo?: readonly string[];
  /** Done where an earlier attempt may have done it; otherwise a refusal. */
  readonly meanSoOnlyAgain?: readonly string[];
  /** Looks whether it is so. Asked where the platform's answer is not in a documented form. */
  readonly isSo?: (call: CallOperation, limits: RequestLimits) => Promise<boolean>;
}

/**
 * Makes an effect that brings something about and may be repeated: where an earlier attempt got no answer or died it is
 * done again, and what the platform then says of it counts as done.
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

/** Tells whether the platform refused a request with one of these codes. */
export function isRefusal(error: unknown, codes: readonly string[]): error is ChatApiError {
  return error instanceof ChatApiError && codes.includes(error.code);
}

/** What the platform says of a message that is not there, or no longer (docs/platform/answers-and-errors.md#error-codes). */
export const messageIsGone: readonly string[] = ["ERR_MESSAGE_ID_NOT_FOUND", "ERR_MSG_NOT_FOUND"];
