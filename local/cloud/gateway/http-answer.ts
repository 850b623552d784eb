import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod/mini";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** UNVERIFIED: the pages name the statuses, not each body. */
export const gatewayMessages = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  413: "Request Entity Too Large",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export function writeGatewayAnswer(status: keyof typeof gatewayMessages): HttpAnswer {
  const body = Buffer.from(JSON.stringify({ message: gatewayMessages[status] }));
  return { status, headers: { "content-type": "application/json" }, cookies: [], body };
}

/**
 * Reads a response of payload format 2.0: an object with `statusCode` is the answer, anything else the body
 * of a 200; an invalid answer a 500.
 * @param returned JSON text
 * @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html#http-api-develop-integrations-lambda.v2
 */
export function readFunctionAnswer(returned: string): HttpAnswer {
  const value: unknown = JSON.parse(returned);
  if (typeof value !== "object" || value === null || !("statusCode" in value)) {
    const text = typeof value === "string" ? value : returned;
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, cookies: [], body: Buffer.from(text) };
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return writeGatewayAnswer(500);
  const { statusCode: status, headers, cookies, body, isBase64Encoded } = parsed.data;
  const named = Object.entries(headers ?? {}).map(([name, text]) => [name.toLowerCase(), text] as const);
  const { "set-cookie": ownCookie, ...others } = Object.fromEntries([
    ["content-type", "text/plain;charset=UTF-8"],
    ...named.filter(([name]) => !gatewayHeaders.has(name)),
  ]);
  return {
    status,
    headers: others,
    // Observed live: the list's come first. https://github.com/ministackorg/ministack/issues/749
    cookies: [...(cookies ?? []), ...(ownCookie === undefined ? [] : [ownCookie])],
    body: Buffer.from(body ?? "", isBase64Encoded === true ? "base64" : "utf8"),
  };
}

/** UNVERIFIED: the pages name none of them for answers. */
const gatewayHeaders = new Set(
  "apigw-requestid connection content-length date keep-alive trailer transfer-encoding upgrade".split(" "),
);

/** UNVERIFIED: strings, numbers and booleans that HTTP allows as a header's value. */
const headerValue = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value) => String(value)),
);
const isValidHeader = (name: string, value: string) => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

const answerSchema = z.object({
  /** UNVERIFIED: a text of digits is valid; a status below 200, which ends no answer, is not. */
  statusCode: z.pipe(
    z.pipe(z.union([z.number(), z.string()]), z.transform(Number)),
    z.int().check(z.gte(200), z.lte(599)),
  ),
  headers: z.nullish(
    z
      .record(z.string(), headerValue)
      .check(z.refine((all) => Object.entries(all).every(([name, value]) => isValidHeader(name, value)))),
  ),
  cookies: z.nullish(
    z.array(headerValue).check(z.refine((all) => all.every((one) => isValidHeader("set-cookie", one)))),
  ),
  body: z.nullish(z.string()),
  isBase64Encoded: z.optional(z.unknown()),
});
