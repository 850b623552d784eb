import { countOf } from "../../lib/base/count-of.ts";
import { flowStatuses, hasFailed } from "../../lib/flows/list-executions.ts";
import type { ShownFlow } from "../../lib/flows/operate-flows.ts";
import type { ListedFlow } from "../../lib/flows/read-executions.ts";
import { refused, wrongUse } from "../cli-error.ts";
import { choice, defineCommand, flag, optionalArgument, optionalCount, text } from "../command.ts";
import { openFlows, unknownFlow } from "../flows/open-flows.ts";
import { printRestarted, type Restarted, restartAll, restartOne } from "../flows/restart-flows.ts";
import { type Column, type Output, printTable } from "../output.ts";

interface Listed {
  readonly flows: readonly ListedFlow[];
}

type Shown = ReturnType<typeof toShown>;

interface Cancelled {
  readonly id: string;
  readonly end: "asked" | "stopped";
}

const mostShown = 50;

export const command = defineCommand({
  description:
    "Changes nothing without --cancel or --restart. Ended flows are kept for 14 days, or `flowDays` of config/stages.yml. A cancelled flow ends after its running step. A flow that uses `flow.cancelled` is notified first: run the command again to stop it. A flow that is started again begins anew, on the newest code: finished effects are not repeated, and waits are.",
  examples: `
    $ flows --stage prod
        list those that run, the newest
    $ flows --stage prod --status FAILED --flow welcome-series
        list those of one flow that failed
    $ flows welcome-series_6f1c9a… --stage prod
        show one and its steps
    $ flows welcome-series_6f1c9a… --stage prod --cancel
        end it
    $ flows welcome-series_6f1c9a… --stage prod --restart
        start it again after it failed
    $ flows --stage prod --status FAILED --flow welcome-series --restart
        start all of those again, once
  `,
  arguments: { id: optionalArgument("an id, to show it, cancel it, or start it again") },
  options: {
    status: choice(flowStatuses, "which", "RUNNING"),
    flow: text("<name>", "only flows of this name"),
    app: text("<id>", "only flows of this app; reads each flow"),
    limit: optionalCount(`how many, the newest (default: ${mostShown}, with --restart all)`, {
      most: 100_000,
    }),
    withContent: flag("with an id: show input and result, which may hold users' data"),
    cancel: flag("with an id: end the flow"),
    reason: text("<text>", "with --cancel: the reason, stored in a stopped flow's error"),
    restart: flag("start a failed flow again; without an id, all that --status and --flow select"),
  },
  changes: true,
  run: async (context): Promise<Listed | Shown | Cancelled | Restarted> => {
    const {
      args: { id },
      options,
    } = context;
    const { status, flow, app, limit, withContent, cancel, reason, restart } = options;
    checkOptions(id, options);
    if (restart) return id === undefined ? restartAll(context, options) : restartOne(context, id);
    const flows = await openFlows(context);
    if (id === undefined)
      return { flows: await flows.list({ status, flow, appId: app, limit: limit ?? mostShown }) };
    if (cancel) {
      const found = await flows.find(id);
      if (found === undefined) throw unknownFlow(id);
      const title = context.target.title;
      await context.confirm(`Cancel the flow ${id} of app ${found.appId ?? "unknown"} in ${title}?`);
      const end = await flows.cancel(id, reason);
      if (end === "unknown") throw unknownFlow(id);
      if (end === "over")
        throw refused("FLOW_IS_OVER", `The flow ${id} has ended already, and waits for nothing.`);
      return { id, end };
    }
    const found = await flows.show(id);
    if (found === undefined) throw unknownFlow(id);
    if (withContent) await context.record();
    return toShown(found, withContent);
  },
  print: (result, out, { status, limit = mostShown }) => {
    if ("steps" in result) printOne(result, out);
    else if ("flows" in result) printList(result.flows, { status, limit }, out);
    else if ("restarted" in result) printRestarted(result, out);
    else if (result.end === "stopped") out.line(`The flow ${result.id} is stopped.`);
    else {
      const { id } = result;
      out.line(`The flow ${id} is asked to end, and cleans up.`);
      out.line(`To stop it at once: npx cometchat-functions flows ${id} --cancel`);
    }
  },
});

interface Wishes {
  readonly flow: string | undefined;
  readonly app: string | undefined;
  readonly withContent: boolean;
  readonly cancel: boolean;
  readonly restart: boolean;
}

function checkOptions(id: string | undefined, { flow, app, withContent, cancel, restart }: Wishes) {
  if (id === undefined && (withContent || cancel))
    throw wrongUse(
      "--with-content and --cancel need a flow's id.",
      "List them first, without these options.",
    );
  if (id !== undefined && (flow ?? app) !== undefined)
    throw wrongUse("--flow and --app select several flows.", "Omit them, or the id.");
  if (restart && (withContent || cancel))
    throw wrongUse("--restart cannot be combined with --with-content or --cancel.");
}

function toShown({ input, result, steps, ...shown }: ShownFlow, withContent: boolean) {
  return {
    ...shown,
    steps: steps.map(({ value: _, ...step }) => step),
    ...(withContent && { content: { input, result } }),
  };
}

function printList(
  flows: readonly ListedFlow[],
  { status, limit }: { readonly status: string; readonly limit: number },
  out: Output,
) {
  const mayHaveMore = flows.length === limit;
  out.line(`${mayHaveMore ? "the newest " : ""}${countOf(flows.length, "flow")}, ${status}`);
  if (mayHaveMore) out.note("To show more: --limit <number>");
  const [first] = flows;
  if (first === undefined) return;
  const hasRestarted = flows.some(({ restartedAs }) => restartedAs !== undefined);
  printTable(out, flows, hasRestarted ? [...columns, restarted] : columns);
  out.note(`One of them: npx cometchat-functions flows ${first.id}`);
}

const columns: readonly Column<ListedFlow>[] = [
  ["started", ({ startedAt }) => readable(startedAt), 20],
  ["ended", ({ endedAt }) => (endedAt === undefined ? "" : readable(endedAt)), 20],
  ["flow", "flow", 30],
  ["id", "id", 80],
];

const restarted: Column<ListedFlow> = ["started again as", ({ restartedAs = "" }) => restartedAs, 80];

function printOne(
  { id, flow, appId, status, startedAt, endedAt, cause, steps, content, restartedAs, waitsFor }: Shown,
  out: Output,
) {
  out.line(`${flow} of app ${appId ?? "unknown"}, ${status}`);
  out.line(`started ${readable(startedAt)}${endedAt === undefined ? "" : `, ended ${readable(endedAt)}`}`);
  if (cause !== undefined) out.line(`cause: ${cause}`);
  printTable(out, steps, [
    ["time", ({ at }) => readable(at), 20],
    ["what", describeStep, 30],
    ["step", "name", 60],
    ["cause", ({ cause: why = "" }) => why, 100],
  ]);
  if (content !== undefined) out.line(`\n${JSON.stringify(content, null, 2)}`);
  if (restartedAs !== undefined) {
    out.line(`started again as ${restartedAs}`);
    out.note(`See it: npx cometchat-functions flows ${restartedAs}`);
  }
  // 366 days old: its effects are forgotten.
  else if (hasFailed(status) && status !== "TIMED_OUT" && waitsFor.length === 0)
    out.note(`To start it again: npx cometchat-functions flows ${id} --restart`);
  if (status === "RUNNING") out.note(`To end it: npx cometchat-functions flows ${id} --cancel`);
}

function describeStep({ what, outcome = "" }: Shown["steps"][number]) {
  const words = { failed: "failed", again: "failed, tries again", held: "paused", ended: "ended in shadow" };
  const ending = new Map(Object.entries(words)).get(outcome);
  if (ending !== undefined) return `step ${ending}`;
  return what.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function readable(at: Date) {
  return `${at.toISOString().slice(0, 19)}Z`;
}
