import { InvalidSecretError, isSystemField } from "../../aws/secrets/parse-secret.ts";
import type { JsonValue } from "../../base/json-value.ts";
import { hideSecrets } from "../../base/known-secrets.ts";
import { parseUrl } from "../../base/on-node-20.ts";
import { RequestNotAllowedError } from "../effect-errors.ts";
import type { RequestRules } from "./allowed-hosts.ts";
import type { OutsideMethod, OutsideRequest } from "./outside.ts";

/** Names a value of the app's secret. It cannot be converted to a text. */
interface SecretReference {
  readonly [Symbol.toPrimitive]: () => never;
  readonly toJSON: () => never;
}

/** References are recognized by identity: an event's data can look like one. */
const names = new WeakMap<object, string>();

/**
 * Refers to a value of the app's secret in a request's header or body. It is filled in when the request is
 * sent, and stored nowhere. The system's own fields, such as the platform's key, are not available.
 * @throws TypeError for an invalid name, and if converted to a text, as in a URL
 * @example headers: { authorization: ["Bearer ", secret("ticket-token")] }
 */
export function secret(name: string): SecretReference {
  if (!isSecretName(name))
    throw new TypeError(
      "A secret's name has letters, digits and hyphens, and is not one of the system's own.",
    );
  const refuse = (): never => {
    throw new TypeError(
      `The secret "${name}" is no text: name it as (part of) a header, or as a value of the body.`,
    );
  };
  const reference = { [Symbol.toPrimitive]: refuse, toJSON: refuse };
  names.set(reference, name);
  return reference;
}

function secretNameOf(value: unknown) {
  return names.get(Object(value));
}

function isSecretName(name: unknown) {
  return typeof name === "string" && /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !isSystemField(name);
}

/** A text, a secret, or a concatenation of them. */
type HeaderValue = string | SecretReference | readonly (string | SecretReference)[];

/** JSON that may contain secrets, or a text that is sent unchanged. */
type RequestBody =
  | JsonValue
  | SecretReference
  | readonly RequestBody[]
  | { readonly [name: string]: RequestBody };

export interface OutsideRequestOptions {
  readonly url: string;
  readonly method: OutsideMethod;
  readonly headers?: Readonly<Record<string, HeaderValue>> | undefined;
  readonly body?: RequestBody | undefined;
}

const maxBodyBytes = 256 * 1024;
const longestUrl = 8_000;
const mostDepth = 100;

/** @throws RequestNotAllowedError unless it is an allowed https host; its message never contains the URL */
export function readTarget(url: string, rules: RequestRules): URL {
  const parsed = url.length <= longestUrl ? parseUrl(url) : null;
  if (parsed === null)
    throw new RequestNotAllowedError("its URL is invalid or has more than 8,000 characters.");
  if (parsed.protocol !== "https:") throw new RequestNotAllowedError("its URL must begin with https://.");
  if (parsed.username !== "" || parsed.password !== "")
    throw new RequestNotAllowedError("its URL holds a user or password: name a secret in a header.");
  if (!isAllowedHost(parsed, rules))
    throw new RequestNotAllowedError(
      `config/requests.yml does not allow ${parsed.host}. Hosts that requests go to stand there.`,
    );
  if (hideSecrets(url) !== url)
    throw new RequestNotAllowedError("its URL holds a secret, which others log: name it in a header.");
  return parsed;
}

/**
 * @throws RequestNotAllowedError for invalid headers and bodies; InvalidSecretError for a secret that no
 * header can hold; what `secretOf` throws
 */
export async function prepareOutsideRequest(
  { method, headers = {}, body }: Omit<OutsideRequestOptions, "url">,
  { url, wantsBody }: Pick<OutsideRequest, "url" | "wantsBody">,
  secretOf: (name: string) => Promise<string>,
): Promise<OutsideRequest> {
  const fill = async (part: unknown): Promise<unknown> => {
    const name = secretNameOf(part);
    return name === undefined ? part : secretOf(name);
  };
  const filled: Record<string, string> = { accept: "application/json" };
  for (const [name, value] of Object.entries(headers)) {
    const parts = await Promise.all([value].flat().map((part) => fillHeader(part, fill)));
    filled[readHeaderName(name)] = readHeaderValue(name, parts.join(""));
  }
  if (body !== undefined && method === "GET") throw new RequestNotAllowedError("a GET has no body.");
  const text = await writeBody(body, fill);
  if (text !== undefined && Buffer.byteLength(text) > maxBodyBytes)
    throw new RequestNotAllowedError("its body has more than 256 KB.");
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  const typed = text === undefined ? filled : { "content-type": type, ...filled };
  return { method, url, headers: typed, body: text, wantsBody };
}

async function writeBody(
  body: RequestBody | undefined,
  fill: (part: unknown) => Promise<unknown>,
): Promise<string | undefined> {
  return typeof body === "string" ? body : JSON.stringify(await fillAll(body, fill));
}

async function fillHeader(part: unknown, fill: (part: unknown) => Promise<unknown>): Promise<unknown> {
  const filled = await fill(part);
  const name = secretNameOf(part);
  if (name === undefined || headerText.test(String(filled))) return filled;
  throw new InvalidSecretError(
    `The secret "${name}" cannot stand in a header: it has line breaks or other than ASCII characters.`,
  );
}

async function fillAll(
  value: unknown,
  fill: (part: unknown) => Promise<unknown>,
  depth = 0,
): Promise<unknown> {
  if (depth > mostDepth) throw new RequestNotAllowedError("its body is nested too deeply, or holds itself.");
  const filled = await fill(value);
  if (filled !== value || typeof value !== "object" || value === null) return filled;
  if (Array.isArray(value)) return Promise.all(value.map((item) => fillAll(item, fill, depth + 1)));
  const entries = Object.entries(value).map(async ([name, inner]) => [
    name,
    await fillAll(inner, fill, depth + 1),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

const ownHeaders =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|idempotency-key|proxy-.*)$/;

function readHeaderName(name: string) {
  const lower = name.toLowerCase();
  if (/^[a-z0-9-]{1,100}$/.test(lower) && !ownHeaders.test(lower)) return lower;
  throw new RequestNotAllowedError("a header has no proper name, or one that is not the handler's to set.");
}

const headerText = /^[\x20-\x7e]{0,8000}$/;

function readHeaderValue(name: string, value: string) {
  if (headerText.test(value)) return value;
  throw new RequestNotAllowedError(
    `the header ${name.toLowerCase()} has line breaks or other than ASCII characters.`,
  );
}

/** `*.example.com` matches every name below it, not itself. */
export function isAllowedHost({ hostname, port }: URL, { allowedHosts }: RequestRules): boolean {
  return allowedHosts.some((allowed) => {
    const [name = "", allowedPort = ""] = allowed.split(":");
    if (port !== (allowedPort === "443" ? "" : allowedPort)) return false;
    return name.startsWith("*.")
      ? hostname.endsWith(name.slice(1)) && hostname.length > name.length - 1
      : hostname === name;
  });
}
