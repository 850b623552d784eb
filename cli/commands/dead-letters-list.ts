import { countOf } from "../../lib/base/count-of.ts";
import { groupByCause } from "../../lib/queue/cause-group.ts";
import { passedOverReason, triggerOffReason } from "../../lib/queue/send-dead-letter.ts";
import { countSelected, toCounted } from "../../lib/queue/set-aside.ts";
import { wrongUse } from "../cli-error.ts";
import { count, defineCommand, flag, optionalArgument } from "../command.ts";
import { type Column, type Output, printTable, shownTime } from "../output.ts";
import {
  checkCause,
  describeUnseen,
  type Group,
  type Message,
  notFound,
  printTotals,
  quarantineOption,
  selectionOptions,
  toSelection,
  toShownGroup,
  toShownMessage,
} from "../repair/change-queue.ts";
import {
  deadLetterKind,
  kindOf,
  lookingThrough,
  openOperator,
  triggersFor,
} from "../repair/open-operator.ts";
import { shellText } from "../shell-text.ts";

interface Shown {
  readonly message: Message;
  readonly content: string | undefined;
}

export const command = defineCommand({
  description:
    "Changes nothing. Reads the whole queue; while it runs, other processes cannot receive these messages. With an id, shows one, with users' text only by --with-content.",
  examples: `
    $ dead-letters list --stage prod
        list the newest, with the groups of equal causes and totals
    $ dead-letters list --stage prod --user alice --since 2h
        list those of a user from the last two hours
    $ dead-letters list --stage prod --quarantine
        list the deliveries that could not be parsed
    $ dead-letters list 6f1c9a… --stage prod --with-content
        show one, and what the platform sent
    $ dead-letters list --stage prod --text TypeError --json
        for scripts
  `,
  arguments: { one: optionalArgument("an id, to show it") },
  options: {
    ...selectionOptions,
    ...quarantineOption,
    withContent: flag("with an id: show what the platform sent, which may hold users' text"),
    limit: count("how many to show, the newest", { most: 100_000, fallback: 50 }),
  },
  run: async ({ args: { one }, options, ...context }) => {
    const services = await openOperator(context);
    const kind = kindOf(options);
    const names = await triggersFor(kind, context, options.trigger);
    const { failedOf: failedTriggersOf } = names;
    const looking = lookingThrough(context);
    if (one === undefined && options.withContent) throw wrongUse("--with-content requires an id.");
    if (one !== undefined) {
      if (options.withContent) await context.record();
      const shown = await kind.show(one, services, looking);
      if (shown === undefined) throw notFound(kind, one);
      const { message, content } = shown;
      return {
        message: toShownMessage(message, failedTriggersOf(message)),
        content: options.withContent ? content : undefined,
      };
    }
    const selection = { ...toSelection(options, context.edges.now()), failedTriggersOf };
    const { found, unseen } = await kind.list(selection, services, looking);
    if (found.length === 0) {
      if (options.trigger !== undefined) names.check(options.trigger);
      if (options.app !== undefined) names.checkApp(options.app);
      await checkCause(kind, { ...context, options }, services);
    }
    return {
      ...countSelected(found.map((message) => toCounted(message, selection))),
      unseen,
      groups: groupByCause(found, failedTriggersOf).map(toShownGroup),
      messages: found
        .slice(-options.limit)
        .map((message) => toShownMessage(message, failedTriggersOf(message))),
    };
  },
  print: (result, out, options) => {
    const kind = kindOf(options);
    if (result.message !== undefined) return printOne(result, kind.option, out);
    const { messages, groups, selected, unseen } = result;
    const isCut = messages.length < selected;
    out.line(
      `${countOf(selected, kind.one, kind.many)}${isCut ? `, the newest ${messages.length} of them here` : ""}`,
    );
    printTotals(result, out);
    const [largest] = groups;
    if (largest !== undefined) {
      out.line();
      printTable(out, groups.slice(0, mostGroups), groupColumns);
      if (groups.length > mostGroups) out.line(`and ${groups.length - mostGroups} more causes`);
      out.note(`One of them: npx cometchat-functions dead-letters list ${largest.exampleId}${kind.option}`);
      out.note(
        `A group of them: npx cometchat-functions dead-letters replay --cause ${largest.name}${kind.option}${replayOptions[largest.reason] ?? ""}`,
      );
      if (kind !== deadLetterKind)
        out.note(
          `If they still cannot be parsed: npx cometchat-functions dead-letters drop --cause ${largest.name}${kind.option}`,
        );
    }
    if (messages.length > 0) {
      out.line();
      printTable(out, messages, columns);
    }
    if (unseen > 0) out.note(describeUnseen(unseen));
  },
});

const replayOptions: Readonly<Record<string, string>> = {
  [passedOverReason]: " --ignore-age",
  [triggerOffReason]: " --include-off",
};

function printOne({ message, content }: Shown, option: string, out: Output) {
  for (const [field, value] of Object.entries(message)) {
    const text = Array.isArray(value) ? value.join(", ") : String(value);
    const label = labels[field] ?? field;
    if (value !== undefined && text !== "") out.line(`${label.padEnd(12)} ${text}`);
  }
  if (content !== undefined) out.line(`\n${content}`);
  else
    out.note(
      `What was sent: npx cometchat-functions dead-letters list ${message.id}${option} --with-content`,
    );
  if (message.deliveryKey !== undefined)
    out.note(`Its way: npx cometchat-functions trace ${shellText(message.deliveryKey)}`);
}

const labels: Readonly<Record<string, string>> = {
  trigger: "event",
  failedTriggers: "trigger",
  // Done, or waiting in lanes of their own.
  finished: "replay skips",
};

const ofEvent: readonly Column<Pick<Message, "appId" | "trigger" | "failedTriggers">>[] = [
  ["app", "appId", 24],
  ["event", "trigger", 28],
  ["trigger", ({ failedTriggers }) => failedTriggers.join(", "), 28],
];

const columns: readonly Column<Message>[] = [
  ["time", ({ setAsideAt }) => shownTime(setAsideAt), 19],
  ...ofEvent,
  ["reason", "reason", 14],
  ["id", "id", 36],
  ["cause", "cause", 80],
];

const mostGroups = 20;

const groupColumns: readonly Column<Group>[] = [
  ["number", "count", "right"],
  ["cause", "name", 70],
  ...ofEvent,
  ["first", ({ firstAt }) => shownTime(firstAt), 19],
  ["last", ({ lastAt }) => shownTime(lastAt), 19],
  ["for example", "exampleId", 36],
  ["what they have in common", "cause", 80],
];
