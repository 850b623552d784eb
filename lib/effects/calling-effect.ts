import { PermanentError } from "../base/permanent-error.ts";
import { InvalidInputError } from "../chat/errors.ts";
import type { AnswerOf, ArgumentsOf, Operation, SingleOperation } from "../chat/operation.ts";
import { readArguments } from "../chat/prepare-request.ts";
import { readPlainly } from "../chat/read-plainly.ts";
import type { Effect } from "./effect.ts";

/**
 * Gives what `do` is to do: an effect, or the effect of calling an operation.
 * @throws InvalidInputError for what is neither, and as `callingEffect`
 */
export function effectToDo<T>(
  what: Effect<T> | SingleOperation,
  args: ArgumentsOf<SingleOperation>,
): Effect<T> {
  const given = Object(what);
  const kind = readPlainly("do", "effect", () => ["stepsWith", "request"].find((name) => name in given));
  if (kind === "stepsWith") return given;
  if (kind === "request") return callingEffect(given, ...args);
  const rule = "an effect, such as sendText(…), or an operation of the client, such as groups.update";
  throw new InvalidInputError("do", "effect", rule, what === undefined);
}

/**
 * Makes the effect of calling an operation: at least once, with the ledger's guard. Where an earlier attempt got no answer
 * or died it is called again, unless `alreadyDone` among its options finds what it did. An object in a form that is not
 * documented counts as done and is returned as it came, unless `alreadyDone` can tell.
 * @throws InvalidInputError for an unknown option, or a missing or unlisted `onBehalfOf`; PermanentError for a list, whose
 * pages nobody would read, and which would count as done
 */
export function callingEffect<O extends SingleOperation>(
  operation: O,
  ...args: ArgumentsOf<O>
): Effect<AnswerOf<O>> {
  if ("paged" in operation) {
    throw new PermanentError(
      `${operation.id} gives a list, and is no effect: read it by chat.call, or within effects.once.`,
    );
  }
  const look = lookAmong(operation, args);
  const isRead = operation.request.startsWith("GET ") || look !== undefined;
  const called: O = isRead ? operation : { ...operation, takesAnyForm: true };
  return {
    kind: operation.id,
    stepsWith: ({ call }) => ({ act: () => call(called, ...args), look }),
  };
}

function lookAmong<O extends SingleOperation>(
  operation: O,
  args: ArgumentsOf<O>,
): (() => Promise<AnswerOf<O> | undefined>) | undefined;
function lookAmong(operation: Operation, args: readonly unknown[]) {
  return readArguments(operation, args).options.alreadyDone;
}
