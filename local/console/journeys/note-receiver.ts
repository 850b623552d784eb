import { sha256Hex } from "../../../lib/base/digest.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import type { HttpExchange } from "../../cloud/gateway/http-gateway.ts";
import type { SentMessage } from "../../cloud/queue/sent-messages.ts";
import type { JournalOptions } from "./journal-options.ts";
import type { Journey, KeptReception, KeptSending } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { addTo, newJourney, wordsOf } from "./new-journey.ts";
import { readFacts } from "./read-facts.ts";

/** A request can be held forever, so the oldest messages are evicted. */
const mostHeld = 1_000;
/** Characters kept of a body that the platform did not send. */
const longestBody = 70_000;

/** The receiver's key in serverless.yml. */
const receiverKey = "webhook";

interface Sending extends KeptSending {
  readonly message: SentMessage;
}

export type ReceiverNotes = ReturnType<typeof createReceiverNotes>;

/**
 * Records what reached the receiver and what it sent to which queue. A request is the platform's if one of
 * its attempts used the same port.
 * @param release is called when a message becomes known
 */
export function createReceiverNotes(
  store: JourneyStore,
  { now, queueOf }: Pick<JournalOptions, "now" | "queueOf">,
  release: { readonly expect: (messageId: string) => void; readonly known: (messageId: string) => void },
) {
  /** Deliveries in progress, by the digest of their body. */
  const open = new Map<string, Set<string>>();
  const openDigests = new Map<string, string>();
  /** Requests whose attempt the platform has not ended yet, by the caller's port. */
  const held = new Map<number, { readonly reception: Received; readonly digest: string }>();
  /** Attempts that the platform gave up before the receiver answered, by port. */
  const awaited = new Map<number, string>();
  const sent = new Map<string, Sending[]>();
  let requests = 0;

  const toReception = ({ exchange, sendings }: Received): KeptReception => {
    const { body: _, ...rest } = exchange;
    return { exchange: rest, sent: sendings.map(({ message: _message, ...kept }) => kept) };
  };
  const attach = (journey: Journey, received: Received) => {
    journey.receptions.push(toReception(received));
    for (const sending of received.sendings) take(sending, journey);
  };
  const addElsewhere = (received: Received) => {
    const { exchange } = received;
    const body = exchange.body.toString("utf8").slice(0, longestBody);
    const facts = readFacts(body, exchange.pathParameters.appId ?? "");
    requests += 1;
    const journey: Journey = {
      ...newJourney(store, `r${requests}`, now()),
      origin: { kind: "elsewhere", userAgent: exchange.userAgent },
      ...{ facts, body, state: exchange.status < 300 ? "delivered" : "lost" },
      words: wordsOf([`r${requests}`, exchange.userAgent, ...Object.values(facts)]),
    };
    const { atMs, durationMs, status } = exchange;
    journey.tries.push({ number: 1, atMs, durationMs, status, error: undefined });
    addTo(store, journey, [sha256Hex(body)]);
    attach(journey, received);
  };

  const take = ({ messageId, queue, isRepeated, message }: Sending, journey: Journey) => {
    if (queue === "quarantine") {
      const { reason, problems } = readQuarantined(message.body);
      journey.quarantined = { atMs: now(), reason, problems, messageId };
      journey.words += wordsOf([reason, problems]);
    }
    if ((queue !== "events" && queue !== "calls") || isRepeated || store.messages.has(messageId)) return;
    store.nameBody(sha256Hex(message.body), journey);
    store.addMessage({
      ...{ id: messageId, queue, journeyId: journey.id, sentAtMs: now(), groupId: message.groupId },
      isReplay: message.attributes.includes("ReplayedAt"),
      attempts: [],
      buried: undefined,
    });
    release.known(messageId);
  };

  /** Assigns a message without a request to the delivery that it repeats or follows. */
  const takeAlone = (sending: Sending) => {
    const { queue, message } = sending;
    if (queue !== "events" && queue !== "calls" && queue !== "quarantine") return;
    const content = parseJson(message.body);
    const inner = isRecord(content) && typeof content.body === "string" ? content.body : "";
    const { deliveryKey, appId = "" } = factsOf(content) ?? {};
    const journey =
      store.ofBody(sha256Hex(message.body)) ??
      store.ofBody(sha256Hex(inner)) ??
      (deliveryKey === undefined ? undefined : store.ofFact(deliveryKey).at(-1)) ??
      addQueued(sending, inner, appId);
    take(sending, journey);
  };
  const addQueued = ({ messageId }: Sending, inner: string, appId: string): Journey => {
    const facts = readFacts(inner, appId);
    const journey: Journey = {
      ...newJourney(store, `m${messageId}`, now()),
      ...{ origin: { kind: "queue" }, facts, body: inner, state: "delivered" },
      words: wordsOf([messageId, ...Object.values(facts)]),
    };
    addTo(store, journey, [sha256Hex(inner)]);
    return journey;
  };

  return {
    open(digest: string, journeyId: string) {
      open.set(digest, (open.get(digest) ?? new Set()).add(journeyId));
      openDigests.set(journeyId, digest);
    },
    settle(journey: Journey, port: number | undefined) {
      const found = port === undefined ? undefined : held.get(port);
      if (port !== undefined && found !== undefined) {
        held.delete(port);
        attach(journey, found.reception);
      } else if (port !== undefined && journey.tries.at(-1)?.status === undefined) {
        awaited.set(port, journey.id);
        forgetOldest(awaited);
      }
      if (journey.state === "pending") return;
      const digest = openDigests.get(journey.id) ?? "";
      openDigests.delete(journey.id);
      const others = open.get(digest);
      others?.delete(journey.id);
      if (others === undefined || others.size > 0) return;
      open.delete(digest);
      // All senders of these have ended.
      for (const [otherPort, other] of held) {
        if (other.digest !== digest) continue;
        held.delete(otherPort);
        addElsewhere(other.reception);
      }
    },
    noteSent(message: SentMessage) {
      const { messageId, queueName, invocation } = message;
      const queue = queueOf(queueName);
      const sending: Sending = {
        ...{ messageId, queue, message },
        isRepeated: store.messages.has(messageId) || isSentBy(sent, messageId),
      };
      if (invocation === undefined) {
        takeAlone(sending);
        return;
      }
      sent.set(invocation, [...(sent.get(invocation) ?? []), sending]);
      if (!sending.isRepeated && (queue === "events" || queue === "calls")) release.expect(messageId);
    },
    noteExchange(told: HttpExchange) {
      if (told.functionKey !== receiverKey) return;
      // The local stack's clock, as everywhere else.
      const exchange = { ...told, atMs: now() - told.durationMs };
      const sendings = sent.get(exchange.invocation ?? "") ?? [];
      sent.delete(exchange.invocation ?? "");
      const reception = { exchange, sendings };
      const digest = sha256Hex(exchange.body);
      const { remotePort: port } = exchange;
      const late = port === undefined ? undefined : store.journeys.get(awaited.get(port) ?? "");
      if (port !== undefined && late !== undefined) {
        awaited.delete(port);
        attach(late, reception);
      } else if (port !== undefined && open.has(digest)) {
        held.set(port, { reception, digest });
      } else addElsewhere(reception);
    },
    /** A message sent by a function other than the receiver has no delivery. */
    noteInvocation({ functionKey, requestId }: { functionKey: string; requestId?: string | undefined }) {
      if (functionKey === receiverKey || requestId === undefined) return;
      const sendings = sent.get(requestId) ?? [];
      sent.delete(requestId);
      for (const sending of sendings) takeAlone(sending);
    },
    clear() {
      for (const all of [open, openDigests, held, awaited, sent]) all.clear();
    },
  };
}

/** Searches only the receiver's running invocations. */
function isSentBy(sent: ReadonlyMap<string, readonly Sending[]>, messageId: string): boolean {
  return sent.values().some((sendings) => sendings.some((one) => one.messageId === messageId));
}

function forgetOldest(map: Map<unknown, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > mostHeld) map.delete(oldest);
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

interface Received {
  readonly exchange: HttpExchange;
  readonly sendings: readonly Sending[];
}
