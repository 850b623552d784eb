import { traceIdOf } from "../../../lib/handle/traceparent.ts";
import type { Caller, CallList, CallRow } from "../api/calls.ts";
import type { KeptCall } from "./call-store.ts";
import { textOf } from "./kept-body.ts";

export interface CallFilter {
  /** In path, operation, code, user or a body, case-insensitive. */
  readonly text?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: StatusClass | undefined;
  readonly who?: Caller | undefined;
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  readonly trace?: string | undefined;
  /** The event's key. */
  readonly key?: string | undefined;
}

export const statusClasses = ["2xx", "4xx", "5xx", "none", "failed", "fault"] as const;

/** `failed`: not 2xx. `none`: no answer. `fault`: a planned fault was applied. */
export type StatusClass = (typeof statusClasses)[number];

/** Newest first, before `before` if given. */
export function pickCalls(
  calls: readonly KeptCall[],
  filter: CallFilter,
  page: { readonly before?: number | undefined; readonly after?: number | undefined; readonly limit: number },
): CallList {
  const { before = Number.POSITIVE_INFINITY, after = Number.POSITIVE_INFINITY, limit } = page;
  const isMeant = toTest(filter);
  const meant = calls.filter(isMeant);
  const older = meant.filter(({ id }) => id < before);
  return {
    calls: older.slice(-limit).toReversed().map(toRow),
    hasOlder: older.length > limit,
    matching: meant.length,
    kept: calls.length,
    newer: meant.filter(({ id }) => id > after).length,
    users: [...new Set(calls.flatMap(({ onBehalfOf }) => onBehalfOf ?? []))].toSorted().slice(0, 200),
  };
}

function toTest(filter: CallFilter): (call: KeptCall) => boolean {
  const { operation, status, who, user, app, key } = filter;
  const text = filter.text?.toLowerCase();
  const trace = key === undefined ? filter.trace : traceIdOf(key);
  return (call) =>
    (operation === undefined || call.operation === operation) &&
    (who === undefined || call.who === who) &&
    (user === undefined || call.onBehalfOf === user) &&
    (app === undefined || call.appId === app) &&
    (trace === undefined || call.trace === trace) &&
    (status === undefined || isOf(status, call)) &&
    (text === undefined || hasText(call, text));
}

function isOf(wanted: StatusClass, { status, fault }: KeptCall): boolean {
  if (wanted === "fault") return fault !== undefined;
  if (wanted === "none") return status === 0;
  if (wanted === "failed") return status < 200 || status > 299;
  return Math.floor(status / 100) === Number(wanted[0]);
}

function hasText(call: KeptCall, text: string): boolean {
  const { method, path, operation = "", code = "", onBehalfOf = "", sent, answer } = call;
  const head = `${method} ${path} ${operation} ${code} ${onBehalfOf}`;
  return (
    head.toLowerCase().includes(text) ||
    textOf(sent).toLowerCase().includes(text) ||
    textOf(answer).toLowerCase().includes(text)
  );
}

function toRow(call: KeptCall): CallRow {
  const { address: _, userAgent: _agent, trace: _trace, error: _error, sent: _sent, ...rest } = call;
  const { answer: _answer, requestId: _request, ...row } = rest;
  return row;
}
