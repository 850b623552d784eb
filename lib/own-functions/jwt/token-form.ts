import { isRecord, parseJson } from "../../json.ts";
import { hasDuplicateNames } from "./duplicate-names.ts";
import type { JwtSettings } from "./jwt-settings.ts";

/** Thrown for a token that does not count; the reason is a constant of ours and names nothing of the token. */
export class InvalidTokenError extends Error {
  override readonly name = "InvalidTokenError";
  readonly reason: string;

  constructor(reason: string) {
    super(`The token does not count: ${reason}.`);
    this.reason = reason;
  }
}

/** Header and claims, signed by nobody as far as is known yet. */
export interface UnverifiedToken {
  readonly header: Readonly<Record<string, unknown>>;
}

/** Header fields that change how the rest is to be read. Nothing here can do with any of them. */
const changing = ["crit", "b64", "zip", "enc", "cty"];

/**
 * Looks at a token's outer form before any key is asked for: what has another one is no token of ours, whoever signed it.
 * Fields that bring keys along or name places of keys (`jwk`, `jku`, `x5c`, `x5u`) are read by nobody.
 * @throws InvalidTokenError
 */
export function readTokenForm(
  token: string,
  { longest, typ, keys }: Pick<JwtSettings, "longest" | "typ" | "keys">,
): UnverifiedToken {
  if (token.length > longest) throw new InvalidTokenError("too-long");
  // Three parts: what has five is encrypted, and what ends with a dot is not signed.
  const [, head, claims] = /^([\w-]+)\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  if (head === undefined || claims === undefined) throw new InvalidTokenError("form");
  const header = readPart(head);
  readPart(claims);
  const { alg, kid } = header;
  if (typeof alg !== "string" || !keys.algorithms.some((known) => known === alg)) {
    throw new InvalidTokenError("algorithm");
  }
  if (changing.some((name) => Object.hasOwn(header, name))) throw new InvalidTokenError("header");
  if (kid !== undefined && (typeof kid !== "string" || !/^[\x20-\x7e]{1,256}$/.test(kid))) {
    throw new InvalidTokenError("kid");
  }
  if (!isRightType(header.typ, typ)) throw new InvalidTokenError("typ");
  return { header };
}

function readPart(part: string): Readonly<Record<string, unknown>> {
  const text = decodePart(part);
  const value = text === undefined ? undefined : parseJson(text);
  if (text === undefined || !isRecord(value)) throw new InvalidTokenError("form");
  if (hasDuplicateNames(text)) throw new InvalidTokenError("duplicate-names");
  return value;
}

/** Gives undefined for what is no UTF-8, or is not the one way to write these bytes. */
function decodePart(part: string): string | undefined {
  const bytes = Buffer.from(part, "base64url");
  if (bytes.toString("base64url") !== part) return undefined;
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

/** `JWT` is short for `application/jwt` (RFC 7519, section 5.1); case does not matter. */
function isRightType(told: unknown, wanted: string | undefined): boolean {
  if (told === undefined) return wanted === undefined;
  return typeof told === "string" && mediaType(told) === mediaType(wanted ?? "JWT");
}

function mediaType(typ: string): string {
  const lower = typ.toLowerCase();
  return lower.includes("/") ? lower : `application/${lower}`;
}
