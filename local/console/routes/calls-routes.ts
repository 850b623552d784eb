import type { CallDetail } from "../api/calls.ts";
import { behaviourOf } from "../calls/behaviour-of.ts";
import { callFilterSchema, pickCalls } from "../calls/pick-calls.ts";
import type { ConsoleContext } from "../console-context.ts";
import { must, readFilters } from "../read-input.ts";

/** `GET /api/calls`, newest first, and `GET /api/calls/<id>`, with both bodies. */
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
