import { InvalidAnswerError, readAnswer } from "./read-answer.ts";

/**
 * Made by `match` and `noMatch`.
 * @see docs/internals/platform/moderation.md#answering-the-custom-api
 */
export interface ModerationAnswer {
  readonly isMatchingCondition: boolean;
  /** From 0 to 1; the engine compares it with its rule's threshold, a percentage. */
  readonly confidence: number;
  readonly reason?: string;
}

/**
 * Answers that the message matches; the engine's rule decides what happens. Other fields of `found` are
 * ignored.
 * @throws InvalidAnswerError if the confidence is not from 0 to 1, or the reason is not a text
 */
export function match(found: { confidence: number; reason?: string }): ModerationAnswer {
  const { confidence, reason } = readFound(found);
  return toAnswer(true, confidence, reason);
}

function readFound(found: unknown) {
  try {
    const { confidence, reason }: Record<string, unknown> = Object(found);
    return { confidence, reason };
  } catch {
    throw new InvalidAnswerError("What a match was found by cannot be read.");
  }
}

/** Answers that the message does not match. Never throws. */
export function noMatch(): ModerationAnswer {
  return { isMatchingCondition: false, confidence: 0 };
}

/**
 * In the platform's form.
 * @throws InvalidAnswerError for an answer with other fields or types
 */
export function writeModerationAnswer(answer: ModerationAnswer): string {
  const fields = readAnswer(answer, ["isMatchingCondition", "confidence", "reason"]);
  return JSON.stringify(toAnswer(fields.isMatchingCondition, fields.confidence, fields.reason));
}

/** For moderators. The platform documents no limit. */
const maxReasonCharacters = 500;

function toAnswer(isMatchingCondition: unknown, confidence: unknown, reason: unknown): ModerationAnswer {
  if (typeof isMatchingCondition !== "boolean") {
    throw new InvalidAnswerError("Whether a message matches is true or false.");
  }
  if (typeof confidence !== "number" || !(confidence >= 0 && confidence <= 1)) {
    throw new InvalidAnswerError("A confidence is a number from 0 to 1, neither a percentage nor a text.");
  }
  if (reason !== undefined && typeof reason !== "string") {
    throw new InvalidAnswerError("A reason is a text.");
  }
  const shown = reason?.slice(0, maxReasonCharacters).toWellFormed();
  return { isMatchingCondition, confidence, ...(shown && { reason: shown }) };
}
