import type { Hono } from "hono";
import * as z from "zod/mini";
import type { CallDetail } from "../api/calls.ts";
import { behaviourOf } from "../calls/behaviour-of.ts";
import { pickCalls, statusClasses } from "../calls/pick-calls.ts";
import type { ConsoleContext } from "../console-context.ts";
import { WrongInputError } from "../read-input.ts";
import { aCount, aText, readFilters } from "./read-filters.ts";

const querySchema = z.object({
  text: aText,
  operation: aText,
  status: z.optional(z.enum(statusClasses)),
  who: z.optional(z.enum(["function", "console", "other", "platform"])),
  user: aText,
  app: aText,
  trace: aText,
  key: aText,
  before: aCount,
  after: aCount,
  limit: aCount,
});

/** `GET /api/calls`, newest first, and `GET /api/calls/<id>`, with both bodies. */
export function addCallsRoutes(
  app: Hono,
  { calls, journal: { store } }: Pick<ConsoleContext, "calls" | "journal">,
): void {
  app.get("/api/calls", (context) => {
    const { before, after, limit = 100, ...filter } = readFilters(context, querySchema);
    return context.json(pickCalls(calls.calls, filter, { before, after, limit: Math.min(limit, 200) }));
  });
  app.get("/api/calls/:id", async (context) => {
    const id = context.req.param("id");
    const call = calls.find(Number(id));
    if (call === undefined)
      throw new WrongInputError(`There is no call ${id}. The newest 5,000 of this run are kept.`, 404);
    return context.json<CallDetail>({
      ...call,
      behaviour: await behaviourOf(call.surface, call.operation),
      journeyId: store.of("event", call.trace ?? "").at(-1)?.id,
      caused: store.of("request", call.requestId ?? "").length,
    });
  });
}
