import { personalDataAgent } from "../../../lib/operate/personal-data/personal-store.ts";
import { callerOf, resolveAddress } from "../../platform/http/address.ts";

import type { PlatformRecord } from "../../platform/services/records.ts";
import type { WorldNews } from "../../stack/world-news.ts";
import type { CallDetail, ShownBody } from "../api/calls.ts";
import { KeptList } from "../kept-list.ts";
import { bodySizeOf, keepBody } from "./kept-body.ts";

/** Other details are looked up when it is shown. */
export type KeptCall = Omit<CallDetail, "behaviour" | "caused" | "journeyId">;

/** Calls, and characters of their bodies in total. */
const mostCalls = 5_000;
const mostBodyCharacters = 40_000_000;

/** Keeps all calls to the platform from now on. Evicts the oldest bodies first, then the oldest calls. */
export function keepCalls(
  {
    subscribe,
    redact,
  }: { subscribe(listener: (news: WorldNews) => void): () => void; redact(text: string): string },
  { most = mostCalls, mostCharacters: mostSize = mostBodyCharacters } = {},
): { readonly calls: KeptList<KeptCall>; close(): void } {
  const calls = new KeptList<KeptCall>({
    ...{ most, mostSize },
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
  const { seq: id, atMs, path: address, appId, operationId: operation, userAgent, traceparent } = record;
  const { method, onBehalfOf, status, code, fault, fidelity, durationMs, requestId } = record;
  const { sent, sentType, answer } = record.exchange();
  const [, pathAlone = "", query] = /^([^?#]*)(.*)$/.exec(address) ?? [];
  const { surface, path: below } = resolveAddress("127.0.0.1", pathAlone);
  return {
    ...{ id, atMs, kind: "request", surface, method, path: `${below}${query}`, operation, appId, onBehalfOf },
    ...{
      who: callerOf(userAgent, traceparent),
      status,
      code,
      fault,
      fidelity,
      durationMs,
      address,
      userAgent,
    },
    ...{ trace: /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent ?? "")?.[1], error: undefined, requestId },
    // The platform ignores their bodies.
    sent: method === "GET" ? { kind: "none" } : keepBody(sent, { type: sentType, redact }),
    answer: keepBody(answer, { type: "application/json", redact }),
  };
}

function toQuestion(record: RecordOf<"callback">, redact: (text: string) => string): KeptCall {
  const { seq: id, atMs, appId, kind: surface, target, method, status = 0, durationMs, error } = record;
  const { sent, sentType, answer } = record.exchange();
  return {
    ...{ id, atMs, kind: "question", surface, method, path: target, operation: surface, appId },
    ...{ onBehalfOf: undefined, who: "platform", status, code: undefined, fault: undefined, durationMs },
    ...{ fidelity: undefined, address: target, userAgent: undefined, trace: undefined, error },
    requestId: undefined,
    sent: keepBody(sent, { type: sentType, redact }),
    answer: keepBody(answer, { type: "application/json", redact }),
  };
}

function forgotten(body: ShownBody): ShownBody {
  return body.kind === "text" || body.kind === "form" ? { kind: "forgotten" } : body;
}
