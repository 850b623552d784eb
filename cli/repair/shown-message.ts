import * as z from "zod/mini";
import type { CauseGroup } from "../../lib/queue/cause-group.ts";
import type { DeadLetter } from "../../lib/queue/dead-letter.ts";
import type { SelectionCounts, SetAside } from "../../lib/queue/set-aside.ts";
import { CliError } from "../cli-error.ts";
import type { Output } from "../output.ts";
import type { SetAsideKind } from "./set-aside-kind.ts";

export const messageSchema = z.strictObject({
  id: z.string(),
  appId: z.string(),
  trigger: z.string(),
  reason: z.string(),
  cause: z.string(),
  deliveryKey: z.optional(z.string()),
  receivedAt: z.optional(z.iso.datetime()),
  setAsideAt: z.iso.datetime(),
  /** For dead letters only. */
  origin: z.optional(z.string()),
  tries: z.optional(z.number()),
  finished: z.optional(z.array(z.string())),
});

type ShownFacts = SetAside & Partial<Pick<DeadLetter, "origin" | "tries" | "finished">>;

/** Leaves out the content. */
export function toShownMessage(message: ShownFacts): z.infer<typeof messageSchema> {
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

export const groupSchema = z.strictObject({
  /** The value for `--cause`. */
  name: z.string(),
  cause: z.string(),
  reason: z.string(),
  appId: z.string(),
  trigger: z.string(),
  count: z.number(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
  exampleId: z.string(),
});

export function toShownGroup({ firstAt, lastAt, ...group }: CauseGroup): z.infer<typeof groupSchema> {
  return { ...group, firstAt: toTime(firstAt), lastAt: toTime(lastAt) };
}

/** 1970 if it is not a valid time: the attributes of messages are untrusted. */
function toTime(ms: number | undefined): string {
  const date = new Date(ms ?? 0);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

const countsSchema = z.record(z.string(), z.number());

export const totalsShape = {
  selected: z.number(),
  byApp: countsSchema,
  byTrigger: countsSchema,
  byReason: countsSchema,
};

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
