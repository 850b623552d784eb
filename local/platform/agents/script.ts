import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import { addOwnOfApp, readOwnBody } from "../http/own-json.ts";
import { type JsonObject, mapValues, readJson } from "../json.ts";
import { filled, readWith } from "../read-with.ts";
import type { AppServices, Services } from "../services/services.ts";
import { type AppData, getDocument, putDocument } from "../store/database.ts";
import { findResource, textsOf } from "./agent-route.ts";
import { callApiTool, chatContext, fillTemplate, type Part, type Run, type RunResult } from "./run.ts";

const jsonObject = z.record(z.string(), z.unknown());

export const scriptSchema = z.array(
  z.strictObject({
    when: z.exactOptional(filled),
    calls: z.exactOptional(z.array(z.strictObject({ tool: filled, with: z.exactOptional(jsonObject) }))),
    say: z.exactOptional(z.string()),
    card: z.exactOptional(jsonObject),
  }),
);

/** The first rule that fits a message answers it; without one, the agent repeats the message. */
export type AgentScript = readonly ScriptRule[];

/** What an agent calls and says, without a model. */
export interface ScriptRule {
  /** A part of the message's text, in any case. Default: any. */
  readonly when?: string;
  /** API tools by slug and frontend actions by trigger function, in order. */
  readonly calls?: readonly {
    readonly tool: string;
    /** Arguments. Texts may contain the marks of `say`. */
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
  /**
   * May contain `{{text}}` (the message), `{{result}}` (of the last call), `{{result.name}}` and
   * `@var-auth:sender.uid`. Default: the last result, or the message.
   */
  readonly say?: string;
  /** A card to show below the text. */
  readonly card?: Readonly<Record<string, unknown>>;
}

const kind = "agents-script";

/** @throws TypeError if the script is invalid, Error if the platform runs no such agent */
export function scriptAgent(data: AppData, uid: string, script: unknown): void {
  const read = readWith(scriptSchema, script, "script");
  if (findResource(data, "agent", uid) === undefined)
    throw new Error(`The agent ${uid} must be one that the platform runs.`);
  putDocument(data, kind, uid, { script: read });
}

export function addAgentScripts(app: Hono, services: Services): void {
  const answer = async (at: AppServices, context: Context) => {
    const uid = context.req.param("uid") ?? "";
    if (findResource(at, "agent", uid) === undefined) return undefined;
    if (context.req.method === "PUT") scriptAgent(at, uid, (await readOwnBody(context)).script);
    return { script: scriptOf(at, uid) };
  };
  addOwnOfApp(app, services, { "GET /agents/:uid/script": answer, "PUT /agents/:uid/script": answer });
}

function scriptOf(data: AppData, uid: string) {
  return getDocument<{ script: AgentScript }>(data, kind, uid)?.script ?? [];
}

export async function playScript(run: Run): Promise<RunResult> {
  const { services, agent, message, runId } = run;
  const text = String(message.data.text);
  const rule = scriptOf(services, message.receiver).find(({ when = "" }) =>
    text.toLowerCase().includes(when.toLowerCase()),
  );
  const parts: Part[] = [];
  const values: JsonObject = { ...chatContext(run, {}), text, result: undefined };
  for (const [index, { tool: name, with: given = {} }] of (rule?.calls ?? []).entries()) {
    const filled = mapValues(given, (value) =>
      typeof value === "string" ? fillTemplate(value, run, values) : value,
    );
    const id = `call_${runId}_${index + 1}`;
    parts.push({ type: "tool-arguments", id, name, arguments: JSON.stringify(filled) });
    // Frontend actions run in the client.
    if (textsOf(agent.frontendActions).includes(name)) continue;
    const isIts = textsOf(agent.apiTools).includes(name);
    const tool = isIts ? findResource(services, "api-tool", name) : undefined;
    if (tool === undefined) return { parts, failure: `The agent has no tool ${name} that can be called.` };
    const { text: result, failure } = await callApiTool(run, tool, filled);
    parts.push({ type: "tool-result", id, text: result || (failure ?? "") });
    if (failure !== undefined) return { parts, failure };
    values.result = readJson(result) ?? result;
  }
  const say = rule?.say ?? (values.result === undefined ? "{{text}}" : "{{result}}");
  parts.push({ type: "assistant", text: fillTemplate(say, run, values), card: rule?.card });
  return { parts };
}
