import * as z from "zod/mini";
import { isWebAddress } from "../http/fields.ts";
import type { JsonObject } from "../json.ts";
import { filled, flag, id, text } from "../read-with.ts";
import type { AppServices } from "../services/services.ts";
import { addAgentUser, findResource, type Kind, putResource } from "./agent-route.ts";
import { newAgent, newApiTool, newByoAgent } from "./plain-families.ts";
import { type AgentScript, scriptAgent, scriptSchema } from "./script.ts";

/** An agent with a chosen uid, and its user. */
export interface AgentSeed {
  readonly uid: string;
  /** Default: the uid. */
  readonly name?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly instruction?: string;
  readonly model?: string;
  readonly isActive?: boolean;
  /** Slugs of API tools. */
  readonly apiTools?: readonly string[];
  /** Default: repeats each message. */
  readonly script?: AgentScript;
  /** The address of an agent of your own, called over AG-UI. */
  readonly baseUrl?: string;
  /** Sent to that address. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A tool of a customer, for agents. */
export interface ApiToolSeed {
  readonly slug: string;
  /** Default: the slug. */
  readonly name?: string;
  readonly description?: string;
  readonly endpoint: string;
  /** Default: POST. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyTemplate?: string;
  /** Basic authentication. Default: none. */
  readonly basicAuthUsername?: string;
  readonly basicAuthPassword?: string;
  /** Default: any argument. */
  readonly parameters?: readonly ParameterSeed[];
}

/** A parameter of an API tool. */
export interface ParameterSeed {
  readonly key: string;
  /** Default: string. */
  readonly type?: string;
  readonly description?: string;
  readonly required?: boolean;
}

const headers = z.exactOptional(z.record(z.string(), z.string()));
const address = z.string().check(z.refine(isWebAddress, "must be an http address"));

export const agentSeedShape = {
  agents: {
    uid: id,
    name: z.exactOptional(filled.check(z.maxLength(100))),
    icon: text,
    description: text,
    instruction: text,
    model: text,
    isActive: flag,
    apiTools: z.exactOptional(z.array(filled)),
    script: z.exactOptional(scriptSchema),
    baseUrl: z.exactOptional(address),
    headers,
  },
  apiTools: {
    slug: filled,
    name: text,
    description: text,
    endpoint: address,
    headers,
    bodyTemplate: text,
    method: z.exactOptional(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
    basicAuthUsername: text,
    basicAuthPassword: text,
    parameters: z.exactOptional(
      z.array(z.strictObject({ key: filled, type: text, description: text, required: flag })),
    ),
  },
} as const;

export function seedApiTool(services: AppServices, { headers, parameters, ...tool }: ApiToolSeed): void {
  const { slug, basicAuthPassword } = tool;
  put(services, "api-tool", slug, {
    ...newApiTool({ name: slug, description: "", method: "POST", ...tool }),
    enableBasicAuth: basicAuthPassword !== undefined,
    headers: headers === undefined ? null : JSON.stringify(headers),
    parameters: (parameters ?? []).map((one) => ({ type: "string", description: "", ...one })),
    allowAdditionalProperties: parameters === undefined,
  });
}

export function seedAgent(
  services: AppServices,
  { uid, script, baseUrl, headers, ...given }: AgentSeed,
): void {
  const fields = { name: uid, ...given };
  const own = { integrateWith: "ag-ui", integrationType: "agent", integrationMeta: { baseUrl, headers } };
  const made =
    baseUrl === undefined ? newAgent(fields, uid) : newByoAgent({ icon: "", ...fields, ...own }, uid);
  const resource = put(services, baseUrl === undefined ? "agent" : "byo-agent", uid, made);
  if (resource === undefined) return;
  addAgentUser(services, resource);
  if (script !== undefined) scriptAgent(services, uid, script);
}

function put(services: AppServices, kind: Kind, id: string, fields: JsonObject) {
  if (findResource(services, kind, id) !== undefined) return undefined;
  return putResource(services, kind, id, { appId: services.appId, ...fields });
}
