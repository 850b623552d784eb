import { readOutcome } from "../../../lib/effects/outcomes.ts";
import type { JourneyNote } from "../api/journeys.ts";
import { handlerOf, type Journey, type KeptAttempt, type KeptMessage, type KeptRun } from "./journey.ts";
import { type JourneyStore, wordsOf } from "./journey-store.ts";
import type { SourceTexts } from "./source-texts.ts";

interface LineSubject {
  readonly journey: Journey;
  readonly message: KeptMessage;
  readonly attempt: KeptAttempt;
  readonly store: JourneyStore;
  readonly sources: SourceTexts;
}

/** Lines without an outcome that are not known here become notes. */
export function noteLine(line: JourneyNote, subject: LineSubject): void {
  const { message: said, fields, atMs, level } = line;
  const { journey, attempt } = subject;
  const known = readOutcome(fields);
  const run = runOf(line, attempt);
  const [noteRun, noteEvent] = [runLines.get(said), eventLines.get(said)];
  if (run === undefined) noteEvent?.(subject, line);
  else {
    noteRun?.(run, line, subject);
    Object.assign(run, known && { ...known, endedMs: atMs });
  }
  if (run === undefined && known !== undefined && said !== "handled an event") {
    Object.assign(attempt, known, { endedMs: atMs });
    // Only this line says until when.
    for (const one of attempt.runs) if (one.outcome === known.outcome) one.why = known.why;
  }
  if (known !== undefined || (run === undefined ? noteEvent : noteRun) !== undefined) return;
  const own = Object.entries(fields).filter(([name]) => !namingFields.includes(name));
  (run ?? attempt).notes.push({ atMs, level, message: said, fields: Object.fromEntries(own) });
  if (level === "ERROR" || level === "WARN") journey.words += wordsOf([said, fields.cause]);
}

/** The journey has these ids. */
const namingFields = ["appId", "trigger", "deliveryKey", "queueMessageId", "attempt", "step", "requestId"];

/** An event that could not be read has a failure without a step. */
function runOf({ message, fields: { step }, atMs }: JourneyNote, { runs }: KeptAttempt): KeptRun | undefined {
  const name = typeof step === "string" ? step : message.startsWith(failed) ? "reading" : undefined;
  if (name === undefined) return undefined;
  const known = runs.find((run) => run.step === name);
  if (known !== undefined) return known;
  const run: KeptRun = {
    ...{ step: name, atMs, span: undefined, endedMs: undefined, outcome: "running", why: "", notes: [] },
    ...{ isShadow: false, misfit: undefined, failure: undefined, effects: [], woke: [] },
  };
  runs.push(run);
  return run;
}

const failed = "could not handle an event";

const runLines = new Map<string, (run: KeptRun, line: JourneyNote, subject: LineSubject) => void>([
  ["an effect is done", noteEffect],
  ["held an effect back", noteEffect],
  ["would have done an effect", noteEffect],
  ["an effect was not done, because its name was used before in this run", noteEffect],
  [`${failed} yet`, noteFailure],
  [`${failed}, for good`, noteFailure],
  ["a trigger failed in shadow", noteFailure],
  [
    "began a trigger",
    (run, { fields: { span, inShadow } }, { journey, store }) => {
      run.isShadow = inShadow === true;
      journey.words += wordsOf([handlerOf(run)]);
      if (typeof span !== "string") return;
      run.span = span;
      store.name(journey, "span", span);
    },
  ],
  [
    "an event does not fit what a trigger asks for",
    (run, { fields: { condition, wanted } }) => {
      run.misfit = { condition: String(condition), wanted };
    },
  ],
  [
    "woke a flow",
    (run, { fields }, { journey }) => {
      const flowId = String(fields.flowId);
      if (!run.woke.includes(flowId)) run.woke.push(flowId);
      journey.words += wordsOf([flowId]);
    },
  ],
  // The run has the failure.
  ["put an event beside its lane: its trigger failed", () => {}],
]);

const eventLines = new Map<string, (subject: LineSubject, line: JourneyNote) => void>([
  [
    "began an event",
    ({ attempt }) => {
      // The line before it may be about a process that ended with the event.
      attempt.outcome = "running";
    },
  ],
  [
    "handled an event",
    ({ attempt }, { fields, atMs }) => {
      // A quarantined message is finished, too.
      if (attempt.outcome !== "quarantined") attempt.outcome = "handled";
      const receivedAtMs = atMs - Number(fields.sinceReceivedMs);
      Object.assign(attempt, { ended: readOutcome(fields), endedMs: atMs, receivedAtMs });
    },
  ],
  [
    "moved an event to the dead-letter queue",
    ({ journey, message }, { fields: { reason, cause = "" }, atMs }) => {
      message.buried = { atMs, reason: String(reason), cause: String(cause) };
      journey.words += wordsOf(["dead-lettered", reason, cause]);
    },
  ],
  [
    "put an event that cannot be understood into quarantine",
    ({ journey }, { fields: { problems = "" } }) => {
      journey.quarantined = { reason: "not-understood", cause: String(problems), messageId: undefined };
    },
  ],
]);

/** What lines about effects do not say themselves. */
const effectOutcomes = new Map([
  ["would have done an effect", "shadow"],
  ["an effect was not done, because its name was used before in this run", "replaced"],
]);

function noteEffect(run: KeptRun, { message, fields }: JourneyNote, { journey, store }: LineSubject): void {
  const made = fields.made === undefined ? undefined : String(fields.made);
  const how = effectOutcomes.get(message) ?? String(fields.how);
  run.effects.push({ name: String(fields.effect), kind: String(fields.kind), how, made });
  if (made === undefined) return;
  store.name(journey, "chat", made);
  journey.words += wordsOf([made]);
}

function noteFailure(
  run: KeptRun,
  { message, fields, atMs }: JourneyNote,
  { journey, sources }: LineSubject,
) {
  const stack = typeof fields.stack === "string" ? fields.stack.split("\n") : [];
  const [cause, isFinal] = [String(fields.cause), message === `${failed}, for good`];
  run.failure = { cause, isFinal, stack, source: sources.excerpt(stack) };
  run.endedMs = atMs;
  journey.words += wordsOf([cause]);
}
