import { mapConcurrently } from "../../lib/base/batching.ts";
import { countOf } from "../../lib/base/count-of.ts";
import { type FlowStatus, flowsAtOnce, hasFailed } from "../../lib/flows/list-executions.ts";
import { stoppedAfter } from "../change-each.ts";
import { notThere, refused, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import { readServed } from "../target/served-apps.ts";
import { openFlows, unknownFlow } from "./open-flows.ts";

export interface Restarted {
  readonly restarted: readonly { readonly id: string; readonly newId: string; readonly isNew: boolean }[];
  readonly stay: Readonly<Record<"earlier" | "tooOld" | "unreadable", number>>;
}

const noneStay = { earlier: 0, tooOld: 0, unreadable: 0 };

export async function restartOne(context: WorkContext, id: string): Promise<Restarted> {
  const flows = await openFlows(context);
  const found = await flows.find(id);
  if (found === undefined) throw unknownFlow(id);
  if (!hasFailed(found.status)) throw notFailed(id);
  if ((await flows.planRestart([found])).tooOld > 0) throw tooOld(id);
  await assertDeployed(context, found.flow);
  await context.confirm(
    `Start the flow ${id} of app ${found.appId ?? "unknown"} in ${context.target.title} again?`,
  );
  const started = await flows.restart(id);
  switch (started.kind) {
    case "started":
    case "earlier":
      return { restarted: [{ id, newId: started.newId, isNew: started.kind === "started" }], stay: noneStay };
    case "unknown":
      throw unknownFlow(id);
    case "not-failed":
      throw notFailed(id);
    case "too-old":
      throw tooOld(id);
    case "unreadable":
      throw refused("FLOW_UNREADABLE", `The flow ${id} was not started by this system.`);
  }
}

interface FailedFlows {
  readonly status: FlowStatus;
  readonly flow: string | undefined;
  readonly app: string | undefined;
  readonly limit: number | undefined;
}

export async function restartAll(
  context: WorkContext,
  { status, flow, app, limit }: FailedFlows,
): Promise<Restarted> {
  const { out, confirm, target, edges } = context;
  if (flow === undefined || !hasFailed(status)) {
    throw wrongUse(
      "--restart needs a flow's id, or --flow and a --status of failed flows.",
      `Such as: npx cometchat-functions flows --status FAILED --flow <name> --restart`,
    );
  }
  const flows = await openFlows(context);
  out.progress("reading the flows");
  const selected = await flows.list({ status, flow, appId: app, limit: Number.POSITIVE_INFINITY });
  const { ready, ...others } = await flows.planRestart(selected);
  const chosen = ready.slice(0, limit).toReversed();
  const stay = { ...noneStay, ...others };
  if (chosen.length === 0) return { restarted: [], stay };
  await assertDeployed(context, flow);
  printStaying(stay, out.note);
  const ofApp = app === undefined ? "" : ` of app ${app}`;
  await confirm(
    `Start ${countOf(chosen.length, `flow ${flow}`, `flows ${flow}`)}${ofApp}, ${status}, in ${target.title} again?`,
  );
  const restarted: Restarted["restarted"][number][] = [];
  try {
    await mapConcurrently(chosen, flowsAtOnce, async ({ id }) => {
      const started = await flows.restart(id);
      if (!("newId" in started)) stay.unreadable += 1;
      else restarted.push({ id, newId: started.newId, isNew: started.kind === "started" });
      out.progress(`started ${restarted.length} of ${chosen.length}`);
    });
  } catch (error) {
    edges.signal.throwIfAborted();
    const scope = app === undefined ? "" : ` --app ${app}`;
    const rest = `npx cometchat-functions flows --status ${status} --flow ${flow}${scope} --restart`;
    throw stoppedAfter(error, `Started ${restarted.length} of ${chosen.length}.`, rest);
  }
  return { restarted, stay };
}

export function printRestarted({ restarted, stay }: Restarted, out: Output): void {
  const [first, ...others] = restarted;
  if (first === undefined) out.line("No flow was started again.");
  else if (others.length > 0) out.line(`started ${countOf(restarted.length, "flow")} again`);
  else if (first.isNew) out.line(`The flow ${first.id} is started again, as ${first.newId}.`);
  else out.line(`The flow ${first.id} was started again before, as ${first.newId}.`);
  printStaying(stay, out.line);
  const { newId: id } = first ?? {};
  if (id !== undefined) out.note(`See it: npx cometchat-functions flows ${id}`);
}

function printStaying({ earlier, tooOld, unreadable }: Restarted["stay"], print: (text: string) => void) {
  if (earlier > 0) print(`  ${earlier} stay: started again before`);
  if (tooOld > 0) print(`  ${tooOld} stay: their effects may soon be forgotten, and would be repeated`);
  if (unreadable > 0) print(`  ${unreadable} stay: they ended meanwhile, or were not started by this system`);
}

async function assertDeployed(context: WorkContext, flow: string) {
  const { flows = [flow] } = await readServed(context);
  if (flows.includes(flow)) return;
  throw notThere(
    "NO_SUCH_FLOW",
    `The deployment has no flow ${flow}.`,
    "Add it again to functions/own/flows.ts, and deploy.",
  );
}

function notFailed(id: string) {
  return refused("FLOW_NOT_FAILED", `The flow ${id} has not failed: only such flows are started again.`);
}

function tooOld(id: string) {
  return refused(
    "FLOW_TOO_OLD",
    `The flow ${id} began too long ago: its effects may soon be forgotten, and would be repeated.`,
    `Do by hand what it has not done: npx cometchat-functions flows ${id} --with-content`,
  );
}
