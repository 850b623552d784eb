import { sha256Hex } from "../../../lib/base/digest.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import type { HttpExchange } from "../../cloud/gateway/http-gateway.ts";
import type { SentMessage } from "../../cloud/queue/sent-messages.ts";
import type { Journey, KeptReception, KeptSending } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { addTo, newJourney, wordsOf } from "./new-journey.ts";
import { readFacts } from "./read-facts.ts";

/** Characters kept of a body that the platform did not send. */
const longestBody = 70_000;

export interface Sending extends KeptSending {
  readonly message: SentMessage;
}

export interface Received {
  readonly exchange: HttpExchange;
  readonly sendings: readonly Sending[];
}

export class MessageAssigner {
  readonly #store: JourneyStore;
  readonly #now: () => number;
  readonly #onKnown: (messageId: string) => void;
  #requests = 0;

  constructor(store: JourneyStore, now: () => number, onKnown: (messageId: string) => void) {
    this.#store = store;
    this.#now = now;
    this.#onKnown = onKnown;
  }

  attach(journey: Journey, received: Received): void {
    journey.receptions.push(toReception(received));
    for (const sending of received.sendings) this.#take(sending, journey);
  }

  /** The platform did not send it. */
  addElsewhere(received: Received): void {
    const { exchange } = received;
    const body = exchange.body.toString("utf8").slice(0, longestBody);
    const facts = readFacts(body, exchange.pathParameters.appId ?? "");
    this.#requests += 1;
    const id = `r${this.#requests}`;
    const journey: Journey = {
      ...newJourney(this.#store, id, this.#now()),
      origin: { kind: "elsewhere", userAgent: exchange.userAgent },
      ...{ facts, body, state: exchange.status < 300 ? "delivered" : "lost" },
      words: wordsOf([id, exchange.userAgent, ...Object.values(facts)]),
    };
    const { atMs, durationMs, status } = exchange;
    journey.tries.push({ number: 1, atMs, durationMs, status, error: undefined });
    addTo(this.#store, journey, [sha256Hex(body)]);
    this.attach(journey, received);
  }

  /** A message without a request belongs to the delivery that it repeats or follows. */
  takeAlone(sending: Sending): void {
    const { queue, message } = sending;
    if (queue !== "events" && queue !== "calls" && queue !== "quarantine") return;
    const content = parseJson(message.body);
    const inner = isRecord(content) && typeof content.body === "string" ? content.body : "";
    const { deliveryKey, appId = "" } = factsOf(content) ?? {};
    const store = this.#store;
    const journey =
      store.ofBody(sha256Hex(message.body)) ??
      store.ofBody(sha256Hex(inner)) ??
      (deliveryKey === undefined ? undefined : store.ofFact(deliveryKey).at(-1)) ??
      this.#addQueued(sending, inner, appId);
    this.#take(sending, journey);
  }

  #take({ messageId, queue, isRepeated, message }: Sending, journey: Journey): void {
    const store = this.#store;
    if (queue === "quarantine") {
      const { reason, problems } = readQuarantined(message.body);
      journey.quarantined = { atMs: this.#now(), reason, problems, messageId };
      journey.words += wordsOf([reason, problems]);
    }
    if ((queue !== "events" && queue !== "calls") || isRepeated || store.messages.has(messageId)) return;
    store.nameBody(sha256Hex(message.body), journey);
    store.addMessage({
      ...{ id: messageId, queue, journeyId: journey.id, sentAtMs: this.#now(), groupId: message.groupId },
      isReplay: message.attributes.includes("ReplayedAt"),
      attempts: [],
      buried: undefined,
    });
    this.#onKnown(messageId);
  }

  #addQueued({ messageId }: Sending, inner: string, appId: string): Journey {
    const facts = readFacts(inner, appId);
    const journey: Journey = {
      ...newJourney(this.#store, `m${messageId}`, this.#now()),
      ...{ origin: { kind: "queue" }, facts, body: inner, state: "delivered" },
      words: wordsOf([messageId, ...Object.values(facts)]),
    };
    addTo(this.#store, journey, [sha256Hex(inner)]);
    return journey;
  }
}

function toReception({ exchange, sendings }: Received): KeptReception {
  const { body: _, ...rest } = exchange;
  return { exchange: rest, sent: sendings.map(({ message: _message, ...kept }) => kept) };
}

/** The format of lib/queue/quarantine.ts. */
function readQuarantined(body: string): { readonly reason: string; readonly problems: string } {
  const message = parseJson(body);
  if (!isRecord(message)) return { reason: "unknown", problems: "" };
  const { reason, problems } = message;
  const told = Array.isArray(problems) ? problems.filter(isRecord) : [];
  return {
    reason: String(reason),
    problems: told.map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`).join("; "),
  };
}
