import { readAppsOf, readStageTriggers } from "../../build/served-apps.ts";
import { mayPass } from "../../lib/aws/aws-trouble.ts";
import { describeError } from "../../lib/base/describe-error.ts";
import { listSome } from "../../lib/base/names.ts";
import type { EnabledName } from "../../lib/handle/enabled-triggers.ts";
import {
  type DeployedFacts,
  readDeployedFacts,
  UnknownFactsError,
} from "../../lib/operate/doctor/deployed-facts.ts";
import { notThere, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Target } from "./target.ts";

export async function askFacts({ callAws, stack }: Target): Promise<DeployedFacts> {
  return await readDeployedFacts(callAws, (await stack()).physicalId("DoctorLambdaFunction"));
}

/** @param named default: the only app @throws CliError if the deployment does not serve the app */
export async function chooseServed(target: Target, named: string | undefined) {
  const facts = await askFacts(target);
  return { facts, app: meantApp(named, facts) };
}

/** `flows` is unknown while the function `doctor` does not answer. */
export interface Served extends Configured {
  readonly flows?: readonly string[];
}

/** Reads config/ if the function `doctor` fails: commands for an outage must need no function. */
export async function readServed({ target, edges, out }: WorkContext): Promise<Served> {
  return await askFacts(target).catch(async (error: unknown) => {
    const isThrottled = mayPass(error);
    if (!(error instanceof UnknownFactsError) && !isThrottled) throw error;
    const why = isThrottled ? "The function doctor is throttled or gives no answer." : describeError(error);
    out.note(`${why} The names are those of config/, and names of flows are not checked.`);
    return await readConfigured(edges.projectFolder, target.stage);
  });
}

export function meantApp(
  app: string | undefined,
  { appIds }: { readonly appIds: readonly string[] },
): string {
  const [only] = appIds;
  if (app === undefined && only !== undefined && appIds.length === 1) return only;
  const served = appIds.length === 0 ? "It serves no app." : `It serves ${listSome(appIds, 10)}.`;
  if (app === undefined) throw wrongUse("The app is missing: add --app <id>.", served);
  if (appIds.includes(app)) return app;
  throw notThere("NO_SUCH_APP", `The deployment does not serve the app ${app}.`, served);
}

export interface Configured {
  readonly appIds: readonly string[];
  readonly triggers: readonly EnabledName[];
}

export async function readConfigured(projectFolder: string, stage: string): Promise<Configured> {
  return {
    appIds: await readAppsOf(projectFolder, stage),
    triggers: await readStageTriggers(projectFolder, stage),
  };
}
