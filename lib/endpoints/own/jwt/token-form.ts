import { OwnError } from "../../../base/errors.ts";
import { isRecord, parseJson } from "../../../base/json.ts";
import type { JwtSettings } from "./jwt-settings.ts";

/** Thrown for an invalid token; the reason is a constant. */
export class InvalidTokenError extends OwnError {
  override readonly name = "InvalidTokenError";
  readonly reason: string;

  constructor(reason: string) {
    super(`The token is invalid: ${reason}.`);
    this.reason = reason;
  }
}

/** They change how the token must be read. */
const criticalFields = ["crit", "b64", "zip", "enc", "cty"];

/**
 * Runs before any key is fetched. Ignores fields with keys or their locations (`jwk`, `jku`, `x5c`, `x5u`).
 * @throws InvalidTokenError
 */
export function checkTokenForm(
  token: string,
  { longest, typ, keys }: Pick<JwtSettings, "longest" | "typ" | "keys">,
): void {
  if (token.length > longest) throw new InvalidTokenError("too-long");
  // Five parts would be encrypted; an empty third is unsigned.
  const [, head = "", claims = "", signature = ""] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  const header = readPart(head);
  readPart(claims);
  decodePart(signature);
  if (!keys.algorithms.some((known) => known === header.alg)) throw new InvalidTokenError("algorithm");
  if (criticalFields.some((name) => Object.hasOwn(header, name))) throw new InvalidTokenError("header");
  if (!isExpectedType(header.typ, typ)) throw new InvalidTokenError("typ");
}

function readPart(part: string) {
  const text = decodePart(part).toString("utf8");
  const value = parseJson(text);
  if (!isRecord(value)) throw new InvalidTokenError("form");
  if (hasDuplicateNames(text)) throw new InvalidTokenError("duplicate-names");
  return value;
}

/** Canonical encoding only: changed unused bits make another token. */
function decodePart(part: string): Buffer {
  const bytes = Buffer.from(part, "base64url");
  if (bytes.toString("base64url") === part) return bytes;
  throw new InvalidTokenError("form");
}

/** `JWT` is short for `application/jwt`, in any case (RFC 7519, section 5.1). */
function isExpectedType(given: unknown, wanted: string | undefined) {
  if (given === undefined) return wanted === undefined;
  return typeof given === "string" && mediaType(given) === mediaType(wanted ?? "JWT");
}

function mediaType(typ: string) {
  const lower = typ.toLowerCase();
  return lower.includes("/") ? lower : `application/${lower}`;
}

/**
 * Parsers differ in which value of a repeated name they use (RFC 8259, section 4).
 * @param text JSON or any other text
 */
export function hasDuplicateNames(text: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"(?:\s*:)?|$)|[{}]/gs)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (token.endsWith(":")) {
      const names = open.at(-1);
      const name = parseJson(token.slice(0, -1)); // \u0061 is a
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
