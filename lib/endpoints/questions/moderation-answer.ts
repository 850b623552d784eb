import { InvalidAnswerError, readPlainFields } from "./plain-values.ts";

/**
 * What the moderation engine is told about one message. Made by `match` and `noMatch`.
 * @see docs/platform/moderation.md#answering-the-custom-api
 */
export interface ModerationAnswer {
  readonly isMatchingCondition: boolean;
  /** From 0 to 1; the engine compares it with the threshold of its rule, which is given in percent. */
  readonly confidence: number;
  readonly reason?: string;
}

/** Thrown when a confidence is none; the engine then gets the answer configured for undecided messages. */
export class InvalidConfidenceError extends InvalidAnswerError {
  override readonly name = "InvalidConfidenceError";

  constructor() {
    super("A confidence is a number from 0 to 1, neither a percentage nor a text.");
  }
}

/**
 * Says that the message matches, and how sure that is. What happens then is the rule's business. Whatever else is known of what
 * was found may stand beside it, and is not told.
 * @throws InvalidConfidenceError if the confidence is not from 0 to 1, InvalidAnswerError for a reason that is no text
 */
export function match(found: { confidence: number; reason?: string }): ModerationAnswer {
  const { confidence, reason } = readFound(found);
  return toAnswer(true, confidence, reason);
}

function readFound(found: unknown): { readonly confidence: unknown; readonly reason: unknown } {
  try {
    const { confidence, reason }: Record<string, unknown> = Object(found);
    return { confidence, reason };
  } catch {
    throw new InvalidAnswerError("What a match was found by cannot be read.");
  }
}

/** Says that the message does not match. Never throws. */
export function noMatch(): ModerationAnswer {
  return { isMatchingCondition: false, confidence: 0 };
}

/**
 * Writes the answer as the platform reads it, and nothing else.
 * @throws InvalidAnswerError for an answer that has other fields, other types, or is computed when it is read
 */
export function writeModerationAnswer(answer: ModerationAnswer): string {
  const fields = readPlainFields(answer, ["isMatchingCondition", "confidence", "reason"]);
  return JSON.stringify(
    toAnswer(fields.get("isMatchingCondition"), fields.get("confidence"), fields.get("reason")),
  );
}

/** A reason is for a moderator's eyes. The platform names no limit. */
const maxReasonCharacters = 500;

function toAnswer(isMatchingCondition: unknown, confidence: unknown, reason: unknown): ModerationAnswer {
  if (typeof isMatchingCondition !== "boolean") {
    throw new InvalidAnswerError("Whether a message matches is true or false.");
  }
  if (typeof confidence !== "number" || !(confidence >= 0 && confidence <= 1)) {
    throw new InvalidConfidenceError();
  }
  if (reason !== undefined && typeof reason !== "string") {
    throw new InvalidAnswerError("A reason is a text.");
  }
  // Half a character would be no text any more.
  const shown = reason?.slice(0, maxReasonCharacters).toWellFormed();
  return { isMatchingCondition, confidence, ...(shown && { reason: shown }) };
}
