import { readQueueDepth } from "../../lib/aws/queue-counts.ts";
import { listSome } from "../../lib/base/names.ts";
import type { CauseGroup } from "../../lib/queue/cause-group.ts";
import type { DeadLetter } from "../../lib/queue/dead-letter.ts";
import { type OperatorServices, openForOperator } from "../../lib/queue/operator-services.ts";
import type { Selection, SelectionCounts, SetAside } from "../../lib/queue/set-aside.ts";
import type { ReplayOptions } from "../../lib/queue/set-aside-queue.ts";
import { waitForOthers } from "../../lib/queue/wait-for-others.ts";
import type { WorkOptions, WorkOutcome } from "../../lib/queue/work-off.ts";
import { type CliError, type ExitName, notThere, wrongUse } from "../cli-error.ts";
import { flag, moment, type OptionValues, text, texts, type WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import { lookingThrough, openOperator, type SetAsideKind, triggersFor } from "./open-operator.ts";

interface Counted extends SelectionCounts, WorkOutcome {
  readonly ids: readonly string[];
}

/** @param isFinal selects by a trigger only where no other may have failed */
export async function countQueue<Report extends Counted>(
  context: WorkContext & { readonly options: OptionValues<typeof changeOptions> },
  kind: SetAsideKind,
  run: (options: ReplayOptions, services: OperatorServices) => Promise<Report>,
  isFinal = false,
) {
  const { options, edges, out } = context;
  const { signal } = edges;
  const picked = toSelection(options, edges.now());
  const picksAll = Object.values(picked).every((value) => value === undefined);
  if (isFinal && picksAll && !options.all)
    throw wrongUse("No messages are selected.", "Select some, or add --all.");
  if (!picksAll && options.all) throw wrongUse("--all cannot be combined with a selection.");
  const services = await openOperator(context);
  const depth = () => readQueueDepth(services.callAws, services.queueUrls[kind.queue]);
  const before = await depth();
  const { failedOf, check: checkTrigger } = await triggersFor(kind, context, options.trigger);
  const failedTriggersOf = (message: SetAside) => {
    const failed = failedOf(message);
    return isFinal && failed.length > 1 ? [] : failed;
  };
  const selection = { ...picked, failedTriggersOf };
  // Counting without the messages that a dead process still holds would end too early.
  if (!options.dryRun) await waitForOthers(openForOperator(kind.queue, services), services.sleep);
  const looking = lookingThrough(context, ` of about ${before}`);
  const atMs = edges.now();
  const counted = await run({ selection, ...looking, rehearse: true }, services);
  if (counted.selected === 0 && options.id.length > 0) throw notFound(kind, options.id.join(", "));
  if (counted.selected === 0 && options.trigger !== undefined) checkTrigger(options.trigger);
  if (counted.selected === 0) await checkCause(kind, context, services, true);
  /** Changes only what was counted, unless it `goesOn` with what waits behind that. */
  const change = async (doing: string, all: number, goesOn = false) => {
    const seesMore = goesOn && counted.unseen > 0;
    const total = seesMore ? `about ${all + counted.unseen}` : all;
    const onProgress: WorkOptions["onProgress"] = ({ done }) => {
      if (done > 0 && done % 10 === 0) out.progress(`${doing} ${done} of ${total}`);
    };
    const ids = new Set(counted.ids);
    const chosen = seesMore
      ? { selection, counted: { ids, atMs } }
      : { selection: { ids, failedTriggersOf } };
    const report = await run({ ...looking, onProgress, ...chosen }, services);
    // What it did not count, it does not look for.
    const unseen = seesMore ? report.unseen : Math.max(counted.unseen, report.unseen);
    const after = await depth().catch(() => undefined);
    const stopped = signal.aborted && report.failure !== undefined;
    const failure = stopped
      ? "interrupted."
      : (report.failure ?? (goesOn && unseen > 0 ? notAllRead : undefined));
    return { ...report, unseen, failure, before, after };
  };
  return { counted: { ...counted, isRehearsal: options.dryRun, before, after: before }, change };
}

/**
 * Notes a group that nothing has, whatever else is selected.
 * @throws CliError for it if `isChange`
 */
export async function checkCause(
  kind: SetAsideKind,
  { options: { cause }, edges: { signal }, out }: WorkContext & { readonly options: SelectionOptions },
  services: OperatorServices,
  isChange = false,
): Promise<void> {
  if (cause === undefined) return;
  const { found, unseen } = await kind.list({ cause }, services, { signal, firstOnly: true });
  if (found.length + unseen > 0) return;
  const says = `No group is called ${cause}.`;
  const list = `List them: npx cometchat-functions dead-letters list${kind.option}`;
  if (isChange) throw notThere("NO_SUCH_NAME", says, list);
  out.note(`${says} ${list}`);
}

const notAllRead = "not all could be read.";

export function endOfChange({ failure }: WorkOutcome): ExitName {
  return failure === undefined ? "done" : "partlyDone";
}

/** Sizes are approximate. */
interface Depths {
  readonly before: number;
  readonly after: number | undefined;
}

export function printDepths({ before, after }: Depths, out: Output): void {
  const now = after === undefined ? "its current number could not be read" : `has about ${after} now`;
  out.line(`  the queue had about ${before}, and ${now}`);
}

export function printEnd({ unseen, failure }: WorkOutcome, out: Output, more = ""): void {
  if (unseen > 0) out.note(describeUnseen(unseen));
  if (failure === undefined) return;
  out.note(`It ended early: ${failure}`);
  out.note(`The rest is unchanged. Run it again to continue${more}.`);
}

export const quarantineOption = {
  quarantine: flag("the deliveries that could not be parsed, instead of dead letters"),
};

export const selectionOptions = {
  app: text("<id>", "only those of this app"),
  trigger: text("<name>", "only those of this trigger, or of this event of the platform"),
  cause: text("<name>", "only this group of equal causes, as `list` names it"),
  text: text("<part>", "only those whose reason, cause or message text contains this"),
  user: text("<uid>", "only those of events that name this user"),
  conversation: text("<id>", "only those of this conversation: group_<guid>, or <uid>_user_<uid>"),
  since: moment("only those added since then"),
  until: moment("only those added before then"),
  id: texts("<id>", "only this message; may be repeated"),
};

export const changeOptions = {
  ...selectionOptions,
  ...quarantineOption,
  all: flag("all; `drop` requires it without another selection"),
  dryRun: flag("only count, and change nothing"),
};

export function checkSpan(sinceMs: number | undefined, untilMs: number | undefined): void {
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs)
    throw wrongUse("--since lies after --until.");
}

type SelectionOptions = OptionValues<typeof selectionOptions>;

export function toSelection(
  { app, trigger, cause, text: part, user, conversation, since, until, id }: SelectionOptions,
  nowMs: number,
): Selection {
  const [fromMs, beforeMs] = [since?.(nowMs), until?.(nowMs)];
  checkSpan(fromMs, beforeMs);
  const isTimed = fromMs !== undefined || beforeMs !== undefined;
  return {
    appId: app,
    trigger,
    cause,
    text: part,
    user,
    conversation,
    ...(isTimed && { setAside: { fromMs, beforeMs } }),
    ...(id.length > 0 && { ids: new Set(id) }),
  };
}

export type Message = ReturnType<typeof toShownMessage>;

type ShownFacts = SetAside & Partial<Pick<DeadLetter, "origin" | "tries">>;

export function toShownMessage(message: ShownFacts, failedTriggers: readonly string[]) {
  const { id, appId, trigger, reason, cause, deliveryKey, receivedAt, setAsideAt } = message;
  const { origin, tries, finished } = message;
  return {
    id,
    appId,
    trigger,
    failedTriggers: [...failedTriggers],
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

export type Group = ReturnType<typeof toShownGroup>;

export function toShownGroup({ firstAt, lastAt, failedTriggers, ...group }: CauseGroup) {
  return { ...group, failedTriggers: [...failedTriggers], firstAt: toTime(firstAt), lastAt: toTime(lastAt) };
}

/** Returns 1970 for an invalid time: the attributes of messages are untrusted. */
function toTime(ms: number | undefined) {
  const date = new Date(ms ?? 0);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

export function printTotals(
  { byApp, byTrigger, byFailedTrigger, byReason }: SelectionCounts,
  out: Output,
): void {
  const all = { apps: byApp, events: byTrigger, triggers: byFailedTrigger, reasons: byReason };
  for (const [title, counts] of Object.entries(all)) {
    const parts = Object.entries(counts)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, number]) => `${name === "" ? "(none)" : name} ${number}`);
    if (parts.length > 0) out.line(`  by ${title.padEnd(8)}  ${listSome(parts, mostShown)}`);
  }
}

const mostShown = 12;

export function describeUnseen(unseen: number): string {
  return `About ${unseen} more could not be read: another process has them, or they wait behind others of their conversation.`;
}

export function describeUncounted(unseen: number): string {
  return `About ${unseen} more were not counted: a conversation shows ten at a time, and a command holds at most 100,000. They are replayed, too, if they are selected.`;
}

export function notFound({ one, option }: SetAsideKind, id: string): CliError {
  return notThere(
    "NOT_FOUND",
    `There is no ${one} with the id ${id}, or another process has received it.`,
    `List them: npx cometchat-functions dead-letters list${option}`,
  );
}
