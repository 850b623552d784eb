import * as z from "zod/mini";
import { checkCall } from "../chat/check-call.ts";
import { ChatApiError } from "../chat/errors.ts";
import type { CallOperation } from "../chat/operation.ts";
import type { Effect } from "./effect.ts";
import { type RequestLimits, requestLimits } from "./request-limits.ts";
import { isRefusal } from "./settling-effect.ts";

/** The result of creating a resource under a chosen id. */
export interface Created {
  /** In lower case, as the platform stores it. */
  readonly id: string;
  /** True if the resource certainly existed before and was not created by this effect. */
  readonly wasThere: boolean;
}

export interface CreateOptions {
  /**
   * What to do if the id is taken. `refuse`: fails, unless an earlier attempt may have created the resource
   * and it looks the same.
   * `take`: uses the existing resource, whatever it looks like. Default: refuse.
   */
  readonly ifThere?: "refuse" | "take" | undefined;
}

/** @throws InvalidInputError */
export function checkCreateOptions(effect: string, options: unknown): void {
  checkCall(effect, "options", z.strictObject({ ifThere: z.optional(z.enum(["refuse", "take"])) }), options);
}

export interface Creation {
  /** The operation's id in the platform's catalogue. */
  readonly kind: string;
  readonly id: string;
  /** The platform's error code for a taken id. */
  readonly takenCode: string;
  readonly create: (call: CallOperation, limits: RequestLimits) => Promise<unknown>;
  /** Returns whether the existing resource is the one that would be created. */
  readonly isSame: (call: CallOperation, limits: RequestLimits) => Promise<boolean>;
}

/**
 * Returns the effect of creating a resource. Stores only its id: the answer for a new user may hold a token.
 */
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

/** Returns whether each requested field exists and is equal. */
export function hasFields(
  there: Readonly<Record<string, unknown>>,
  asked: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(asked).every(([name, value]) => value === undefined || there[name] === value);
}
