import * as z from "zod/mini";
import { agentApiTools } from "../../../../chat/agents/agent-parts.ts";
import { opt, strictObject } from "../../../../chat/schema.ts";
import { agentToolUrlOf, plainUrlOf } from "../../../../receive/webhook-url.ts";
import type { DeploymentFacts, ExportFacts } from "../../define-subject.ts";
import { agentKeyReference, notShown } from "../../name-secrets.ts";
import {
  type Fields,
  type FoundResource,
  fitsWhole,
  pickFields,
  type WantedResource,
} from "../../resource.ts";
import { isMaskedAt, orSecret, partAt, secretReferenceSchema } from "../../secret-reference.ts";
import { headersSchema, urlOrSecret } from "../webhooks.ts";
import { apiToolKind } from "./part-kinds.ts";

const {
  enableBasicAuth: _,
  basicAuthUsername: __,
  basicAuthPassword: ___,
  ...settings
} = agentApiTools.create.input().shape;

export const apiToolSchema = strictObject({
  ...settings,
  /** The route name of a function of this deployment made by `onAgentTool`. */
  tool: opt(z.string().check(z.regex(/^[\w$-]{1,100}$/, "expected the name given to onAgentTool"))),
  endpoint: opt(urlOrSecret),
  /** Default: POST. */
  method: opt(settings.method),
  /**
   * HTTP Basic credentials. Default: none; a `tool` gets the header X-API-Key with the app's `agentKey`.
   */
  credentials: opt(strictObject({ username: secretReferenceSchema, password: secretReferenceSchema })),
  headers: opt(headersSchema),
  /** Default for a `tool`: JSON of the parameters and the user's `uid`. An empty text sends none. */
  bodyTemplate: opt(orSecret(z.string())),
  /** `false`: no parameter identifies the call. */
  idempotencyKey: opt(z.literal(false)),
  icon: opt(orSecret(z.string())),
}).check(
  z.refine((tool) => (tool.tool === undefined) !== (tool.endpoint === undefined), {
    error: "needs either tool or endpoint",
    path: ["tool"],
  }),
  z.refine((tool) => tool.tool === undefined || !tool.parameters?.some(({ key }) => key === "uid"), {
    error: "must not have uid: the platform says who asks, not the model",
    path: ["parameters"],
  }),
  z.refine((tool) => tool.tool !== undefined || tool.idempotencyKey === undefined, {
    error: "belongs to a tool of this deployment",
    path: ["idempotencyKey"],
  }),
);

const parametersSchema = settings.parameters;
interface ApiToolDeclaration extends Fields {
  readonly slug: string;
  readonly tool?: string | undefined;
  readonly credentials?: Fields | undefined;
  readonly parameters?: Parameters | undefined;
}

type Parameters = NonNullable<z.infer<typeof parametersSchema>>;

/** Identifies a repeated call: the platform sends no id (docs/internals/platform/ai-agents.md#api-tools). */
const keyParameter = {
  key: "idempotencyKey",
  type: "string",
  description: "A new random text for each call. If you repeat a call, the text of that call.",
  required: true,
} as const;

const ownHeaders = { "X-API-Key": agentKeyReference };

export function wantedApiTool(declared: ApiToolDeclaration, { webhookUrl }: DeploymentFacts): WantedResource {
  const { slug, tool, endpoint, credentials, method = "POST", idempotencyKey, ...others } = declared;
  const parameters = idempotencyKey === false ? others.parameters : withKey(tool, others.parameters);
  const url = tool === undefined || webhookUrl === undefined ? endpoint : agentToolUrlOf(webhookUrl, tool);
  const isUsual = tool !== undefined && credentials === undefined;
  const fields = {
    ...others,
    method,
    enableBasicAuth: credentials !== undefined,
    ...pickFields({ endpoint: url, parameters }, ["endpoint", "parameters"]),
    headers: others.headers ?? (isUsual ? ownHeaders : {}),
    bodyTemplate:
      others.bodyTemplate ?? (tool !== undefined && method !== "GET" ? templateOf(parameters) : ""),
    ...(credentials !== undefined && {
      basicAuthUsername: credentials.username,
      basicAuthPassword: credentials.password,
    }),
  };
  return { kind: apiToolKind.name, id: slug, fields };
}

const omittable = ["idempotencyKey", "headers", "bodyTemplate", "method", "parameters"];

export function writeApiTool({ id: slug, fields }: FoundResource, facts: ExportFacts): Fields {
  const { endpoint, enableBasicAuth, bodyTemplate = "", ...others } = fields;
  const tool = toolAt(String(endpoint), facts);
  const parameters = parametersSchema.safeParse(others.parameters).data ?? [];
  const credentials = { username: notShown, password: notShown };
  const headers = tool === undefined ? others.headers : withOwnKey(others.headers, facts);
  const whole: ApiToolDeclaration = {
    ...others,
    allowAdditionalProperties: others.allowAdditionalProperties || undefined,
    headers: headers ?? {},
    endpoint,
    bodyTemplate,
    slug,
    parameters,
    tool,
    ...(tool === undefined ? {} : { endpoint: undefined, idempotencyKey: false }),
    ...(enableBasicAuth === true && { credentials }),
  };
  const own = parameters.filter(({ key }) => key !== keyParameter.key);
  const defaults = [
    { parameters: own, idempotencyKey: undefined },
    ...omittable.map((name) => ({ [name]: undefined })),
  ];
  const { fields: wanted } = wantedApiTool(whole, facts);
  let declared = whole;
  for (const change of defaults) {
    const shorter = { ...declared, ...change };
    if (fitsWhole(wanted, wantedApiTool(shorter, facts).fields)) declared = shorter;
  }
  return pickFields(declared, Object.keys(declared));
}

/** Treats a masked key as this deployment's. */
function withOwnKey(headers: unknown, { textOf }: ExportFacts): unknown {
  const key = partAt(headers, ["X-API-Key"]);
  const isOwn =
    key !== undefined && (textOf("agentKey") === key || isMaskedAt(["headers", "X-API-Key"], key));
  return isOwn ? { ...Object(headers), ...ownHeaders } : headers;
}

function withKey(tool: string | undefined, parameters: Parameters = []): Parameters | undefined {
  if (tool === undefined) return parameters;
  return parameters.some(({ key }) => key === keyParameter.key) ? parameters : [...parameters, keyParameter];
}

/**
 * Quotes parameters: the tool reads a text that does not fit as JSON. Puts the user last, so that the model
 * cannot choose it.
 */
function templateOf(parameters: Parameters = []) {
  const keys = parameters.map(({ key }) => key);
  return JSON.stringify(Object.fromEntries([...keys, "uid"].map((key) => [key, `{{${key}}}`])));
}

function toolAt(endpoint: string, { webhookUrl }: DeploymentFacts) {
  const [, name] = /\/agent-tools\/([\w$-]+)\/[^/]+$/.exec(endpoint) ?? [];
  if (name === undefined || webhookUrl === undefined) return undefined;
  return plainUrlOf(endpoint) === plainUrlOf(agentToolUrlOf(webhookUrl, name)) ? name : undefined;
}
