import { readIfThere } from "../../build/config-layers.ts";
import { readServedApps } from "../../build/served-apps.ts";
import { isRecord } from "../../lib/base/json.ts";
import { type EnabledName, readEnabledNames } from "../../lib/handle/enabled-names.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { type Found, ok, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";

/** What the checkout configures for a stage. */
export interface Configured {
  readonly appIds: readonly string[];
  readonly triggers: readonly EnabledName[];
}

/** @throws ConfigFileError */
export async function readConfigured(projectFolder: string, stage: string): Promise<Configured> {
  const apps = await readServedApps(projectFolder);
  const content = (await readIfThere(projectFolder, "config/triggers.yml"))?.content;
  const triggers = isRecord(content) ? content[stage] : undefined;
  return {
    appIds: apps.get(stage) ?? [],
    triggers: readEnabledNames(typeof triggers === "string" ? triggers : ""),
  };
}

/** Reports what the checkout configures and the deployed code does not, and the reverse. */
export function checkDrift(
  configured: Configured,
  deployed: DeployedFacts,
  { deploy }: Remedies,
): readonly Found[] {
  const textOf = ({ name, isShadowed }: EnabledName) => (isShadowed ? `${name} (shadow)` : name);
  const differences = [
    ...differ("apps", configured.appIds, deployed.appIds),
    ...differ("triggers", configured.triggers.map(textOf), deployed.triggers.map(textOf)),
  ];
  if (differences.length > 0) return differences.map((says) => wrong(says, deploy));
  return [ok("The deployment has the apps and triggers of config/.")];
}

function differ(what: string, configured: readonly string[], deployed: readonly string[]): readonly string[] {
  const undeployed = configured.filter((one) => !deployed.includes(one));
  const dropped = deployed.filter((one) => !configured.includes(one));
  return [
    ...(undeployed.length > 0 ? [`config/ names ${what} that are not deployed: ${some(undeployed)}.`] : []),
    ...(dropped.length > 0
      ? [`${capital(what)} are deployed that config/ does not name: ${some(dropped)}.`]
      : []),
  ];
}

function some(names: readonly string[]): string {
  return names.length <= 10
    ? names.join(", ")
    : `${names.slice(0, 10).join(", ")} and ${names.length - 10} more`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
