import * as z from "zod/mini";
import { CliError, wrongUse } from "../cli-error.ts";
import { type Command, type CommandContext, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { flag, type OptionSpec } from "../options.ts";
import { toldUnseen } from "./define-list.ts";
import { notFound } from "./define-show.ts";
import { openOperator, tellDone, tellLooked } from "./open-operator.ts";
import { readQueueDepth, toldDepths } from "./queue-depth.ts";
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
    summary: `deletes ${many} for good`,
    description: `What they told is never acted on. It counts first and then asks; for more than ${mostByYes}, how many must be typed, or given by --expect. Only what was counted is deleted. Nothing of it is kept.`,
    examples: [
      [`${name} drop --stage prod --app gone --rehearse`, "how many would be deleted"],
      [`${name} drop --stage prod --id 6f1c9a…`, "one of them"],
      [
        `${name} drop --stage prod --app gone --expect 1204 --yes`,
        "without a question, if there are as many",
      ],
    ],
    arguments: {},
    options: {
      ...selectionOptions,
      all: flag("all that there are; must be said where no other option picks"),
      rehearse: flag("counts alone, and changes nothing"),
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
        throw wrongUse("It is not said which are to be deleted.", "Pick some, or say --all.");
      }
      if (!picksAll && options.all) throw wrongUse("--all goes with no option that picks.");
      const services = await openOperator(target, edges, out);
      const depth = () => readQueueDepth(services.callAws, services.queueUrls[kind.queue]);

      const before = await depth();
      const rehearsal = await kind.drop(
        {
          selection,
          rehearse: true,
          signal: edges.signal,
          onProgress: ({ looked }) => tellLooked(looked, `looked at ${looked} of about ${before}`, out),
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
      out.line(`${countOf(rehearsal.selected, kind)} picked, to be deleted for good`);
      printTotals(counted, out);
      await agree(context, rehearsal.selected, kind);
      const report = await kind.drop(
        {
          selection: { ids: new Set(rehearsal.ids) },
          signal: edges.signal,
          onProgress: ({ done }) => tellDone(done, `deleted ${done} of ${rehearsal.selected}`, out),
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
        out.line(`${countOf(selected, kind)} picked, nothing was deleted`);
        printTotals(result, out);
      } else {
        out.line(`deleted ${dropped.length} of ${countOf(selected, kind)}:`);
        for (const id of dropped) out.line(`  ${id}`);
        out.line(toldDepths(before, after));
      }
      if (unseen > 0) out.note(toldUnseen(unseen));
      if (failure !== undefined) {
        out.note(`It ended early: ${failure}`);
        out.note("What is left is where it was. Run it again for the rest.");
      }
    },
    exitCode: ({ failure }): ExitCode => (failure === undefined ? exitCodes.done : exitCodes.partlyDone),
  });
}

const expected: OptionSpec<number | undefined> = {
  value: "<number>",
  description: "deletes only if this many are picked",
  read: ([typed]) => {
    if (typed === undefined) return undefined;
    if (/^\d{1,9}$/.test(typed)) return Number(typed);
    throw wrongUse(`--expect cannot be "${typed}".`, "It is how many are to be deleted.");
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
      "Look at what is there, and count again.",
    );
  }
  const what = countOf(selected, kind);
  if (expect !== undefined || selected <= mostByYes) return await confirm(`Delete ${what} for good?`);
  if (ask === undefined || !out.isForReading) {
    throw refuse(`${what} are many.`, `If all of them are meant, add --expect ${selected} --yes.`);
  }
  const typed = await ask.text(`Delete ${what} for good? Type how many:`);
  if (typed.trim() !== String(selected))
    throw refuse("The number is another one.", "Count again with --rehearse.");
}
