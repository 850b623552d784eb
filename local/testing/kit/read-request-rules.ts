import { readIfThere } from "../../../build/config-layers.ts";
import { readBy } from "../../../build/parse-by.ts";
import { type RequestRules, requestRulesSchema } from "../../../lib/effects/http/allowed-hosts.ts";

/**
 * Those of config/requests.yml for the local stage, if it exists, and `more`.
 * @throws ConfigFileError if the file is invalid
 */
export async function readRequestRules(
  projectFolder: string,
  appId: string,
  more: readonly string[],
): Promise<RequestRules> {
  const file = "requests.yml";
  if ((await readIfThere(projectFolder, `config/${file}`)) === undefined) return { allowedHosts: more };
  const { allowedHosts } = await readBy(requestRulesSchema, projectFolder, file, "local", appId);
  return { allowedHosts: [...allowedHosts, ...more] };
}
