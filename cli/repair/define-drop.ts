import * as z from "zod/mini";
import { CliError, wrongUse } from "../cli-error.ts";
import { type Command, type CommandContext, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { flag, type OptionSpec } from "../options.ts";
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
  /** The ids of the deleted messages. */
  dropped: z.array(z.string()),
  unseen: z.number(),
  before: z.number(),
  /** Absent if the queue could not be asked any more. */
  after: z.optional(z.number()),
  failure: z.optional(z.string()),
});

/** To delete more than this, the user types the number. */
const mostByYes = 100;

/** Defines the command that deletes messages of one kind permanently. It counts before it asks. */
export function defineDrop(kind: SetAsideKind): Command {
  const { name, many } = kind;
  return defineCommand({
    name: `${name} drop`,
    summary: `delete ${many} permanently`,
    description: `Deleted events are never handled. Counts first and then asks; for more than ${mostByYes}, the number must be typed, or given by --expect. Only counted messages are deleted. They cannot be restored.`,
    examples: [
      [`${name} drop --stage prod --app gone --rehearse`, "count what would be deleted"],
      [`${name} drop --stage prod --id 6f1c9a…`, "delete one"],
      [
        `${name} drop --stage prod --app gone --expect 1204 --yes`,
        "delete without a question, if the number matches",
      ],
    ],
    arguments: {},
    options: {
      ...selectionOptions,
      all: flag("all; required without another selection"),
      rehearse: flag("only count, and change nothing"),
      expect: expected,
    },
    target: "required",
    changes: true,
    json: resultSchema,
    run: async (context) => {
      const { target, options, out, edges } = context;
      const selection = toSelection(options, edges.now());
      const picksAll = Object.values(selection).every((value) => value === undefined);
      if (picksAll && !options.all && !options.rehearse) {
        throw wrongUse("No messages are selected.", "Select some, or add --all.");
      }
      if (!picksAll && options.all) throw wrongUse("--all cannot be combined with a selection.");
      const services = await openOperator(target, edges, out);
      const depth = () => readQueueDepth(services.callAws, services.queueUrls[kind.queue]);

      const before = await depth();
      const rehearsal = await kind.drop(
        {
          selection,
          rehearse: true,
          signal: edges.signal,
          onProgress: ({ looked }) => reportLooked(looked, `looked at ${looked} of about ${before}`, out),
        },
        services,
      );
      const counted = {
        ...toTotals(rehearsal),
        dropped: [],
        unseen: rehearsal.unseen,
        before,
        after: before,
      };
      if (rehearsal.selected === 0 && options.id.length > 0) throw notFound(kind, options.id.join(", "));
      if (options.rehearse || rehearsal.selected === 0) return { isRehearsal: options.rehearse, ...counted };
      out.line(`${countOf(rehearsal.selected, kind)} selected for permanent deletion`);
      printTotals(counted, out);
      await agree(context, rehearsal.selected, kind);
      const report = await kind.drop(
        {
          selection: { ids: new Set(rehearsal.ids) },
          signal: edges.signal,
          onProgress: ({ done }) => reportDone(done, `deleted ${done} of ${rehearsal.selected}`, out),
        },
        services,
      );
      const { unseen, failure } = report;
      const dropped = [...report.dropped];
      return {
        isRehearsal: false,
        ...toTotals(report),
        dropped,
        unseen,
        before,
        after: await depth().catch(() => undefined),
        failure,
      };
    },
    print: (result, out) => {
      const { isRehearsal, selected, dropped, before, after, unseen, failure } = result;
      if (isRehearsal || selected === 0) {
        out.line(`${countOf(selected, kind)} selected, nothing was deleted`);
        printTotals(result, out);
      } else {
        out.line(`deleted ${dropped.length} of ${countOf(selected, kind)}:`);
        for (const id of dropped) out.line(`  ${id}`);
        out.line(describeDepths(before, after));
      }
      if (unseen > 0) out.note(describeUnseen(unseen));
      if (failure !== undefined) {
        out.note(`It ended early: ${failure}`);
        out.note("The rest is unchanged. Run it again to continue.");
      }
    },
    exitCode: ({ failure }): ExitCode => (failure === undefined ? exitCodes.done : exitCodes.partlyDone),
  });
}

const expected: OptionSpec<number | undefined> = {
  value: "<number>",
  description: "delete only if this many are selected",
  read: ([typed]) => {
    if (typed === undefined) return undefined;
    if (/^\d{1,9}$/.test(typed)) return Number(typed);
    throw wrongUse(`--expect cannot be "${typed}".`, "It must be the number of messages to delete.");
  },
};

type Asking = Pick<CommandContext<unknown, unknown>, "confirm" | "edges" | "out"> & {
  readonly options: { readonly expect: number | undefined };
};

async function agree(
  { confirm, edges: { ask }, out, options: { expect } }: Asking,
  selected: number,
  kind: SetAsideKind,
): Promise<void> {
  const refuse = (message: string, hint: string) =>
    new CliError(`${message} Nothing was deleted.`, {
      code: "NOT_CONFIRMED",
      exitCode: exitCodes.refused,
      hint,
    });
  if (expect !== undefined && expect !== selected) {
    throw refuse(
      `${selected} are picked, and ${expect} were expected.`,
      "List the messages, and count again.",
    );
  }
  const what = countOf(selected, kind);
  if (expect !== undefined || selected <= mostByYes) return await confirm(`Delete ${what} for good?`);
  if (ask === undefined || !out.isForReading) {
    throw refuse(`${what} are many.`, `To delete all of them, add --expect ${selected} --yes.`);
  }
  const typed = await ask.text(`Delete ${what} permanently? Type the number:`);
  if (typed.trim() !== String(selected))
    throw refuse("The number does not match.", "Count again with --rehearse.");
}
