import type { FormPart, ShownBody } from "../api/calls.ts";
import { maskFields } from "./mask-fields.ts";
import { readParts } from "./read-parts.ts";

export const mostCharacters = 65_536;
/** Longer than any secret: a text cut here may end with half of one. */
const longestSecret = 4_096;

/** Returns the body to keep: without secrets, by value and by name, and cut to `mostCharacters`. */
export function keepBody(
  body: Uint8Array | string | undefined,
  { type, redact }: { readonly type: string; readonly redact: (text: string) => string },
): ShownBody {
  if (body === undefined) return { kind: "unread" };
  if (body.length === 0) return { kind: "none" };
  if (typeof body !== "string" && /^multipart\/form-data/i.test(type)) {
    const parts = readParts(body, type, (text) => cleanText(text, redact).text);
    if (parts !== undefined) return { kind: "form", parts, bytes: body.length };
  }
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  // A character has at most four bytes; the rest need not be decoded.
  const text = typeof body === "string" ? body : decode(body.subarray(0, looked * 4));
  return { kind: "text", bytes, ...cleanText(text, redact) };
}

/** Returns the memory that a body takes, in characters. */
export function bodySizeOf(body: ShownBody): number {
  if (body.kind === "text") return body.text.length;
  if (body.kind !== "form") return 0;
  return body.parts.reduce((all, { name, text = "" }: FormPart) => all + name.length + text.length, 0);
}

export function textOf(body: ShownBody): string {
  if (body.kind === "text") return body.text;
  if (body.kind !== "form") return "";
  return body.parts.map(({ name, fileName, text }) => `${name} ${fileName ?? ""} ${text ?? ""}`).join("\n");
}

const looked = mostCharacters + longestSecret;

function cleanText(whole: string, redact: (text: string) => string) {
  const isLong = whole.length > looked;
  const clean = maskFields(redact(isLong ? whole.slice(0, looked) : whole));
  const sure = isLong ? clean.slice(0, -longestSecret) : clean;
  const isCut = isLong || sure.length > mostCharacters;
  // A slice keeps the whole string in memory, unless it is copied.
  return { text: isCut ? decode(Buffer.from(sure.slice(0, mostCharacters))) : sure, isCut };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
