import { ensure, PlatformError } from "../errors/platform-error.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { type JsonObject, objectOf } from "../json.ts";
import {
  findPart,
  type Kind,
  listResources,
  namesIn,
  putResource,
  requireResource,
  textsOf,
} from "./agent-route.ts";
import { readyTools, showAgent } from "./plain-families.ts";

/** Lists the routes' name, the body's key, the agent's field, and the required kind. */
const parts = [
  ["tools", "tools", "tools", undefined],
  ["api-tools", "apiTools", "apiTools", "api-tool"],
  ["frontend-actions", "frontendActions", "frontendActions", "frontend-action"],
  ["mcp-servers", "mcps", "mcpServers", "mcp-server"],
] as const;

const partRoutes: AppRoute[] = parts.flatMap(([name, key, field, kind]) => {
  const change = (request: AppRequest, pick: (before: string[], names: string[]) => string[]) => {
    const agent = requireResource(request, "agent", request.param("uid"));
    const parts = pick(textsOf(agent[field]), namesIn(request.body, key));
    const changed = putResource(request, "agent", request.param("uid"), { ...agent, [field]: parts });
    return { success: true, data: showAgent(changed) };
  };
  return appFamily({
    [`add-${name}-to-agent`]: (request) =>
      change(request, (before, names) => {
        for (const part of names) {
          requirePart(request, kind, part);
          ensure(!before.includes(part), "ERR_TOOL_ALREADY_ADDED", `${part} has been added already.`);
        }
        return [...before, ...new Set(names)];
      }),
    [`remove-${name}-from-agent`]: (request) =>
      change(request, (before, names) => before.filter((part) => !names.includes(part))),
  });
});

function requirePart(request: AppRequest, kind: Kind | undefined, name: string) {
  if (kind === undefined && Object.hasOwn(readyTools, name)) return;
  if (kind !== undefined && findPart(request, kind, name) !== undefined) return;
  throw new PlatformError("ERR_TOOL_NOT_FOUND", `There is no tool ${name}.`, { status: 400 });
}

function changeActions(request: AppRequest, pick: (others: string[], names: string[]) => string[]) {
  const agent = requireTool(request);
  const slug = request.param("slug");
  const names = namesIn(request.body, "actions");
  const all = objectOf(agent.toolActions);
  const others = textsOf(all[slug]).filter((name) => !names.includes(name));
  const toolActions = { ...all, [slug]: pick(others, names) };
  putResource(request, "agent", request.param("uid"), { ...agent, toolActions });
  return { success: true };
}

function requireTool(request: AppRequest) {
  const agent = requireResource(request, "agent", request.param("uid"));
  const slug = request.param("slug");
  if (textsOf(agent.tools).includes(slug)) return agent;
  throw new PlatformError("ERR_TOOL_NOT_FOUND", `The agent has no tool ${slug}.`);
}

function enabledOf(request: AppRequest) {
  const agent = requireResource(request, "agent", request.param("uid"));
  const resources = (kind: Kind, names: unknown, ...fields: readonly string[]) =>
    textsOf(names).flatMap((name) => {
      const resource = findPart(request, kind, name);
      return resource === undefined
        ? []
        : [Object.fromEntries(fields.map((field) => [field === "_id" ? "id" : field, resource[field]]))];
    });
  const enabled = objectOf(agent.toolActions);
  return {
    tools: textsOf(agent.tools).map((slug) => ({
      slug,
      name: slug,
      description: `${slug} integration`,
      icon: "",
      actions: textsOf(enabled[slug]).map((action) => ({ slug: action, name: action, description: action })),
    })),
    frontendActions: resources("frontend-action", agent.frontendActions, "_id", "name", "triggerFunction"),
    apiTools: resources("api-tool", agent.apiTools, ...described, "endpoint", "method", "parameters"),
    mcpServers: resources("mcp-server", agent.mcpServers, ...described, "url"),
  };
}

const described = ["slug", "name", "description", "icon"];

const mentions = (item: JsonObject, key: string) =>
  [item.name, item.description].some((text) =>
    String(text ?? "")
      .toLowerCase()
      .includes(key.toLowerCase()),
  );

const builtIn = [
  ["sender.uid", "The sender's uid"],
  ["sender.name", "The sender's name"],
  ["sender.role", "The sender's role"],
] as const;

function variableUsage(request: AppRequest) {
  const agents = listResources(request, "agent");
  const tools = listResources(request, "api-tool");
  const all = [
    ...builtIn.map(([name, description]) => ({ name, description, sourceType: "auth", category: "auth" })),
    ...listResources(request, "variable").map(({ name, description, sourceType, category }) => ({
      name: String(name),
      description,
      sourceType,
      category: String(category),
    })),
  ];
  return all.map((variable) => {
    const mark = `@var-${variable.category}:${variable.name}`;
    const usedByAgents = agents
      .filter(({ instruction }) => String(instruction).includes(mark))
      .map(({ uid, name }) => ({ uid, name }));
    const using = tools.filter(({ headers, bodyTemplate }) => `${headers}${bodyTemplate}`.includes(mark));
    return {
      ...variable,
      usageCount: usedByAgents.length + using.length,
      usedByAgents,
      usedByTools: Object.fromEntries(using.map(({ slug, name }) => [String(slug), name])),
    };
  });
}

export const agentRoutes = [
  ...appFamily({
    "list-available-models": () => models,
    "list-agent-enabled-items"(request) {
      const { query } = request;
      const enabled = enabledOf(request);
      const shown = Object.entries(enabled)
        .filter(([kind]) => query.flag(kind) !== false)
        .map(([kind, items]) => [kind, items.filter((item) => mentions(item, query.text("key") ?? ""))]);
      return { data: Object.fromEntries(shown) };
    },
    "search-agent-tools"(request) {
      const enabled = enabledOf(request);
      const key = request.query.text("key") ?? "";
      const results = Object.values(enabled)
        .flat()
        .filter((item) => mentions(item, key));
      return { success: true, results };
    },
    "list-all-variables"(request) {
      const all = variableUsage(request);
      return request.query.flag("groupByCategory") === true
        ? { auth: [], custom: [], ...Object.groupBy(all, ({ category }) => String(category)) }
        : all;
    },
    "get-tool-actions-for-agent"(request) {
      requireTool(request);
      return readyTools[request.param("slug")] ?? [];
    },
    "enable-tool-actions": (request) => changeActions(request, (others, names) => [...others, ...names]),
    "remove-tool-actions": (request) => changeActions(request, (others) => others),
  }),
  ...partRoutes,
];

const models = [
  { model: "gpt-4o-mini", provider: "openai", settings: {}, default: false },
  { model: "gpt-4o", provider: "openai", settings: {}, default: true },
  { model: "claude-sonnet-4-20250514", provider: "anthropic", settings: {}, default: false },
];
