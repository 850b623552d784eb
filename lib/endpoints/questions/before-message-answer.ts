import { asJsonObject, InvalidAnswerError, readAnswer } from "./read-answer.ts";

/**
 * Made by `pass`, `drop` and `annotate`. The body decides
 * (docs/internals/platform/legacy-engine.md#before-a-message): no status code means "block", and the text
 * cannot be changed.
 */
export type BeforeMessageAnswer =
  | { readonly action: "pass" }
  | { readonly action: "drop" }
  | { readonly action: "annotate"; readonly annotation: Annotation };

/** A JSON object without a field `action`, which makes the platform drop the message. */
interface Annotation {
  readonly [name: string]: Json;
  readonly action?: never;
}

type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json }
  | undefined;

/** Delivers the message unchanged. Never throws. */
export function pass(): BeforeMessageAnswer {
  return { action: "pass" };
}

/** Drops the message for all receivers. What the sender's app shows is not documented. Never throws. */
export function drop(): BeforeMessageAnswer {
  return { action: "drop" };
}

/**
 * Delivers the message with an object, stored as `data.metadata["@injected"].webhooks["<webhook id>"]`. An
 * empty one is the same as `pass()`.
 * @throws InvalidAnswerError if it has a field `action`, cannot be written as JSON or is larger than 8 kB
 */
export function annotate(annotation: Annotation): BeforeMessageAnswer {
  writeAnnotation(annotation);
  return { action: "annotate", annotation };
}

/**
 * In the platform's form.
 * @throws InvalidAnswerError as `annotate`, and for an answer with other fields or types
 */
export function writeBeforeMessageAnswer(answer: BeforeMessageAnswer): string {
  const { action, annotation } = readAnswer(answer, ["action", "annotation"]);
  if (action === "annotate") return writeAnnotation(annotation);
  if (annotation !== undefined || (action !== "pass" && action !== "drop")) {
    throw new InvalidAnswerError("What happens to a message is pass, drop or annotate.");
  }
  return action === "pass" ? "{}" : '{"action":"do_not_propagate"}';
}

/** Of a message's 10 KB of data (docs/internals/platform/ids-and-limits.md#size-of-messages). */
const maxAnnotationBytes = 8_000;

function writeAnnotation(annotation: unknown) {
  const fields = asJsonObject(annotation);
  if (fields === undefined)
    throw new InvalidAnswerError("An annotation must be an object that JSON represents exactly.");
  if (Object.hasOwn(fields, "action")) {
    throw new InvalidAnswerError('An annotation must have no field "action": it could drop the message.');
  }
  const json = JSON.stringify(fields);
  if (Buffer.byteLength(json) > maxAnnotationBytes) {
    throw new InvalidAnswerError(`An annotation may have ${maxAnnotationBytes} bytes.`);
  }
  return json;
}
