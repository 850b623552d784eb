import * as z from "zod/mini";
import { isRecord, parseJson } from "../../base/json.ts";
import { lazy } from "../../base/lazy.ts";
import { parseUrl } from "../../base/on-node-20.ts";
import {
  createAddress,
  defaultBaseUrlTemplate,
  fillTemplate,
  type Region,
  readRegion,
} from "../../chat/address.ts";
import { aFunctionGiven, checkCall } from "../../chat/check-call.ts";
import { type ApiKeySource, isSource } from "../../chat/compose.ts";
import { timeLimit } from "../../chat/schema.ts";
import { AttachmentError, type FileAnswer } from "./attachment-error.ts";

/** Options of `createAttachments`, as of the app's client. */
export interface AttachmentsOptions {
  readonly appId: string;
  /** Default: us. */
  readonly region?: Region | undefined;
  readonly apiKey: string | ApiKeySource;
  /** As in the client's options. Default: the platform's. */
  readonly baseUrlTemplate?: string | undefined;
  /** More hosts of files, such as `cdn.example.com`, with https and public addresses only. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** Used for the platform's addresses. Default: the global fetch. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Limits of one file. */
export interface OpenAttachmentOptions {
  /** Default: 25 MB. The platform takes up to 100 MB per message. */
  readonly maxBytes?: number | undefined;
  /** Such as `image/png` or `image/*`; the response must have one of them. Default: any. */
  readonly types?: readonly string[] | undefined;
  /** Limits connecting and reading together, in milliseconds. Default: 60_000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file that is being read. */
export interface OpenedAttachment {
  /**
   * Read or cancel it. Errors with an AttachmentError beyond `maxBytes`, and if it ends early or is too slow.
   */
  readonly body: ReadableStream<Uint8Array>;
  /** The response's type, in lower case and without parameters. */
  readonly type: string;
  /** Bytes; undefined if the response does not contain it. */
  readonly size: number | undefined;
}

/** Opens files of messages. */
export interface Attachments {
  /**
   * Opens the file of an attachment. The API key goes to the platform's `files-<region>` host only; redirects
   * are followed among the platform's hosts only. May be repeated.
   * @throws AttachmentError
   */
  open(
    attachment: { readonly url?: string | undefined },
    options?: OpenAttachmentOptions,
  ): Promise<OpenedAttachment>;
}

/**
 * Creates the object that opens the files of an app's messages, with signed addresses, which expire, and with
 * addresses that need the app's key.
 * @throws InvalidInputError for an invalid option
 * @see docs/internals/platform/messages.md#media
 * @example const { body } = await attachments.open(message.data.attachments[0], { types: ["image/*"] });
 */
export function createAttachments(options: AttachmentsOptions): Attachments {
  checkCall("createAttachments", "options", optionsSchema(), options);
  const bases = basesOf(options);
  return {
    open: async (attachment, given = {}) => {
      checkCall("attachments.open", "attachment", attachmentSchema(), attachment);
      checkCall("attachments.open", "options", openSchema(), given);
      return await new Opening(options, bases, given).open(parseUrl(attachment.url ?? ""));
    },
  };
}

class Opening {
  readonly #app: AttachmentsOptions;
  readonly #bases: ReturnType<typeof basesOf>;
  readonly #given: OpenAttachmentOptions;
  readonly #until: AbortSignal;

  constructor(app: AttachmentsOptions, bases: ReturnType<typeof basesOf>, given: OpenAttachmentOptions) {
    const { timeoutMs = 60_000, signal } = given;
    this.#app = app;
    this.#bases = bases;
    this.#given = given;
    this.#until = AbortSignal.any([AbortSignal.timeout(Math.ceil(timeoutMs)), ...(signal ? [signal] : [])]);
  }

  async open(address: URL | null): Promise<OpenedAttachment> {
    if (address === null || !(this.#isPlatforms(address) || isAllowed(address, this.#app.hosts)))
      throw notAllowed("its address is neither the platform's nor of an allowed host");
    const needsKey = isBelow(address, this.#bases.files) && !address.searchParams.has("fat");
    let url = needsKey ? await this.#exchange(address) : address;
    let answer = await this.#get(url);
    for (let hops = 0; isRedirect(answer) && hops < mostHops; hops += 1) {
      url = await this.#nextOf(answer, url);
      answer = await this.#get(url);
    }
    const { status, headers, body } = answer;
    if (status !== 200 || body === null) throw await refusalOf(answer, url);
    return await this.#limited(headers, body);
  }

  /** The platform returns another address for this one, with a token. */
  async #exchange(url: URL): Promise<URL> {
    const { appId, apiKey: given } = this.#app;
    const apiKey = typeof given === "string" ? given : await given.get();
    let answer = await this.#get(url, { appId, apiKey });
    if (answer.status === 401 && typeof given !== "string") {
      await answer.body?.cancel();
      answer = await this.#get(url, { appId, apiKey: await given.refresh(apiKey) });
    }
    if (isRedirect(answer)) return await this.#nextOf(answer, url);
    if (answer.status !== 200) throw await refusalOf(answer, url);
    const body = parseJson(await this.#readStart(answer));
    const found = isRecord(body) && isRecord(body.data) ? body.data.url : undefined;
    if (typeof found === "string") return this.#platformsOnly(parseUrl(found));
    throw new AttachmentError("REFUSED", "its host named no address of it", 200);
  }

  async #get(url: URL, own: Readonly<Record<string, string>> = {}): Promise<FileAnswer> {
    const { fetch = globalThis.fetch } = this.#app;
    const headers = { "accept-encoding": "identity", ...own };
    try {
      if (this.#isPlatforms(url))
        return await fetch(url.href, { headers, redirect: "manual", signal: this.#until });
      const { getOutside } = await import("./get-outside.ts");
      return await getOutside(url, this.#until);
    } catch (error) {
      throw this.#troubleOf(error);
    }
  }

  async #nextOf(answer: FileAnswer, from: URL): Promise<URL> {
    await answer.body?.cancel();
    return this.#platformsOnly(parseUrl(answer.headers.get("location") ?? "", from.href));
  }

  #platformsOnly(url: URL | null): URL {
    if (url !== null && this.#isPlatforms(url)) return url;
    throw notAllowed("the platform's answer leads to another host");
  }

  #isPlatforms(url: URL): boolean {
    return isBelow(url, this.#bases.files) || isBelow(url, this.#bases.media);
  }

  /** The message's sender wrote type and size: checks both. */
  async #limited(
    headers: FileAnswer["headers"],
    body: ReadableStream<Uint8Array>,
  ): Promise<OpenedAttachment> {
    const { maxBytes = 25_000_000, types } = this.#given;
    const type = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    const length = headers.get("content-length");
    const size = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
    const tooLarge = () => new AttachmentError("TOO_LARGE", `it has more than ${maxBytes} bytes`);
    if (types !== undefined && !types.some((wanted) => isOfType(type, wanted.toLowerCase()))) {
      await body.cancel();
      throw new AttachmentError("WRONG_TYPE", "its type is not one that the caller accepts");
    }
    if ((size ?? 0) > maxBytes) {
      await body.cancel();
      throw tooLarge();
    }
    let bytes = 0;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(tooLarge());
        else controller.enqueue(chunk);
      },
    });
    body
      .pipeTo(writable, { signal: this.#until, preventAbort: true })
      .catch((error: unknown) => writable.abort(this.#troubleOf(error)))
      .catch(() => undefined);
    return { body: readable, type, size };
  }

  /**
   * Returns the caller's reason if the caller aborted; otherwise an error without a cause, which may quote
   * the address or the key.
   */
  #troubleOf(error: unknown): unknown {
    const { signal } = this.#given;
    if (error instanceof AttachmentError) return error;
    if (signal?.aborted) return signal.reason;
    return new AttachmentError("UNREACHABLE", "its host did not answer, or not to the end");
  }

  async #readStart({ body }: FileAnswer): Promise<string> {
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        if (text.length > 65_536) break;
      }
      return text;
    } catch (error) {
      throw this.#troubleOf(error);
    }
  }
}

const mostHops = 3;

/** The platform's hosts have the app in the path; another template, where the client's has it. */
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

function isBelow(url: URL, base: URL) {
  return isAnonymous(url) && url.origin === base.origin && url.pathname.startsWith(base.pathname);
}

function isAllowed(url: URL, hosts: readonly string[] = []) {
  return isAnonymous(url) && url.protocol === "https:" && hosts.includes(url.host);
}

/** `fetch` refuses an address with a user or password, as an unreachable host would. */
function isAnonymous({ username, password }: URL) {
  return username === "" && password === "";
}

function isOfType(type: string, wanted: string) {
  return wanted === "*/*" || (wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted);
}

function isRedirect({ status }: FileAnswer) {
  return [301, 302, 303, 307, 308].includes(status);
}

async function refusalOf(answer: FileAnswer, url: URL): Promise<AttachmentError> {
  await answer.body?.cancel();
  const { status } = answer;
  const expiresMs = Number(url.searchParams.get("Expires") || Number.NaN) * 1_000;
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
