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
  const [, quoted, plain] = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const mark = Buffer.from(`--${boundary}`);
  const parts: FormPart[] = [];
  for (let at = bytes.indexOf(mark); at !== -1 && parts.length < mostParts; ) {
    const next = bytes.indexOf(mark, at + mark.length);
    if (next === -1) break;
    const part = readPart(bytes.subarray(at + mark.length + 2, next - 2), clean);
    if (part !== undefined) parts.push(part);
    at = next;
  }
  return parts.length === 0 ? undefined : parts;
}

function readPart(part: Buffer, clean: (text: string) => string): FormPart | undefined {
  const end = part.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = part.subarray(0, Math.min(end, longestText)).toString("utf8");
  const content = part.subarray(end + 4);
  const [, name] = /\bname="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
  if (name === undefined) return undefined;
  const [, fileName] = /\bfilename="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
  const [, type] = /^content-type:\s*([^\r\n]+)/im.exec(head) ?? [];
  const isSecret = /key|token|password|secret/i.test(name);
  const text = fileName === undefined ? content.subarray(0, longestText).toString("utf8") : undefined;
  return {
    name,
    fileName,
    type,
    bytes: content.length,
    text: text !== undefined && isSecret ? "[redacted]" : text && clean(text),
  };
}
