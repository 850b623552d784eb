import * as z from "zod/mini";
import { traceIdOf } from "../../../lib/handle/run-triggers.ts";
import { readLedger } from "../../platform/ledger/read-ledger.ts";
import type { Behaviour, CallDetail, CallList, CallRow } from "../api/calls.ts";
import { type KeptCall, textOf } from "../calls/call-store.ts";
import type { ConsoleContext } from "../console-context.ts";
import { aCount, aText, must, readFilters } from "../read-input.ts";
import { namesOf, pageOf } from "../rows.ts";

export function addCallsRoutes({ on, calls, journal: { store } }: ConsoleContext): void {
  on.get("/api/calls", (context) => pickCalls(calls.all, readFilters(context, callFilterSchema)));
  on.get("/api/calls/:id", (context) => {
    const id = context.req.param("id");
    const kept = "The newest 5,000 of this run are kept.";
    const call = must(calls.find(Number(id)), `There is no call ${id}. ${kept}`);
    return {
      ...call,
      behaviour: behaviourOf(call.surface, call.operation),
      journeyId: store.of("event", call.trace ?? "").at(-1)?.id,
      caused: store.of("request", call.requestId ?? "").length,
    } satisfies CallDetail;
  });
}

/** `failed`: not 2xx. `none`: no answer. `fault`: a planned fault was applied. */
const statusClasses = ["2xx", "4xx", "5xx", "none", "failed", "fault"] as const;

const callFilterSchema = z.object({
  /** Matches path, operation, code, user or body, case-insensitive. */
  text: aText,
  operation: aText,
  status: z.optional(z.enum(statusClasses)),
  who: z.optional(z.enum(["function", "console", "other", "platform"])),
  user: aText,
  app: aText,
  trace: aText,
  key: aText,
  page: aCount,
});

export type CallFilter = z.output<typeof callFilterSchema>;

/** Newest first. */
export function pickCalls(calls: readonly KeptCall[], filter: CallFilter): CallList {
  const found = calls.filter(toTest(filter)).toReversed();
  const users = namesOf(calls.map(({ onBehalfOf }) => onBehalfOf)).slice(0, 200);
  return { ...pageOf(found, filter.page, 100, toRow), kept: calls.length, users };
}

function toTest(filter: CallFilter): (call: KeptCall) => boolean {
  const { operation, who, user: onBehalfOf, app: appId, key, status } = filter;
  const text = filter.text?.toLowerCase();
  const trace = key === undefined ? filter.trace : traceIdOf(key);
  const fields = Object.entries({ operation, who, onBehalfOf, appId, trace });
  const meant = fields.filter(([, value]) => value !== undefined);
  return (call) => {
    const own = new Map<string, unknown>(Object.entries(call));
    return (
      meant.every(([name, value]) => own.get(name) === value) &&
      (status === undefined || isOf(status, call)) &&
      (text === undefined || wordsOf(call).toLowerCase().includes(text))
    );
  };
}

function isOf(wanted: (typeof statusClasses)[number], { status, fault }: KeptCall) {
  if (wanted === "fault") return fault !== undefined;
  if (wanted === "none") return status === 0;
  if (wanted === "failed") return status < 200 || status > 299;
  return Math.floor(status / 100) === Number(wanted[0]);
}

function wordsOf({ method, path, operation = "", code = "", onBehalfOf = "", sent, answer }: KeptCall) {
  return `${method} ${path} ${operation} ${code} ${onBehalfOf} ${textOf(sent)} ${textOf(answer)}`;
}

function toRow({ sent: _, answer: _answer, ...row }: KeptCall): CallRow {
  return row;
}

/** Returns how certain the emulation is; undefined if not recorded. */
function behaviourOf(surface: string, operation: string | undefined): Behaviour | undefined {
  const row = readLedger().find(({ id }) => id.endsWith(` (${surface}: ${operation})`));
  return row && { level: row.level, source: row.source, notes: row.notes };
}
