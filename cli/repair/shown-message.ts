import type { CauseGroup } from "../../lib/queue/cause-group.ts";
import type { DeadLetter } from "../../lib/queue/dead-letter.ts";
import type { SelectionCounts, SetAside } from "../../lib/queue/set-aside.ts";
import { CliError } from "../cli-error.ts";
import type { Output } from "../output.ts";
import type { SetAsideKind } from "./set-aside-kind.ts";

export interface Message {
  id: string;
  appId: string;
  trigger: string;
  reason: string;
  cause: string;
  deliveryKey?: string | undefined;
  receivedAt?: string | undefined;
  setAsideAt: string;
  /** For dead letters only. */
  origin?: string | undefined;
  tries?: number | undefined;
  finished?: string[] | undefined;
}

type ShownFacts = SetAside & Partial<Pick<DeadLetter, "origin" | "tries" | "finished">>;

/** Leaves out the content. */
export function toShownMessage(message: ShownFacts): Message {
  const { id, appId, trigger, reason, cause, deliveryKey, receivedAt, setAsideAt } = message;
  const { origin, tries, finished } = message;
  return {
    id,
    appId,
    trigger,
    reason,
    cause,
    deliveryKey,
    origin,
    receivedAt: Number.isFinite(receivedAt) ? toTime(receivedAt) : undefined,
    setAsideAt: toTime(setAsideAt),
    tries: Number.isFinite(tries) ? tries : undefined,
    finished: finished && [...finished],
  };
}

export interface Group {
  /** The value for `--cause`. */
  name: string;
  cause: string;
  reason: string;
  appId: string;
  trigger: string;
  count: number;
  firstAt: string;
  lastAt: string;
  exampleId: string;
}

export function toShownGroup({ firstAt, lastAt, ...group }: CauseGroup): Group {
  return { ...group, firstAt: toTime(firstAt), lastAt: toTime(lastAt) };
}

/** 1970 if it is not a valid time: the attributes of messages are untrusted. */
function toTime(ms: number | undefined): string {
  const date = new Date(ms ?? 0);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

type Counts = Record<string, number>;

export interface Totals {
  selected: number;
  byApp: Counts;
  byTrigger: Counts;
  byReason: Counts;
}

/** The most frequent first. */
export function printTotals({ byApp, byTrigger, byReason }: SelectionCounts, out: Output): void {
  for (const [title, counts] of Object.entries({ apps: byApp, triggers: byTrigger, reasons: byReason })) {
    const parts = Object.entries(counts)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, number]) => `${name === "" ? "(none)" : name} ${number}`);
    const shown = parts.length > mostShown ? [...parts.slice(0, mostShown), "…"] : parts;
    if (shown.length > 0) out.line(`  by ${title.padEnd(8)}  ${shown.join(", ")}`);
  }
}

const mostShown = 12;

export function describeUnseen(unseen: number): string {
  return `About ${unseen} more could not be read: another process has them, or they wait behind others of their conversation.`;
}

export function notFound({ one, option }: SetAsideKind, id: string): CliError {
  return new CliError(
    "notThere",
    "NOT_FOUND",
    `There is no ${one} with the id ${id}, or another process has received it.`,
    `List them: npx cometchat-functions dead-letters list${option}`,
  );
}
