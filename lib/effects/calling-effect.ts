import type { AnswerOf, ArgumentsOf, Operation, SingleOperation } from "../chat/operation.ts";
import { readArguments } from "../chat/prepare-request.ts";
import type { Effect } from "./effect.ts";

/**
 * Makes the effect of calling an operation: at least once, with the ledger's guard. Where an earlier attempt got no answer
 * or died it is called again, unless `alreadyDone` among its options finds what it did.
 * @throws InvalidInputError for an unknown option, or a missing or unlisted `onBehalfOf`
 */
export function callingEffect<O extends SingleOperation>(
  operation: O,
  ...args: ArgumentsOf<O>
): Effect<AnswerOf<O>> {
  const look = lookAmong(operation, args);
  return {
    kind: operation.id,
    stepsWith: ({ call }) => ({ act: () => call(operation, ...args), look }),
  };
}

function lookAmong<O extends SingleOperation>(
  operation: O,
  args: ArgumentsOf<O>,
): (() => Promise<AnswerOf<O> | undefined>) | undefined;
function lookAmong(operation: Operation, args: readonly unknown[]) {
  return readArguments(operation, args).options.alreadyDone;
}
