import type { PlatformRecord } from "../../../local/platform/services/records.ts";

export type RequestRecord = Extract<PlatformRecord, { type: "request" }>;

/** Makes what the platform reports of a request. */
export function requestRecord(fields: Partial<RequestRecord>): RequestRecord {
  return {
    type: "request",
    seq: 1,
    atMs: 1,
    appId: "local-app",
    method: "POST",
    path: "/messages",
    operationId: "send-message",
    onBehalfOf: undefined,
    userAgent: undefined,
    requestId: 1,
    status: 200,
    traceparent: undefined,
    invocation: undefined,
    code: undefined,
    fault: undefined,
    fidelity: "documented",
    durationMs: 1,
    exchange: () => ({ sent: undefined, sentType: "", answer: "" }),
    ...fields,
  };
}
