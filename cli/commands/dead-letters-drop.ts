import { countOf } from "../../lib/base/count-of.ts";
import type { DropReport } from "../../lib/queue/set-aside-queue.ts";
import { refused } from "../cli-error.ts";
import { type CommandContext, converted, defineCommand } from "../command.ts";
import {
  changeOptions,
  countQueue,
  endOfChange,
  printDepths,
  printEnd,
  printTotals,
} from "../repair/change-queue.ts";
import { kindOf, type SetAsideKind } from "../repair/open-operator.ts";

/** The user types the number for more. */
const mostByYes = 100;

const expected = converted(
  "<number>",
  "delete only if this many are selected",
  (typed) => (/^\d{1,9}$/.test(typed) ? Number(typed) : undefined),
  "the number of messages to delete",
);

export const command = defineCommand({
  description: `Deleted events are never handled. Counts first and then asks; for more than ${mostByYes}, the number must be typed, or given by --expect. Only counted messages are deleted. They cannot be restored.`,
  examples: `
    $ dead-letters drop --stage prod --app gone --dry-run
        count what would be deleted
    $ dead-letters drop --stage prod --id 6f1c9a…
        delete one
    $ dead-letters drop --stage prod --app gone --expect 1204 --yes
        delete without a question, if the number matches
  `,
  options: {
    ...changeOptions,
    expect: expected,
  },
  changes: true,
  run: async (context) => {
    const { options } = context;
    const kind = kindOf(options);
    const { counted, change } = await countQueue(context, kind, kind.drop, true);
    const { selected } = counted;
    if (selected !== (options.expect ?? selected)) {
      throw refused(
        "NOT_CONFIRMED",
        `${selected} are picked, and ${options.expect} were expected. Nothing was deleted.`,
        "List the messages, and count again.",
      );
    }
    const isCountedOnly = options.dryRun || selected === 0;
    if (!isCountedOnly) await agree(context, counted, kind);
    const { ids: _, ...result } = isCountedOnly ? counted : await change("deleted", selected);
    return result;
  },
  print: (result, out, options) => {
    const kind = kindOf(options);
    const { isRehearsal, selected, dropped } = result;
    if (isRehearsal || selected === 0) {
      out.line(`${countOf(selected, kind.one, kind.many)} selected, nothing was deleted`);
      printTotals(result, out);
    } else {
      out.line(`deleted ${dropped.length} of ${countOf(selected, kind.one, kind.many)}:`);
      for (const id of dropped) out.line(`  ${id}`);
      printDepths(result, out);
    }
    printEnd(result, out);
  },
  exitCode: (result) => endOfChange(result),
});

async function agree(
  {
    confirm,
    edges: { ask },
    out,
    options: { expect },
  }: CommandContext<unknown, { expect?: number | undefined }>,
  counted: DropReport,
  kind: SetAsideKind,
) {
  const { selected } = counted;
  const what = countOf(selected, kind.one, kind.many);
  out.line(`${what} selected for permanent deletion`);
  printTotals(counted, out);
  if (expect !== undefined || selected <= mostByYes) return await confirm(`Delete ${what} for good?`);
  if (ask === undefined || !out.isForReading) {
    throw refused(
      "NOT_CONFIRMED",
      `${what} are many. Nothing was deleted.`,
      `To delete all of them, add --expect ${selected} --yes.`,
    );
  }
  await confirm(`Delete ${what} permanently? Type the number:`, String(selected));
}
