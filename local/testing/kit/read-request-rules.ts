import { readConfigLayers, readIfThere } from "../../../build/config-layers.ts";
import type { ConfigText } from "../../../build/config-text.ts";
import { parseBy } from "../../../build/parse-by.ts";
import { type RequestRules, requestRulesSchema } from "../../../lib/effects/http/allowed-hosts.ts";

const file = "requests.yml";

/**
 * Those of config/requests.yml for the local stage, if it exists, and `more`.
 * @throws ConfigFileError if the file is invalid
 */
export async function readRequestRules(
  projectFolder: string,
  appId: string,
  allowedHosts: readonly string[],
): Promise<RequestRules> {
  const isThere = (await readIfThere(projectFolder, `config/${file}`)) !== undefined;
  const named = isThere ? await readNamed(projectFolder, appId) : [];
  return { allowedHosts: [...named, ...allowedHosts] };
}

async function readNamed(projectFolder: string, appId: string): Promise<readonly string[]> {
  const { base, stage, apps } = await readConfigLayers(projectFolder, file, "local");
  const further = [stage, apps.get(appId)].filter((text): text is ConfigText => text !== undefined);
  return parseBy(requestRulesSchema, [base, ...further]).allowedHosts;
}
