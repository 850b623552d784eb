import * as z from "zod/mini";
import { isRecord, parseJson } from "../../base/json.ts";
import { lazy } from "../../base/lazy.ts";
import {
  createAddress,
  defaultBaseUrlTemplate,
  fillTemplate,
  type Region,
  readRegion,
} from "../../chat/address.ts";
import { aFunctionGiven, checkCall } from "../../chat/check-call.ts";
import { isSource } from "../../chat/client-options.ts";
import type { ApiKeySource } from "../../chat/compose.ts";
import { timeLimit } from "../../chat/fields.ts";
import { AttachmentError, type FileAnswer } from "./attachment-error.ts";

/** Options of `createAttachments`: those of the app's client. */
export interface AttachmentsOptions {
  readonly appId: string;
  /** Default: us. */
  readonly region?: Region | undefined;
  readonly apiKey: string | ApiKeySource;
  /** As of the client. Default: the platform's. */
  readonly baseUrlTemplate?: string | undefined;
  /** Further hosts of files, such as `cdn.example.com`: https and public addresses only. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** For the platform's addresses. Default: the global fetch. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Limits of one file. */
export interface OpenAttachmentOptions {
  /** Default: 25 MB. The platform takes up to 100 MB a message. */
  readonly maxBytes?: number | undefined;
  /** Such as `image/png` or `image/*`; the server's answer must have one of them. Default: any. */
  readonly types?: readonly string[] | undefined;
  /** For everything, the reading included, in milliseconds. Default: 60_000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file that is being read. */
export interface OpenedAttachment {
  /** Read or cancel it. Errors with an AttachmentError beyond `maxBytes`, and if it is cut or too slow. */
  readonly body: ReadableStream<Uint8Array>;
  /** As the server says, in lower case and without parameters. */
  readonly type: string;
  /** Bytes; undefined if the server does not say. */
  readonly size: number | undefined;
}

/** Files of messages. */
export interface Attachments {
  /**
   * Opens the file of an attachment. The API key goes to the platform's `files-<region>` host only, and
   * redirects are followed among the platform's hosts only. May be repeated.
   * @throws AttachmentError
   */
  open(
    attachment: { readonly url?: string | undefined },
    options?: OpenAttachmentOptions,
  ): Promise<OpenedAttachment>;
}

interface Limits {
  readonly until: AbortSignal;
  readonly signal: AbortSignal | undefined;
}

/**
 * Creates what opens the files of an app's messages: with signed addresses, which expire, and with those that
 * need the app's key.
 * @throws InvalidInputError for an invalid option
 * @see docs/internals/platform/messages.md#media
 * @example const { body } = await attachments.open(message.data.attachments[0], { types: ["image/*"] });
 */
export function createAttachments(options: AttachmentsOptions): Attachments {
  checkCall("createAttachments", "options", optionsSchema(), options);
  const { hosts = [], apiKey } = options;
  const { fetch = (url, init) => globalThis.fetch(url, init) } = options;
  const bases = basesOf(options);
  const isBelow = (url: URL, base: URL) =>
    url.origin === base.origin && url.pathname.startsWith(base.pathname);
  const isPlatforms = (url: URL) => isBelow(url, bases.files) || isBelow(url, bases.media);
  const keyOf = async (isAgain: boolean) => {
    if (typeof apiKey === "string") return apiKey;
    return isAgain ? await apiKey.refresh() : await apiKey.get();
  };

  async function get(
    url: URL,
    limits: Limits,
    own: Readonly<Record<string, string>> = {},
  ): Promise<FileAnswer> {
    const headers = { "accept-encoding": "identity", ...own };
    const init = { headers, redirect: "manual", signal: limits.until } as const;
    try {
      if (isPlatforms(url)) return await fetch(url.href, init);
      const { getOutside } = await import("./get-outside.ts");
      return await getOutside(url, limits.until);
    } catch (error) {
      throw troubleOf(error, limits);
    }
  }

  /** With the key, the platform answers another address, which holds a token. */
  async function exchange(url: URL, limits: Limits): Promise<URL> {
    const ask = async (isAgain: boolean) =>
      await get(url, limits, { appId: options.appId, apiKey: await keyOf(isAgain) });
    let answer = await ask(false);
    if (answer.status === 401 && typeof apiKey !== "string") {
      await answer.body?.cancel();
      answer = await ask(true);
    }
    if (isRedirect(answer)) return await nextOf(answer, url);
    if (answer.status !== 200) throw await refusalOf(answer, url);
    const text = await readStart(answer, limits);
    const body = parseJson(text);
    const found = isRecord(body) && isRecord(body.data) ? body.data.url : undefined;
    if (typeof found !== "string")
      throw new AttachmentError("REFUSED", "its host named no address of it", 200);
    return platformsOnly(URL.parse(found));
  }

  async function nextOf(answer: FileAnswer, from: URL): Promise<URL> {
    await answer.body?.cancel();
    return platformsOnly(URL.parse(answer.headers.get("location") ?? "", from.href));
  }

  function platformsOnly(url: URL | null): URL {
    if (url !== null && isPlatforms(url)) return url;
    throw notAllowed("the platform's answer leads to another host");
  }

  async function open(attachment: { readonly url?: string | undefined }, given: OpenAttachmentOptions = {}) {
    checkCall("attachments.open", "attachment", attachmentSchema(), attachment);
    checkCall("attachments.open", "options", openSchema(), given);
    const { maxBytes = 25_000_000, types, timeoutMs = 60_000, signal } = given;
    const until = AbortSignal.any([AbortSignal.timeout(Math.ceil(timeoutMs)), ...(signal ? [signal] : [])]);
    const limits = { until, signal };
    let url = URL.parse(attachment.url ?? "");
    if (url === null || !(isPlatforms(url) || isAllowed(url, hosts))) {
      throw notAllowed("its address is neither the platform's nor of an allowed host");
    }
    if (isBelow(url, bases.files) && !url.searchParams.has("fat")) url = await exchange(url, limits);
    let answer = await get(url, limits);
    for (let hops = 0; isRedirect(answer) && hops < mostHops; hops += 1) {
      url = await nextOf(answer, url);
      answer = await get(url, limits);
    }
    if (answer.status !== 200 || answer.body === null) throw await refusalOf(answer, url);
    return await limited(answer.headers, answer.body, { maxBytes, types, limits });
  }

  return { open };
}

const mostHops = 3;

/** The platform's hosts hold the app in the path; another template holds it where the client's has it. */
function basesOf(options: AttachmentsOptions) {
  const { appId, baseUrlTemplate = defaultBaseUrlTemplate } = options;
  const region = readRegion(options.region);
  createAddress({ appId, region, baseUrlTemplate });
  const baseOf = (service: "files" | "media") => {
    if (baseUrlTemplate === defaultBaseUrlTemplate) {
      return new URL(`https://${service}-${region}.cometchat.io/${appId}/`);
    }
    const filled = fillTemplate(baseUrlTemplate, { appId, service, region });
    return new URL(`${filled.replace(/\/v3\/?$/, "")}/`);
  };
  return { files: baseOf("files"), media: baseOf("media") };
}

function isAllowed(url: URL, hosts: readonly string[]): boolean {
  return url.protocol === "https:" && url.username === "" && url.password === "" && hosts.includes(url.host);
}

function isRedirect({ status }: FileAnswer): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The server's word counts, not the message's: its sender wrote that. */
async function limited(
  headers: FileAnswer["headers"],
  body: ReadableStream<Uint8Array>,
  {
    maxBytes,
    types,
    limits,
  }: {
    readonly maxBytes: number;
    readonly types: readonly string[] | undefined;
    readonly limits: Limits;
  },
): Promise<OpenedAttachment> {
  const type = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const length = headers.get("content-length");
  const size = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  const fits = (wanted: string) =>
    wanted === "*/*" ||
    (wanted.endsWith("/*")
      ? type.startsWith(wanted.slice(0, -1).toLowerCase())
      : type === wanted.toLowerCase());
  if (types !== undefined && !types.some(fits)) {
    await body.cancel();
    throw new AttachmentError("WRONG_TYPE", "its type is none of those that the caller takes");
  }
  const tooLarge = () => new AttachmentError("TOO_LARGE", `it has more than ${maxBytes} bytes`);
  if ((size ?? 0) > maxBytes) {
    await body.cancel();
    throw tooLarge();
  }
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
  const { readable, writable } = counting;
  body
    .pipeTo(writable, { signal: limits.until, preventAbort: true })
    .catch((error: unknown) => writable.abort(troubleOf(error, limits)))
    .catch(() => undefined);
  return { body: readable, type, size };
}

/** The caller's reason if it stopped. Otherwise without the cause, which may quote the address or the key. */
function troubleOf(error: unknown, { signal }: Limits): unknown {
  if (error instanceof AttachmentError) return error;
  if (signal?.aborted) return signal.reason;
  return new AttachmentError("UNREACHABLE", "its host did not answer, or not to the end");
}

async function refusalOf(answer: FileAnswer, url: URL): Promise<AttachmentError> {
  await answer.body?.cancel();
  const { status } = answer;
  const expiresMs = Number(url.searchParams.get("Expires") || Number.NaN) * 1_000;
  // By the clock of the host that decided; ours may differ.
  const decidedMs = Date.parse(answer.headers.get("date") ?? "") || Date.now();
  if (status === 403 && expiresMs <= decidedMs) {
    return new AttachmentError(
      "EXPIRED",
      "its signed address has expired; keep the file, not the address",
      status,
    );
  }
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  return isRefusal
    ? new AttachmentError("REFUSED", `its host answered ${status}`, status)
    : new AttachmentError("UNREACHABLE", `its host answered ${status}`, status);
}

/** At most 64 kB: an address and a token. */
async function readStart({ body }: FileAnswer, limits: Limits): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > 65_536) break;
    }
    return text;
  } catch (error) {
    throw troubleOf(error, limits);
  }
}

function notAllowed(why: string): AttachmentError {
  return new AttachmentError("NOT_ALLOWED", why);
}

const optionsSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    appId: z.string(),
    region: z.optional(z.string()),
    apiKey: z.union([z.string(), z.custom(isSource)]),
    baseUrlTemplate: z.optional(z.string()),
    hosts: z.optional(z.array(z.string())),
    fetch: z.optional(aFunctionGiven()),
  }),
);

const attachmentSchema = /* @__PURE__ */ lazy(() => z.looseObject({ url: z.optional(z.string()) }));

const openSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    maxBytes: z.optional(z.number().check(z.refine((bytes) => bytes > 0, "above 0"))),
    types: z.optional(z.array(z.string())),
    timeoutMs: z.optional(timeLimit()),
    signal: z.optional(z.instanceof(AbortSignal)),
  }),
);
