import { sha256Hex } from "../../../lib/base/digest.ts";
import type { HttpExchange } from "../../cloud/gateway/http-gateway.ts";
import type { SentMessage } from "../../cloud/queue/sent-messages.ts";
import { MessageAssigner, type Received, type Sending } from "./assign-messages.ts";
import type { JournalOptions } from "./journal-options.ts";
import type { Journey } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import type { LineNotes } from "./note-line.ts";

/** A request can be held forever: the oldest go first. */
const mostHeld = 1_000;

/** The receiver's key in serverless.yml. */
const receiverKey = "webhook";

/** A request is the platform's if one of its attempts used the same port. */
export class ReceiverNotes {
  readonly #store: JourneyStore;
  readonly #options: Pick<JournalOptions, "now" | "queueOf">;
  readonly #lines: Pick<LineNotes, "expect">;
  readonly #assigner: MessageAssigner;
  /** In progress, by the body's digest. */
  readonly #open = new Map<string, Set<string>>();
  readonly #openDigests = new Map<string, string>();
  /** Their attempts have not ended; by the caller's port. */
  readonly #held = new Map<number, { readonly reception: Received; readonly digest: string }>();
  /** The platform gave up before the receiver answered; by port. */
  readonly #awaited = new Map<number, string>();
  /** What each invocation has sent. */
  readonly #sent = new Map<string, Sending[]>();

  constructor(
    store: JourneyStore,
    options: Pick<JournalOptions, "now" | "queueOf">,
    lines: Pick<LineNotes, "expect" | "release">,
  ) {
    this.#store = store;
    this.#options = options;
    this.#lines = lines;
    this.#assigner = new MessageAssigner(store, options.now, (messageId) => lines.release(messageId));
  }

  open(digest: string, journeyId: string): void {
    this.#open.set(digest, (this.#open.get(digest) ?? new Set()).add(journeyId));
    this.#openDigests.set(journeyId, digest);
  }

  /** An attempt of the platform has ended. */
  settle(journey: Journey, port: number | undefined): void {
    const found = port === undefined ? undefined : this.#held.get(port);
    if (port !== undefined && found !== undefined) {
      this.#held.delete(port);
      this.#assigner.attach(journey, found.reception);
    } else if (port !== undefined && journey.tries.at(-1)?.status === undefined) {
      this.#awaited.set(port, journey.id);
      forgetOldest(this.#awaited);
    }
    if (journey.state === "pending") return;
    const digest = this.#openDigests.get(journey.id) ?? "";
    this.#openDigests.delete(journey.id);
    const others = this.#open.get(digest);
    others?.delete(journey.id);
    if (others === undefined || others.size > 0) return;
    this.#open.delete(digest);
    // Their senders have all ended.
    for (const [otherPort, other] of this.#held) {
      if (other.digest !== digest) continue;
      this.#held.delete(otherPort);
      this.#assigner.addElsewhere(other.reception);
    }
  }

  noteSent(message: SentMessage): void {
    const { messageId, queueName, invocation } = message;
    const queue = this.#options.queueOf(queueName);
    const sending: Sending = {
      ...{ messageId, queue, message },
      isRepeated: this.#store.messages.has(messageId) || this.#isSent(messageId),
    };
    if (invocation === undefined) {
      this.#assigner.takeAlone(sending);
      return;
    }
    this.#sent.set(invocation, [...(this.#sent.get(invocation) ?? []), sending]);
    if (!sending.isRepeated && (queue === "events" || queue === "calls")) this.#lines.expect(messageId);
  }

  noteExchange(told: HttpExchange): void {
    if (told.functionKey !== receiverKey) return;
    // The local stack's clock, as everywhere else.
    const exchange = { ...told, atMs: this.#options.now() - told.durationMs };
    const reception = { exchange, sendings: this.#takeSendings(exchange.invocation ?? "") };
    const digest = sha256Hex(exchange.body);
    const { remotePort: port } = exchange;
    const late = port === undefined ? undefined : this.#store.journeys.get(this.#awaited.get(port) ?? "");
    if (port !== undefined && late !== undefined) {
      this.#awaited.delete(port);
      this.#assigner.attach(late, reception);
    } else if (port !== undefined && this.#open.has(digest)) {
      this.#held.set(port, { reception, digest });
    } else this.#assigner.addElsewhere(reception);
  }

  /** A message sent by a function other than the receiver has no delivery. */
  noteInvocation({ functionKey, requestId }: { functionKey: string; requestId?: string | undefined }): void {
    if (functionKey === receiverKey || requestId === undefined) return;
    for (const sending of this.#takeSendings(requestId)) this.#assigner.takeAlone(sending);
  }

  clear(): void {
    for (const all of [this.#open, this.#openDigests, this.#held, this.#awaited, this.#sent]) all.clear();
  }

  #takeSendings(invocation: string): readonly Sending[] {
    const sendings = this.#sent.get(invocation) ?? [];
    this.#sent.delete(invocation);
    return sendings;
  }

  /** Searches only running invocations. */
  #isSent(messageId: string): boolean {
    return this.#sent.values().some((sendings) => sendings.some((one) => one.messageId === messageId));
  }
}

function forgetOldest(map: Map<unknown, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > mostHeld) map.delete(oldest);
}
