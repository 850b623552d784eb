export class AskError extends Error {
  override readonly name = "AskError";
  readonly status: number;
  readonly code: string | undefined;
  /** The platform's messages for single fields. */
  readonly details: readonly string[];

  constructor(message: string, status: number, code?: string, details: readonly string[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const noAnswer = "The local stack does not answer. Is `npm start` still running?";

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

export interface AskOptions {
  readonly method?: "GET" | Method;
  /** Sent as JSON, except form data. */
  readonly body?: unknown;
  readonly onBehalfOf?: string | undefined;
}

/** Does not validate the JSON. @throws AskError with the server's or the platform's message */
export async function ask<Answer>(path: string, options: AskOptions = {}): Promise<Answer> {
  const { method = "GET", body, onBehalfOf } = options;
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    headers: {
      accept: "application/json",
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      ...(onBehalfOf !== undefined && { onBehalfOf }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new AskError(noAnswer, 0);
  });
  const text = await response.text();
  if (!response.ok) throw toError(response.status, text);
  const answer: Answer = parse(text);
  return answer;
}

export function send<Answer>(
  method: Method,
  path: string,
  body?: unknown,
  onBehalfOf?: string,
): Promise<Answer> {
  return ask<Answer>(path, { method, body, onBehalfOf });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toError(status: number, text: string): AskError {
  const { message, code, details } = Object(Object(parse(text)).error);
  const reason = typeof message === "string" ? message : text.slice(0, 200) || `Answered ${status}.`;
  // `{ field: ["text", …] }`
  const texts = Object.values(Object(details)).flat().map(String);
  return new AskError(reason, status, typeof code === "string" ? code : undefined, texts);
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
