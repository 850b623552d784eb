import { readFunctionSettings } from "../../lib/aws/functions.ts";
import { mapConcurrently } from "../../lib/base/batching.ts";
import { countOf } from "../../lib/base/count-of.ts";
import { type FlowStatus, flowsAtOnce, hasFailed } from "../../lib/flows/list-executions.ts";
import { stoppedAfter } from "../change-each.ts";
import { notThere, refused, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import type { Output } from "../output.ts";
import { askFacts } from "../target/served-apps.ts";
import { openFlows, unknownFlow } from "./open-flows.ts";

export interface Restarted {
  readonly restarted: readonly { readonly id: string; readonly newId: string; readonly isNew: boolean }[];
  readonly skipped: Readonly<Record<"earlier" | "tooOld" | "waits" | "unreadable", number>>;
}

const noneSkipped = { earlier: 0, tooOld: 0, waits: 0, unreadable: 0 };

export async function restartOne(context: WorkContext, id: string): Promise<Restarted> {
  const flows = await openFlows(context);
  const found = await flows.find(id);
  if (found === undefined) throw unknownFlow(id);
  if (!hasFailed(found.status)) throw notFailed(id);
  if (found.waitsFor.length > 0) throw waits(id);
  const effectDays = await readEffectDays(context, found.flow);
  if (flows.planRestart([found], effectDays).tooOld > 0) throw tooOld(id);
  await context.confirm(
    `Start the flow ${id} of app ${found.appId ?? "unknown"} in ${context.target.title} again?`,
  );
  const started = await flows.restart(id, effectDays);
  switch (started.kind) {
    case "started":
    case "earlier":
      return {
        restarted: [{ id, newId: started.newId, isNew: started.kind === "started" }],
        skipped: noneSkipped,
      };
    case "unknown":
      throw unknownFlow(id);
    case "not-failed":
      throw notFailed(id);
    case "too-old":
      throw tooOld(id);
    case "waits":
      throw waits(id);
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
  const effectDays = selected.length === 0 ? 0 : await readEffectDays(context, flow);
  const { ready, ...others } = flows.planRestart(selected, effectDays);
  const chosen = ready.slice(0, limit).toReversed();
  const skipped = { ...noneSkipped, ...others };
  if (chosen.length === 0) return { restarted: [], skipped };
  printSkipped(skipped, out.note);
  const ofApp = app === undefined ? "" : ` of app ${app}`;
  await confirm(
    `Start ${countOf(chosen.length, `flow ${flow}`, `flows ${flow}`)}${ofApp}, ${status}, in ${target.title} again?`,
  );
  const restarted: Restarted["restarted"][number][] = [];
  try {
    await mapConcurrently(chosen, flowsAtOnce, async ({ id }) => {
      const started = await flows.restart(id, effectDays);
      if (started.kind === "too-old") skipped.tooOld += 1;
      else if (started.kind === "earlier") skipped.earlier += 1;
      else if (started.kind === "waits") skipped.waits += 1;
      else if (started.kind !== "started") skipped.unreadable += 1;
      else restarted.push({ id, newId: started.newId, isNew: true });
      out.progress(`started ${restarted.length} of ${chosen.length}`);
    });
  } catch (error) {
    edges.signal.throwIfAborted();
    const scope = app === undefined ? "" : ` --app ${app}`;
    const rest = `npx cometchat-functions flows --status ${status} --flow ${flow}${scope} --restart`;
    throw stoppedAfter(error, `Started ${restarted.length} of ${chosen.length}.`, rest);
  }
  return { restarted, skipped };
}

export function printRestarted({ restarted, skipped }: Restarted, out: Output): void {
  const [first, ...others] = restarted;
  if (first === undefined) out.line("No flow was started again.");
  else if (others.length > 0) out.line(`started ${countOf(restarted.length, "flow")} again`);
  else if (first.isNew) out.line(`The flow ${first.id} is started again, as ${first.newId}.`);
  else out.line(`The flow ${first.id} was started again before, as ${first.newId}.`);
  printSkipped(skipped, out.line);
  const { newId: id } = first ?? {};
  if (id !== undefined) out.note(`See it: npx cometchat-functions flows ${id}`);
}

function printSkipped(
  { earlier, tooOld, waits, unreadable }: Restarted["skipped"],
  print: (text: string) => void,
) {
  if (earlier > 0) print(`  ${earlier} skipped: started again before`);
  if (tooOld > 0) print(`  ${tooOld} skipped: their effects may soon be forgotten, and would be repeated`);
  if (waits > 0) print(`  ${waits} skipped: they wait for events`);
  if (unreadable > 0)
    print(`  ${unreadable} skipped: they ended meanwhile, or were not started by this system`);
}

/** @throws CliError if the deployment cannot start the flow again */
async function readEffectDays({ target }: WorkContext, flow: string) {
  const { flows, restartsFlows } = await askFacts(target);
  if (restartsFlows !== true) {
    throw refused(
      "OLD_DEPLOYMENT",
      "The deployed version cannot start a flow again: it would repeat the flow's effects.",
      `Deploy this version: ${remediesOf(target).deploy}`,
    );
  }
  if (flows.includes(flow)) {
    const functionName = (await target.stack()).physicalId("FlowsLambdaFunction");
    return Number((await readFunctionSettings(target.callAws, functionName)).EFFECT_DAYS);
  }
  throw notThere(
    "NO_SUCH_FLOW",
    `The deployment has no flow ${flow}.`,
    "Add it again to functions/own/flows.ts, and deploy.",
  );
}

function notFailed(id: string) {
  return refused("FLOW_NOT_FAILED", `The flow ${id} has not failed: only such flows are started again.`);
}

function waits(id: string) {
  return refused(
    "FLOW_WAITS",
    `The flow ${id} waits for events: what it had missed could now lead to other effects.`,
    `Do by hand what it has not done: npx cometchat-functions flows ${id} --with-content`,
  );
}

function tooOld(id: string) {
  return refused(
    "FLOW_TOO_OLD",
    `The flow ${id} began too long ago: its effects may soon be forgotten, and would be repeated.`,
    `Do by hand what it has not done: npx cometchat-functions flows ${id} --with-content`,
  );
}
