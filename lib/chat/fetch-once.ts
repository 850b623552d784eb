import { isRecord, parseJson } from "../base/json.ts";
import { redact } from "../base/known-secrets.ts";
import { isError } from "../base/realm.ts";
import type { UnreachablePhase } from "./errors.ts";
import { refusalIn } from "./judge-answer.ts";
import type { AnswerHeaders, Fetch } from "./lean-fetch.ts";
import type { PreparedRequest, SendOptions } from "./prepare-request.ts";

export type Answer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly body: unknown;
    }
  | { readonly kind: "silence"; readonly phase: UnreachablePhase; readonly reason: string };

/**
 * Network failures are values: fetch's errors may quote URL and headers. Follows no redirects, which would
 * send the key elsewhere.
 * @throws the signal's reason if the caller aborts
 */
export async function fetchOnce(options: {
  readonly fetch: Fetch;
  readonly url: string;
  readonly request: PreparedRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}): Promise<Answer> {
  const { fetch, url, request, headers, timeoutMs, signal } = options;
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  let phase: UnreachablePhase = "answer";
  try {
    const [body, type] = await toBytes(request.body);
    const response = await fetch(url, {
      method: request.method,
      headers: {
        accept: "application/json",
        ...(type && { "content-type": type }),
        ...(request.onBehalfOf !== undefined && { onBehalfOf: request.onBehalfOf }),
        ...headers,
      },
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    phase = "body";
    const text = await response.text();
    const answered = parseJson(text);
    // Some operations of the Campaigns API answer 202 or 204 without a body.
    if (response.ok && answered === undefined && text !== "")
      return { kind: "silence", phase, reason: "UNREADABLE" };
    return { kind: "answer", status: response.status, headers: response.headers, body: answered };
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) return { kind: "silence", phase, reason: "TIMEOUT" };
    const { code, syscall } = socketFacts(error);
    return { kind: "silence", phase: isConnectFailure(code, syscall) ? "connect" : phase, reason: code };
  }
}

/** A custom `fetch` does not recognize Node's FormData. */
async function toBytes(body: string | FormData | undefined) {
  if (typeof body !== "object") return [body ?? null, body && "application/json"] as const;
  const form = new Response(body);
  return [await form.arrayBuffer(), form.headers.get("content-type")] as const;
}

/** Detects a refusal by its status, or in the body of a 2xx. */
export function isNo({ status, body }: Extract<Answer, { kind: "answer" }>): boolean {
  return status < 200 || status >= 300 || refusalIn(body) !== undefined;
}

export function codeOf(answer: Extract<Answer, { kind: "answer" }>): string | undefined {
  const code = errorOf(answer.body)?.code;
  return typeof code === "string" && /^[A-Z][A-Z_0-9]{2,79}$/.test(code) && redact(code, []) === code
    ? code
    : undefined;
}

/** Omits credentials. */
export function messageFor(
  request: PreparedRequest,
  answer: Extract<Answer, { kind: "answer" }>,
  secrets: Iterable<string>,
): string {
  const code = codeOf(answer);
  const message = (errorOf(answer.body) ?? refusalIn(answer.body))?.message;
  const text = typeof message === "string" ? `: ${redact(message, secrets).slice(0, 300)}` : "";
  const what = `${request.operation} was refused with ${answer.status}${code === undefined ? "" : ` ${code}`}`;
  return `${what}${text}${hintFor(answer.status, code)}`;
}

function hintFor(status: number, code: string | undefined): string {
  if (code === "AUTH_ERR_NO_ACCESS") {
    return " (it needs a key of scope fullAccess, REST API Key in the dashboard: an authOnly key may only create users and auth tokens)";
  }
  if (status === 401 || code === "AUTH_ERR_INVALID_APPID")
    return " (check the API key, the app id and the region: a key belongs to one app in one region)";
  if (status >= 300 && status < 400) return " (redirects are not followed: check the base URL template)";
  return "";
}

function errorOf(body: unknown): Record<string, unknown> | undefined {
  const error = refusalIn(body)?.error;
  return isRecord(error) ? error : undefined;
}

export function socketFacts(error: unknown): { code: string; syscall: unknown } {
  const cause = isError(error) ? error.cause : undefined;
  for (const source of [cause, error]) {
    if (isRecord(source) && typeof source.code === "string") {
      // All of several addresses failed to connect.
      const syscall = Array.isArray(source.errors) ? "connect" : source.syscall;
      return { code: source.code, syscall };
    }
  }
  return { code: "NETWORK", syscall: undefined };
}

/** True also for failures before sending, such as TLS checks. */
function isConnectFailure(code: string, syscall: unknown) {
  return (
    syscall === "connect" ||
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(
      code,
    )
  );
}

export interface Try {
  readonly request: PreparedRequest;
  readonly url: string;
  readonly send: SendOptions;
  /** Begins at 1. */
  readonly count: number;
  readonly secrets: Set<string>;
  /** Returns the limit of a step that begins now, in milliseconds. */
  readonly limitMs: () => number;
}

export type AroundTry = (
  one: Try,
  go: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;
