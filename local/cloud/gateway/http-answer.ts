import { validateHeaderName, validateHeaderValue } from "node:http";

/** The answer of the gateway to its client. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** The gateway's own messages by status. UNVERIFIED: the pages name the statuses, not each body. */
export const gatewayMessages = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  413: "Request Entity Too Large",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export function writeGatewayAnswer(status: keyof typeof gatewayMessages): HttpAnswer {
  const body = Buffer.from(JSON.stringify({ message: gatewayMessages[status] }));
  return { status, headers: { "content-type": "application/json" }, cookies: [], body };
}

/**
 * Converts the result of a function as payload format 2.0 does: an object with `statusCode` is the answer, anything else is
 * the body of a 200. An invalid answer becomes a 500.
 * @param returned the function's result as JSON text
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html#http-api-develop-integrations-lambda.v2
 */
export function readFunctionAnswer(returned: string): HttpAnswer {
  const value: unknown = JSON.parse(returned);
  if (typeof value !== "object" || value === null || !("statusCode" in value)) {
    const text = typeof value === "string" ? value : returned;
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, cookies: [], body: Buffer.from(text) };
  }
  const status = readStatus(value.statusCode);
  const body = "body" in value ? (value.body ?? "") : "";
  const headers = readAnswerHeaders("headers" in value ? (value.headers ?? {}) : {});
  const cookies = readSetCookies("cookies" in value ? (value.cookies ?? []) : []);
  if (status === undefined || typeof body !== "string" || headers === undefined || cookies === undefined) {
    return writeGatewayAnswer(500);
  }
  const isBase64 = "isBase64Encoded" in value && value.isBase64Encoded === true;
  const { "set-cookie": ownCookie, ...others } = headers;
  return {
    status,
    headers: others,
    // Observed on the live service: those of the list come first. https://github.com/ministackorg/ministack/issues/749
    cookies: ownCookie === undefined ? cookies : [...cookies, ownCookie],
    body: Buffer.from(body, isBase64 ? "base64" : "utf8"),
  };
}

/** UNVERIFIED: a text of digits is a valid status; a status below 200, which ends no answer, is not. */
function readStatus(given: unknown): number | undefined {
  const status = typeof given === "number" || typeof given === "string" ? Number(given) : Number.NaN;
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : undefined;
}

/** Headers that the gateway sets and a function cannot. UNVERIFIED: the pages name none of them for answers. */
const gatewayHeaders = new Set(
  "apigw-requestid connection content-length date keep-alive trailer transfer-encoding upgrade".split(" "),
);

/** Returns undefined for headers that HTTP does not allow, or that are no strings, numbers or booleans. UNVERIFIED. */
function readAnswerHeaders(given: unknown): Record<string, string> | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const headers = new Map([["content-type", "text/plain;charset=UTF-8"]]);
  for (const [name, value] of Object.entries(given)) {
    const text = toHeaderText(name, value);
    if (text === undefined) return undefined;
    if (!gatewayHeaders.has(name.toLowerCase())) headers.set(name.toLowerCase(), text);
  }
  return Object.fromEntries(headers);
}

function readSetCookies(given: unknown): string[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const cookies = given.map((cookie) => toHeaderText("set-cookie", cookie));
  return cookies.every((cookie) => cookie !== undefined) ? cookies : undefined;
}

function toHeaderText(name: string, value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    return String(value);
  } catch {
    return undefined;
  }
}
