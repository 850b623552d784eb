import type { FormPart } from "../api/calls.ts";

/** Larger forms are not parsed. */
const mostParts = 50;
const longestText = 2_000;

/**
 * Without files; undefined if the body is not a form.
 * @param clean removes secrets
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
export function readParts(
  body: Uint8Array,
  contentType: string,
  clean: (text: string) => string,
): readonly FormPart[] | undefined {
  const [, quoted, plain = quoted] = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  if (plain === undefined) return undefined;
  // A character is a byte, so that files do not matter.
  const [, ...all] = Buffer.from(body)
    .toString("latin1")
    .split(`--${plain}`, mostParts + 1);
  const parts = all.flatMap((part) => readPart(part.slice(2, -2), clean) ?? []);
  return parts.length === 0 ? undefined : parts;
}

function readPart(part: string, clean: (text: string) => string): FormPart | undefined {
  const end = part.indexOf("\r\n\r\n");
  const head = decode(part.slice(0, Math.max(0, Math.min(end, longestText))));
  const [, name] = /\bname="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
  if (name === undefined) return undefined;
  const [, fileName] = /\bfilename="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
  const [, type] = /^content-type:\s*([^\r\n]+)/im.exec(head) ?? [];
  const content = part.slice(end + 4);
  const isSecret = /key|token|password|secret/i.test(name);
  const shown = isSecret ? "[redacted]" : clean(decode(content.slice(0, longestText)));
  return { name, fileName, type, bytes: content.length, text: fileName === undefined ? shown : undefined };
}

function decode(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
