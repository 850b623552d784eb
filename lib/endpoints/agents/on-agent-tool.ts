import type { output } from "zod/mini";
import * as z from "zod/mini";
import { isRecord, parseJson } from "../../base/json.ts";
import type { JsonValue } from "../../base/json-value.ts";
import { aFunctionGiven, anObjectWith, checkCall } from "../../chat/check-call.ts";
import { digestOf } from "../../events/canonical-text.ts";
import { joinFields } from "../../events/identity.ts";
import { hasDuplicateNames } from "../own/jwt/token-form.ts";
import { type HttpFunction, onRequest } from "../own/on-request.ts";
import { invalidBody, RefusedRequestError } from "../own/refusal.ts";
import type { Auth, OwnContext, RequestContext } from "../own/request-definition.ts";
import { agentCaller } from "./agent-caller.ts";

/** One call of a tool. */
export interface AgentToolCall<Input> extends OwnContext {
  /** The parameters, parsed by the schema. */
  readonly input: Input;
}

/**
 * Returns the JSON that the model reads, or refuses by throwing a RefusedRequestError, whose text it reads.
 */
export type AgentToolHandler<Input> = (
  call: AgentToolCall<Input>,
) => Promise<JsonValue | undefined> | JsonValue | undefined;

/**
 * Creates a deployed function from the handler of an API tool that an agent calls, with credentials of the
 * app's secret (docs/functions.md#ai-agents). Needs routes in serverless.yml,
 * `POST /agent-tools/<name>/{appId}` or `GET`. The parameters come in the query or as the JSON of a body
 * template. Errors are constant texts. Calls are made at least once; `effectsOf(call)` does each effect once
 * for calls with the same parameters and the same `idempotencyKey` (a parameter, or the header
 * `Idempotency-Key`).
 * @param name as the agent knows it: part of what effects are remembered by
 * @param schema of the parameters, without `idempotencyKey`
 * @throws InvalidInputError if an argument is missing or wrong
 * @example export const handler = onAgentTool("order-status", z.object({ order: z.int() }), ({ input }) => …)
 */
export function onAgentTool<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
  handler: AgentToolHandler<output<Schema>>,
): HttpFunction {
  checkCall("onAgentTool", "name", z.string().check(z.regex(/^[\w$-]{1,100}$/)), name);
  checkCall("onAgentTool", "schema", anObjectWith("a schema of zod", "safeParse"), schema);
  checkCall("onAgentTool", "handler", aFunctionGiven(), handler);
  const answer = ({ body = {}, query, run, ...context }: RequestContext<Body | undefined, undefined>) => {
    const given = Object.entries({ ...query, ...body }).filter(([, value]) => value !== null);
    const { idempotencyKey, ...parameters } = Object.fromEntries(given);
    const key = readKey(idempotencyKey) ?? run.key;
    const { input, read } = readInput(schema, parameters);
    // Models reuse keys for other parameters.
    const digest = digestOf(comparable(input, read));
    const ofCall = { ...run, source: `agent tool ${name}`, key: joinFields([key, digest]) };
    return handler({ ...context, run: ofCall, input });
  };
  return onRequest({ auth: toolCaller, body: z.optional(bodySchema) }, answer);
}

const bodySchema = /* @__PURE__ */ z.record(z.string(), z.unknown());

type Body = z.infer<typeof bodySchema>;

/** No parameter may come twice: a value filled in without JSON's escapes can add some. */
const toolCaller: Auth<undefined> = {
  identify: async (request, tools) => {
    await agentCaller.identify(request, tools);
    const text = request.body.toString("utf8");
    if (text !== "" && parseJson(text) === undefined) throw invalidBody();
    if (hasDuplicateNames(text)) throw unfitParameters();
    return undefined;
  },
};

/**
 * Omits the schema's defaults, which may vary. What is not JSON, or built of a single value, counts as it
 * came.
 */
function comparable(made: unknown, came: unknown): unknown {
  if (made === came || made === undefined || made === null) return came;
  if (Array.isArray(made) && Array.isArray(came) && made.length === came.length) {
    return made.map((item, index) => comparable(item, came[index]));
  }
  if (!isPlain(made) || !isRecord(came)) return typeof made === "object" || !isJson(made) ? came : made;
  const names = Object.keys(came).filter((name) => Object.hasOwn(made, name));
  // Renamed fields are not left out.
  const isMade = Object.keys(made).every((name) => Object.hasOwn(came, name));
  const others = isMade ? {} : came;
  return {
    ...others,
    ...Object.fromEntries(names.map((name) => [name, comparable(made[name], came[name])])),
  };
}

function isPlain(value: unknown): value is Body {
  return isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function isJson(value: unknown) {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** Returns undefined for other values and for unfilled placeholders. */
function readKey(value: unknown) {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" && !value.includes("{{") ? value : undefined;
}

/**
 * A query and a quoted template have only texts. A text that does not fit is missing if nothing filled it in,
 * else read as JSON.
 */
function readInput<Schema extends z.ZodMiniType>(schema: Schema, parameters: Body) {
  const first = schema.safeParse(parameters);
  if (first.success) return { input: first.data, read: parameters };
  const read = { ...parameters };
  for (const { path } of first.error.issues) {
    const name = String(path[0]);
    const text = parameters[name];
    if (typeof text !== "string") continue;
    if (/^(\{\{[^{}]*\}\})?$/.test(text)) delete read[name];
    else read[name] = parseJson(text) ?? text;
  }
  const second = schema.safeParse(read);
  if (second.success) return { input: second.data, read };
  throw unfitParameters();
}

function unfitParameters(): RefusedRequestError {
  return new RefusedRequestError(
    400,
    "parameters_invalid",
    "The parameters are not what this tool takes. Check their names and types, and call it again.",
  );
}
