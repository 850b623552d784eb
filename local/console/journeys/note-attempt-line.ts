import { readOutcome } from "../../../lib/effects/outcomes.ts";
import type { Journey, KeptAttempt, KeptFailure, KeptMessage, KeptRun } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { wordsOf } from "./new-journey.ts";
import type { OwnLine } from "./own-line.ts";
import type { SourceTexts } from "./source-texts.ts";

interface LineSubject {
  readonly journey: Journey;
  readonly message: KeptMessage;
  readonly attempt: KeptAttempt;
  /** Undefined if the line names no step. */
  readonly run: KeptRun | undefined;
  readonly store: JourneyStore;
  readonly sources: SourceTexts;
}

/** Lines without an outcome that are not known here become notes. */
export function noteAttemptLine(line: OwnLine, subject: LineSubject): void {
  if (noteEffect(line, subject) || noteRunLine(line, subject) || noteEventLine(line, subject)) return;
  const { message, fields, atMs, level } = line;
  const { run, attempt, journey } = subject;
  (run ?? attempt).notes.push({ atMs, level, message, fields: ownFields(fields) });
  if (level === "ERROR" || level === "WARN") journey.words += wordsOf([message, fields.cause]);
}

/** The lines about effects, with the outcome if the line has none. */
const effectLines = new Map<string, string | undefined>([
  ["an effect is done", undefined],
  ["held an effect back", undefined],
  ["would have done an effect", "shadow"],
  ["an effect was not done, because its name was used before in this run", "replaced"],
]);

function noteEffect({ message, fields }: OwnLine, { run, journey, store }: LineSubject): boolean {
  if (!effectLines.has(message)) return false;
  const made = fields.made === undefined ? undefined : String(fields.made);
  const how = effectLines.get(message) ?? String(fields.how);
  run?.effects.push({ name: String(fields.effect), kind: String(fields.kind), how, made });
  if (made !== undefined) {
    store.nameMade(journey, made);
    journey.words += wordsOf([made]);
  }
  return true;
}

/** @returns false for other lines */
function noteRunLine(line: OwnLine, subject: LineSubject): boolean {
  const { run, attempt, journey, store } = subject;
  const { message: said, fields, atMs } = line;
  const known = readOutcome(fields);
  const failure = failureIn(line, subject.sources);
  if (failure !== undefined) {
    Object.assign(run ?? addRun(attempt, "reading", atMs), { failure, ...known, endedMs: atMs });
    journey.words += wordsOf([failure.cause]);
    return true;
  }
  if (run === undefined) return false;
  if (known !== undefined) Object.assign(run, { ...known, endedMs: atMs });
  switch (said) {
    case "began a trigger": {
      const { span, inShadow } = fields;
      Object.assign(run, { isShadow: inShadow === true, span });
      journey.words += wordsOf([handlerOf(run)]);
      if (typeof span === "string") store.nameRun(span, run, journey.id);
      return true;
    }
    case "an event does not fit what a trigger asks for":
      run.misfit = { condition: String(fields.condition), wanted: fields.wanted };
      return true;
    case "woke a flow": {
      const flowId = String(fields.flowId);
      if (!run.woke.includes(flowId)) run.woke.push(flowId);
      journey.words += wordsOf([flowId]);
      return true;
    }
    // The run has the failure.
    case "put an event beside its lane: its trigger failed":
      return true;
    default:
      return known !== undefined;
  }
}

/** @returns false for other lines */
function noteEventLine(line: OwnLine, { journey, message, attempt }: LineSubject): boolean {
  const { message: said, fields, atMs } = line;
  const known = readOutcome(fields);
  switch (said) {
    case "began an event":
      attempt.isDetailed = true;
      return true;
    case "handled an event":
      // A quarantined message is finished, too.
      if (attempt.outcome !== "quarantined") attempt.outcome = "handled";
      Object.assign(attempt, { ended: known, endedMs: atMs });
      return true;
    case "moved an event to the dead-letter queue": {
      const { reason, cause = "" } = fields;
      message.buried = { atMs, reason: String(reason), cause: String(cause) };
      journey.words += wordsOf(["dead-lettered", message.buried.reason, message.buried.cause]);
      break;
    }
    case "put an event that cannot be understood into quarantine": {
      const problems = String(fields.problems ?? "");
      journey.quarantined = { atMs, reason: "not-understood", problems, messageId: undefined };
      break;
    }
  }
  if (known === undefined) return false;
  Object.assign(attempt, { ...known, endedMs: atMs });
  // Only this line says until when.
  for (const run of attempt.runs) if (run.outcome === known.outcome) run.why = known.why;
  return true;
}

/** `<event> <handler>` */
export function handlerOf({ step }: Pick<KeptRun, "step">): string {
  return step.slice(step.indexOf(" ") + 1);
}

const failureLines = new Map([
  ["could not handle an event yet", false],
  ["could not handle an event, for good", true],
  ["a trigger failed in shadow", false],
]);

function failureIn({ message, fields }: OwnLine, sources: SourceTexts): KeptFailure | undefined {
  const isFinal = failureLines.get(message);
  if (isFinal === undefined) return undefined;
  const { cause, stack: told } = fields;
  const stack = typeof told === "string" ? told.split("\n") : [];
  return { cause: String(cause), isFinal, stack, source: sources.excerpt(stack) };
}

export function addRun(attempt: KeptAttempt, step: string, atMs: number): KeptRun {
  const run: KeptRun = {
    ...{ step, atMs, span: undefined, endedMs: undefined, outcome: "running", why: "", isShadow: false },
    ...{ misfit: undefined, failure: undefined, effects: [], woke: [], calls: [], notes: [] },
  };
  attempt.runs.push(run);
  return run;
}

/** The journey has these ids. */
const namingFields = ["appId", "trigger", "deliveryKey", "queueMessageId", "attempt", "step", "requestId"];

function ownFields(fields: OwnLine["fields"]): OwnLine["fields"] {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !namingFields.includes(name)));
}
