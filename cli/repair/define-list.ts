import * as z from "zod/mini";
import { groupByCause } from "../../lib/queue/cause-group.ts";
import { createSelectionTally } from "../../lib/queue/set-aside.ts";
import { type Command, defineCommand } from "../command.ts";
import { count } from "../options.ts";
import { type Column, toTable } from "../table.ts";
import { openOperator, reportLooked } from "./open-operator.ts";
import { selectionOptions, toSelection } from "./selection-options.ts";
import type { SetAsideKind } from "./set-aside-kind.ts";
import {
  countOf,
  groupSchema,
  messageSchema,
  printTotals,
  toShownGroup,
  toShownMessage,
  toTotals,
  totalsShape,
} from "./shown-message.ts";

const resultSchema = z.strictObject({
  ...totalsShape,
  /** The approximate number that could not be read. */
  unseen: z.number(),
  /** Groups of equal causes, the largest first. */
  groups: z.array(groupSchema),
  /** The newest ones, oldest first. */
  messages: z.array(messageSchema),
});

/** Defines the command that lists messages of one kind. It changes nothing. */
export function defineList(kind: SetAsideKind): Command {
  const { name, many } = kind;
  return defineCommand({
    name: `${name} list`,
    summary: `list ${many}, grouped by cause, with totals by app, trigger and reason`,
    description:
      "Changes nothing. Reads the whole queue; while it runs, other processes cannot receive these messages.",
    examples: [
      [`${name} list --stage prod`, "list the newest, with totals"],
      [`${name} list --stage prod --app shop --since 2h`, "list those of an app from the last two hours"],
      [`${name} list --stage prod --text TypeError --json`, "for scripts"],
    ],
    arguments: {},
    options: {
      ...selectionOptions,
      limit: count("how many to show, the newest", { most: 100_000, fallback: 50 }),
    },
    target: "required",
    changes: false,
    json: resultSchema,
    run: async ({ target, options, out, edges }) => {
      const services = await openOperator(target, edges, out);
      const { found, unseen } = await kind.list(toSelection(options, edges.now()), services, {
        signal: edges.signal,
        onProgress: ({ looked }) => reportLooked(looked, `looked at ${looked}`, out),
      });
      const tally = createSelectionTally();
      for (const message of found) tally.count(message);
      return {
        ...toTotals(tally.counts()),
        unseen,
        groups: groupByCause(found).map(toShownGroup),
        messages: found.slice(-options.limit).map(toShownMessage),
      };
    },
    print: (result, out) => {
      const { messages, groups, selected, unseen } = result;
      const isCut = messages.length < selected;
      out.line(`${countOf(selected, kind)}${isCut ? `, the newest ${messages.length} of them here` : ""}`);
      printTotals(result, out);
      const [largest] = groups;
      if (largest !== undefined) {
        out.line();
        for (const line of toTable(groups.slice(0, mostGroups), groupColumns)) out.line(line);
        if (groups.length > mostGroups) out.line(`and ${groups.length - mostGroups} more causes`);
        out.note(`One of them: npx cometchat-functions ${name} show ${largest.exampleId}`);
        out.note(`A group of them: npx cometchat-functions ${name} replay --cause ${largest.name}`);
      }
      if (messages.length > 0) {
        out.line();
        for (const line of toTable(messages, columns)) out.line(line);
      }
      if (unseen > 0) out.note(describeUnseen(unseen));
    },
  });
}

const columns = [
  { title: "set aside", of: ({ setAsideAt }) => readable(setAsideAt), most: 19 },
  { title: "app", of: ({ appId }) => appId, most: 24 },
  { title: "trigger", of: ({ trigger }) => trigger, most: 28 },
  { title: "reason", of: ({ reason }) => reason, most: 14 },
  { title: "id", of: ({ id }) => id, most: 36 },
  { title: "cause", of: ({ cause }) => cause, most: 80 },
] as const satisfies readonly Column<z.infer<typeof messageSchema>>[];

const mostGroups = 20;

const groupColumns = [
  { title: "number", of: ({ count }) => String(count), most: 7, align: "right" },
  { title: "cause", of: ({ name }) => name, most: 70 },
  { title: "app", of: ({ appId }) => appId, most: 24 },
  { title: "trigger", of: ({ trigger }) => trigger, most: 28 },
  { title: "first", of: ({ firstAt }) => readable(firstAt), most: 19 },
  { title: "last", of: ({ lastAt }) => readable(lastAt), most: 19 },
  { title: "for example", of: ({ exampleId }) => exampleId, most: 36 },
  { title: "what they have in common", of: ({ cause }) => cause, most: 80 },
] as const satisfies readonly Column<z.infer<typeof groupSchema>>[];

function readable(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}

/** Explains why a count may be too low. */
export function describeUnseen(unseen: number): string {
  return `About ${unseen} more could not be read: another process has them, or they wait behind others of their conversation.`;
}
