import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import * as z from "zod/mini";
import english from "zod/v4/locales/en.js";
import { parseJson } from "../../lib/base/json.ts";

type Status = 400 | 404 | 409 | 413 | 502;

export class WrongInputError extends HTTPException {
  override readonly name = "WrongInputError";

  constructor(message: string, status: Status = 400) {
    const headers = { "content-type": "application/json; charset=utf-8" };
    super(status, {
      message,
      res: new Response(JSON.stringify({ error: { message } }), { status, headers }),
    });
  }
}

export function must<Value>(value: Value | undefined, message: string, status: Status = 404): Value {
  if (value === undefined) throw new WrongInputError(message, status);
  return value;
}

export async function readInput<Schema extends z.ZodMiniType>(context: Context, schema: Schema) {
  return read(schema, parseJson(await context.req.text()), "request");
}

export function readFilters<Schema extends z.ZodMiniType>(context: Context, schema: Schema) {
  return read(schema, context.req.query(), "query");
}

const { localeError } = english();

function read<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value, { error: localeError });
  if (success) return data;
  const wrong = error.issues.map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`);
  throw new WrongInputError(`The ${what} is invalid: ${wrong.join("; ")}.`);
}

/** Empty counts as missing. */
export const aText = z.optional(
  z.pipe(
    z.string().check(z.maxLength(1_000)),
    z.transform((text) => (text === "" ? undefined : text)),
  ),
);

export const aCount = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/)),
    z.transform((text) => Number(text)),
  ),
);
