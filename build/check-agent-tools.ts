import { isRecord } from "../lib/base/json.ts";
import { type ConfigText, placeOf, readYaml } from "./config-text.ts";
import { hintAt } from "./nearest-name.ts";

/**
 * Lists tools in config/app/agents.yml that no function answers: the platform would get 404. Routes are only
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
  const methods = methodsByTool(JSON.parse(routes));
  const names = [...methods.keys()];
  return declared.flatMap((text) => {
    const tools: readonly unknown[] =
      isRecord(text.content) && Array.isArray(text.content.apiTools) ? text.content.apiTools : [];
    return tools.flatMap((tool, index) => {
      const name = isRecord(tool) ? tool.tool : undefined;
      if (typeof name !== "string") return [];
      const { method = "POST" } = Object(tool);
      const taken = methods.get(name) ?? [];
      if (taken.some((one) => one === "*" || one === method)) return [];
      const path = ["apiTools", index, "tool"];
      const problem = `no function has the route ${taken.length === 0 ? "" : `${method} `}/agent-tools/${name}/{appId}`;
      const hint = taken.length === 0 ? hintAt(name, names) : `; there is ${taken.join(", ")}`;
      return [`${placeOf(text, path)}: ${path.join(".")}: ${problem}${hint}`];
    });
  });
}

/** By a route's two forms: `POST /agent-tools/…`, and method and path. */
function methodsByTool(functions: unknown): ReadonlyMap<string, readonly string[]> {
  const found: (readonly [name: string, method: string])[] = [];
  const add = (path: string, method: unknown) => {
    const [, name] = /\/agent-tools\/([\w$-]+)/.exec(path) ?? [];
    if (name !== undefined) found.push([name, String(method).toUpperCase()]);
  };
  const search = (part: unknown): void => {
    if (typeof part === "string") {
      const [, method = "*"] = /^\s*(\w+)\s/.exec(part) ?? [];
      add(part, method);
    } else if (isRecord(part) && typeof part.path === "string") add(part.path, part.method ?? "*");
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(search);
  };
  search(functions);
  const byName = Map.groupBy(found, ([name]) => name);
  return new Map([...byName].map(([name, some]) => [name, some.map(([, method]) => method)]));
}
