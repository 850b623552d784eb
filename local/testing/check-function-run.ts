import * as z from "zod/mini";
import { lazy } from "../../lib/base/lazy.ts";
import { aFunctionGiven, checkCall } from "../../lib/chat/check-call.ts";
import type { Schema } from "../../lib/chat/schema.ts";
import { appGiven, playedShape } from "./check-story.ts";
import { isJsonBody } from "./json-body.ts";

/** @throws InvalidInputError */
export function checkFunctionGiven(call: string, maker: string, handler: unknown): void {
  const isMade = (value: unknown) =>
    typeof value === "function" && typeof Reflect.get(value, "on") === "function";
  checkCall(call, "handler", z.custom<unknown>(isMade, `what ${maker} made`), handler);
}

/** @param more the options that only this call has @throws InvalidInputError */
export function checkFunctionOptions(
  call: string,
  options: unknown,
  more: Readonly<Record<string, Schema>>,
): void {
  checkCall(call, "options", z.strictObject({ ...functionShape(), ...more }), options);
}

export const aRouteGiven = () =>
  z.string().check(z.regex(/^([A-Z]+ \/\S*|\$default)$/, "a route such as POST /notify/{appId}"));

export const jsonGiven = () => z.custom<unknown>(isJson, "what can be written as JSON");

const texts = () => z.record(z.string(), z.string(), "texts by their names");

export const requestSchema = lazy(() =>
  z.strictObject({
    method: z.optional(z.string().check(z.regex(/^[A-Z]+$/, "a method such as POST"))),
    path: z.custom<unknown>(isPath, "a path such as /notify/app-1"),
    headers: z.optional(texts().check(z.refine(areHeaders, "what can be sent as headers"))),
    query: z.optional(texts()),
    body: z.optional(z.custom<unknown>(isBody, "a text, bytes, or what can be written as JSON")),
  }),
);

const functionShape = lazy(() => ({
  appIds: z.optional(
    z
      .array(z.string().check(z.regex(/^[\w-]+$/, "an app's id")))
      .check(z.refine(areDifferent, "different ids")),
  ),
  secrets: z.optional(texts()),
  app: z.optional(appGiven()),
  answer: z.optional(aFunctionGiven()),
  clock: z.optional(z.date("a valid Date")),
  ...playedShape(),
  deliveries: z.optional(z.int("a whole number").check(z.gte(1))),
  timeoutMs: z.optional(z.int("a whole number").check(z.gte(1))),
}));

function isPath(value: unknown) {
  // A client never sends a # and what follows.
  if (typeof value !== "string" || !/^\/[^#]*$/.test(value)) return false;
  try {
    return decodeURIComponent(new URL(`https://a.example${value}`).pathname) !== "";
  } catch {
    return false;
  }
}

function isBody(value: unknown) {
  if (typeof value === "string" || value instanceof Uint8Array) return true;
  return typeof value === "object" && value !== null && isJsonBody(value);
}

function isJson(value: unknown) {
  return typeof value === "object" && value !== null
    ? isJsonBody(value)
    : JSON.stringify(value) !== undefined;
}

function areHeaders(value: Readonly<Record<string, string>>) {
  try {
    return new Headers(value) !== undefined;
  } catch {
    return false; // a line break, or a character not allowed in headers
  }
}

function areDifferent(values: readonly string[]) {
  return new Set(values).size === values.length;
}
