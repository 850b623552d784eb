import { PermanentError } from "../base/permanent-error.ts";
import { InvalidInputError } from "../chat/errors.ts";
import type { AnswerOf, ArgumentsOf, Operation, SingleOperation } from "../chat/operation.ts";
import { readArguments } from "../chat/prepare-request.ts";
import { readPlainly } from "../chat/read-plainly.ts";
import type { Effect } from "./effect.ts";

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
 * Calls an operation at least once: again after an attempt that got no answer or died, unless `alreadyDone`
 * finds its result. Without that option, an undocumented answer counts as done.
 * @throws InvalidInputError for an unknown option, or a missing or unlisted `onBehalfOf`; PermanentError for
 * a list operation
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
