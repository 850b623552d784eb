import { isJsonObject, type JsonObject, readJson } from "../json.ts";
import type { Answer } from "../services/services.ts";
import { isSuccess } from "../webhooks/send.ts";
import type { Thing } from "./agent-route.ts";
import type { Run } from "./run.ts";
import { chatContext, fillTemplate, keysIn, showInJson, showPlainly } from "./template.ts";

/**
 * Calls the customer's address. Parameters go to the body where its template names them, the others to the
 * query. Redirects are not followed, and only a 2xx is a result (both assumed).
 * @see docs/internals/platform/ai-agents.md#api-tools
 */
export async function callApiTool(
  run: Run,
  tool: Thing,
  given: JsonObject,
): Promise<{ text: string; failure?: string | undefined }> {
  const { slug, endpoint, method, bodyTemplate, enableBasicAuth } = tool;
  const parameters = parametersOf(tool, given);
  const missing = parametersIn(tool).find(({ key, required }) => required && !(String(key) in parameters));
  if (missing !== undefined) return failed(slug, `it needs the parameter ${missing.key}.`);
  if (!URL.canParse(String(endpoint))) return failed(slug, "its endpoint is not a URL.");
  const headers = headersOf(run, tool);
  if (headers === undefined) return failed(slug, "its headers are not the JSON of an object.");
  const template = typeof bodyTemplate === "string" && method !== "GET" ? bodyTemplate : undefined;
  const url = new URL(String(endpoint));
  const inBody = keysIn(template ?? "");
  for (const [key, value] of Object.entries(parameters)) {
    if (!inBody.has(key)) url.searchParams.set(key, showPlainly(value));
  }
  const answer = await run.services.ask({
    appId: run.services.appId,
    kind: "agent_tool",
    target: String(slug),
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

/** Why there is no usable answer. */
export function problemOf({ status, error }: Pick<Answer, "status" | "error">): string | undefined {
  return status !== undefined && isSuccess(status) ? undefined : (error ?? "There was no answer.");
}

function failed(slug: unknown, why: string, text = "") {
  return { text, failure: `The tool ${slug} failed: ${why}` };
}

function parametersIn({ parameters }: Thing): JsonObject[] {
  return Array.isArray(parameters) ? parameters.filter(isJsonObject) : [];
}

/** Those that the tool does not declare are left out unless it allows them. */
function parametersOf(tool: Thing, given: JsonObject): JsonObject {
  if (tool.allowAdditionalProperties === true) return given;
  const known = new Set(parametersIn(tool).map(({ key }) => key));
  return Object.fromEntries(Object.entries(given).filter(([key]) => known.has(key)));
}

/** Undefined if they cannot be read. */
function headersOf(run: Run, { headers }: Thing): Record<string, string> | undefined {
  const read = headers ? readJson(String(headers)) : {};
  if (!isJsonObject(read)) return undefined;
  return Object.fromEntries(
    Object.entries(read).map(([name, value]) => [name, fillTemplate(showPlainly(value), run, undefined)]),
  );
}
