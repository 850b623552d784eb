import * as z from "zod/mini";
import { sha256Hex } from "../../base/digest.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { hideSecrets } from "../../base/known-secrets.ts";
import { lazy } from "../../base/lazy.ts";
import { checkInput } from "../../chat/check-input.ts";
import { readRetryAfterMs } from "../../chat/retry.ts";
import { pathOf, type Schema } from "../../chat/schema.ts";
import { joinFields } from "../../events/identity.ts";
import type { Effect, EffectTools } from "../effect.ts";
import {
  AnswerNotUnderstoodError,
  RequestFailedError,
  RequestNotAllowedError,
  RequestRefusedError,
} from "../effect-errors.ts";
import type { OutsideAnswer, OutsideRequest } from "./outside.ts";
import { type OutsideRequestOptions, prepareOutsideRequest, readTarget } from "./prepare-outside-request.ts";

/** A request to a host other than the platform. */
export interface HttpRequest<Body = undefined> extends OutsideRequestOptions {
  /** Limits connecting, sending and the whole response, in milliseconds, up to 25,000. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Parses the response body: JSON, or text if not JSON. Default: not read. */
  readonly answer?: Schema<Body> | undefined;
  /** The result for a handler in shadow. Default: the handler ends here. */
  readonly inShadow?: HttpAnswer<Body> | undefined;
}

/** A host's response to a request that it carried out. */
export interface HttpAnswer<Body = undefined> {
  readonly status: number;
  /** Parsed by the schema; undefined without one. */
  readonly body: Body;
}

/**
 * Sends an HTTPS request to another host and returns its answer. At least once: not repeated after 2xx; after
 * no answer or a 5xx repeated with the same `Idempotency-Key`, so a host that supports it acts once. The body
 * must depend on the event alone. Only hosts of config/requests.yml, at public addresses; no redirects; at
 * most 256 kB of answer.
 * @throws InvalidInputError for wrong or unknown options; when performed, RequestNotAllowedError,
 * RequestRefusedError (other 3xx and 4xx) and AnswerNotUnderstoodError, which are final, and
 * RequestFailedError for what may pass: no answer, 307, 308, 401, 403, 407, 408, 425, 429, 5xx, and 409 after
 * an unclear attempt
 */
export function request<Body = undefined>(options: HttpRequest<Body>): Effect<HttpAnswer<Body>> {
  checkInput("request", requestSchema(), options, "options");
  return {
    kind: "http-request",
    ...(options.inShadow !== undefined && { inShadow: options.inShadow }),
    stepsWith: (tools, ofEffect) => {
      const { method, timeoutMs = 10_000, answer: schema } = options;
      if (!(timeoutMs > 0 && timeoutMs <= mostTimeoutMs))
        throw new RequestNotAllowedError("timeoutMs must be above 0 and at most 25,000.");
      const url = readTarget(options.url, tools.outside.rules);
      const target = `${method} ${url.host}`;
      const wantsBody = schema !== undefined;
      const ready = lazy(async () => {
        const prepared = await prepareOutsideRequest(options, { url, wantsBody }, tools.secret);
        // Secrets are not known before they are read.
        readTarget(options.url, tools.outside.rules);
        const key = sha256Hex(joinFields(["request", ofEffect])).slice(0, 32);
        return { ...prepared, headers: { ...prepared.headers, "idempotency-key": key } };
      });
      return {
        prepare: async () => {
          await ready();
          return undefined;
        },
        act: async (isAgain) => keep(await ask(await ready(), { timeoutMs, isAgain }, tools), wantsBody),
        read: (kept) => readKept(kept, target, schema),
      };
    },
  };
}

const requestSchema = lazy(() =>
  z.strictObject({
    url: z.string(),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    headers: z.optional(z.looseObject({})),
    body: z.optional(z.unknown()),
    timeoutMs: z.optional(z.number()),
    answer: z.optional(z.custom((value) => isRecord(value) && "_zod" in value, "a schema of zod")),
    inShadow: z.optional(z.looseObject({})),
  }),
);

/** An attempt has 28 s, including recording the result. */
const mostTimeoutMs = 25_000;

/** Not final, and not carried out: an operator can fix credentials and an address that moved. */
const passing: readonly number[] = [307, 308, 401, 403, 407, 408, 425, 429];
/**
 * A host may still be handling the key's first request, which after an unclear attempt may be ours.
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header
 */
const conflict = 409;

async function ask(
  ready: OutsideRequest,
  { timeoutMs, isAgain }: { readonly timeoutMs: number; readonly isAgain: boolean },
  { outside, limits, now }: EffectTools,
): Promise<OutsideAnswer> {
  const { method, url } = ready;
  const target = `${method} ${url.host}`;
  return outside.watch(url.host, method, async ({ deadlineMs }) => {
    const limitMs = Math.min(timeoutMs, deadlineMs - now());
    if (limitMs <= 0) throw new RequestFailedError(target, { reason: "TIMEOUT", maybeExecuted: false });
    const answer = await outside.send(ready, { timeoutMs: limitMs, signal: limits.signal });
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    const isStillAtIt = isAgain && status === conflict;
    const isPassing = passing.includes(status) || (status < 400 && method === "GET");
    if (status >= 300 && status < 500 && !isPassing && !isStillAtIt)
      throw new RequestRefusedError(target, status);
    throw new RequestFailedError(target, {
      reason: `status ${status}`,
      status,
      maybeExecuted: status >= 500 || isStillAtIt,
      retryAfterMs: readRetryAfterMs(answer, now()),
    });
  });
}

/** Has the raw body without secrets: a wrong schema can be corrected. */
interface Kept {
  readonly status: number;
  readonly body?: unknown;
  readonly isUnreadable?: true;
}

const mostKept = 290_000;

function keep({ status, text }: OutsideAnswer, wantsBody: boolean): Kept {
  if (!wantsBody) return { status };
  if (text === undefined) return { status, isUnreadable: true };
  const body = withoutSecrets(text);
  if (body === undefined) return { status, isUnreadable: true };
  const kept = { status, body };
  return Buffer.byteLength(JSON.stringify(kept)) > mostKept ? { status, isUnreadable: true } : kept;
}

/**
 * Returns undefined for JSON nested too deeply to serialize. Searches the canonical form, because JSON can
 * write a text in several ways (`\/` for `/`).
 */
function withoutSecrets(text: string): unknown {
  const parsed = parseJson(text);
  if (parsed === undefined) return hideSecrets(text);
  try {
    const clean = hideSecrets(JSON.stringify(parsed));
    const read = parseJson(clean);
    return read === undefined ? clean : read;
  } catch {
    return undefined;
  }
}

function readKept<Body>(kept: unknown, target: string, schema: Schema<Body> | undefined): HttpAnswer<Body>;
function readKept(kept: unknown, target: string, schema: Schema | undefined): HttpAnswer<unknown> {
  const { status: known, body, isUnreadable } = isRecord(kept) ? kept : {};
  const status = typeof known === "number" ? known : 0;
  if (schema === undefined) return { status, body: undefined };
  if (isUnreadable === true)
    throw new AnswerNotUnderstoodError(target, status, "is packed, nested too deeply, or larger than 256 kB");
  const read = z.safeParse(schema, body);
  if (read.success) return { status, body: read.data };
  const path = pathOf(read.error);
  throw new AnswerNotUnderstoodError(
    target,
    status,
    `does not fit the schema${path === "" ? "" : ` at "${path.slice(0, 100)}"`}`,
  );
}
