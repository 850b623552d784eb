import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import type { JourneyCopies } from "../api/journeys.ts";
import type { ConsoleContext } from "../console-context.ts";
import { writeCopies, writeCurl } from "../journeys/copies.ts";
import { findPlace } from "../journeys/find-place.ts";
import { handleAgain } from "../journeys/handle-again.ts";
import type { Journey } from "../journeys/journey.ts";
import { listJourneys, markMessages } from "../journeys/list-journeys.ts";
import { sendAgain } from "../journeys/send-again.ts";
import { showJourney } from "../journeys/show-journey.ts";
import { operatorOf } from "../operate.ts";
import { WrongInputError } from "../read-input.ts";
import { aCount, aText, readFilters } from "./read-filters.ts";

const querySchema = z.object({
  verdict: z.optional(z.enum(["failed", "waiting", "running", "done", "nothing", "unknown"])),
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

/** As many messages as a page of the chat holds at once. */
const mostMarks = 300;
const markQuerySchema = z.object({
  app: aText,
  ids: z.optional(z.string().check(z.maxLength(mostMarks * 21))),
});

const copyQuerySchema = z.object({ handler: aText });

/**
 * `GET /api/journeys`, newest first, and `/marks` of messages; `GET /api/journeys/<id>`, and its `/copies`;
 * `POST …/send-again`, `…/handle-again`, and `…/curl` with the password.
 */
export function addJourneysRoutes(app: Hono, { world, calls, journal }: ConsoleContext): void {
  const { store, bodyOf } = journal;
  const operator = operatorOf(world.cloud, () => world.platform.clock.now());
  const { redactor } = world.platform.services;
  const path = "/api/journeys/:id";
  const find = (context: Context): Journey => {
    const id = context.req.param("id");
    const journey = store.journeys.get(id ?? "");
    if (journey !== undefined) return journey;
    throw new WrongInputError(`There is no journey ${id}. The newest 10,000 are kept.`, 404);
  };
  const show = async (journey: Journey) => {
    const place = await findPlace(journey, world.cloud, operator);
    const bodiesOf = (callId: number) => calls.find(callId);
    return redactor.value(showJourney(journey, { store, body: bodyOf(journey.id), place, bodiesOf }));
  };

  app.get("/api/journeys", (context) => {
    const { limit = 50, ...filter } = readFilters(context, querySchema);
    return context.json(redactor.value(listJourneys(store, { ...filter, limit: Math.min(limit, 200) })));
  });
  app.get("/api/journeys/marks", (context) => {
    const { app: appId = "", ids = "" } = readFilters(context, markQuerySchema);
    return context.json(redactor.value(markMessages(appId, ids.split(",").slice(0, mostMarks), store)));
  });
  app.get(path, async (context) => context.json(await show(find(context))));
  app.get(`${path}/copies`, async (context) => {
    const journey = find(context);
    const { handler } = readFilters(context, copyQuerySchema);
    const body = redactor.text(bodyOf(journey.id) ?? "");
    const copies = writeCopies(await show(journey), body, handler);
    return context.json<JourneyCopies>({ ...copies, curl: writeCurl(world, journey, body) });
  });
  app.post(`${path}/curl`, (context) => {
    const journey = find(context);
    return context.json({ curl: writeCurl(world, journey, bodyOf(journey.id) ?? "", true) });
  });
  app.post(`${path}/send-again`, async (context) => {
    const journey = find(context);
    return context.json(await sendAgain(journey, bodyOf(journey.id), world));
  });
  app.post(`${path}/handle-again`, async (context) => {
    const journey = find(context);
    return context.json({ message: await handleAgain(journey, bodyOf(journey.id), operator) });
  });
}
