import { sha256Hex } from "../../../lib/base/digest.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import { factsOf } from "../../../lib/queue/read-queued-event.ts";
import type { HttpExchange } from "../../cloud/gateway/http-gateway.ts";
import type { SentMessage } from "../../cloud/queue/sent-messages.ts";
import { toHeld } from "../queues/look-at-queue.ts";
import { textAt } from "../read-value.ts";
import { isOfEvents, type JournalOptions, type Journey, type KeptSending, readFacts } from "./journey.ts";
import { type JourneyStore, mostJourneys, wordsOf } from "./journey-store.ts";
import type { LineNotes } from "./line-notes.ts";

/** Limit of held requests; evicts the oldest. */
const mostHeld = 1_000;
/** Maximum characters. Of longer bodies from elsewhere, only fields are kept. */
const longestBody = 70_000;

/** The receiver's key in serverless.yml. */
const receiverKey = "webhook";

interface Sending extends KeptSending {
  readonly message: SentMessage;
}

interface Received {
  readonly exchange: HttpExchange;
  readonly sendings: readonly Sending[];
}

/** Records requests to the receiver. One is the platform's if an attempt used the same port. */
export class ReceptionNotes {
  readonly #store: JourneyStore;
  readonly #options: JournalOptions;
  readonly #lines: LineNotes;
  /** Requests in progress, by the caller's port and body. */
  readonly #held = new Map<string, Received>();
  /** Journeys that the platform gave up before an answer, by port and body. */
  readonly #awaited = new Map<string, string>();
  readonly #sent = new Map<string, Sending[]>();
  #requests = 0;

  constructor(store: JourneyStore, options: JournalOptions, lines: LineNotes) {
    this.#store = store;
    this.#options = options;
    this.#lines = lines;
  }

  settle(journey: Journey, port: number | undefined): void {
    const caller = `${port} ${journey.names.find((name) => name.startsWith("body "))}`;
    const received = this.#held.get(caller);
    this.#held.delete(caller);
    if (received !== undefined) this.#attach(journey, received);
    else if (port !== undefined && journey.tries.at(-1)?.status === undefined) {
      journey.awaited += 1;
      this.#awaited.set(caller, journey.id);
      const [oldest = ""] = this.#awaited.keys();
      if (this.#awaited.size > mostJourneys) this.#awaited.delete(oldest);
    }
    if (journey.state === "pending") return;
    for (const [other, held] of this.#held) {
      if (this.#isUnderWay(held)) continue;
      this.#held.delete(other);
      this.#addElsewhere(held);
    }
  }

  noteExchange(given: HttpExchange): void {
    if (given.functionKey !== receiverKey) return;
    const { durationMs, remotePort: port, invocation = "" } = given;
    const exchange = { ...given, atMs: this.#options.now() - durationMs };
    const received = { exchange, sendings: this.#takeSendings(invocation) };
    const caller = `${port} body ${sha256Hex(given.body)}`;
    const late = this.#store.journeys.get(this.#awaited.get(caller) ?? "");
    if (late !== undefined) {
      this.#awaited.delete(caller);
      late.awaited -= 1;
      this.#attach(late, received);
    } else if (port !== undefined && this.#isUnderWay(received)) this.#held.set(caller, received);
    else this.#addElsewhere(received);
  }

  noteSent(message: SentMessage): void {
    const { messageId, queueName, invocation } = message;
    const queue = this.#options.queueOf(queueName);
    const isRepeated = this.#isHeld(messageId) || this.#store.of("message", messageId).length > 0;
    const sending: Sending = { messageId, queue, isRepeated, message };
    if (invocation === undefined || this.#addLate(sending, invocation)) {
      this.#takeAlone(sending);
      return;
    }
    const owners = isOfEvents(queue) ? this.#ownersOf(message.body).filter(isUnderWay) : [];
    if (owners.length === 1) for (const owner of owners) this.#take(sending, owner);
    else if (!isRepeated && isOfEvents(queue)) this.#lines.expect(messageId);
    this.#sent.set(invocation, [...(this.#sent.get(invocation) ?? []), sending]);
    const [oldest = ""] = this.#sent.keys();
    if (this.#sent.size <= mostHeld) return;
    for (const one of this.#takeSendings(oldest)) this.#takeAlone(one);
  }

  /** Messages sent by other functions than the receiver have no delivery. */
  noteInvocation({ functionKey, requestId }: { functionKey: string; requestId: string }): void {
    if (functionKey === receiverKey) return;
    for (const sending of this.#takeSendings(requestId)) this.#takeAlone(sending);
  }

  clear(): void {
    for (const all of [this.#held, this.#awaited, this.#sent]) all.clear();
  }

  #isUnderWay({ exchange: { body } }: Received) {
    return this.#store.of("body", sha256Hex(body)).some(({ state }) => state === "pending");
  }

  #isHeld(messageId: string) {
    const all = [...this.#sent.values(), ...this.#held.values().map(({ sendings }) => sendings)];
    return all.some((sendings) => sendings.some((one) => one.messageId === messageId));
  }

  #ownersOf(message: string): readonly Journey[] {
    return this.#store.of("body", sha256Hex(innerBody(message)));
  }

  /** Adds a message that the receiver sent after its answer. */
  #addLate({ message: { body }, ...sent }: Sending, invocation: string) {
    const receptions = this.#ownersOf(body).flatMap((owner) => owner.receptions);
    const reception = receptions.find(({ requestId }) => requestId === invocation);
    reception?.sent.push(sent);
    return reception !== undefined;
  }

  #takeSendings(invocation: string): readonly Sending[] {
    const sendings = this.#sent.get(invocation) ?? [];
    this.#sent.delete(invocation);
    return sendings;
  }

  #attach(journey: Journey, { exchange, sendings }: Received) {
    const { atMs, durationMs, status, invocation: requestId, answer } = exchange;
    const sent = sendings.map(({ message: _, ...kept }) => kept);
    journey.receptions.push({ atMs, durationMs, status, requestId, answer, sent });
    for (const sending of sendings) this.#take(sending, journey);
  }

  #addElsewhere(received: Received) {
    const { userAgent, atMs, durationMs, status, ...exchange } = received.exchange;
    const text = exchange.body.toString("utf8");
    this.#requests += 1;
    const given = {
      ...({ id: `r${this.#requests}`, origin: { kind: "elsewhere", userAgent } } as const),
      atMs: this.#options.now(),
      facts: readFacts(text, exchange.pathParameters.appId ?? ""),
      body: text.length > longestBody ? undefined : text,
      state: status < 300 ? ("delivered" as const) : ("lost" as const),
      tries: [{ number: 1, atMs, durationMs, status, error: undefined }],
    };
    const journey = this.#store.add(given, text);
    this.#attach(journey, received);
  }

  /** Assigns a message without a request to the delivery that it repeats or follows. */
  #takeAlone(sending: Sending) {
    const { messageId, queue, message } = sending;
    if (!isOfEvents(queue) && queue !== "quarantine") return;
    const inner = innerBody(message.body);
    const { deliveryKey, appId = "", trigger } = factsOf(parseJson(message.body)) ?? {};
    const store = this.#store;
    const journey =
      store.ofBody(message.body) ??
      store.ofBody(inner) ??
      store.ofEvent(deliveryKey).at(-1) ??
      store.add({
        id: `m${messageId}`,
        atMs: this.#options.now(),
        origin: { kind: "queue" },
        facts: { ...readFacts(inner, appId, trigger), deliveryKey },
        body: inner,
        state: "delivered",
      });
    this.#take(sending, journey);
  }

  #take({ messageId, queue, isRepeated, message }: Sending, journey: Journey) {
    const store = this.#store;
    const { body, groupId, attributes } = message;
    if (queue === "quarantine") {
      const { reason, cause } = readQuarantined(toHeld({ messageId, body }));
      journey.quarantined = { reason, cause, messageId };
      journey.words += wordsOf([reason, cause]);
    }
    if (!isOfEvents(queue) || store.of("message", messageId).length > 0) return;
    // Another request, which still runs, sent it first.
    if (isRepeated && this.#isHeld(messageId)) return;
    store.name(journey, "body", sha256Hex(body));
    const isReplay = attributes.includes("ReplayedAt");
    store.addMessage(journey, { id: messageId, queue, groupId, isReplay });
    this.#lines.release(messageId);
  }
}

function isUnderWay({ state, awaited }: Journey) {
  return state === "pending" || awaited > 0;
}

function innerBody(message: string) {
  return textAt(parseJson(message), "body");
}
