import { personalDataAgent } from "../../../lib/operate/personal-data/personal-store.ts";
import { callerOf, resolveAddress } from "../../platform/http/address.ts";

import type { PlatformRecord } from "../../platform/services/records.ts";
import type { WorldNews } from "../../stack/world-news.ts";
import type { CallDetail, ShownBody } from "../api/calls.ts";
import { bodySizeOf, keepBody } from "./kept-body.ts";

/** Other details are looked up when it is shown. */
export type KeptCall = Omit<CallDetail, "behaviour" | "caused" | "journeyId">;

export interface CallStore {
  /** Oldest first. */
  readonly calls: readonly KeptCall[];
  find(id: number): KeptCall | undefined;
  forget(isToGo: (call: KeptCall) => boolean): void;
  close(): void;
}

/** Calls, and characters of their bodies in total. */
const mostCalls = 5_000;
const mostBodyCharacters = 40_000_000;

export interface CallSource {
  subscribe(listener: (news: WorldNews) => void): () => void;
  redact(text: string): string;
}

/** Keeps all calls to the platform from now on. Evicts the oldest bodies first, then the oldest calls. */
export function keepCalls(
  { subscribe, redact }: CallSource,
  { most = mostCalls, mostCharacters = mostBodyCharacters } = {},
): CallStore {
  let calls: KeptCall[] = [];
  let withBodies = 0;
  let characters = 0;

  const add = (call: KeptCall) => {
    calls.push(call);
    characters += bodySizeOf(call.sent) + bodySizeOf(call.answer);
    for (; characters > mostCharacters && withBodies < calls.length - 1; withBodies += 1) forgetBodies();
    // In batches, because removing the first element moves all others.
    if (calls.length < most * 1.1) return;
    const gone = calls.splice(0, calls.length - most);
    for (const { sent, answer } of gone) characters -= bodySizeOf(sent) + bodySizeOf(answer);
    withBodies = Math.max(0, withBodies - gone.length);
  };
  const forgetBodies = () => {
    const call = calls[withBodies];
    if (call === undefined) return;
    characters -= bodySizeOf(call.sent) + bodySizeOf(call.answer);
    calls[withBodies] = { ...call, sent: forgotten(call.sent), answer: forgotten(call.answer) };
  };
  const hear = (news: WorldNews) => {
    if (news.kind !== "record") return;
    if (news.record.type === "request" && news.record.userAgent !== personalDataAgent)
      add(toCall(news.record, redact));
    if (news.record.type === "callback") add(toQuestion(news.record, redact));
    if (news.record.type === "state" && news.record.action === "reset") forget(() => true);
  };
  const forget = (isToGo: (call: KeptCall) => boolean) => {
    calls = calls.filter((call) => !isToGo(call));
    withBodies = 0;
    characters = calls.reduce((sum, { sent, answer }) => sum + bodySizeOf(sent) + bodySizeOf(answer), 0);
  };
  const unsubscribe = subscribe(hear);

  return {
    get calls() {
      return calls.slice(-most);
    },
    find: (id) => calls.findLast((call) => call.id === id),
    forget,
    close: unsubscribe,
  };
}

type RecordOf<Type extends PlatformRecord["type"]> = Extract<PlatformRecord, { type: Type }>;

function toCall(record: RecordOf<"request">, redact: (text: string) => string): KeptCall {
  const { seq, atMs, path, appId, operationId, userAgent, traceparent, exchange, ...facts } = record;
  const { method, onBehalfOf, status, code, fault, fidelity, durationMs } = facts;
  const { sent, sentType, answer } = exchange();
  const end = path.search(/[?#]/);
  const pathAlone = end === -1 ? path : path.slice(0, end);
  const trace = /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent ?? "")?.[1];
  const { surface, path: below } = resolveAddress("127.0.0.1", pathAlone);
  return {
    id: seq,
    atMs,
    kind: "request",
    surface,
    method,
    path: below + path.slice(pathAlone.length),
    operation: operationId,
    appId,
    onBehalfOf,
    who: callerOf(userAgent, traceparent),
    ...{ status, code, fault, fidelity, durationMs },
    address: path,
    userAgent,
    trace,
    error: undefined,
    requestId: record.requestId,
    // The platform ignores their bodies.
    sent: method === "GET" ? { kind: "none" } : keepBody(sent, { type: sentType, redact }),
    answer: keepBody(answer, { type: "application/json", redact }),
  };
}

function toQuestion(record: RecordOf<"callback">, redact: (text: string) => string): KeptCall {
  const { seq, atMs, appId, kind, target, method, status = 0, durationMs, error, exchange } = record;
  const { sent, sentType, answer } = exchange();
  return {
    id: seq,
    atMs,
    kind: "question",
    surface: kind,
    method,
    path: target,
    operation: kind,
    appId,
    onBehalfOf: undefined,
    who: "platform",
    status,
    ...{ code: undefined, fault: undefined, fidelity: undefined, durationMs },
    ...{ address: target, userAgent: undefined, trace: undefined, error, requestId: undefined },
    sent: keepBody(sent, { type: sentType, redact }),
    answer: keepBody(answer, { type: "application/json", redact }),
  };
}

function forgotten(body: ShownBody): ShownBody {
  return body.kind === "text" || body.kind === "form" ? { kind: "forgotten" } : body;
}
