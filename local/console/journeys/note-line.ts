import type { ReloadState } from "../../cloud/reload/reload-state.ts";
import type { WorldNews } from "../../stack/world-news.ts";
import type { JournalOptions } from "./journal-options.ts";
import type { Journey, KeptAttempt, KeptMessage, KeptRun } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { addTo, newJourney, wordsOf } from "./new-journey.ts";
import { addRun, noteAttemptLine } from "./note-attempt-line.ts";
import { type OwnLine, readOwnLine } from "./own-line.ts";
import { readFacts } from "./read-facts.ts";
import { SourceTexts } from "./source-texts.ts";

type LineNews = Extract<WorldNews, { kind: "line" }>;

/** Per message whose delivery is not known yet. */
const mostEarly = 500;

export class LineNotes {
  readonly #store: JourneyStore;
  readonly #options: JournalOptions;
  /** What to do when a message becomes known. */
  readonly #early = new Map<string, ((message: KeptMessage) => void)[]>();
  readonly #running = new Map<string, KeptAttempt[]>();
  readonly #sources: SourceTexts;

  constructor(store: JourneyStore, options: JournalOptions) {
    this.#store = store;
    this.#options = options;
    this.#sources = new SourceTexts(options.projectFolder);
  }

  note({ line: text, atMs }: LineNews): void {
    const line = readOwnLine(text, atMs);
    const id = line?.fields.queueMessageId;
    if (line?.message === "woke a flow" && id === undefined) this.#noteLateWaking(line);
    if (line === undefined || typeof id !== "string") return;
    this.#adopt(id, line);
    this.whenKnown(id, (message) => {
      const journey = this.#store.journeys.get(message.journeyId);
      if (journey !== undefined) this.#noteIn(line, journey, message, this.#attemptOf(message, line));
    });
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

  /** Now, or when the message becomes known. */
  whenKnown(messageId: string, act: (message: KeptMessage) => void): void {
    const waiting = this.#early.get(messageId);
    if (waiting !== undefined) {
      if (waiting.length < mostEarly) waiting.push(act);
      return;
    }
    const message = this.#store.messages.get(messageId);
    if (message !== undefined) act(message);
  }

  /** Attempts that have not ended. */
  runningIn(requestId: string): readonly KeptAttempt[] {
    return (this.#running.get(requestId) ?? []).filter(({ outcome }) => outcome === "running");
  }

  noteReload(state: ReloadState): void {
    this.#sources.noteReload(state);
  }

  forgetInvocation(requestId: string): void {
    this.#running.delete(requestId);
  }

  clear(): void {
    this.#early.clear();
    this.#running.clear();
  }

  #noteIn(line: OwnLine, journey: Journey, message: KeptMessage, attempt: KeptAttempt): void {
    const run = runOf(attempt, line);
    noteAttemptLine(line, { journey, message, attempt, run, store: this.#store, sources: this.#sources });
  }

  /** A message from before this start is known by its event alone. */
  #adopt(messageId: string, { fields }: OwnLine): void {
    const store = this.#store;
    if (this.#early.has(messageId) || store.messages.has(messageId)) return;
    const { appId, deliveryKey, trigger } = fields;
    if (typeof appId !== "string" || typeof deliveryKey !== "string") return;
    const known = store.ofFact(deliveryKey).at(-1);
    const journey: Journey = known ?? {
      ...newJourney(store, `m${messageId}`, this.#options.now()),
      origin: { kind: "queue" },
      facts: { ...readFacts("", appId, String(trigger)), deliveryKey },
      body: undefined,
      state: "delivered",
      words: wordsOf([messageId, appId, deliveryKey]),
    };
    if (known === undefined) addTo(store, journey, []);
    store.addMessage({
      ...{ id: messageId, queue: "events", journeyId: journey.id, sentAtMs: undefined, groupId: undefined },
      ...{ isReplay: false, attempts: [], buried: undefined },
    });
  }

  /** A flow that asks for an earlier event knows only its key. */
  #noteLateWaking(line: OwnLine): void {
    const store = this.#store;
    const journey = store.ofFact(String(line.fields.deliveryKey)).at(-1);
    const message = [...(journey?.messageIds ?? [])].flatMap((id) => store.messages.get(id) ?? []).at(-1);
    const attempt = message?.attempts.at(-1);
    if (journey === undefined || message === undefined || attempt === undefined) return;
    this.#noteIn(line, journey, message, attempt);
  }

  #attemptOf(message: KeptMessage, line: OwnLine): KeptAttempt {
    const { requestId = "", attempt } = line.fields;
    const known = message.attempts.findLast((one) => one.requestId === requestId);
    if (known !== undefined) return known;
    const added: KeptAttempt = {
      requestId: String(requestId),
      number: typeof attempt === "number" ? attempt : message.attempts.length + 1,
      atMs: line.atMs,
      ...{ endedMs: undefined, waitedMs: undefined, outcome: "running", why: "" },
      isDetailed: false,
      ...{ runs: [], notes: [] },
    };
    message.attempts.push(added);
    this.#running.set(added.requestId, [...(this.#running.get(added.requestId) ?? []), added]);
    return added;
  }
}

function runOf(attempt: KeptAttempt, { atMs, fields: { step } }: OwnLine): KeptRun | undefined {
  if (typeof step !== "string") return undefined;
  return attempt.runs.find((run) => run.step === step) ?? addRun(attempt, step, atMs);
}
