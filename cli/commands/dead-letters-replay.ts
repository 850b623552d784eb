import { countOf } from "../../lib/base/count-of.ts";
import { isHeldBack, triggerOf } from "../../lib/effects/health/breaker.ts";
import { readOutageWaiting } from "../../lib/queue/lanes/outage-waiting.ts";
import type { ReplayReport } from "../../lib/queue/set-aside-queue.ts";
import { defineCommand, flag, type WorkContext } from "../command.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import type { Output } from "../output.ts";
import {
  changeOptions,
  countQueue,
  describeUncounted,
  endOfChange,
  printDepths,
  printEnd,
  printTotals,
} from "../repair/change-queue.ts";
import { deadLetterKind, kindOf, quarantineKind, type SetAsideKind } from "../repair/open-operator.ts";
import { openStores } from "../see/open-app.ts";

export const command = defineCommand({
  description: `${deadLetterKind.before} ${quarantineKind.before} Counts first and then asks. Messages added after the count are not replayed. Finished effects are not repeated. The replayed events of a conversation keep their order, after those handled meanwhile. If it ends early, run it again.`,
  examples: `
    $ dead-letters replay --stage prod --dry-run
        count what would be replayed
    $ dead-letters replay --stage prod --app shop --text TypeError
        replay those of one app with this cause
    $ dead-letters replay --stage prod --cause ERR_UID_NOT_FOUND-1f0c2a
        replay a group of equal causes, as the list names it
    $ dead-letters replay --stage prod --yes --json
        replay all, without a question
  `,
  options: {
    ...changeOptions,
    includeOld: flag(
      "also those received more than 30 days ago; needs ACT_ON_OLD_EVENTS on the stage, else they return",
    ),
    ignoreAge: flag(
      "also those that triggers skipped as too old (maxAge), and those that have become too old since",
    ),
    includeOff: flag("also those of triggers that were off, once these are on again"),
  },
  changes: true,
  run: async (context) => {
    const { options, out, confirm } = context;
    const kind = kindOf(options);
    const wish = {
      includesOld: options.includeOld,
      ignoresAge: options.ignoreAge,
      includesOff: options.includeOff,
    };
    const { counted, change } = await countQueue(context, kind, (work, services) =>
      kind.replay({ ...work, ...wish }, services),
    );
    const { note, ids: _, ...counts } = counted;
    const { replayable, unseen } = counts;
    if (options.dryRun || replayable === 0) return counts;
    printCounts(counts, kind, out);
    if (unseen > 0) out.note(describeUncounted(unseen));
    out.note(note);
    await confirm(`Replay ${atLeast(counts)}${countOf(replayable, kind.one, kind.many)}?`);
    const { note: _note, ids: _ids, ...result } = await change("replayed", replayable, true);
    if (result.replayed > 0) await noteHeldBack(Object.keys(result.byApp), context);
    return result;
  },
  print: (result, out, options) => {
    const kind = kindOf(options);
    const { isRehearsal, replayed, replayable } = result;
    if (isRehearsal || replayable === 0) printCounts(result, kind, out);
    else {
      out.line(`replayed ${replayed} of ${countOf(replayable, kind.one, kind.many)}`);
      printDepths(result, out);
    }
    printEnd(result, out, ": nothing is lost or doubled");
  },
  exitCode: (result) =>
    result.failure === undefined && result.unreadable > 0 ? "unwell" : endOfChange(result),
});

/** Says nothing without the right to read the table. */
async function noteHeldBack(appIds: readonly string[], { target, edges: { now }, out }: WorkContext) {
  const stores = { ...openStores(target, await target.stack(), now), now };
  for (const appId of appIds) {
    const waiting = await readOutageWaiting(appId, stores, [], mostLooked).catch(() => []);
    for (const { destination } of waiting.map(({ of }) => of.outage)) {
      if (!isHeldBack(destination)) continue;
      const name = `${triggerOf(destination)} of app ${appId}`;
      out.note(`Events of the trigger ${name} are held back: what was replayed may wait behind them.`);
      out.note(`If it works by now, wake them: ${remediesOf(target).wake(appId)}`);
    }
  }
}

const mostLooked = 100;

function printCounts(result: Omit<ReplayReport, "note" | "ids">, kind: SetAsideKind, out: Output) {
  const { selected, replayable, tooOld, passedOver, triggerOff, unreadable } = result;
  out.line(
    `${atLeast(result)}${countOf(selected, kind.one, kind.many)} selected, ${replayable} would be replayed`,
  );
  if (tooOld > 0) out.line(`  ${tooOld} stay: received more than 30 days ago`);
  if (passedOver > 0) out.line(`  ${passedOver} stay: skipped as too old; --ignore-age replays them`);
  if (triggerOff > 0) out.line(`  ${triggerOff} stay: their trigger was off; --include-off replays them`);
  if (unreadable > 0) out.line(`  ${unreadable} stay: they cannot be parsed`);
  printTotals(result, out);
}

function atLeast({ selected, unseen }: Pick<ReplayReport, "selected" | "unseen">) {
  return selected > 0 && unseen > 0 ? "at least " : "";
}
