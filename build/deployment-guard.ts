import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isRecord, parseJson } from "../lib/base/json.ts";
import { readBuiltFor, whyNotDeployed } from "./built-for.ts";
import { tooLongNames } from "./name-limits.ts";
import { readAppsOf } from "./served-apps.ts";
import type { Serverless, Template } from "./serverless.ts";

/** Writes the stage and apps into the package; refuses names that AWS would refuse during a deployment. */
export async function checkTemplate(serverless: Serverless): Promise<void> {
  const template = serverless.service.provider.compiledCloudFormationTemplate;
  const { naming } = serverless.getProvider("aws");
  const tooLong = tooLongNames(naming.getStackName(), template.Resources);
  // Errors of this class are shown without a stack.
  if (tooLong.length > 0) throw new serverless.classes.Error(tooLong.join("\n"), "NAME_TOO_LONG");
  await mark(template, serverless);
}

/**
 * Refuses to deploy a package made for other apps or another stage, and a stage without apps.
 * @param named the package's folder, if the user names one
 */
export async function guardDeployment(
  serverless: Serverless,
  named?: string,
  { isBuiltHere = false } = {},
): Promise<void> {
  const { serviceDir, service, classes } = serverless;
  const wanted = await builtFor(serverless);
  const folder = resolve(named ?? service.package?.path ?? join(serviceDir, ".serverless"));
  const reason = whyNotDeployed(isBuiltHere ? wanted : await readPackage(folder), wanted);
  if (reason !== undefined) throw new classes.Error(reason, "NOT_BUILT_FOR_THIS");
}

export async function mark(template: Template, serverless: Serverless): Promise<void> {
  template.Metadata = { ...template.Metadata, BuiltFor: await builtFor(serverless) };
}

async function builtFor(serverless: Serverless) {
  // Serverless itself uses an existing package's stage.
  const stage = serverless.getProvider("aws").getStage();
  return { stage, appIds: await readAppsOf(serverless.serviceDir, stage) };
}

async function readPackage(packageFolder: string) {
  const file = join(packageFolder, "cloudformation-template-update-stack.json");
  const template = parseJson(await readFile(file, "utf8").catch(() => ""));
  return isRecord(template) ? readBuiltFor(template.Metadata) : undefined;
}
