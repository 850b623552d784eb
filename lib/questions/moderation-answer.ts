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
export class InvalidConfidenceError extends Error {
  override readonly name = "InvalidConfidenceError";

  constructor() {
    super("A confidence is a number from 0 to 1, not a percentage.");
  }
}

/**
 * Says that the message matches, and how sure that is. What happens then is the rule's business.
 * @throws InvalidConfidenceError if the confidence is not from 0 to 1
 */
export function match({ confidence, reason }: { confidence: number; reason?: string }): ModerationAnswer {
  checkConfidence(confidence);
  return {
    isMatchingCondition: true,
    confidence,
    ...(reason && { reason: reason.slice(0, maxReasonCharacters) }),
  };
}

/** Says that the message does not match. */
export function noMatch(): ModerationAnswer {
  return { isMatchingCondition: false, confidence: 0 };
}

/**
 * Writes the answer as the platform reads it, and nothing else.
 * @throws InvalidConfidenceError as `match` does, for an answer that was not made by it
 */
export function writeModerationAnswer(answer: ModerationAnswer): string {
  const { isMatchingCondition, confidence, reason } = answer;
  checkConfidence(confidence);
  return JSON.stringify({ isMatchingCondition: isMatchingCondition === true, confidence, reason });
}

/** A reason is for a moderator's eyes. The platform names no limit. */
const maxReasonCharacters = 500;

function checkConfidence(confidence: number): void {
  if (!(confidence >= 0 && confidence <= 1)) throw new InvalidConfidenceError();
}
