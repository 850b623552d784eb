import * as z from "zod/mini";
import { isRecord } from "../lib/base/json.ts";
import { readEnabledNames } from "../lib/handle/enabled-triggers.ts";
import { readIfThere, readNeeded } from "./config-layers.ts";
import { refuseMistakes } from "./config-text.ts";
import { parseBy } from "./parse-by.ts";
import { unknownStages } from "./stages.ts";

const appIdsSchema = z
  .array(z.string(), "must be a list of apps' ids, such as [app-1, app-2]")
  .check(({ value, issues }) => {
    for (const [index, appId] of value.entries()) {
      const isTwice = value.indexOf(appId) < index;
      const message = problemOfAppId(appId) ?? (isTwice ? "is listed twice" : undefined);
      if (message !== undefined) issues.push({ code: "custom", input: appId, path: [index], message });
    }
  });

export const appsSchema = z.record(z.string(), z.nullable(appIdsSchema));

/** @param stages without them, does not check their names @throws ConfigFileError */
export async function readServedApps(projectFolder: string, stages?: readonly string[]) {
  const text = await readNeeded(projectFolder, "config/apps.yml");
  const apps = Object.entries(text.content === null ? {} : parseBy(appsSchema, [text]));
  refuseMistakes(unknownStages(text, stages));
  return new Map(apps.map(([stage, appIds]) => [stage, appIds ?? []]));
}

/** As `readServedApps`, of one stage. */
export async function readAppsOf(projectFolder: string, stage: string, stages?: readonly string[]) {
  return (await readServedApps(projectFolder, stages)).get(stage) ?? [];
}

export async function readStageTriggers(projectFolder: string, stage: string) {
  const content = (await readIfThere(projectFolder, "config/triggers.yml"))?.content;
  const names = isRecord(content) ? content[stage] : undefined;
  return readEnabledNames(typeof names === "string" ? names : "");
}

/** Names addresses, a folder and a secret. */
export function problemOfAppId(appId: string): string | undefined {
  // The platform's addresses allow this: docs/internals/platform/addressing-and-keys.md#base-addresses.
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(appId)) {
    return "an app's id has up to 63 letters, digits and inner dashes; one id stands in each line";
  }
  // Functions may not read secrets with this prefix: infrastructure/rights.yml.
  return /^management(-|$)/.test(appId)
    ? "no app can have this id: the deployment keeps secrets of its own under such names"
    : undefined;
}
