import type { FormPart, ShownBody } from "../api/calls.ts";
import { maskFields } from "./mask-fields.ts";
import { readParts } from "./read-parts.ts";

/** Of a body so many characters are kept. */
export const mostCharacters = 65_536;
/** Longer than any secret: what lies behind a cut may be half of one. */
const longestSecret = 4_096;

/** Takes what is kept of a body: without secrets, by value and by name, and no longer than it may be. */
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
  // Four bytes a character at most: what lies behind is not even decoded.
  const text = typeof body === "string" ? body : decode(body.subarray(0, looked * 4));
  return { kind: "text", bytes, ...cleanText(text, redact) };
}

/** Tells how much memory a body takes, in characters. */
export function bodySizeOf(body: ShownBody): number {
  if (body.kind === "text") return body.text.length;
  if (body.kind !== "form") return 0;
  return body.parts.reduce((all, { name, text = "" }: FormPart) => all + name.length + text.length, 0);
}

/** Gives the words of a body that a search looks through. */
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
  // A part of a text keeps the whole in memory, unless it is written anew.
  return { text: isCut ? decode(Buffer.from(sure.slice(0, mostCharacters))) : sure, isCut };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
