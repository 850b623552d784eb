import * as z from "zod/mini";
import { traceIdOf } from "../../../lib/handle/traceparent.ts";
import type { CallList, CallRow } from "../api/calls.ts";
import { aText, pageFields, pickPage } from "../read-filters.ts";
import type { KeptCall } from "./call-store.ts";
import { textOf } from "./kept-body.ts";

/** `failed`: not 2xx. `none`: no answer. `fault`: a planned fault was applied. */
const statusClasses = ["2xx", "4xx", "5xx", "none", "failed", "fault"] as const;

export const callFilterSchema = z.object({
  /** In path, operation, code, user or a body, case-insensitive. */
  text: aText,
  operation: aText,
  status: z.optional(z.enum(statusClasses)),
  who: z.optional(z.enum(["function", "console", "other", "platform"])),
  user: aText,
  app: aText,
  trace: aText,
  /** The event's. */
  key: aText,
  ...pageFields,
});

export type CallFilter = z.output<typeof callFilterSchema>;

/** Newest first, before `before` if given. */
export function pickCalls(calls: readonly KeptCall[], filter: CallFilter): CallList {
  const { picked, ...counts } = pickPage(calls, toTest(filter), filter, { usual: 100, most: 200 });
  const users = [...new Set(calls.flatMap(({ onBehalfOf }) => onBehalfOf ?? []))].toSorted();
  return { ...counts, calls: picked.toReversed().map(toRow), users: users.slice(0, 200) };
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

function isOf(wanted: (typeof statusClasses)[number], { status, fault }: KeptCall): boolean {
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
