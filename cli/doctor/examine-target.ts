import { isNotFound } from "../../lib/aws/aws-call.ts";
import { countOf } from "../../lib/base/count-of.ts";
import type { Fetch } from "../../lib/chat/lean-fetch.ts";
import { appChecks } from "../../lib/operate/doctor/app-checks.ts";
import { endsWithDelivery } from "../../lib/operate/doctor/check-deliveries.ts";
import { queueChecks } from "../../lib/operate/doctor/check-queues.ts";
import { readDeployedFacts, UnknownFactsError } from "../../lib/operate/doctor/deployed-facts.ts";
import type { DoctorServices } from "../../lib/operate/doctor/doctor-services.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import {
  type Check,
  type Finding,
  type Found,
  ok,
  runChecks,
  unknown,
  whyUnknown,
  wrong,
} from "../../lib/operate/doctor/run-checks.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { readFunctionStatus } from "../see/status-metrics.ts";
import { takenOutOf } from "../stack/changed-in-lambda.ts";
import { meantApp, readConfigured } from "../target/served-apps.ts";
import type { Stack } from "../target/target.ts";
import { checkAlarms, checkLimits, checkResources, checkSubscribers, judgeFunctions } from "./check-aws.ts";
import { checkDrift, nameTrigger } from "./check-drift.ts";
import { doctorServices, lookLimits, openGuards } from "./doctor-of-target.ts";

/**
 * Changes nothing except for the canaries' messages.
 * @param asked empty: every app that is deployed or configured
 * @param canaryWaitMs sends canaries, and the maximum wait for each
 * @throws CliError if nothing is deployed, or a named app is unknown
 */
export async function examineTarget(context: WorkContext, asked: readonly string[], canaryWaitMs?: number) {
  const { target, edges, out } = context;
  const { projectFolder, now, signal } = edges;
  const { callAws } = target;
  const stack = await target.stack();
  const services = doctorServices(context, stack);
  const { remedies } = services;
  const { facts, found: deployed } = await readFacts(stack, services);
  const configured = await readConfigured(projectFolder, target.stage).catch(whyUnknown);
  const known = [...(facts?.appIds ?? []), ...("appIds" in configured ? configured.appIds : [])];
  const served = { appIds: [...new Set(known)] };
  const appIds = asked.length > 0 ? asked.map((appId) => meantApp(appId, served)) : served.appIds;
  const ofDeployment: readonly Check[] = [
    { name: "node", run: async () => ok(`Node ${process.versions.node} runs the commands.`) },
    { name: "rights", run: async () => ok(`The AWS identity is ${target.identity}.`) },
    { name: "stack", run: async () => checkStack(stack, remedies) },
    { name: "deployed", run: async () => deployed },
    {
      name: "drift",
      run: () => checkDrift(configured, facts, target, remedies, signal),
    },
    { name: "clock", run: () => checkClock(services.fetch, services.httpUrl, () => now() - target.aheadMs) },
    { name: "limits", run: () => checkLimits(target, remedies) },
    {
      name: "functions",
      run: async () => judgeFunctions(await readFunctionStatus(target, stack, edges), remedies),
    },
    {
      name: "resources",
      run: () => checkResources(target, stack, edges, remedies),
      limitMs: driftLimitMs,
    },
    { name: "alarms", run: () => checkAlarms(callAws, stack, remedies) },
    { name: "subscribers", run: () => checkSubscribers(target, stack, remedies) },
    ...queueChecks(services),
  ];
  const canary =
    canaryWaitMs === undefined
      ? undefined
      : { guardOf: openGuards(target, stack, now), maxWaitMs: canaryWaitMs };
  const ofApps = appIds.flatMap((appId) =>
    appChecks(appId, services, { facts, canary, isForOperator: true }),
  );
  const checks = [...ofDeployment, ...ofApps];
  const findings = await runChecks(checks, {
    ...lookLimits,
    sleep: services.sleep,
    signal,
    onDone: (done) => {
      if (checks.length > fewChecks) out.progress(`looked at ${done} of ${checks.length}`);
    },
  });
  signal.throwIfAborted();
  return withoutOutdated(findings);
}

const fewChecks = 60;
const driftLimitMs = 180_000;

/** Never throws: a function that cannot load must not hide everything else. */
export async function readFacts(stack: Stack, { callAws, remedies }: DoctorServices) {
  try {
    const facts = await readDeployedFacts(callAws, stack.physicalId("DoctorLambdaFunction"));
    const triggers = facts.triggers.map(nameTrigger);
    const on = triggers.length === 0 ? "no trigger is on" : `on are ${triggers.join(", ")}`;
    return {
      facts,
      found: ok(`${countOf(facts.appIds.length, "app is", "apps are")} served; ${on}.`),
    };
  } catch (error) {
    const isOlder = isNotFound(error) || error instanceof CliError;
    if (isOlder)
      return { facts: undefined, found: wrong("The deployed version has no doctor.", remedies.deploy) };
    const hasFailed = error instanceof UnknownFactsError;
    const found = hasFailed ? wrong(error.message, remedies.logsOf("doctor")) : whyUnknown(error);
    return { facts: undefined, found };
  }
}

function withoutOutdated(findings: readonly Finding[]) {
  const proved = findings.filter(({ check, status }) => check === "canary" && status === "ok");
  return findings.map((finding) => {
    const { check, appId, status, says } = finding;
    if (check !== "deliveries" || status !== "wrong" || !endsWithDelivery(says)) return finding;
    if (!proved.some((one) => one.appId === appId)) return finding;
    return { check, ...(appId && { appId }), ...ok(`Before the canary was handled: ${says}`) };
  });
}

/**
 * @see
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html#cfn-console-view-stack-data-resources-status-codes
 */
export function checkStack(stack: Stack, { deploy, repair }: Remedies): Found {
  const { name, status } = stack;
  const takenOut = takenOutOf(stack);
  if (takenOut.length > 0 && !status.endsWith("_IN_PROGRESS"))
    return wrong(`A repair of ${name} stopped midway: ${takenOut.join(", ")} must be made again.`, repair);
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status))
    return ok(`The stack ${name} is deployed (${status}).`);
  if (status === "UPDATE_ROLLBACK_COMPLETE") {
    return wrong(`The last deployment of ${name} failed, and the previous version still runs.`, deploy);
  }
  if (status.endsWith("_IN_PROGRESS")) return unknown(`The stack ${name} is being changed (${status}).`);
  return wrong(`The stack ${name} is stuck (${status}).`, deploy);
}

/**
 * AWS refuses signatures that are five minutes off
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html).
 */
async function checkClock(fetch: Fetch, httpUrl: string, now: () => number): Promise<Found> {
  const before = now();
  const signal = AbortSignal.timeout(5_000);
  const answer = await fetch(httpUrl, { method: "GET", headers: {}, body: null, redirect: "manual", signal });
  await answer.text();
  const after = now();
  const dateMs = Date.parse(answer.headers.get("date") ?? "");
  if (Number.isNaN(dateMs)) return unknown("The HTTP API's answer has no time.");
  // The header has whole seconds; the round trip takes time.
  const offMs = dateMs + 500 - (before + after) / 2;
  if (Math.abs(offMs) <= toleranceMs + (after - before) / 2) return ok("This machine's clock is correct.");
  const seconds = Math.round(Math.abs(offMs) / 1000);
  return wrong(
    `This machine's clock is ${seconds} s ${offMs > 0 ? "behind" : "ahead"}: AWS refuses what is signed 5 minutes off.`,
    "Set this machine's clock by the network's time",
  );
}

const toleranceMs = 30_000;
