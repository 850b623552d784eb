import { isRecord } from "../lib/base/json.ts";
import { type ConfigText, placeOf, readYaml } from "./config-text.ts";
import { hintAt } from "./nearest-name.ts";

/**
 * Lists tools in config/app/agents.yml that no function answers (the platform would get 404). Routes are
 * compared only if all functions are known.
 * @param declared config/app/agents.yml, and what overrides it
 * @param own functions/own/functions.yml
 * @param service the app's serverless.yml
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
  const routes = routesOf([...functions, readYaml("functions.yml", own, { tags: true }).content]);
  if (!isKnown || routes.some(({ path }) => /\/agent-tools\/\{|\{proxy\+\}/.test(path))) return [];
  const byTool = Map.groupBy(routes, ({ path }) => /\/agent-tools\/([\w$-]+)/.exec(path)?.[1] ?? "");
  return declared.flatMap((text) => {
    const { apiTools } = Object(text.content);
    const tools: readonly unknown[] = Array.isArray(apiTools) ? apiTools : [];
    return tools.flatMap((tool, index) => {
      const { tool: name, method = "POST" } = Object(tool);
      const taken = byTool.get(name)?.map((route) => route.method) ?? [];
      if (typeof name !== "string" || taken.some((one) => one === "*" || one === method)) return [];
      const path = ["apiTools", index, "tool"];
      const problem = `no function has the route ${taken.length === 0 ? "" : `${method} `}/agent-tools/${name}/{appId}`;
      const names = [...byTool.keys()].filter(Boolean);
      const hint = taken.length === 0 ? hintAt(name, names) : `; there is ${taken.join(", ")}`;
      return [`${placeOf(text, path)}: ${path.join(".")}: ${problem}${hint}`];
    });
  });
}

function routesOf(maps: readonly unknown[]) {
  return maps
    .flatMap((map) => Object.values(isRecord(map) ? map : {}))
    .flatMap((definition) => Object(definition).events ?? [])
    .map((event) => Object(event).httpApi)
    .flatMap((route) => {
      const [method, path] =
        typeof route === "string" ? route.trim().split(/\s+/) : [Object(route).method, Object(route).path];
      return path === undefined ? [] : [{ method: String(method ?? "*").toUpperCase(), path: String(path) }];
    });
}
