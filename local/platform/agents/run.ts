import { isJsonObject, type JsonObject, mapValues, objectOf, objectsOf, readJson } from "../json.ts";
import type { Answer, AppServices } from "../services/services.ts";
import type { AppData } from "../store/database.ts";
import type { Message } from "../store/messages.ts";
import type { User } from "../store/users.ts";
import { isSuccess } from "../webhooks/send.ts";
import { type AgentResource, findResource, listResources } from "./agent-route.ts";

export type Run = {
  services: AppServices;
  agent: AgentResource;
  message: Message;
  sender: User;
  runId: string;
  threadId: string;
};

export type Part =
  | { type: "assistant"; text: string; card?: unknown }
  | { type: "tool-arguments"; id: string; name: string; arguments: string }
  | { type: "tool-result"; id: string; text: string };

export type RunResult = { parts: Part[]; failure?: string | undefined };

export function findAgent(data: AppData, uid: string): AgentResource | undefined {
  return findResource(data, "agent", uid) ?? findResource(data, "byo-agent", uid);
}

export function findActiveAgent(data: AppData, uid: string): AgentResource | undefined {
  const agent = findAgent(data, uid);
  return agent?.isActive === false ? undefined : agent;
}

const mark = /@var-(auth|custom):([A-Za-z]\w*(?:\.\w+)*)|\{\{\s*([\w.-]+)\s*\}\}/g;

/**
 * Missing values become empty (assumed). Keeps braces without `values`. In JSON, `show` must not end its own
 * text.
 */
export function fillTemplate(
  template: string,
  run: Run,
  values: JsonObject | undefined,
  show: (value: unknown) => string = showPlainly,
): string {
  return template.replaceAll(mark, (whole: string, kind: string | undefined, name = "", key = "") => {
    if (kind === undefined) return values === undefined ? whole : show(lookUp(values, key) ?? "");
    return show((kind === "auth" ? authOf(run)[name] : customOf(run, name)) ?? "");
  });
}

function keysIn(template: string) {
  return new Set(Array.from(template.matchAll(mark), ([, , , key = ""]) => key));
}

/** Puts the writer first: neither model nor metadata can pretend to be another (assumed). */
export function chatContext({ sender, message }: Run, parameters: JsonObject): JsonObject {
  return { ...objectOf(message.data.metadata), ...parameters, uid: sender.uid, role: sender.role };
}

function showInJson(value: unknown) {
  const text = JSON.stringify(value) ?? "";
  return typeof value === "string" ? text.slice(1, -1) : text;
}

function showPlainly(value: unknown) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function authOf({ sender }: Run): JsonObject {
  return { "sender.uid": sender.uid, "sender.name": sender.name, "sender.role": sender.role };
}

function customOf({ services, sender, message }: Run, name: string) {
  const variable = listResources(services, "variable").find((one) => one.name === name);
  if (variable === undefined) return undefined;
  const { sourceType, sourcePath, constantValue, defaultValue } = variable;
  const source = sourceType === "user_metadata" ? sender.metadata : message.data.metadata;
  const value = sourceType === "constant" ? constantValue : lookUp(objectOf(source), String(sourcePath));
  return value === undefined || value === "" ? defaultValue : value;
}

function lookUp(values: JsonObject, path: string) {
  if (Object.hasOwn(values, path)) return values[path];
  return path
    .split(".")
    .reduce<unknown>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      values,
    );
}

/**
 * The query has parameters that the body's template lacks. Follows no redirects; only 2xx is a result
 * (assumed).
 * @see docs/internals/platform/ai-agents.md#api-tools
 */
export async function callApiTool(
  run: Run,
  tool: AgentResource,
  given: JsonObject,
): Promise<{ text: string; failure?: string | undefined }> {
  const { slug, endpoint, method, bodyTemplate, enableBasicAuth } = tool;
  const parameters = parametersOf(tool, given);
  const missing = objectsOf(tool.parameters).find(
    ({ key, required }) => required && !(String(key) in parameters),
  );
  if (missing !== undefined) return failed(slug, `it needs the parameter ${missing.key}.`);
  if (!URL.canParse(String(endpoint))) return failed(slug, "its endpoint is not a URL.");
  const headers = headersOf(run, tool);
  if (headers === undefined) return failed(slug, "its headers are not the JSON of an object.");
  const template = typeof bodyTemplate === "string" && method !== "GET" ? bodyTemplate : undefined;
  const url = new URL(String(endpoint));
  const inBody = keysIn(template ?? "");
  const asked = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (!inBody.has(key)) asked.set(key, showPlainly(value));
  }
  for (const [key, value] of asked) url.searchParams.set(key, value);
  const answer = await run.services.ask({
    appId: run.services.appId,
    kind: "agent_tool",
    target: asked.size > 0 ? `${slug}?${asked}` : String(slug),
    url: url.href,
    method: String(method),
    headers,
    credentials:
      enableBasicAuth === true
        ? { username: String(tool.basicAuthUsername), password: String(tool.basicAuthPassword) }
        : undefined,
    body: template && fillTemplate(template, run, chatContext(run, parameters), showInJson),
    timeoutMs: run.services.switches.agentCallTimeoutMs,
  });
  const failure = problemOf(answer);
  return failure === undefined
    ? { text: answer.text }
    : failed(slug, failure, answer.status === undefined ? "" : answer.text);
}

export function problemOf({ status, error }: Pick<Answer, "status" | "error">): string | undefined {
  return status !== undefined && isSuccess(status) ? undefined : (error ?? "There was no answer.");
}

function failed(slug: unknown, why: string, text = "") {
  return { text, failure: `The tool ${slug} failed: ${why}` };
}

function parametersOf(tool: AgentResource, given: JsonObject) {
  if (tool.allowAdditionalProperties === true) return given;
  const known = new Set(objectsOf(tool.parameters).map(({ key }) => key));
  return Object.fromEntries(Object.entries(given).filter(([key]) => known.has(key)));
}

function headersOf(run: Run, { headers }: AgentResource) {
  const read = headers ? readJson(String(headers)) : {};
  if (!isJsonObject(read)) return undefined;
  return mapValues(read, (value) => fillTemplate(showPlainly(value), run, undefined));
}
