/** The message is for the user. */
export class AskError extends Error {
  override readonly name = "AskError";
  readonly status: number;
  readonly code: string | undefined;
  /** The platform's messages for single fields, by field name. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    message: string,
    status: number,
    code?: string,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export interface AskOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON, except form data. */
  readonly body?: unknown;
  readonly onBehalfOf?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal;
}

/**
 * @returns the answer's JSON, not validated
 * @throws AskError with the server's or the platform's message
 */
export async function ask<Answer>(path: string, options: AskOptions = {}): Promise<Answer> {
  const { method = "GET", body, onBehalfOf, headers, signal } = options;
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    headers: {
      accept: "application/json",
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      ...(onBehalfOf !== undefined && { onBehalfOf }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new AskError("The local stack does not answer. Is `npm start` still running?", 0);
  });
  const text = await response.text();
  if (!response.ok) throw toError(response.status, parse(text), text);
  const answer: Answer = parse(text);
  return answer;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toError(status: number, answer: unknown, text: string): AskError {
  const error = isObject(answer) && isObject(answer.error) ? answer.error : {};
  const { message, code, details } = error;
  const told = typeof message === "string" ? message : text.slice(0, 200) || `Answered ${status}.`;
  return new AskError(told, status, typeof code === "string" ? code : undefined, readDetails(details));
}

// `{ field: ["text", …] }`
function readDetails(details: unknown): Record<string, string> {
  if (!isObject(details)) return {};
  return Object.fromEntries(
    Object.entries(details).map(([field, texts]) => [
      field,
      Array.isArray(texts) ? texts.join(" ") : String(texts),
    ]),
  );
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
