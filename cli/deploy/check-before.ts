import { alarmSettingsSchema } from "../../build/alarms/alarm-settings.ts";
import { readConfigLayers } from "../../build/config-layers.ts";
import { parseBy } from "../../build/parse-by.ts";
import { readStages } from "../../build/stages.ts";
import type { Found } from "../../lib/operate/doctor/finding.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { checkLimits } from "../doctor/check-aws.ts";
import { checkSubscribers, nobodyNotified } from "../doctor/check-subscribers.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import { unlessNotDeployed } from "../target/stack.ts";
import { hasDurableFunctions } from "./deployed-flows.ts";
import { findMissingRights, placeOfPolicy, readDeployerPolicy } from "./missing-rights.ts";

/**
 * What would end a deployment half-way, before it changes anything. Notes what cannot be checked, the
 * account's limit, and who hears of alarms.
 * @throws CliError if a right is missing, or the region has no durable functions
 * @returns in a rehearsal, which goes on, what a deployment would throw
 */
export async function checkBefore(ground: WorkContext, isRehearsal: boolean): Promise<CliError | undefined> {
  const { target, out } = ground;
  out.progress("checking rights, region and limits");
  const refusals = await Promise.all([whyNoRights(ground), whyNotRegion(ground)]);
  const [refusal, ...others] = refusals.filter((one) => one !== undefined);
  if (refusal !== undefined && !isRehearsal) throw refusal;
  for (const { message, hint } of others) out.note(`${message} ${hint}`);
  const limits = await checkLimits(target.callAws).catch(() => undefined);
  if (limits !== undefined) out.note(limits.says);
  await noteSubscribers(ground);
  return refusal;
}

async function whyNoRights({ target, out, edges }: WorkContext): Promise<CliError | undefined> {
  const place = placeOfPolicy(edges.projectFolder);
  const policy = await readDeployerPolicy(target);
  const missing = await findMissingRights(target, policy).catch(() => undefined);
  if (missing === undefined) {
    out.note(
      `Rights were not checked: ${target.identity} may not ask IAM. ${place} has all that are needed.`,
    );
    return undefined;
  }
  if (missing.length === 0) return undefined;
  return new CliError(
    "noRights",
    "RIGHTS_MISSING",
    `IAM denies ${target.identity} what a deployment needs: ${missing.join(", ")}. Nothing was changed.`,
    `Attach ${place} (docs/deploy.md#rights), or deploy without this check: --skip-checks.`,
  );
}

async function whyNotRegion({ target, out, edges }: WorkContext): Promise<CliError | undefined> {
  const { stage, region } = target;
  if ((await readStages(edges.projectFolder)).get(stage)?.flows === "off") return undefined;
  const isThere = await hasDurableFunctions(target);
  if (isThere === undefined) out.note(`It is unknown whether ${region} has durable functions, for flows.`);
  if (isThere !== false) return undefined;
  return new CliError(
    "refused",
    "NO_DURABLE_FUNCTIONS",
    `Lambda has no durable functions in ${region}, and flows need them. Nothing was changed.`,
    `Choose another region, add \`flows: off\` to ${stage} in config/stages.yml, or deploy without this check: --skip-checks.`,
  );
}

/** Of the deployed stage, or else of what will be deployed. */
export async function noteSubscribers({ target, out, edges }: WorkContext): Promise<void> {
  const remedies = remediesOf(target);
  const stack = await unlessNotDeployed(target.rereadStack());
  const found: readonly Found[] =
    stack === undefined
      ? await checkSettings(edges.projectFolder, target.stage, remedies.deploy)
      : await checkSubscribers(target, stack, remedies).catch(() => []);
  for (const one of found) {
    if ("remedy" in one && one.remedy !== undefined) out.note(`${one.says} ${one.remedy}`);
  }
}

async function checkSettings(
  projectFolder: string,
  stage: string,
  deploy: string,
): Promise<readonly Found[]> {
  const { base, stage: anew } = await readConfigLayers(projectFolder, "alarms.yml", stage);
  const { notify } = parseBy(alarmSettingsSchema, anew === undefined ? [base] : [base, anew]);
  return notify.length === 0 ? [nobodyNotified(deploy)] : [];
}
