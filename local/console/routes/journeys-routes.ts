import type { Context } from "hono";
import * as z from "zod/mini";
import { basicAuthorization } from "../../../lib/base/http/basic-authorization.ts";
import { webhookUrlOf } from "../../../lib/receive/webhook-url.ts";
import type { LocalStack } from "../../stack/local-stack.ts";
import type { JourneyCopies, JourneyList, MessageMark } from "../api/journeys.ts";
import type { ConsoleContext } from "../console-context.ts";
import { writeCopies, writeCurl } from "../journeys/copies.ts";
import { findPlace, handleAgain, handledNow } from "../journeys/handle-again.ts";
import { handlerOf, type Journey, runsOf } from "../journeys/journey.ts";
import type { JourneyStore } from "../journeys/journey-store.ts";
import { judgeJourney } from "../journeys/judge-journey.ts";
import { showJourney, showRow } from "../journeys/show-journey.ts";
import { aCount, aText, must, readFilters, WrongInputError } from "../read-input.ts";
import { countNames, namesOf, pageOf } from "../rows.ts";

const mostMarks = 300;
const markQuerySchema = z.object({
  app: aText,
  ids: z.optional(z.string().check(z.maxLength(mostMarks * 21))),
});

export function addJourneysRoutes({ on, localStack, operator, calls, journal }: ConsoleContext): void {
  const { store, reader, bodyOf } = journal;
  const path = "/api/journeys/:id";
  const find = (context: Context): Journey => {
    const id = context.req.param("id") ?? "";
    return must(store.journeys.get(id), `There is no journey ${id}. The newest 10,000 are kept.`);
  };
  const show = async (journey: Journey) => {
    const place = await findPlace(journey, reader, operator);
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
    const body = must(bodyOf(journey.id), "The body is not kept.", 409);
    const copies = writeCopies(await show(journey), body);
    return { ...copies, curl: writeCurl(localStack, journey, body) } satisfies JourneyCopies;
  });
  on.post(`${path}/send-again`, (context) => {
    const journey = find(context);
    return sendAgain(journey, bodyOf(journey.id), localStack);
  });
  const inHand = new Set<string>();
  on.post(`${path}/handle-again`, async (context) => {
    const journey = find(context);
    const { id } = journey;
    if (inHand.has(id)) return { message: handledNow };
    inHand.add(id);
    const work = handleAgain(journey, bodyOf(id), { reader, store }, operator);
    return { message: await work.finally(() => inHand.delete(id)) };
  });
}

const verdicts = ["failed", "waiting", "running", "done", "nothing", "unknown"] as const;

const journeyFilterSchema = z.object({
  verdict: z.optional(z.enum(verdicts)),
  trigger: aText,
  handler: aText,
  app: aText,
  message: aText,
  key: aText,
  queueMessage: aText,
  call: aCount,
  /** Caused the delivery. */
  request: aCount,
  /** Words that all occur in ids, texts, names or errors. */
  search: aText,
  page: aCount,
});

export type JourneyFilter = z.output<typeof journeyFilterSchema>;

/** Newest first. */
export function listJourneys(store: JourneyStore, filter: JourneyFilter): JourneyList {
  const setAside = store.setAside();
  const all = candidates(store, filter).map((journey) => {
    const ran = runsOf(journey).flatMap((run) => (run.outcome === "off" ? [] : handlerOf(run)));
    return { journey, ran, trigger: journey.facts.trigger };
  });
  const meant = all
    .filter(({ journey, ran }) => isMeant(journey, ran, filter))
    .map(({ journey }) => ({ journey, verdict: judgeJourney(journey, setAside).verdict }));
  const { verdict: wanted, page } = filter;
  const found = wanted === undefined ? meant : meant.filter(({ verdict }) => verdict === wanted);
  return {
    ...pageOf(found, page, 50, ({ journey }) => showRow(journey, setAside)),
    counts: countNames(meant.map(({ verdict }) => verdict)),
    triggers: namesOf(all.map(({ trigger }) => trigger)),
    handlers: namesOf(all.flatMap(({ ran }) => ran)),
  };
}

export function countFailed(store: JourneyStore): number {
  const setAside = store.setAside();
  // Judging all would be slow.
  const mayHaveFailed = (journey: Journey) =>
    journey.state === "lost" ||
    journey.quarantined !== undefined ||
    journey.messages.some(({ deadLettered }) => deadLettered !== undefined) ||
    runsOf(journey).some(({ failure }) => failure !== undefined);
  const failed = store.journeys
    .values()
    .filter((journey) => mayHaveFailed(journey) && judgeJourney(journey, setAside).verdict === "failed");
  return [...failed].length;
}

/** Returns outcomes by message id: of the newest handled delivery, else of the newest. */
function markMessages(appId: string, ids: readonly string[], store: JourneyStore) {
  const setAside = store.setAside();
  const marks = ids.flatMap((id) => {
    const deliveries = store
      .of("chat", id)
      .filter(
        ({ facts }) => facts.trigger === "message_sent" && facts.messageId === id && facts.appId === appId,
      );
    // A repeated delivery has no outcome.
    const isTaken = ({ messages, quarantined }: Journey) => messages.length > 0 || quarantined !== undefined;
    const journey = deliveries.findLast(isTaken) ?? deliveries.at(-1);
    if (journey === undefined) return [];
    const mark: MessageMark = { id: journey.id, ...judgeJourney(journey, setAside) };
    return [[id, mark] as const];
  });
  return Object.fromEntries(marks);
}

function candidates(store: JourneyStore, filter: JourneyFilter): readonly Journey[] {
  const { message, key, queueMessage, call, request } = filter;
  if (message !== undefined) return store.of("chat", message).toReversed();
  if (key !== undefined) return store.ofEvent(key).toReversed();
  if (request !== undefined) return store.of("request", request).toReversed();
  if (call !== undefined) return [store.ofCall(call) ?? []].flat();
  return queueMessage === undefined ? store.newest() : store.of("message", queueMessage);
}

function isMeant(
  { facts, words }: Journey,
  ran: readonly string[],
  { trigger, handler, app, search = "" }: JourneyFilter,
) {
  if (trigger !== undefined && facts.trigger !== trigger) return false;
  if (app !== undefined && facts.appId !== app) return false;
  if (handler !== undefined && !ran.includes(handler)) return false;
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

/** From the platform to its webhook, or from the console to the receiver. */
async function sendAgain(
  { origin, facts: { appId } }: Journey,
  body: string | undefined,
  { platform, webhook, cloud }: LocalStack,
) {
  if (origin.kind === "platform") {
    const deliveryId = platform.services.outbox.repeat(origin.deliveryId);
    if (deliveryId === undefined) {
      throw new WrongInputError(
        `The platform did not send delivery ${origin.deliveryId} again. Either a fault drops deliveries, or the delivery no longer exists.`,
        409,
      );
    }
    return { id: `d${deliveryId}`, message: "The platform sends it again." };
  }
  if (origin.kind === "queue")
    throw new WrongInputError("It was not delivered by a request. Use “Handle again” instead.", 409);
  if (body === undefined) throw new WrongInputError("The body is not kept.", 409);
  const authorization = basicAuthorization(webhook.username, webhook.password);
  const headers = { "content-type": "application/json", authorization };
  const response = await fetch(webhookUrlOf(cloud.httpUrl, appId), { method: "POST", headers, body });
  await response.arrayBuffer();
  return { id: undefined, message: `The receiver answered ${response.status}.` };
}
