import { isRecord } from "../lib/base/json.ts";
import { type ConfigText, placeOf, readYaml } from "./config-text.ts";
import { hintAt } from "./nearest-name.ts";

/**
 * Lists tools in config/app/agents.yml that no function answers: the platform would get 404. Names are only
 * compared if all functions are known: in serverless.yml, functions/own/functions.yml and the package.
 * @param declared config/app/agents.yml, and what overrides it
 * @param own The text of functions/own/functions.yml.
 * @param service The text of the app's serverless.yml.
 */
export function checkAgentTools(
  declared: readonly ConfigText[],
  own: string,
  service: string,
): readonly string[] {
  const { content } = readYaml("serverless.yml", service, { tags: true });
  const functions = [isRecord(content) ? content.functions : undefined].flat();
  const isKnown = functions.every(
    (one) => typeof one !== "string" || /own\/functions\.yml|app\/functions\.yml/.test(one),
  );
  const routes = JSON.stringify([functions, readYaml("functions.yml", own, { tags: true }).content]);
  if (!isKnown || /\/agent-tools\/\{|\{proxy\+\}/.test(routes)) return [];
  const names = [...routes.matchAll(/\/agent-tools\/([\w$-]+)/g)].map(([, name = ""]) => name);
  return declared.flatMap((text) => {
    const tools: readonly unknown[] =
      isRecord(text.content) && Array.isArray(text.content.apiTools) ? text.content.apiTools : [];
    return tools.flatMap((tool, index) => {
      const name = isRecord(tool) ? tool.tool : undefined;
      if (typeof name !== "string" || names.includes(name)) return [];
      const path = ["apiTools", index, "tool"];
      const problem = `no function has the route /agent-tools/${name}/{appId}`;
      return [`${placeOf(text, path)}: ${path.join(".")}: ${problem}${hintAt(name, names)}`];
    });
  });
}
