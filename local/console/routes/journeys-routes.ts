import type { Hono } from "hono";
import * as z from "zod/mini";
import type { JourneyCopies, JourneyVerdict } from "../api/journeys.ts";
import type { ConsoleGround } from "../console-ground.ts";
import { writeCopies } from "../journeys/copies.ts";
import { findPlace } from "../journeys/find-place.ts";
import { CannotHandleAgainError, handleAgain } from "../journeys/handle-again.ts";
import type { Journey } from "../journeys/journey.ts";
import { listJourneys } from "../journeys/list-journeys.ts";
import { CannotSendAgainError, sendAgain } from "../journeys/send-again.ts";
import { showJourney } from "../journeys/show-journey.ts";
import { operatorOf } from "../operate.ts";
import { aCount, aText, readFilters } from "./read-filters.ts";

const verdictNames = ["failed", "waiting", "running", "done", "nothing", "unknown"] as const;

const querySchema = z.object({
  verdict: z.optional(z.enum(verdictNames)),
  trigger: aText,
  handler: aText,
  app: aText,
  message: aText,
  key: aText,
  queueMessage: aText,
  call: aCount,
  search: aText,
  before: aCount,
  after: aCount,
  limit: aCount,
});

const copyQuerySchema = z.object({ handler: aText });

/**
 * Adds `GET /api/journeys`, newest first; `GET /api/journeys/<id>`, and its `/copies` for the clipboard;
 * `POST …/send-again`, `…/handle-again`, and `…/curl` with the password.
 */
export function addJourneysRoutes(app: Hono, { world, calls, journal }: ConsoleGround): void {
  const { store, bodyOf } = journal;
  const operator = operatorOf(world.cloud, () => world.clock?.now() ?? Date.now());
  const { redactor } = world.platform.services;
  const missing = (id: string) => ({
    error: { message: `There is no journey ${id}. The newest 10,000 are kept.` },
  });
  const show = async (journey: Journey) => {
    const place = await findPlace(journey, { store, cloud: world.cloud, operator });
    return showJourney(journey, store, {
      ...{ body: bodyOf(journey.id), place, redact: (value) => redactor.value(value) },
      bodiesOf: (callId) => calls.find(callId),
    });
  };

  app.get("/api/journeys", (context) => {
    const query = readFilters(context, querySchema);
    const { app: appId, key: deliveryKey, verdict, limit = 50, ...filter } = query;
    const verdicts: readonly JourneyVerdict[] | undefined = verdict && [verdict];
    const wanted = { ...filter, appId, deliveryKey, verdicts, limit: Math.min(limit, 200) };
    return context.json(redactor.value(listJourneys(store, wanted)));
  });
  app.get("/api/journeys/:id", async (context) => {
    const id = context.req.param("id");
    const journey = store.journeys.get(id);
    if (journey === undefined) return context.json(missing(id), 404);
    return context.json(await show(journey));
  });
  app.get("/api/journeys/:id/copies", async (context) => {
    const id = context.req.param("id");
    const journey = store.journeys.get(id);
    if (journey === undefined) return context.json(missing(id), 404);
    const { handler } = readFilters(context, copyQuerySchema);
    const detail = await show(journey);
    const body = redactor.text(bodyOf(id) ?? "");
    const copies: JourneyCopies = writeCopies({ world, journey, detail, body, handler });
    return context.json(copies);
  });
  app.post("/api/journeys/:id/curl", async (context) => {
    const id = context.req.param("id");
    const journey = store.journeys.get(id);
    if (journey === undefined) return context.json(missing(id), 404);
    const detail = await show(journey);
    const { curl } = writeCopies({ world, journey, detail, body: bodyOf(id) ?? "", withPassword: true });
    return context.json({ curl });
  });
  app.post("/api/journeys/:id/send-again", async (context) => {
    const id = context.req.param("id");
    const journey = store.journeys.get(id);
    if (journey === undefined) return context.json(missing(id), 404);
    try {
      return context.json(await sendAgain(journey, bodyOf(id), { world, journal }));
    } catch (error) {
      if (!(error instanceof CannotSendAgainError)) throw error;
      return context.json({ error: { message: error.message } }, 409);
    }
  });
  app.post("/api/journeys/:id/handle-again", async (context) => {
    const id = context.req.param("id");
    const journey = store.journeys.get(id);
    if (journey === undefined) return context.json(missing(id), 404);
    try {
      const message = await handleAgain(journey, bodyOf(id), { store, operator });
      return context.json({ message });
    } catch (error) {
      if (!(error instanceof CannotHandleAgainError)) throw error;
      return context.json({ error: { message: error.message } }, 409);
    }
  });
}
