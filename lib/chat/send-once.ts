import { isRecord } from "../base/json.ts";
import { type Answered, noResponse } from "./chat-request.ts";
import { ChatApiError, ChatUnreachableError } from "./errors.ts";
import type { Operation } from "./operation.ts";
import type { MethodArguments, PreparedRequest, SendOptions } from "./prepare-request.ts";
import { readAnswer, readEnvelope } from "./read-answer.ts";
import { schemaOf } from "./schema.ts";
import type { Transport } from "./transport.ts";

interface OnceParts {
  readonly transport: Pick<Transport, "send" | "timing">;
  readonly operation: Operation;
  readonly read: MethodArguments;
  /** Does not repeat a request that may have been executed. */
  readonly send: (options: SendOptions) => Promise<Answered<unknown>>;
}

/** Counted from the first unclear outcome. */
const usualLimitMs = 20_000;
const lookMs = 1_000;
const firstLookAfterMs = 1_000;
const betweenLooksMs = 5_000;
/** @see docs/internals/platform/answers-and-errors.md#lists-by-cursor */
const messagesPerLook = 1_000;
/** The defaults of a platform that ignores what was asked for. */
const defaultPages: readonly unknown[] = [10, 100];
/** By how much this machine's clock may be ahead. */
const skewMs = 600_000;
/** The same for a whole app's list, which a longer span would fill. */
const skewOfAppMs = 60_000;

/**
 * After an unclear outcome, looks for the message by its `muid`, and sends it again only after it was absent
 * for long enough.
 * @throws as `send`; after an unclear outcome the first error, which says whether the message was looked for
 */
export async function sendOnce(parts: OnceParts): Promise<Answered<unknown>> {
  const { transport, read, send } = parts;
  const { options } = read;
  const { request, since = 0 } = lookRequest(read, transport.timing().now()) ?? {};
  if (request === undefined || options.alreadyDone !== undefined) return send(options);
  let first: Unclear | undefined;
  let { deadlineMs } = options;
  let limits: Pick<SendOptions, "deadlineMs"> = {};
  for (;;) {
    try {
      return await send({ ...options, ...limits });
    } catch (error) {
      options.signal?.throwIfAborted();
      const { now, repeats } = transport.timing();
      if (!isUnclear(error)) throw first === undefined ? error : asLookedFor(first);
      first ??= error;
      deadlineMs ??= now() + usualLimitMs;
      limits = { deadlineMs: deadlineMs - lookMs };
      const absentMs = repeats && options.maxTries !== 1 ? absentMsAfter(error) : Infinity;
      const look = await lookFor(parts, request, { since, deadlineMs, untilMs: now() + absentMs });
      if ("data" in look) return look;
      if (!look.isAbsent) throw first;
      if (now() >= deadlineMs - lookMs) throw asLookedFor(first);
    }
  }
}

type Unclear = ChatApiError | ChatUnreachableError;

function isUnclear(error: unknown): error is Unclear {
  return (error instanceof ChatApiError || error instanceof ChatUnreachableError) && error.maybeExecuted;
}

/**
 * How long a message must be absent before it is sent again. Assumes that lists show it at most 5 s late,
 * that a failed request is carried out at most 10 s later, and one that timed out at most 55 s later.
 */
function absentMsAfter(error: Unclear): number {
  const isTimeout = error instanceof ChatApiError ? error.status === 504 : error.reason === "TIMEOUT";
  return isTimeout ? 60_000 : 15_000;
}

/** Proves nothing if the list cannot be read, or may miss messages since the first try. */
async function lookFor(
  { transport, operation, read }: OnceParts,
  request: PreparedRequest,
  {
    since,
    deadlineMs,
    untilMs,
  }: { readonly since: number; readonly deadlineMs: number; readonly untilMs: number },
): Promise<Answered<unknown> | { readonly isAbsent: boolean }> {
  const { now, sleep } = transport.timing();
  const { signal, timeoutMs } = read.options;
  const lastMs = deadlineMs - lookMs;
  for (let waitMs = firstLookAfterMs; ; waitMs = betweenLooksMs) {
    const nextMs = Math.min(now() + waitMs, lastMs, untilMs > now() ? untilMs : Infinity);
    await sleep(Math.max(0, nextMs - now()), signal).finally(() => signal?.throwIfAborted());
    const startedMs = now();
    const sent = await transport
      .send(request, { signal, timeoutMs, deadlineMs, maxTries: 1 })
      .catch(() => signal?.throwIfAborted());
    const { data: list, meta = {} } = sent?.kind === "answer" ? readEnvelope(sent.body) : {};
    const { muid } = Object(read.input);
    const found = Array.isArray(list) ? list.find((item) => isSame(item, read, muid)) : undefined;
    if (found !== undefined) {
      return { data: readAnswer(operation, schemaOf(operation.answer), found), response: noResponse };
    }
    // Lists that leave out a muid cannot show that this one is absent.
    const saysSo =
      Array.isArray(list) &&
      isWhole(list, meta, since) &&
      !list.some((item) => isSame(item, read, undefined));
    if (saysSo && startedMs >= untilMs) return { isAbsent: true };
    if (startedMs >= lastMs) return { isAbsent: saysSo };
  }
}

/** An older message shows that the platform ignores the time. */
function isWhole(list: readonly unknown[], meta: Record<string, unknown>, since: number) {
  const isOlder = (item: unknown) => isRecord(item) && Number(item.sentAt) < since;
  return !isFullPage(list.length, meta) && !list.some(isOlder);
}

/** Whether more than the 1,000 requested messages may exist. */
export function isFullPage(count: number, { current }: Readonly<Record<string, unknown>>): boolean {
  const limit = isRecord(current) ? current.limit : undefined;
  return count >= messagesPerLook || [...defaultPages, limit].includes(count);
}

/** Another user may use the same `muid`. */
function isSame(item: unknown, read: MethodArguments, muid: unknown) {
  const { input } = read;
  if (!isRecord(item) || !isRecord(input) || item.muid !== muid) return false;
  const fits = (shown: unknown, meant: unknown) =>
    String(shown ?? meant).toLowerCase() === String(meant).toLowerCase();
  return fits(item.sender, senderOf(read) ?? item.sender) && fits(item.receiver, input.receiver);
}

/** @returns undefined for the app; a bot's path names the bot */
function senderOf({ path, options }: MethodArguments) {
  return options.onBehalfOf ?? path.map(String)[0];
}

/**
 * Requests the messages of its conversation since a time in unix seconds, which it returns.
 * @returns undefined if it cannot be found by its `muid`
 */
function lookRequest(read: MethodArguments, nowMs: number) {
  const { input } = read;
  if (!isRecord(input) || input.muid === undefined || isToSeveral(read)) return undefined;
  const sender = senderOf(read);
  const isGroup = input.receiverType === "group";
  const to = encodeURIComponent(String(input.receiver));
  const [path, operation, onBehalfOf] = isGroup
    ? [`/groups/${to}/messages`, "user-list-group-messages"]
    : sender === undefined
      ? // What a user's list shows without an acting user is not documented.
        ["/messages", "list-all-messages"]
      : [`/users/${to}/messages`, "user-list-user-messages", sender];
  const since = Math.floor((nowMs - (path === "/messages" ? skewOfAppMs : skewMs)) / 1_000);
  const request: PreparedRequest = {
    operation,
    method: "GET",
    service: "api",
    path: `${path}?affix=prepend&limit=${messagesPerLook}&fromTimestamp=${since}`,
    body: undefined,
    onBehalfOf,
    basicAuth: false,
    rateClass: "standard",
    secrets: [],
    isDocumented: (body) => Array.isArray(readEnvelope(body).data),
  };
  return { request, since };
}

/** Whether the answer's form is not documented (docs/internals/platform/messages.md#many-receivers). */
export function isToSeveral({ input }: MethodArguments): boolean {
  return isRecord(input) && input.multipleReceivers !== undefined;
}

function asLookedFor(error: Unclear): Unclear {
  const more = " It was looked for by its muid and not found; it may still appear.";
  if (error instanceof ChatApiError) return new ChatApiError(error.message + more, error);
  return new ChatUnreachableError(error, more);
}
