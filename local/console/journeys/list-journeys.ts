import type { JourneyList, JourneyRow, JourneyVerdict, MessageMark } from "../api/journeys.ts";
import type { Journey } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { judgeJourney } from "./judge-journey.ts";
import { handlerOf } from "./note-attempt-line.ts";

export interface JourneyFilter {
  readonly verdicts?: readonly JourneyVerdict[] | undefined;
  readonly trigger?: string | undefined;
  readonly handler?: string | undefined;
  readonly appId?: string | undefined;
  readonly message?: string | undefined;
  readonly deliveryKey?: string | undefined;
  readonly queueMessage?: string | undefined;
  readonly call?: number | undefined;
  /** Words that all occur in ids, texts, names or errors. */
  readonly search?: string | undefined;
  /** The previous page's `next`. */
  readonly before?: number | undefined;
  /** Journeys after this number are counted. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export function listJourneys(store: JourneyStore, filter: JourneyFilter): JourneyList {
  const { verdicts, before = Number.POSITIVE_INFINITY, after = Number.POSITIVE_INFINITY, limit } = filter;
  let newer = 0;
  const counts = { failed: 0, waiting: 0, running: 0, done: 0, nothing: 0, unknown: 0 };
  const triggers = new Set<string>();
  const handlers = new Set<string>();
  const rows: JourneyRow[] = [];
  let next: string | undefined;
  let last = 0;
  for (const journey of candidates(store, filter)) {
    triggers.add(journey.facts.trigger);
    const ran = handlersOf(journey, store);
    for (const name of ran) handlers.add(name);
    if (!isMeant(journey, ran, filter)) continue;
    const { verdict } = judgeJourney(journey, store);
    counts[verdict] += 1;
    if (verdicts !== undefined && !verdicts.includes(verdict)) continue;
    if (journey.number > after) newer += 1;
    if (journey.number >= before || next !== undefined) continue;
    if (rows.length === limit) {
      next = String(last);
      continue;
    }
    rows.push(showRow(journey, store));
    last = journey.number;
  }
  return {
    ...{ rows, next, newer, counts },
    triggers: [...triggers].filter((name) => name !== "").toSorted(),
    handlers: [...handlers].toSorted(),
  };
}

export function countFailed(store: JourneyStore): number {
  let count = 0;
  for (const journey of store.journeys.values()) {
    if (mayHaveFailed(journey, store) && judgeJourney(journey, store).verdict === "failed") count += 1;
  }
  return count;
}

/** Judging all would take long. */
function mayHaveFailed({ state, quarantined, messageIds }: Journey, { messages }: JourneyStore): boolean {
  if (state === "lost" || quarantined !== undefined) return true;
  return [...messageIds].some((id) => {
    const { buried, attempts = [] } = messages.get(id) ?? {};
    return (
      buried !== undefined || attempts.some(({ runs }) => runs.some(({ failure }) => failure !== undefined))
    );
  });
}

/** Of the newest delivery of each message of an app, by the message's id. */
export function markMessages(
  appId: string,
  ids: readonly string[],
  store: JourneyStore,
): Readonly<Record<string, MessageMark>> {
  const marks = ids.flatMap((id): (readonly [string, MessageMark])[] => {
    const journey = store
      .ofChatMessage(id)
      .findLast(
        ({ facts }) => facts.trigger === "message_sent" && facts.messageId === id && facts.appId === appId,
      );
    return journey === undefined ? [] : [[id, { id: journey.id, ...judgeJourney(journey, store) }]];
  });
  return Object.fromEntries(marks);
}

function candidates(store: JourneyStore, filter: JourneyFilter): Iterable<Journey> {
  const { message, deliveryKey, queueMessage, call } = filter;
  if (message !== undefined) return store.ofChatMessage(message).toReversed();
  if (deliveryKey !== undefined) return store.ofFact(deliveryKey).toReversed();
  const id = queueMessage === undefined ? undefined : (store.messages.get(queueMessage)?.journeyId ?? "");
  const named = call === undefined ? id : (store.calls.get(call)?.journeyId ?? "");
  if (named === undefined) return store.newest();
  const journey = store.journeys.get(named);
  return journey === undefined ? [] : [journey];
}

function isMeant(
  { facts, words }: Journey,
  ran: readonly string[],
  { trigger, handler, appId, search }: JourneyFilter,
): boolean {
  if (trigger !== undefined && facts.trigger !== trigger) return false;
  if (appId !== undefined && facts.appId !== appId) return false;
  if (handler !== undefined && !ran.includes(handler)) return false;
  if (search === undefined) return true;
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

function handlersOf({ messageIds }: Journey, { messages }: JourneyStore): readonly string[] {
  const names = [...messageIds].flatMap((id) =>
    (messages.get(id)?.attempts ?? []).flatMap(({ runs }) => runs.filter(({ outcome }) => outcome !== "off")),
  );
  return [...new Set(names.map(handlerOf))];
}

export function showRow(journey: Journey, store: JourneyStore): JourneyRow {
  const { id, number, atMs, origin, facts, tries } = journey;
  const messages = [...journey.messageIds].flatMap((messageId) => store.messages.get(messageId) ?? []);
  const attempts = messages.flatMap((message) => message.attempts);
  const endedMs = Math.max(...attempts.map(({ endedMs: ms = 0 }) => ms));
  const effects = attempts.flatMap(({ runs }) => runs.flatMap((run) => run.effects));
  return {
    ...{ id, number, atMs, ...judgeJourney(journey, store) },
    ...{ appId: facts.appId, trigger: facts.trigger, from: origin.kind },
    ...{ actor: facts.sender, conversation: facts.conversation ?? facts.receiver, text: facts.text },
    ...{ tries: tries.length, status: tries.at(-1)?.status },
    tookMs: endedMs > 0 ? Math.max(0, endedMs - atMs) : undefined,
    made: [...new Set(effects.flatMap(({ made }) => made ?? []))],
  };
}
