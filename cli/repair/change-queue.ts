import { readQueueDepth } from "../../lib/aws/queue-counts.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import type { Selection, SelectionCounts } from "../../lib/queue/set-aside.ts";
import type { WorkOptions } from "../../lib/queue/work-off.ts";
import type { WorkContext } from "../command.ts";
import type { ExitName } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { lookingThrough, openOperator } from "./open-operator.ts";
import { type SelectionOptions, toSelection } from "./selection-options.ts";
import type { SetAsideKind } from "./set-aside-kind.ts";
import { describeUnseen, notFound, type Totals } from "./shown-message.ts";

export interface QueueChange<Report> {
  run(options: WorkOptions & { readonly selection: Selection }, services: OperatorServices): Promise<Report>;
  /** How many it would change. */
  count(report: Report): number;
  /** Also in a rehearsal. @throws CliError if something else was expected */
  check?(counted: Report): void;
  /** @throws CliError if the user declines */
  agree(counted: Report): Promise<void>;
  /** As in `deleted 10 of 30`. */
  readonly done: string;
}

/**
 * Counts the selected messages, asks, and changes them.
 * @throws CliError, AwsCallError
 */
export async function changeQueue<Report extends SelectionCounts>(
  context: WorkContext & { readonly options: SelectionOptions & { readonly dryRun: boolean } },
  kind: SetAsideKind,
  { run, count, check, agree, done: doing }: QueueChange<Report>,
) {
  const { options, edges, out } = context;
  const { signal } = edges;
  const services = await openOperator(context);
  const depth = () => readQueueDepth(services.callAws, services.queueUrls[kind.queue]);
  const before = await depth();
  const selection = toSelection(options, edges.now());
  const looking = lookingThrough(signal, out, ` of about ${before}`);
  const counted = await run({ selection, ...looking, rehearse: true }, services);
  if (counted.selected === 0 && options.id.length > 0) throw notFound(kind, options.id.join(", "));
  const all = count(counted);
  check?.(counted);
  if (options.dryRun || all === 0) {
    return { ...counted, isRehearsal: options.dryRun, before, after: before };
  }
  await agree(counted);
  const onProgress: WorkOptions["onProgress"] = ({ done }) => {
    if (done > 0 && done % 10 === 0) out.progress(`${doing} ${done} of ${all}`);
  };
  const report = await run({ selection, signal, onProgress }, services);
  // Undefined if the queue could not be asked.
  const after = await depth().catch(() => undefined);
  return { ...report, before, after };
}

/** Of a result's JSON. */
export type Changed = Totals & {
  isRehearsal: boolean;
  /** Could not be read; approximate. */
  unseen: number;
  /** Approximate size. */
  before: number;
  /** Absent if the queue could not be asked. */
  after?: number | undefined;
  failure?: string | undefined;
};

export function endOfChange({ failure }: Pick<ChangedQueue, "failure">): ExitName {
  return failure === undefined ? "done" : "partlyDone";
}

interface ChangedQueue {
  readonly before: number;
  readonly after?: number | undefined;
  readonly unseen: number;
  readonly failure?: string | undefined;
}

export function printDepths({ before, after }: ChangedQueue, out: Output): void {
  const now = after === undefined ? "its current number could not be read" : `has about ${after} now`;
  out.line(`  the queue had about ${before}, and ${now}`);
}

export function printEnd({ unseen, failure }: ChangedQueue, out: Output, more = ""): void {
  if (unseen > 0) out.note(describeUnseen(unseen));
  if (failure === undefined) return;
  out.note(`It ended early: ${failure}`);
  out.note(`The rest is unchanged. Run it again to continue${more}.`);
}
