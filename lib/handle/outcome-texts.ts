import type { EffectOutcome } from "../effects/effect.ts";
import type { PassReason } from "./pass-over.ts";

const passReasons: Readonly<Record<PassReason, string>> = {
  "own-message": "this system or the platform wrote the message",
  "answer-limit": "the conversation got too many automatic answers lately (ANSWER_LIMIT)",
  "too-old": "it happened too long ago (maxAge)",
  category: "of a category that is not handled",
  moderation: "the moderation blocked the message, or has not decided yet",
};

/** `shadow` and `replaced` have their own log lines. */
const effectOutcomes: Readonly<Record<EffectOutcome | "shadow" | "replaced", string>> = {
  now: "done now",
  earlier: "done before",
  found: "found done on the platform",
  "own-message": `held back: ${passReasons["own-message"]}`,
  "answer-limit": `held back: ${passReasons["answer-limit"]}`,
  shadow: "only shown",
  replaced: "left out: its name was used before in this run",
};

export function passReasonText(reason: string): string {
  return textIn(passReasons, reason);
}

export function effectOutcomeText(how: string): string {
  return textIn(effectOutcomes, how);
}

export function wokeText(ids: readonly string[]): string {
  return `woke the flow${ids.length > 1 ? "s" : ""} ${ids.join(", ")}`;
}

/** @param ranBefore of the line `handled an event`: steps that an earlier attempt finished */
export function nothingRanText(ranBefore: unknown): string {
  return typeof ranBefore === "number" && ranBefore > 0 ? "all of it ran before" : "no trigger wants it";
}

function textIn(texts: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(texts, name) ? texts[name] : undefined) ?? name;
}
