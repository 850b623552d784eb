/** What the gateway sends to its client. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** What the gateway says itself, by status. UNVERIFIED: the pages name the statuses, not each body. */
export const gatewayMessages = {
  404: "Not Found",
  413: "Request Entity Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export function writeGatewayAnswer(status: keyof typeof gatewayMessages): HttpAnswer {
  const body = Buffer.from(JSON.stringify({ message: gatewayMessages[status] }));
  return { status, headers: { "content-type": "application/json" }, cookies: [], body };
}

/**
 * Reads what a function returned as payload format 2.0 does: an object with `statusCode` is the answer, anything else
 * is the body of a 200. What cannot be an answer is answered 500.
 * @param returned the function's answer as JSON text
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html#http-api-develop-integrations-lambda.v2
 */
export function readFunctionAnswer(returned: string): HttpAnswer {
  const value: unknown = JSON.parse(returned);
  if (typeof value !== "object" || value === null || !("statusCode" in value)) {
    const text = typeof value === "string" ? value : returned;
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, cookies: [], body: Buffer.from(text) };
  }
  const status = Number(value.statusCode);
  const body = "body" in value ? (value.body ?? "") : "";
  const given = "headers" in value ? (value.headers ?? {}) : {};
  const cookies = "cookies" in value ? (value.cookies ?? []) : [];
  const isValid =
    Number.isInteger(status) &&
    status >= 100 &&
    status <= 599 &&
    typeof body === "string" &&
    typeof given === "object" &&
    Array.isArray(cookies);
  if (!isValid) return writeGatewayAnswer(500);
  const isBase64 = "isBase64Encoded" in value && value.isBase64Encoded === true;
  return {
    status,
    headers: readHeaders(given),
    cookies: cookies.map(String),
    body: Buffer.from(body, isBase64 ? "base64" : "utf8"),
  };
}

function readHeaders(given: object): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "text/plain;charset=UTF-8" };
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = String(value);
  return headers;
}
