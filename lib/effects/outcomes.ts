import { isRecord } from "../base/json.ts";
import { listSome } from "../base/names.ts";

/**
 * Outcomes of an event, also in one trigger, as the log, `trace` and the local console show them. The most
 * urgent comes first.
 */
export const outcomes = {
  "dead-lettered": {
    title: "dead-lettered",
    kind: "failed",
    why: ({ cause }) => withCause("It was moved to the dead-letter queue", cause),
  },
  quarantined: {
    title: "quarantined",
    kind: "failed",
    why: ({ cause }) => withCause("It cannot be understood, and was put into quarantine", cause),
  },
  failed: {
    title: "failed",
    kind: "failed",
    why: ({ cause, place, tries }) => {
      const at = place === undefined || cause?.includes(place) ? "" : ` at ${place}`;
      return withCause(`It failed${at}${tries ? ` (${tries})` : ""}`, cause);
    },
  },
  interrupted: {
    title: "interrupted",
    kind: "waiting",
    why: ({ cause }) => withCause("An attempt ended without a result, and it is handled again", cause),
  },
  paused: {
    title: "paused",
    kind: "waiting",
    why: ({ cause = "Its trigger" }) => `${cause} is paused, and the event waits for the end of the pause.`,
  },
  waiting: {
    title: "waiting",
    kind: "waiting",
    why: ({ cause, untilMs }) =>
      withCause(`It waits${untilMs === undefined ? "" : ` until ${timeText(untilMs)}`}`, cause),
  },
  acted: {
    title: "acted",
    kind: "done",
    why: ({ effects = [] }) =>
      effects.length === 0 ? "It changed the platform." : `It acted: ${listed(effects)}.`,
  },
  "started-flow": {
    title: "started a flow",
    kind: "done",
    why: ({ flows = [] }) => `It started the flow${several(flows)}.`,
  },
  "woke-flow": {
    title: "woke a flow",
    kind: "done",
    why: ({ flows = [] }) => `It woke the flow${several(flows)}.`,
  },
  "answer-limit": nothing(
    "answer limit",
    "The user or the conversation got too many automatic answers lately (ANSWER_LIMIT).",
  ),
  "own-message": nothing("own message", "This system or the platform wrote the message."),
  blocked: nothing("blocked", "One user blocked the other."),
  "too-old": nothing("too old", "It happened too long ago (maxAge)."),
  moderation: nothing("moderated", "The moderation blocked the message."),
  category: nothing("category", "Messages of this category are not handled."),
  "already-done": {
    title: "already done",
    kind: "nothing",
    why: ({ effects = [] }) =>
      effects.length === 0
        ? "All of it was done before."
        : `Its effects were done before: ${listed(effects)}.`,
  },
  shadow: {
    title: "shadow",
    kind: "nothing",
    why: ({ effects = [] }) => `In shadow, it only showed what it would do: ${listed(effects)}.`,
  },
  "no-action": {
    title: "did nothing",
    kind: "nothing",
    why: ({ cause }) => withCause("It ran and did nothing", cause),
  },
  condition: {
    title: "condition not met",
    kind: "nothing",
    why: ({ condition = "", wanted }) =>
      condition === "from"
        ? "The condition “from” is not met: no person wrote the message."
        : `The condition “${condition}” is not met: it must be ${conditionText(wanted)}.`,
  },
  off: nothing("off", "It is not turned on for this stage (config/triggers.yml)."),
  "no-trigger": nothing("no trigger", "No trigger of this stage handles such events."),
} as const satisfies Readonly<Record<string, Outcome>>;

function nothing(title: string, why: string) {
  return { title, kind: "nothing", why: () => why } as const;
}

interface Outcome {
  readonly title: string;
  readonly kind: "failed" | "waiting" | "done" | "nothing";
  readonly why: (facts: OutcomeFacts) => string;
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
  readonly untilMs?: number | undefined;
  readonly place?: string | undefined;
  /** Such as `try 1 of 5`. */
  readonly tries?: string | undefined;
}

export interface OutcomeFields {
  readonly outcome: OutcomeName;
  readonly why: string;
}

export function outcomeFields(outcome: OutcomeName, facts: OutcomeFacts = {}): OutcomeFields {
  if (!isOutcomeName(outcome)) return outcomeFields("no-action", { cause: String(outcome) });
  return { outcome, why: outcomes[outcome].why(facts) };
}

export function readOutcome({ outcome, why }: Readonly<Record<string, unknown>>): OutcomeFields | undefined {
  return isOutcomeName(outcome) && typeof why === "string" ? { outcome, why } : undefined;
}

export interface TriggerOutcome extends OutcomeFields {
  /** Empty for the event itself. */
  readonly trigger: string;
}

const rankOf = ({ outcome }: OutcomeFields) => outcomeNames.indexOf(outcome);

export function summarize(all: readonly TriggerOutcome[]): OutcomeFields {
  const [first] = all.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (first === undefined) return outcomeFields("no-trigger");
  const isAlike = ({ outcome }: OutcomeFields) =>
    outcomes[first.outcome].kind === "done" ? outcomes[outcome].kind === "done" : outcome === first.outcome;
  const said = all.filter(isAlike).map(({ trigger, why }) => (trigger === "" ? why : `${trigger}: ${why}`));
  return { outcome: first.outcome, why: said.join(" ") };
}

/** What the first attempt did, the second finds done. */
export function laterOutcome<
  Outcome extends { readonly outcome: OutcomeName | "running"; readonly why: string },
>(before: Outcome | undefined, { outcome, why }: Outcome): Pick<Outcome, "outcome" | "why"> {
  const isDone =
    before !== undefined && before.outcome !== "running" && outcomes[before.outcome].kind === "done";
  return isDone && outcome === "already-done"
    ? { outcome: before.outcome, why: before.why }
    : { outcome, why };
}

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

export function effectText(how: string): string {
  return effectTexts[how] ?? (isOutcomeName(how) ? `held back: ${outcomes[how].why({})}` : how);
}

function isOutcomeName(name: unknown): name is OutcomeName {
  return typeof name === "string" && Object.hasOwn(outcomes, name);
}

function withCause(text: string, cause: string | undefined) {
  return cause ? `${text}: ${cause}${/[.!?]$/.test(cause) ? "" : "."}` : `${text}.`;
}

function listed(names: readonly string[]) {
  return listSome(
    names.map((name) => name.slice(0, longestListed)),
    mostListed,
  );
}

const mostListed = 20;
const longestListed = 100;

function several(names: readonly string[]) {
  return `${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
}

function timeText(ms: number) {
  return new Date(ms).toISOString().replace(/\.\d+/, "");
}
