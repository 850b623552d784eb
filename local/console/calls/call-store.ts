import { personalDataAgent } from "../../../lib/operate/personal-data/personal-store.ts";
import { callerOf, resolveAddress } from "../../platform/http/address.ts";
import type { PlatformRecord } from "../../platform/services/records.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type { CallDetail, FormPart, ShownBody } from "../api/calls.ts";
import { KeptList } from "../kept-list.ts";

export type KeptCall = Omit<CallDetail, "behaviour" | "caused" | "journeyId">;

/** Limits of calls, and of characters in their bodies. */
const mostCalls = 5_000;
const mostBodyCharacters = 40_000_000;

/** Evicts the oldest bodies, then the oldest calls. */
export function keepCalls(
  { subscribe, redact }: Pick<LocalStack, "subscribe"> & { redact(text: string): string },
  { most = mostCalls, mostCharacters: mostSize = mostBodyCharacters } = {},
) {
  const calls = new KeptList<KeptCall>({
    most,
    mostSize,
    sizeOf: ({ sent, answer }) => bodySizeOf(sent) + bodySizeOf(answer),
    shrink: (call) => ({ ...call, sent: forgotten(call.sent), answer: forgotten(call.answer) }),
  });
  const close = subscribe((news) => {
    if (news.kind !== "record") return;
    const { record } = news;
    if (record.type === "request" && record.userAgent !== personalDataAgent)
      calls.add(toCall(record, redact));
    if (record.type === "callback") calls.add(toQuestion(record, redact));
    if (record.type === "state" && record.action === "reset") calls.forget(() => true);
  });
  return { calls, close };
}

type RecordOf<Type extends PlatformRecord["type"]> = Extract<PlatformRecord, { type: Type }>;

function toCall(record: RecordOf<"request">, redact: (text: string) => string): KeptCall {
  const { seq: id, path: address, operationId: operation, traceparent, exchange, ...rest } = record;
  const { type: _, invocation: _invocation, ...facts } = rest;
  const { sent, sentType, answer } = exchange();
  const [, pathAlone = "", query] = /^([^?#]*)(.*)$/.exec(address) ?? [];
  const { surface, path: below } = resolveAddress("127.0.0.1", pathAlone);
  return {
    ...facts,
    id,
    kind: "request",
    surface,
    path: `${below}${query}`,
    operation,
    who: callerOf(record),
    trace: /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent ?? "")?.[1],
    // The platform ignores their bodies.
    sent: facts.method === "GET" ? { kind: "none" } : keepBody(sent, { type: sentType, redact }),
    answer: keepBody(answer, { type: "application/json", redact }),
  };
}

function toQuestion(record: RecordOf<"callback">, redact: (text: string) => string): KeptCall {
  const { seq: id, atMs, appId, kind: surface, target, method, status = 0, durationMs, error } = record;
  const { sent, sentType, answer } = record.exchange();
  return {
    id,
    atMs,
    kind: "question",
    surface,
    method,
    path: redact(target),
    operation: surface,
    appId,
    who: "platform",
    status,
    durationMs,
    error,
    sent: keepBody(method === "GET" ? "" : (sent ?? ""), { type: sentType, redact }),
    answer: keepBody(answer, { type: "application/json", redact }),
  };
}

function forgotten(body: ShownBody): ShownBody {
  return body.kind === "text" || body.kind === "form" ? { kind: "forgotten" } : body;
}

const mostCharacters = 65_536;
/** Longer than any secret: a cut may halve one. */
const longestSecret = 4_096;

/** Returns the body without secrets, by value and by name, cut to `mostCharacters`. */
export function keepBody(
  body: Uint8Array | string | undefined,
  { type, redact }: { readonly type: string; readonly redact: (text: string) => string },
): ShownBody {
  if (body === undefined) return { kind: "unread" };
  if (body.length === 0) return { kind: "none" };
  if (typeof body !== "string" && /^multipart\/form-data/i.test(type)) {
    const parts = readParts(body, type, (text) => cleanText(text, redact).text);
    if (parts !== undefined) return { kind: "form", parts };
  }
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  // A character has at most four bytes; the rest stays undecoded.
  const text = typeof body === "string" ? body : decode(body.subarray(0, looked * 4));
  return { kind: "text", bytes, ...cleanText(text, redact) };
}

function bodySizeOf(body: ShownBody) {
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
  // A slice keeps the whole string in memory unless copied.
  return { text: isCut ? decode(Buffer.from(sure.slice(0, mostCharacters))) : sure, isCut };
}

function decode(bytes: Uint8Array) {
  return new TextDecoder().decode(bytes);
}

const mostParts = 50;
const longestText = 2_000;

/**
 * Reads a form's fields without files; undefined if the body is not a form.
 * @param clean removes secrets
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
function readParts(
  body: Uint8Array,
  contentType: string,
  clean: (text: string) => string,
): readonly FormPart[] | undefined {
  const [, quoted, plain = quoted] = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  if (plain === undefined) return undefined;
  // A character is a byte: files do not matter.
  const [, ...all] = Buffer.from(body)
    .toString("latin1")
    .split(`--${plain}`, mostParts + 1);
  const parts = all.flatMap((part) => readPart(part.slice(2, -2), clean) ?? []);
  return parts.length === 0 ? undefined : parts;
}

function readPart(part: string, clean: (text: string) => string): FormPart | undefined {
  const end = part.indexOf("\r\n\r\n");
  const head = decodeLatin(part.slice(0, Math.max(0, Math.min(end, longestText))));
  const [, name] = /\bname="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
  if (name === undefined) return undefined;
  const [, fileName] = /\bfilename="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
  const [, type] = /^content-type:\s*([^\r\n]+)/im.exec(head) ?? [];
  const content = part.slice(end + 4);
  const isSecret = /key|token|password|secret/i.test(name);
  const shown = isSecret ? "[redacted]" : clean(decodeLatin(content.slice(0, longestText)));
  return { name, fileName, type, bytes: content.length, text: fileName === undefined ? shown : undefined };
}

function decodeLatin(bytes: string) {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

const mark = "[redacted]";

// A name and its text; a truncated text has no end. The pattern is unambiguous: the time is linear.
const field = /"([^"\\]{1,200})"(\s*:\s*)"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

const secretName = /api_?key|token|password|secret|credential|authorization|private_?key/i;

/** Masks values of secret-like names, also in truncated JSON. */
export function maskFields(text: string): string {
  return text.replace(field, (whole: string, name: string, between: string) =>
    secretName.test(name) ? `"${name}"${between}"${mark}"` : whole,
  );
}
