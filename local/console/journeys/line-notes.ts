import { splitFields } from "../../../cli/see/trace-lines.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { outcomeFields } from "../../../lib/effects/outcomes.ts";
import type { BatchEvent } from "../../cloud/event-source.ts";
import type { StackNews } from "../../stack/stack-news.ts";
import {
  type JournalOptions,
  type Journey,
  type KeptAttempt,
  type KeptMessage,
  type OwnLine,
  readFacts,
} from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { noteLine, SourceTexts } from "./note-line.ts";

const mostEarly = 500;

type Act = (message: KeptMessage, journey: Journey) => void;

export class LineNotes {
  readonly sources: SourceTexts;
  readonly #store: JourneyStore;
  readonly #now: () => number;
  readonly #early = new Map<string, Act[]>();
  readonly #running = new Map<string, KeptAttempt[]>();

  constructor(store: JourneyStore, { now, projectFolder }: JournalOptions) {
    this.#store = store;
    this.#now = now;
    this.sources = new SourceTexts(projectFolder);
  }

  note({ line: text, atMs }: Extract<StackNews, { kind: "line" }>): void {
    const line = readOwnLine(text, atMs);
    if (line === undefined) return;
    const { queueMessageId: id, deliveryKey, requestId = "", attempt, triggerLane } = line.fields;
    // A flow that asks for an earlier event knows only its key.
    if (line.message === "woke a flow" && id === undefined) {
      const journey = this.#store.ofEvent(String(deliveryKey)).at(-1);
      const message = journey?.messages.at(-1);
      const last = message?.attempts.at(-1);
      if (journey && message && last) this.#noteIn(line, message, journey, last);
    }
    if (typeof id !== "string") return;
    this.#adopt(id, line);
    this.whenKnown(id, (message, journey) => {
      let known = message.attempts.findLast((one) => one.requestId === requestId);
      if (known === undefined) {
        const invocation = String(requestId);
        const number = typeof attempt === "number" ? { number: attempt } : {};
        known = addAttempt(message, { requestId: invocation, triggerLane, atMs: line.atMs, ...number });
        this.#running.set(invocation, [...(this.#running.get(invocation) ?? []), known]);
      }
      this.#noteIn(line, message, journey, known);
    });
  }

  noteBatch({ records, failures, error, requestId = "" }: BatchEvent): void {
    const returned =
      error === undefined
        ? outcomeFields("waiting", { cause: "the function returned it to the queue" })
        : outcomeFields("interrupted", { cause: shortError(error) });
    const interrupt = (attempt: KeptAttempt) => {
      if (error !== undefined && attempt.outcome === "running") Object.assign(attempt, returned);
    };
    this.#running.get(requestId)?.forEach(interrupt);
    for (const { messageId } of records) {
      this.whenKnown(messageId, (message) => {
        const attempt = message.attempts.findLast((one) => one.requestId === requestId);
        if (attempt !== undefined) interrupt(attempt);
        else if (failures.includes(messageId))
          addAttempt(message, { requestId, atMs: this.#now(), ...returned });
      });
    }
    this.#running.delete(requestId);
  }

  /** Defers a message's lines until `release`. */
  expect(messageId: string): void {
    if (!this.#early.has(messageId)) this.#early.set(messageId, []);
  }

  release(messageId: string): void {
    const waiting = this.#early.get(messageId) ?? [];
    this.#early.delete(messageId);
    for (const act of waiting) this.whenKnown(messageId, act);
  }

  whenKnown(messageId: string, act: Act): void {
    const waiting = this.#early.get(messageId);
    if (waiting !== undefined) {
      if (waiting.length < mostEarly) waiting.push(act);
      return;
    }
    const known = this.#store.findMessage(messageId);
    if (known !== undefined) act(known.message, known.journey);
  }

  clear(): void {
    this.#early.clear();
    this.#running.clear();
  }

  #noteIn(line: OwnLine, message: KeptMessage, journey: Journey, attempt: KeptAttempt) {
    noteLine(line, { journey, message, attempt, store: this.#store, sources: this.sources });
  }

  /** Registers a message from before this start, known only by its event. */
  #adopt(id: string, { fields: { appId, deliveryKey, trigger } }: OwnLine) {
    const store = this.#store;
    if (this.#early.has(id) || store.of("message", id).length > 0) return;
    if (typeof appId !== "string" || typeof deliveryKey !== "string") return;
    const journey =
      store.ofEvent(deliveryKey).at(-1) ??
      store.add({
        id: `m${id}`,
        atMs: this.#now(),
        origin: { kind: "queue" },
        state: "delivered",
        facts: { ...readFacts("", appId, String(trigger ?? splitFields(deliveryKey)[1])), deliveryKey },
      });
    store.addMessage(journey, { id, groupId: undefined });
  }
}

function addAttempt(
  { attempts }: KeptMessage,
  given: Pick<KeptAttempt, "requestId" | "atMs"> & Partial<KeptAttempt>,
): KeptAttempt {
  const attempt: KeptAttempt = {
    number: attempts.length + 1,
    endedMs: undefined,
    outcome: "running",
    why: "",
    runs: [],
    ...given,
  };
  attempts.push(attempt);
  return attempt;
}

function readOwnLine(text: string, atMs: number): OwnLine | undefined {
  const all = text.startsWith("{") ? parseJson(text) : undefined;
  if (!isRecord(all) || typeof all.message !== "string") return undefined;
  const { timestamp, level, message, function: _, ...fields } = all;
  return { atMs: Date.parse(String(timestamp)) || atMs, level: String(level), message, fields };
}

function shortError(error: string) {
  const [, message] = /"errorMessage":"((?:[^"\\]|\\.)*)"/.exec(error) ?? [];
  return (message ?? error).slice(0, 300);
}
