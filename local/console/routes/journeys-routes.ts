import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import type { JourneyCopies, JourneyVerdict, MessageMark } from "../api/journeys.ts";
import type { ConsoleContext } from "../console-context.ts";
import { writeCopies } from "../journeys/copies.ts";
import { findPlace } from "../journeys/find-place.ts";
import { CannotHandleAgainError, handleAgain } from "../journeys/handle-again.ts";
import type { Journey } from "../journeys/journey.ts";
import { listJourneys, markMessages } from "../journeys/list-journeys.ts";
import { CannotSendAgainError, sendAgain } from "../journeys/send-again.ts";
import { showJourney } from "../journeys/show-journey.ts";
import { type ConsoleOperator, operatorOf } from "../operate.ts";
import { WrongInputError } from "../read-input.ts";
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
  const find = (context: Context): Journey => {
    const id = context.req.param("id");
    const journey = store.journeys.get(id ?? "");
    if (journey !== undefined) return journey;
    throw new WrongInputError(`There is no journey ${id}. The newest 10,000 are kept.`, 404);
  };
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
  app.get("/api/journeys/marks", (context) => {
    const { app: appId = "", ids = "" } = readFilters(context, markQuerySchema);
    const marks: Readonly<Record<string, MessageMark>> = markMessages(
      appId,
      ids.split(",").slice(0, mostMarks),
      store,
    );
    return context.json(redactor.value(marks));
  });
  app.get("/api/journeys/:id", async (context) => {
    return context.json(await show(find(context)));
  });
  app.get("/api/journeys/:id/copies", async (context) => {
    const journey = find(context);
    const { handler } = readFilters(context, copyQuerySchema);
    const detail = await show(journey);
    const body = redactor.text(bodyOf(journey.id) ?? "");
    const copies: JourneyCopies = writeCopies({ world, journey, detail, body, handler });
    return context.json(copies);
  });
  app.post("/api/journeys/:id/curl", async (context) => {
    const journey = find(context);
    const detail = await show(journey);
    const { curl } = writeCopies({
      world,
      journey,
      detail,
      body: bodyOf(journey.id) ?? "",
      withPassword: true,
    });
    return context.json({ curl });
  });
  addActions(app, { find, world, journal, operator });
}

function addActions(
  app: Hono,
  {
    find,
    world,
    journal,
    operator,
  }: Pick<ConsoleContext, "journal" | "world"> & {
    find: (context: Context) => Journey;
    operator: ConsoleOperator;
  },
): void {
  const { store, bodyOf } = journal;
  app.post("/api/journeys/:id/send-again", async (context) => {
    const journey = find(context);
    try {
      return context.json(await sendAgain(journey, bodyOf(journey.id), { world, journal }));
    } catch (error) {
      throw error instanceof CannotSendAgainError ? new WrongInputError(error.message, 409) : error;
    }
  });
  app.post("/api/journeys/:id/handle-again", async (context) => {
    const journey = find(context);
    try {
      const message = await handleAgain(journey, bodyOf(journey.id), { store, operator });
      return context.json({ message });
    } catch (error) {
      throw error instanceof CannotHandleAgainError ? new WrongInputError(error.message, 409) : error;
    }
  });
}
