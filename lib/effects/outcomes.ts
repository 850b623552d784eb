import { isRecord } from "../base/json.ts";

/**
 * What becomes of an event, or of an event in one trigger. The log of the functions, `trace` and the local
 * console show these names and sentences, and no others. What must be known first comes first.
 */
export const outcomes = {
  "dead-lettered": { title: "dead-lettered", kind: "failed" },
  quarantined: { title: "quarantined", kind: "failed" },
  failed: { title: "failed", kind: "failed" },
  interrupted: { title: "interrupted", kind: "waiting" },
  paused: { title: "paused", kind: "waiting" },
  waiting: { title: "waiting", kind: "waiting" },
  acted: { title: "acted", kind: "done" },
  "started-flow": { title: "started a flow", kind: "done" },
  "woke-flow": { title: "woke a flow", kind: "done" },
  "answer-limit": { title: "answer limit", kind: "nothing" },
  "own-message": { title: "own message", kind: "nothing" },
  "too-old": { title: "too old", kind: "nothing" },
  moderation: { title: "moderated", kind: "nothing" },
  category: { title: "category", kind: "nothing" },
  "already-done": { title: "already done", kind: "nothing" },
  shadow: { title: "shadow", kind: "nothing" },
  "no-action": { title: "did nothing", kind: "nothing" },
  condition: { title: "condition not met", kind: "nothing" },
  off: { title: "off", kind: "nothing" },
  "no-trigger": { title: "no trigger", kind: "nothing" },
} as const satisfies Readonly<Record<string, OutcomeTitle>>;

interface OutcomeTitle {
  readonly title: string;
  readonly kind: "failed" | "waiting" | "done" | "nothing";
}

export type OutcomeName = keyof typeof outcomes;

export const outcomeNames = Object.keys(outcomes).filter(isOutcomeName);

/** Ids, names and times; never a message's text. */
export interface OutcomeFacts {
  readonly effects?: readonly string[];
  readonly flows?: readonly string[];
  readonly condition?: string;
  readonly wanted?: unknown;
  /** What it waits for, why it failed, or why there was nothing to do. */
  readonly cause?: string | undefined;
  /** Milliseconds since 1970. */
  readonly untilMs?: number | undefined;
  /** File, line and column of the code that ran. */
  readonly place?: string | undefined;
  /** Such as `try 1 of 5`. */
  readonly tries?: string | undefined;
}

/** The fields of a log line. */
export interface OutcomeFields {
  readonly outcome: OutcomeName;
  readonly why: string;
}

const sentences: Readonly<Record<OutcomeName, (facts: OutcomeFacts) => string>> = {
  "dead-lettered": ({ cause }) => withCause("It was moved to the dead-letter queue", cause),
  quarantined: ({ cause }) => withCause("It cannot be understood, and was put into quarantine", cause),
  failed: ({ cause, place, tries }) => {
    const at = place === undefined || cause?.includes(place) ? "" : ` at ${place}`;
    return withCause(`It failed${at}${tries ? ` (${tries})` : ""}`, cause);
  },
  interrupted: ({ cause }) => withCause("The process ended during it, and it is handled again", cause),
  paused: ({ cause = "Its trigger" }) => `${cause} is paused, and the event waits for the end of the pause.`,
  waiting: ({ cause, untilMs }) =>
    withCause(`It waits${untilMs === undefined ? "" : ` until ${timeText(untilMs)}`}`, cause),
  acted: ({ effects = [] }) =>
    effects.length === 0 ? "It changed the platform." : `It acted: ${effects.join(", ")}.`,
  "started-flow": ({ flows = [] }) => `It started the flow${several(flows)}.`,
  "woke-flow": ({ flows = [] }) => `It woke the flow${several(flows)}.`,
  "answer-limit": () => "The conversation got too many automatic answers lately (ANSWER_LIMIT).",
  "own-message": () => "This system or the platform wrote the message.",
  "too-old": () => "It happened too long ago (maxAge).",
  moderation: () => "The moderation blocked the message, or has not decided yet.",
  category: () => "Messages of this category are not handled.",
  "already-done": ({ effects = [] }) =>
    effects.length === 0
      ? "All of it was done before."
      : `Its effects were done before: ${effects.join(", ")}.`,
  shadow: ({ effects = [] }) => `In shadow, it only showed what it would do: ${effects.join(", ")}.`,
  "no-action": ({ cause }) => withCause("It ran and did nothing", cause),
  condition: ({ condition = "", wanted }) =>
    condition === "from"
      ? "The condition “from” is not met: no person wrote the message."
      : `The condition “${condition}” is not met: it must be ${conditionText(wanted)}.`,
  off: () => "It is not turned on for this stage (config/triggers.yml).",
  "no-trigger": () => "No trigger of this stage handles such events.",
};

export function outcomeFields(outcome: OutcomeName, facts: OutcomeFacts = {}): OutcomeFields {
  // JavaScript may pass any reason over.
  if (!isOutcomeName(outcome)) return outcomeFields("no-action", { cause: String(outcome) });
  return { outcome, why: sentences[outcome](facts) };
}

/** @returns undefined for a line without an outcome */
export function readOutcome({ outcome, why }: Readonly<Record<string, unknown>>): OutcomeFields | undefined {
  return isOutcomeName(outcome) && typeof why === "string" ? { outcome, why } : undefined;
}

export interface TriggerOutcome extends OutcomeFields {
  /** Empty for the event itself. */
  readonly trigger: string;
}

const rankOf = ({ outcome }: OutcomeFields) => outcomeNames.indexOf(outcome);

/** The outcome that must be known first, with the sentences of all triggers of that outcome. */
export function summarize(all: readonly TriggerOutcome[]): OutcomeFields {
  const [first] = all.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (first === undefined) return outcomeFields("no-trigger");
  const isAlike = ({ outcome }: OutcomeFields) =>
    outcomes[first.outcome].kind === "done" ? outcomes[outcome].kind === "done" : outcome === first.outcome;
  const said = all.filter(isAlike).map(({ trigger, why }) => (trigger === "" ? why : `${trigger}: ${why}`));
  return { outcome: first.outcome, why: said.join(" ") };
}

/** Nothing is left to do, and nothing went wrong. */
export function isEnd(outcome: OutcomeName): boolean {
  return ["done", "nothing"].includes(outcomes[outcome].kind);
}

export function conditionsText(where: Readonly<Record<string, unknown>>): string {
  return Object.entries(where)
    .map(([name, wanted]) => `${name} ${conditionText(wanted)}`)
    .join(", ");
}

function conditionText(wanted: unknown): string {
  if (Array.isArray(wanted)) return wanted.map(conditionText).join(" or ");
  if (!isRecord(wanted)) return `“${String(wanted)}”`;
  if ("not" in wanted) return `anything but ${conditionText(wanted.not)}`;
  return "words" in wanted ? `a text with ${conditionText(wanted.words)}` : JSON.stringify(wanted);
}

const effectTexts: Readonly<Record<string, string>> = {
  now: "done now",
  earlier: "done before",
  found: "found done on the platform",
  shadow: "only shown",
  replaced: "left out: its name was used before in this run",
};

/** @param how of a log line about an effect */
export function effectText(how: string): string {
  return effectTexts[how] ?? (isOutcomeName(how) ? `held back: ${sentences[how]({})}` : how);
}

function isOutcomeName(name: unknown): name is OutcomeName {
  return typeof name === "string" && Object.hasOwn(outcomes, name);
}

function withCause(text: string, cause: string | undefined): string {
  return cause ? `${text}: ${cause}${/[.!?]$/.test(cause) ? "" : "."}` : `${text}.`;
}

function several(names: readonly string[]): string {
  return `${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
}

/** To the second. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, "");
}
