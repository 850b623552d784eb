import * as z from "zod/mini";
import { agentToolUrlOf, plainUrlOf } from "../../../../receive/webhook-url.ts";
import type { DeploymentFacts } from "../../define-subject.ts";
import { fits, fitsWhole } from "../../fits.ts";
import { pickFields } from "../../pick-fields.ts";
import { secretNameAt, secretReferenceSchema, toReferences } from "../../secret-reference.ts";
import type { Fields, FoundThing, WantedThing } from "../../thing.ts";
import { apiToolKind, withoutEmpty } from "./part-kinds.ts";
import { headersSchema, httpsUrl, parametersSchema, someText, textUpTo } from "./schemas.ts";

/** Limits: docs/internals/platform/ai-agents.md#api-tools. */
export const apiToolSchema = z
  .strictObject({
    slug: textUpTo(100),
    name: textUpTo(100),
    description: someText(),
    /** A function of this deployment made by `onAgentTool`, by the name of its route. */
    tool: z.optional(z.string().check(z.regex(/^[\w$-]{1,100}$/, "expected the name given to onAgentTool"))),
    /** Another address. */
    endpoint: z.optional(httpsUrl()),
    /** Default: POST. */
    method: z.optional(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
    /** Of HTTP Basic. Default: none; a `tool` gets the header X-API-Key with the app's `agentKey`. */
    credentials: z.optional(
      z.strictObject({ username: secretReferenceSchema, password: secretReferenceSchema }),
    ),
    headers: z.optional(headersSchema()),
    parameters: z.optional(parametersSchema()),
    /** Default of a `tool`: JSON of the parameters. */
    bodyTemplate: z.optional(someText()),
    /** `false`: a `tool` gets no parameter that names its call. */
    idempotencyKey: z.optional(z.literal(false)),
    allowAdditionalProperties: z.optional(z.boolean()),
    icon: z.optional(httpsUrl()),
  })
  .check(
    z.refine((tool) => (tool.tool === undefined) !== (tool.endpoint === undefined), {
      error: "needs either tool or endpoint",
      path: ["tool"],
    }),
    z.refine((tool) => tool.tool !== undefined || tool.idempotencyKey === undefined, {
      error: "belongs to a tool of this deployment",
      path: ["idempotencyKey"],
    }),
  );

type DeclaredApiTool = z.infer<typeof apiToolSchema>;
type Parameters = z.infer<ReturnType<typeof parametersSchema>>;

/**
 * Distinguishes a repeated call from another one: the platform sends no id of its own
 * (docs/internals/platform/ai-agents.md#api-tools).
 */
const keyParameter = {
  key: "idempotencyKey",
  type: "string",
  description: "A new random text for each call. If you repeat a call, the text of that call.",
  required: true,
} as const;

const ownHeaders = { "X-API-Key": { secret: "agentKey" } };

export function wantedApiTool(declared: DeclaredApiTool, { webhookUrl }: DeploymentFacts): WantedThing {
  const { slug, tool, endpoint, credentials, method = "POST", idempotencyKey, ...others } = declared;
  const parameters = idempotencyKey === false ? others.parameters : withKey(tool, others.parameters);
  const url = tool === undefined || webhookUrl === undefined ? endpoint : agentToolUrlOf(webhookUrl, tool);
  const isUsual = tool !== undefined && credentials === undefined;
  const fields = {
    ...{ ...others, method, enableBasicAuth: credentials !== undefined },
    ...pickFields({ endpoint: url, parameters }, ["endpoint", "parameters"]),
    // What another address was sent must not go to this one.
    headers: others.headers ?? (isUsual ? ownHeaders : {}),
    ...(tool !== undefined &&
      method !== "GET" && { bodyTemplate: others.bodyTemplate ?? templateOf(parameters) }),
    ...(credentials !== undefined && {
      basicAuthUsername: credentials.username,
      basicAuthPassword: credentials.password,
    }),
  };
  return { kind: apiToolKind.name, id: slug, fields };
}

export function writeApiTool({ id: slug, fields }: FoundThing, facts: DeploymentFacts): Fields {
  const { endpoint, method, enableBasicAuth, headers, bodyTemplate, parameters, ...others } = fields;
  const tool = toolAt(String(endpoint), facts);
  const path = ["tool", slug];
  const list = parametersSchema().safeParse(parameters).data ?? [];
  const own = list.filter(({ key }) => key !== keyParameter.key);
  const isKeyed = own.length === list.length - 1 && fits(keyParameter, list.at(-1));
  const isPlain = tool !== undefined && own.length === list.length;
  const shown = toReferences(headers, [...path, "headers"], facts.secretNameOf);
  const hasUsualHeaders = tool !== undefined && enableBasicAuth !== true && isUsualHeaders(shown);
  const hasUsualTemplate = tool !== undefined && (method === "GET" || bodyTemplate === templateOf(list));
  return {
    ...{ slug, ...pickFields(others, ["name", "description"]) },
    ...(tool === undefined ? { endpoint } : { tool }),
    ...(method === "POST" ? {} : { method }),
    ...(enableBasicAuth === true && {
      credentials: {
        username: { secret: secretNameAt([...path, "username"]) },
        password: { secret: secretNameAt([...path, "password"]) },
      },
    }),
    ...(hasUsualHeaders || shown === undefined ? {} : { headers: shown }),
    ...withoutEmpty({ parameters: tool !== undefined && isKeyed ? own : list }),
    ...(hasUsualTemplate || bodyTemplate === undefined ? {} : { bodyTemplate }),
    ...(isPlain && { idempotencyKey: false }),
    ...(others.allowAdditionalProperties === true && { allowAdditionalProperties: true }),
    ...pickFields(others, ["icon"]),
  };
}

function withKey(tool: string | undefined, parameters: Parameters = []): Parameters | undefined {
  if (tool === undefined) return parameters;
  return parameters.some(({ key }) => key === keyParameter.key) ? parameters : [...parameters, keyParameter];
}

/** Parameters in quotes: the tool reads a text that does not fit as JSON. */
function templateOf(parameters: Parameters = []): string {
  return JSON.stringify(Object.fromEntries(parameters.map(({ key }) => [key, `{{${key}}}`])));
}

function toolAt(endpoint: string, { webhookUrl }: DeploymentFacts): string | undefined {
  const [, name] = /\/agent-tools\/([\w$-]+)\/[^/]+$/.exec(endpoint) ?? [];
  if (name === undefined || webhookUrl === undefined) return undefined;
  return plainUrlOf(endpoint) === plainUrlOf(agentToolUrlOf(webhookUrl, name)) ? name : undefined;
}

function isUsualHeaders(shown: unknown): boolean {
  return fitsWhole(ownHeaders, shown);
}
