import * as z from "zod/mini";
import type { ReplayReport } from "../../lib/queue/replay-report.ts";
import type { ReplayOptions } from "../../lib/queue/replay-set-aside.ts";
import { QueueBusyError } from "../../lib/queue/wait-for-others.ts";
import { CliError } from "../cli-error.ts";
import { type Command, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { flag } from "../options.ts";
import type { Output } from "../output.ts";
import { describeUnseen } from "./define-list.ts";
import { notFound } from "./define-show.ts";
import { openOperator, reportDone, reportLooked } from "./open-operator.ts";
import { describeDepths, readQueueDepth } from "./queue-depth.ts";
import { selectionOptions, toSelection } from "./selection-options.ts";
import type { SetAsideKind } from "./set-aside-kind.ts";
import { countOf, printTotals, toTotals, totalsShape } from "./shown-message.ts";

const resultSchema = z.strictObject({
  isRehearsal: z.boolean(),
  ...totalsShape,
  replayable: z.number(),
  /** Received more than 30 days ago: they stay. */
  tooOld: z.number(),
  /** Skipped by a trigger as too old: they stay unless their age is ignored. */
  passedOver: z.number(),
  /** Cannot be parsed: they stay. */
  unreadable: z.number(),
  replayed: z.number(),
  unseen: z.number(),
  /** The queue's approximate size before and now. */
  before: z.number(),
  /** Absent if the queue could not be asked any more. */
  after: z.optional(z.number()),
  failure: z.optional(z.string()),
});

type Result = z.infer<typeof resultSchema>;

/** Defines the command that replays messages of one kind. It rehearses before it asks. */
export function defineReplay(kind: SetAsideKind): Command {
  const { name, many } = kind;
  return defineCommand({
    name: `${name} replay`,
    summary: `replay ${many} to where they came from`,
    description: `${kind.before} Counts first and then asks. Finished effects are not repeated. The replayed events of a conversation keep their order, after those handled meanwhile. If it ends early, run it again.`,
    examples: [
      [`${name} replay --stage prod --rehearse`, "count what would be replayed"],
      [`${name} replay --stage prod --app shop --text TypeError`, "replay those of one app with this cause"],
      [
        `${name} replay --stage prod --cause ERR_UID_NOT_FOUND-1f0c2a`,
        "replay a group of equal causes, as the list names it",
      ],
      [`${name} replay --stage prod --yes --json`, "replay all, without a question"],
    ],
    arguments: {},
    options: {
      ...selectionOptions,
      rehearse: flag("only count, and change nothing"),
      includeOld: flag(
        "also those received more than 30 days ago; needs ACT_ON_OLD_EVENTS on the stage, else they return",
      ),
      ignoreAge: flag(
        "also those that triggers skipped as too old (maxAge), and those that have become too old since",
      ),
    },
    target: "required",
    changes: true,
    json: resultSchema,
    run: async ({ target, options, out, edges, confirm }) => {
      const services = await openOperator(target, edges, out);
      const selection = toSelection(options, edges.now());
      const replay = (work: Pick<ReplayOptions, "rehearse" | "onProgress">) =>
        kind
          .replay(
            {
              selection,
              includesOld: options.includeOld,
              ignoresAge: options.ignoreAge,
              signal: edges.signal,
              ...work,
            },
            services,
          )
          .catch(refuseWhenBusy);
      const depth = () => readQueueDepth(services.callAws, services.queueUrls[kind.queue]);

      const before = await depth();
      const rehearsal = await replay({
        rehearse: true,
        onProgress: ({ looked }) => reportLooked(looked, `looked at ${looked} of about ${before}`, out),
      });
      if (rehearsal.selected === 0 && options.id.length > 0) throw notFound(kind, options.id.join(", "));
      if (options.rehearse || rehearsal.replayable === 0) {
        return toResult(rehearsal, { isRehearsal: options.rehearse, before, after: before });
      }
      printCounts(toResult(rehearsal, { isRehearsal: true, before, after: before }), kind, out);
      out.note(rehearsal.note);
      await confirm(`Bring ${countOf(rehearsal.replayable, kind)} back?`);
      const report = await replay({
        onProgress: ({ done }) => reportDone(done, `brought back ${done} of ${rehearsal.replayable}`, out),
      });
      return toResult(report, { isRehearsal: false, before, after: await depth().catch(() => undefined) });
    },
    print: (result, out) => {
      const { isRehearsal, replayed, replayable, before, after, failure, unseen } = result;
      if (isRehearsal || replayable === 0) printCounts(result, kind, out);
      else {
        out.line(`brought back ${replayed} of ${countOf(replayable, kind)}`);
        out.line(describeDepths(before, after));
      }
      if (unseen > 0) out.note(describeUnseen(unseen));
      if (failure !== undefined) {
        out.note(`It ended early: ${failure}`);
        out.note("The rest is unchanged. Run it again to continue: nothing is lost or doubled.");
      }
    },
    exitCode: ({ failure }): ExitCode => (failure === undefined ? exitCodes.done : exitCodes.partlyDone),
  });
}

function toResult(
  report: ReplayReport,
  { isRehearsal, before, after }: { isRehearsal: boolean; before: number; after: number | undefined },
): Result {
  const { replayable, tooOld, passedOver, unreadable, replayed, unseen, failure } = report;
  return {
    isRehearsal,
    ...toTotals(report),
    ...{ replayable, tooOld, passedOver, unreadable, replayed, unseen, before, after, failure },
  };
}

function printCounts(result: Result, kind: SetAsideKind, out: Output): void {
  const { selected, replayable, tooOld, passedOver, unreadable } = result;
  out.line(`${countOf(selected, kind)} selected, ${replayable} would be replayed`);
  if (tooOld > 0) out.line(`  ${tooOld} stay: received more than 30 days ago`);
  if (passedOver > 0) out.line(`  ${passedOver} stay: skipped as too old; --ignore-age replays them`);
  if (unreadable > 0) out.line(`  ${unreadable} stay: they cannot be parsed`);
  printTotals(result, out);
}

/**
 * Reports that nothing was changed because another process has received messages of the queue.
 * @throws CliError, or the given error
 */
export function refuseWhenBusy(error: unknown): never {
  if (!(error instanceof QueueBusyError)) throw error;
  throw new CliError(error.message, {
    code: "QUEUE_BUSY",
    exitCode: exitCodes.refused,
    hint: "Nothing was changed. Wait a few minutes and run it again.",
    cause: error,
  });
}
