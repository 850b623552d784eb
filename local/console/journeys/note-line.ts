import type { WorldNews } from "../../stack/world-news.ts";
import type { JournalOptions } from "./journal-options.ts";
import type { KeptAttempt, KeptMessage, KeptRun } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { addTo, newJourney, wordsOf } from "./new-journey.ts";
import { noteAttemptLine } from "./note-attempt-line.ts";
import { type OwnLine, readOwnLine } from "./own-line.ts";
import { readFacts } from "./read-facts.ts";

type LineNews = Extract<WorldNews, { kind: "line" }>;

/** Lines kept per message whose delivery is not known yet. */
const mostEarly = 500;

export interface LineNotes {
  note(news: LineNews): void;
  /** Called when a message becomes known. */
  readonly release: {
    readonly expect: (messageId: string) => void;
    readonly known: (messageId: string) => void;
  };
  /** Runs `act` now, or when the message becomes known. */
  whenKnown(messageId: string, act: (message: KeptMessage) => void): void;
  /** Attempts that began in an invocation and have not ended. */
  runningIn(requestId: string): readonly KeptAttempt[];
  /** Whether DEBUG lines were seen. Without them, missing lines prove nothing. */
  hasDetails(): boolean;
  forgetInvocation(requestId: string): void;
  clear(): void;
}

export function createLineNotes(store: JourneyStore, { now, projectFolder }: JournalOptions): LineNotes {
  const early = new Map<string, ((message: KeptMessage) => void)[]>();
  const running = new Map<string, KeptAttempt[]>();
  let hasDetails = false;

  const whenKnown: LineNotes["whenKnown"] = (messageId, act) => {
    const waiting = early.get(messageId);
    if (waiting !== undefined) {
      if (waiting.length < mostEarly) waiting.push(act);
      return;
    }
    const message = store.messages.get(messageId);
    if (message !== undefined) act(message);
  };

  /** A message from before this start is known by its event alone. */
  const adopt = (messageId: string, { fields }: OwnLine): void => {
    if (early.has(messageId) || store.messages.has(messageId)) return;
    const { appId, deliveryKey, trigger } = fields;
    if (typeof appId !== "string" || typeof deliveryKey !== "string") return;
    const known = store.ofFact(deliveryKey).at(-1);
    const journey = known ?? {
      ...newJourney(store, `m${messageId}`, now()),
      origin: { kind: "queue" } as const,
      facts: { ...readFacts("", appId, String(trigger)), deliveryKey },
      body: undefined,
      state: "delivered" as const,
      words: wordsOf([messageId, appId, deliveryKey]),
    };
    if (known === undefined) addTo(store, journey, []);
    store.addMessage({
      ...{ id: messageId, queue: "events", journeyId: journey.id, sentAtMs: undefined, groupId: undefined },
      ...{ isReplay: false, attempts: [], buried: undefined },
    });
  };

  /** A flow that asks for an earlier event knows only its key. */
  const noteLateWaking = (line: OwnLine): void => {
    const journey = store.ofFact(String(line.fields.deliveryKey)).at(-1);
    const message = [...(journey?.messageIds ?? [])].flatMap((id) => store.messages.get(id) ?? []).at(-1);
    const attempt = message?.attempts.at(-1);
    if (journey === undefined || message === undefined || attempt === undefined) return;
    noteAttemptLine(line, { journey, message, attempt, run: runOf(attempt, line), store, projectFolder });
  };

  const attemptOf = (message: KeptMessage, line: OwnLine): KeptAttempt => {
    const { requestId = "", attempt } = line.fields;
    const known = message.attempts.findLast((one) => one.requestId === requestId);
    if (known !== undefined) return known;
    const added: KeptAttempt = {
      requestId: String(requestId),
      number: typeof attempt === "number" ? attempt : message.attempts.length + 1,
      atMs: line.atMs,
      ...{ endedMs: undefined, waitedMs: undefined, outcome: "running", why: "", wakeAtMs: undefined },
      isDetailed: false,
      ...{ runs: [], notes: [] },
    };
    message.attempts.push(added);
    running.set(added.requestId, [...(running.get(added.requestId) ?? []), added]);
    return added;
  };

  return {
    whenKnown,
    runningIn: (requestId) => (running.get(requestId) ?? []).filter(({ outcome }) => outcome === "running"),
    hasDetails: () => hasDetails,
    forgetInvocation: (requestId) => void running.delete(requestId),
    release: {
      expect: (messageId) => {
        if (!early.has(messageId)) early.set(messageId, []);
      },
      known: (messageId) => {
        const waiting = early.get(messageId) ?? [];
        early.delete(messageId);
        for (const act of waiting) whenKnown(messageId, act);
      },
    },
    note({ line: text, atMs }) {
      const line = readOwnLine(text, atMs);
      const id = line?.fields.queueMessageId;
      if (line?.message === "woke a flow" && id === undefined) noteLateWaking(line);
      if (line === undefined || typeof id !== "string") return;
      if (line.message === "began an event") hasDetails = true;
      adopt(id, line);
      whenKnown(id, (message) => {
        const journey = store.journeys.get(message.journeyId);
        if (journey === undefined) return;
        const attempt = attemptOf(message, line);
        noteAttemptLine(line, { journey, message, attempt, run: runOf(attempt, line), store, projectFolder });
      });
    },
    clear() {
      early.clear();
      running.clear();
    },
  };
}

function runOf(attempt: KeptAttempt, { atMs, fields: { step } }: OwnLine): KeptRun | undefined {
  if (typeof step !== "string") return undefined;
  const known = attempt.runs.find((run) => run.step === step);
  if (known !== undefined) return known;
  const added: KeptRun = {
    ...{ step, atMs, span: undefined, endedMs: undefined, outcome: "running", why: "", isShadow: false },
    ...{ misfit: undefined, failure: undefined, effects: [], woke: [], calls: [], notes: [] },
  };
  attempt.runs.push(added);
  return added;
}
