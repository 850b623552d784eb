import type { Context } from "hono";
import * as z from "zod/mini";
import type { JourneyCopies } from "../api/journeys.ts";
import type { ConsoleContext } from "../console-context.ts";
import { writeCopies, writeCurl } from "../journeys/copies.ts";
import { findPlace } from "../journeys/find-place.ts";
import { handleAgain } from "../journeys/handle-again.ts";
import type { Journey } from "../journeys/journey.ts";
import { journeyFilterSchema, listJourneys, markMessages } from "../journeys/list-journeys.ts";
import { sendAgain } from "../journeys/send-again.ts";
import { showJourney } from "../journeys/show-journey.ts";
import { operatorOf } from "../operate.ts";
import { aText, must, readFilters } from "../read-input.ts";

/** As many messages as a page of the chat holds at once. */
const mostMarks = 300;
const markQuerySchema = z.object({
  app: aText,
  ids: z.optional(z.string().check(z.maxLength(mostMarks * 21))),
});

const copyQuerySchema = z.object({ handler: aText });

/**
 * `GET /api/journeys`, newest first, and `/marks` of messages; `GET /api/journeys/<id>`, and its `/copies`;
 * `POST …/send-again` and `…/handle-again`.
 */
export function addJourneysRoutes({ on, world, calls, journal }: ConsoleContext): void {
  const { store, bodyOf } = journal;
  const operator = operatorOf(world.cloud, () => world.platform.clock.now());
  const path = "/api/journeys/:id";
  const find = (context: Context): Journey => {
    const id = context.req.param("id") ?? "";
    return must(store.journeys.get(id), `There is no journey ${id}. The newest 10,000 are kept.`);
  };
  const show = async (journey: Journey) => {
    const place = await findPlace(journey, world.cloud, operator);
    const bodiesOf = (callId: number) => calls.find(callId);
    return showJourney(journey, { store, body: bodyOf(journey.id), place, bodiesOf });
  };

  on.get("/api/journeys", (context) => listJourneys(store, readFilters(context, journeyFilterSchema)));
  on.get("/api/journeys/marks", (context) => {
    const { app: appId = "", ids = "" } = readFilters(context, markQuerySchema);
    return markMessages(appId, ids.split(",").slice(0, mostMarks), store);
  });
  on.get(path, (context) => show(find(context)));
  on.get(`${path}/copies`, async (context) => {
    const journey = find(context);
    const { handler } = readFilters(context, copyQuerySchema);
    const body = bodyOf(journey.id) ?? "";
    const copies = writeCopies(await show(journey), body, handler);
    return { ...copies, curl: writeCurl(world, journey, body) } satisfies JourneyCopies;
  });
  on.post(`${path}/send-again`, (context) => {
    const journey = find(context);
    return sendAgain(journey, bodyOf(journey.id), world);
  });
  on.post(`${path}/handle-again`, async (context) => {
    const journey = find(context);
    return { message: await handleAgain(journey, bodyOf(journey.id), operator) };
  });
}
