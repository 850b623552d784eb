import * as z from "zod/mini";
import { checkCall } from "../chat/check-call.ts";
import { ChatApiError } from "../chat/errors.ts";
import type { CallOperation } from "../chat/operation.ts";
import type { Effect } from "./effect.ts";
import { type RequestLimits, requestLimits } from "./request-limits.ts";
import { isRefusal } from "./settling-effect.ts";

/** What came of creating something under an id of one's own choice. */
export interface Created {
  /** In lower case, as the platform keeps it. */
  readonly id: string;
  /** It surely was there before, by somebody else's doing. */
  readonly wasThere: boolean;
}

export interface CreateOptions {
  /**
   * What another one of this id means. `refuse`: an error, unless an earlier attempt may have made it and it looks the same.
   * `take`: it serves as well, whatever it looks like. Default: refuse.
   */
  readonly ifThere?: "refuse" | "take" | undefined;
}

/** Checks them. @throws InvalidInputError */
export function checkCreateOptions(effect: string, options: unknown): void {
  checkCall(effect, "options", z.strictObject({ ifThere: z.optional(z.enum(["refuse", "take"])) }), options);
}

/** How something is created, and known again. */
export interface Creation {
  /** The operation's id in the platform's catalogue. */
  readonly kind: string;
  readonly id: string;
  /** The code with which the platform says that the id is taken. */
  readonly takenCode: string;
  readonly create: (call: CallOperation, limits: RequestLimits) => Promise<unknown>;
  /** Looks whether what is there is what would be created. */
  readonly isSame: (call: CallOperation, limits: RequestLimits) => Promise<boolean>;
}

/** Makes the effect of creating something. Nothing but its id is kept: a new user's answer may hold a token. */
export function creatingEffect(
  { kind, id: chosen, takenCode, create, isSame }: Creation,
  { ifThere = "refuse" }: CreateOptions,
): Effect<Created> {
  const id = chosen.toLowerCase();
  return {
    kind,
    inShadow: { id, wasThere: false },
    stepsWith: ({ call, scope }) => ({
      act: async (isAgain) => {
        const limits = requestLimits(scope);
        try {
          await create(call, limits);
          return { id, wasThere: false };
        } catch (error) {
          if (!isRefusal(error, [takenCode])) throw error;
          const mayBeOurs = isAgain || (error instanceof ChatApiError && error.maybeExecuted);
          if (ifThere === "take") return { id, wasThere: !mayBeOurs };
          if (mayBeOurs && (await isSame(call, limits))) return { id, wasThere: false };
          throw error;
        }
      },
    }),
  };
}

/** Tells whether each field that was asked for is there and equal. */
export function hasFields(
  there: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(asked).every(([name, value]) => value === undefined || there[name] === value);
}
