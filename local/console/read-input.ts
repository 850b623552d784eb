import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type * as z from "zod/mini";
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

/** @throws WrongInputError with the message if there is no value */
export function must<Value>(value: Value | undefined, message: string, status: Status = 404): Value {
  if (value === undefined) throw new WrongInputError(message, status);
  return value;
}

/** @throws WrongInputError that names each invalid field */
export async function readInput<Schema extends z.ZodMiniType>(
  context: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const read = schema.safeParse(parseJson(await context.req.text()));
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`);
  throw new WrongInputError(`The request is invalid: ${wrong.join("; ")}.`);
}
