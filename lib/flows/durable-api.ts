import * as z from "zod/mini";
import { AwsCallError, type AwsCaller, type RestAddress } from "../aws/aws-call.ts";
import { callLambda } from "../aws/call-lambda.ts";

/** Seconds in Lambda's answers, text in its invocations. */
export const timestamp = /* @__PURE__ */ z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value) => new Date(typeof value === "number" ? value * 1000 : value)),
);

/**
 * @throws AwsCallError
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Operations_AWS_Lambda.html
 */
export type CallDurable = (
  name: string,
  address: DurableAddress,
  input?: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

interface DurableAddress {
  readonly method: RestAddress["method"];
  /** API version. Default: that of durable executions. */
  readonly api?: string;
  readonly parts: readonly string[];
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Unanswered calls are repeated: pass an idempotency token if needed. */
export function createDurableApi(callAws: AwsCaller): CallDurable {
  return (name, { method, api = apiVersion, parts, query }, input) => {
    const path = `/${[api, ...parts].map(escapePart).join("/")}`;
    return callLambda(callAws, name, { method, path, query: toQuery(query) }, input);
  };
}

/** @param ask receives the previous page's marker */
export async function* pagesOf<Page extends { readonly NextMarker?: string | undefined }>(
  schema: z.ZodMiniType<Page>,
  ask: (marker: string | undefined) => Promise<unknown>,
): AsyncGenerator<Page, void, undefined> {
  let next: string | undefined;
  do {
    const page = schema.parse(await ask(next));
    yield page;
    next = page.NextMarker;
  } while (next);
}

/**
 * Completes a callback. Succeeds if it is completed already or its flow has ended. Repeatable.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_SendDurableExecutionCallbackSuccess.html
 */
export async function completeCallback(call: CallDurable, callbackId: string, mayBeNew?: boolean) {
  const address = { method: "POST", parts: ["durable-execution-callbacks", callbackId, "succeed"] } as const;
  try {
    await call("SendDurableExecutionCallbackSuccess", address);
  } catch (error) {
    if (!isOver(error) || (mayBeNew && /^Invalid/.test(error.code))) throw error;
  }
}

export function isOver(error: unknown): error is AwsCallError {
  return error instanceof AwsCallError && overCodes.test(error.code);
}

const overCodes = /^(CallbackTimeout|ResourceNotFound|InvalidParameterValue)Exception$/;

const apiVersion = "2025-12-01";

function escapePart(part: string | number | boolean) {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function toQuery(query: DurableAddress["query"] = {}) {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${escapePart(name)}=${escapePart(value)}`,
  );
  return parts.sort().join("&") || undefined;
}
