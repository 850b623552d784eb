import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { appChecks } from "../../lib/operate/doctor/app-checks.ts";
import { queueChecks } from "../../lib/operate/doctor/check-queues.ts";
import { type DeployedFacts, readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import type { DoctorServices } from "../../lib/operate/doctor/doctor-services.ts";
import {
  type Finding,
  type Found,
  ok,
  unknown,
  whyUnknown,
  wrong,
} from "../../lib/operate/doctor/finding.ts";
import { type Check, runChecks } from "../../lib/operate/doctor/run-checks.ts";
import { CliError } from "../cli-error.ts";
import type { Output } from "../output.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";
import { checkAlarms, checkLimits } from "./check-aws.ts";
import { checkClock } from "./check-clock.ts";
import { checkDrift, readConfigured } from "./check-drift.ts";
import { checkStack } from "./check-stack.ts";
import { canaryMeans, doctorServices, typedTarget } from "./doctor-of-target.ts";

export interface ExamineOptions {
  /** Default: every app that is deployed or configured. */
  readonly appIds: readonly string[];
  readonly sendsCanaries: boolean;
  /** How long to wait for a canary, in milliseconds. */
  readonly patienceMs: number;
  readonly projectFolder: string;
  readonly now: () => number;
  readonly out: Pick<Output, "progress">;
  readonly signal: AbortSignal;
}

/**
 * Checks everything that a deployment and its apps depend on, with the operator's rights. Changes nothing
 * except for the canaries' messages.
 * @throws CliError if nothing is deployed, or a named app is unknown
 */
export async function examineTarget(target: Target, options: ExamineOptions): Promise<readonly Finding[]> {
  const { projectFolder, now, out, patienceMs, signal } = options;
  const { callAws } = target;
  const stack = await target.stack();
  const services = doctorServices(target, stack, now);
  const { remedies } = services;
  const { facts, found: deployed } = await readFacts(stack, services);
  const configured = await readConfigured(projectFolder, target.stage).catch(whyUnknown);
  const appIds = chooseApps(
    options.appIds,
    [...(facts?.appIds ?? []), ...("appIds" in configured ? configured.appIds : [])],
    target,
  );
  const ofDeployment: readonly Check[] = [
    { name: "node", run: async () => ok(`Node ${process.versions.node} runs the commands.`) },
    { name: "rights", run: async () => ok(`AWS knows you as ${target.identity}.`) },
    { name: "stack", run: async () => checkStack(stack, remedies) },
    { name: "deployed", run: async () => deployed },
    {
      name: "drift",
      run: async () => {
        if (!("appIds" in configured)) return configured;
        return facts === undefined
          ? unknown("The deployed version does not report what it serves.")
          : checkDrift(configured, facts, remedies);
      },
    },
    { name: "clock", run: () => checkClock(services.fetch, services.httpUrl, now) },
    { name: "limits", run: () => checkLimits(callAws) },
    { name: "alarms", run: () => checkAlarms(callAws, stack, remedies) },
    ...queueChecks(services),
  ];
  const canary = options.sendsCanaries ? canaryMeans(target, stack, { now, patienceMs }) : undefined;
  const ofApps = appIds.flatMap((appId) =>
    appChecks(appId, services, { facts, canary, isForOperator: true }),
  );
  const checks = [...ofDeployment, ...ofApps];
  const findings = await runChecks(checks, {
    atOnce,
    limitMs: checkLimitMs,
    sleep: services.sleep,
    signal,
    onDone: (done) => {
      if (checks.length > fewChecks) out.progress(`looked at ${done} of ${checks.length}`);
    },
  });
  signal.throwIfAborted();
  return withoutOutdated(findings);
}

const atOnce = 20;
/** This many take a second or two. */
const fewChecks = 60;
const checkLimitMs = 20_000;

async function readFacts(
  stack: Stack,
  { callAws, remedies }: DoctorServices,
): Promise<{ readonly facts: DeployedFacts | undefined; readonly found: Found }> {
  try {
    const facts = await readDeployedFacts(callAws, stack.physicalId("DoctorLambdaFunction"));
    const triggers = facts.triggers.map(({ name, isShadowed }) => (isShadowed ? `${name} (shadow)` : name));
    const on = triggers.length === 0 ? "no trigger is on" : `on are ${triggers.join(", ")}`;
    return {
      facts,
      found: ok(`${facts.appIds.length} ${facts.appIds.length === 1 ? "app is" : "apps are"} served; ${on}.`),
    };
  } catch (error) {
    const isOlder = isNotFound(error) || error instanceof CliError;
    const found = isOlder
      ? wrong("The deployed version does not know the doctor.", remedies.deploy)
      : whyUnknown(error);
    return { facts: undefined, found };
  }
}

/** @throws CliError if an app is neither deployed nor configured */
function chooseApps(asked: readonly string[], known: readonly string[], target: Target): readonly string[] {
  const all = [...new Set(known)];
  const strange = asked.find((appId) => !all.includes(appId));
  if (strange === undefined) return asked.length > 0 ? [...new Set(asked)] : all;
  throw new CliError(`${target.title} serves no app ${strange}.`, {
    code: "UNKNOWN_APP",
    exitCode: 6,
    hint:
      all.length === 0
        ? "It serves no app."
        : `It serves ${all.slice(0, 10).join(", ")}. Add one: npx cometchat-functions apps add ${strange} ${typedTarget(target)}`,
  });
}

/** A canary that arrived is newer than counts made before it. */
function withoutOutdated(findings: readonly Finding[]): readonly Finding[] {
  const isProved = (appId: string | undefined) =>
    findings.some((one) => one.check === "canary" && one.appId === appId && one.status === "ok");
  return findings.map((finding) =>
    finding.check === "deliveries" && finding.status === "wrong" && isProved(finding.appId)
      ? {
          check: finding.check,
          ...(finding.appId && { appId: finding.appId }),
          ...ok(`Before the canary arrived: ${finding.says}`),
        }
      : finding,
  );
}
