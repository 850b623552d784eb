import type { Journey, KeptAttempt, KeptMessage, KeptRun } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";
import { wordsOf } from "./new-journey.ts";
import type { OwnLine } from "./own-line.ts";
import { readExcerpt } from "./source-excerpt.ts";

interface LineSubject {
  readonly journey: Journey;
  readonly message: KeptMessage;
  readonly attempt: KeptAttempt;
  /** Undefined if the line names no step. */
  readonly run: KeptRun | undefined;
  readonly store: JourneyStore;
  readonly projectFolder: string;
}

/** Texts are those of lib/handle and lib/queue/lanes; other lines become notes. */
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
  run?.effects.push({ name: String(fields.effect), how, made });
  if (made !== undefined) {
    store.nameMade(journey, made);
    journey.words += wordsOf([made]);
  }
  return true;
}

/** @returns false for other lines */
function noteRunLine(line: OwnLine, { journey, attempt, run, store, projectFolder }: LineSubject): boolean {
  const { message: said, fields, atMs } = line;
  const change = (changes: Partial<KeptRun>) => void (run !== undefined && Object.assign(run, changes));
  switch (said) {
    case "began a trigger": {
      if (run === undefined) return false;
      const { span, inShadow } = fields;
      Object.assign(run, { isShadow: inShadow === true, span });
      journey.words += wordsOf([handlerOf(run)]);
      if (typeof span === "string") store.nameRun(span, run, journey.id);
      return true;
    }
    case "ended a trigger":
      change({ endedMs: atMs, ...(run?.outcome === "running" && { outcome: "ended" }) });
      return true;
    case "an event does not fit what a trigger asks for":
      change({
        outcome: "misfit",
        misfit: { condition: String(fields.condition), wanted: fields.wanted },
      });
      return run !== undefined;
    case "passed an event over":
      change({ outcome: "passedOver", why: String(fields.reason) });
      return run !== undefined;
    case "a trigger that handles such events is not turned on":
      change({ outcome: "off", endedMs: atMs });
      return true;
    case "woke a flow": {
      const flowId = String(fields.flowId);
      if (run === undefined || run.woke.includes(flowId)) return true;
      run.woke.push(flowId);
      if (attempt.outcome !== "running") run.outcome = "ended";
      journey.words += wordsOf([flowId]);
      return true;
    }
    case "put an event beside its lane: its trigger is paused":
      change({ outcome: "paused", endedMs: atMs });
      return true;
    case "put an event beside its lane: its trigger waits":
    case "put an event beside its lane: its trigger took all the time of an earlier one":
    case "put an event beside its lane: earlier ones of its trigger wait":
      change({ outcome: "beside", why: said.split(": ")[1] ?? "", endedMs: atMs });
      return true;
    // The run has the failure.
    case "put an event beside its lane: its trigger failed":
      return true;
    case "could not handle an event yet":
    case "could not handle an event, for good":
    case "a trigger failed in shadow":
      noteFailure(line, run ?? readingRun(attempt, atMs), projectFolder);
      journey.words += wordsOf([fields.cause]);
      return true;
    default:
      return false;
  }
}

/** @returns false for other lines */
function noteEventLine(line: OwnLine, { journey, message, attempt }: LineSubject): boolean {
  const { message: said, fields, atMs } = line;
  const end = (outcome: KeptAttempt["outcome"], why = "") => {
    Object.assign(attempt, { outcome, why, endedMs: atMs });
    return true;
  };
  switch (said) {
    case "began an event":
      attempt.isDetailed = true;
      return true;
    case "handled an event":
      for (const one of attempt.runs) if (one.outcome === "running") Object.assign(one, { outcome: "ended" });
      // A quarantined message is finished, too.
      if (attempt.outcome === "quarantined") attempt.endedMs = atMs;
      else end("handled");
      attempt.ranBefore = fields.ranBefore;
      return true;
    case "an event waits":
      attempt.wakeAtMs = typeof fields.wakeAt === "number" ? fields.wakeAt : undefined;
      return end("waits", String(fields.cause ?? ""));
    case "held an event back from the dead-letter queue: too many of its app go there":
      return end("waits", "too many events of this app go to the dead-letter queue");
    case "moved an event to the dead-letter queue": {
      const { reason, cause = "" } = fields;
      message.buried = { atMs, reason: String(reason), cause: String(cause) };
      journey.words += wordsOf(["buried", message.buried.reason, message.buried.cause]);
      return end("buried", message.buried.cause);
    }
    case "put an event that cannot be understood into quarantine":
      end("quarantined", String(fields.problems ?? ""));
      journey.quarantined = { atMs, reason: "not-understood", problems: attempt.why, messageId: undefined };
      return true;
    case "a process ended while it had this event; it goes on alone":
      return end("died", "the process ended while it had this event; its conversation is handled separately");
    default:
      return false;
  }
}

/** `<event> <handler>` */
export function handlerOf({ step }: Pick<KeptRun, "step">): string {
  return step.slice(step.indexOf(" ") + 1);
}

function noteFailure({ message, fields, atMs }: OwnLine, run: KeptRun, projectFolder: string): void {
  const { cause, failure, tries, stack } = fields;
  const frames = typeof stack === "string" ? stack.split("\n") : [];
  run.outcome = "failed";
  run.endedMs = atMs;
  run.failure = {
    cause: String(cause),
    kind: String(failure ?? "ours"),
    tries: typeof tries === "number" ? tries : undefined,
    isFinal: message === "could not handle an event, for good",
    stack: frames,
    source: readExcerpt(frames, projectFolder),
  };
}

function readingRun(attempt: KeptAttempt, atMs: number): KeptRun {
  const run: KeptRun = {
    ...{ step: "reading", atMs, span: undefined, endedMs: atMs, outcome: "failed", why: "", isShadow: false },
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
