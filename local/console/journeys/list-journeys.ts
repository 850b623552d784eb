import * as z from "zod/mini";
import type { JourneyList, JourneyRow, MessageMark } from "../api/journeys.ts";
import { aCount, aText } from "../read-input.ts";
import { countNames, namesOf, pageOf } from "../rows.ts";
import { handlerOf, type Journey, runsOf } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { judgeJourney } from "./judge-journey.ts";

const verdicts = ["failed", "waiting", "running", "done", "nothing", "unknown"] as const;

export const journeyFilterSchema = z.object({
  verdict: z.optional(z.enum(verdicts)),
  trigger: aText,
  handler: aText,
  app: aText,
  /** Of the chat. */
  message: aText,
  /** The event's. */
  key: aText,
  queueMessage: aText,
  call: aCount,
  /** Words that all occur in ids, texts, names or errors. */
  search: aText,
  page: aCount,
});

export type JourneyFilter = z.output<typeof journeyFilterSchema>;

/** Newest first. */
export function listJourneys(store: JourneyStore, filter: JourneyFilter): JourneyList {
  const all = candidates(store, filter).map((journey) => {
    const ran = runsOf(journey).flatMap((run) => (run.outcome === "off" ? [] : handlerOf(run)));
    return { journey, ran, trigger: journey.facts.trigger };
  });
  const meant = all
    .filter(({ journey, ran }) => isMeant(journey, ran, filter))
    .map(({ journey }) => ({ journey, verdict: judgeJourney(journey).verdict }));
  const { verdict: wanted, page } = filter;
  const found = wanted === undefined ? meant : meant.filter(({ verdict }) => verdict === wanted);
  return {
    ...pageOf(found, page, 50, ({ journey }) => showRow(journey)),
    counts: countNames(meant.map(({ verdict }) => verdict)),
    triggers: namesOf(all.map(({ trigger }) => trigger)),
    handlers: namesOf(all.flatMap(({ ran }) => ran)),
  };
}

export function countFailed({ journeys }: JourneyStore): number {
  // Judging all would take long.
  const mayHaveFailed = (journey: Journey) =>
    journey.state === "lost" ||
    journey.quarantined !== undefined ||
    journey.messages.some(({ buried }) => buried !== undefined) ||
    runsOf(journey).some(({ failure }) => failure !== undefined);
  const failed = journeys
    .values()
    .filter((journey) => mayHaveFailed(journey) && judgeJourney(journey).verdict === "failed");
  return [...failed].length;
}

/** Of the newest delivery of each message of an app, by the message's id. */
export function markMessages(
  appId: string,
  ids: readonly string[],
  store: JourneyStore,
): Readonly<Record<string, MessageMark>> {
  const marks = ids.flatMap((id) => {
    const journey = store.of("chat", id).findLast(({ facts }) => {
      return facts.trigger === "message_sent" && facts.messageId === id && facts.appId === appId;
    });
    return journey === undefined ? [] : [[id, { id: journey.id, ...judgeJourney(journey) }] as const];
  });
  return Object.fromEntries(marks);
}

function candidates(store: JourneyStore, filter: JourneyFilter): readonly Journey[] {
  const { message, key, queueMessage, call } = filter;
  if (message !== undefined) return store.of("chat", message).toReversed();
  if (key !== undefined) return store.ofEvent(key).toReversed();
  if (call !== undefined) return [store.ofCall(call) ?? []].flat();
  return queueMessage === undefined ? store.newest() : store.of("message", queueMessage);
}

function isMeant(
  { facts, words }: Journey,
  ran: readonly string[],
  { trigger, handler, app, search = "" }: JourneyFilter,
): boolean {
  if (trigger !== undefined && facts.trigger !== trigger) return false;
  if (app !== undefined && facts.appId !== app) return false;
  if (handler !== undefined && !ran.includes(handler)) return false;
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

export function showRow(journey: Journey): JourneyRow {
  const { id, number, atMs, origin, tries, messages } = journey;
  const { appId, trigger, sender: actor, receiver, conversation = receiver, text } = journey.facts;
  const endedMs = Math.max(...messages.flatMap(({ attempts }) => attempts.map((one) => one.endedMs ?? 0)));
  const made = runsOf(journey).flatMap(({ effects }) => effects.flatMap((effect) => effect.made ?? []));
  return {
    ...{ id, number, atMs, ...judgeJourney(journey), appId, trigger, from: origin.kind },
    ...{ actor, conversation, text, tries: tries.length, status: tries.at(-1)?.status },
    tookMs: endedMs > 0 ? Math.max(0, endedMs - atMs) : undefined,
    made: [...new Set(made)],
  };
}
