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

/**
 * Records one log line. The texts are those of lib/handle and lib/queue/lanes; other lines are kept as notes.
 */
export function noteAttemptLine(line: OwnLine, subject: LineSubject): void {
  const { message: said, fields, atMs } = line;
  const { journey, message, attempt, run, store, projectFolder } = subject;
  const end = (outcome: KeptAttempt["outcome"], why = "") => {
    Object.assign(attempt, { outcome, why, endedMs: atMs });
  };
  switch (said) {
    case "began an event":
      attempt.isDetailed = true;
      return;
    case "began a trigger": {
      if (run === undefined) break;
      const { span, inShadow } = fields;
      Object.assign(run, { isShadow: inShadow === true, span });
      journey.words += wordsOf([handlerOf(run)]);
      if (typeof span === "string") store.nameRun(span, run, journey.id);
      return;
    }
    case "ended a trigger":
      if (run?.outcome === "running") run.outcome = "ended";
      if (run !== undefined) run.endedMs = atMs;
      return;
    case "an event does not fit what a trigger asks for":
      if (run === undefined) break;
      run.outcome = "misfit";
      run.misfit = { condition: String(fields.condition), wanted: fields.wanted };
      return;
    case "passed an event over":
      if (run === undefined) break;
      Object.assign(run, { outcome: "passedOver", why: String(fields.reason) });
      return;
    case "a trigger that handles such events is not turned on":
      if (run !== undefined) Object.assign(run, { outcome: "off", endedMs: atMs });
      return;
    case "an effect is done": {
      const made = fields.made === undefined ? undefined : String(fields.made);
      run?.effects.push({ name: String(fields.effect), how: String(fields.how), made });
      if (made !== undefined) {
        store.nameMade(journey, made);
        journey.words += wordsOf([made]);
      }
      return;
    }
    case "held an effect back":
      run?.effects.push({ name: String(fields.effect), how: String(fields.how), made: undefined });
      return;
    case "woke a flow": {
      const flowId = String(fields.flowId);
      if (run === undefined || run.woke.includes(flowId)) return;
      run.woke.push(flowId);
      if (attempt.outcome !== "running") run.outcome = "ended";
      journey.words += wordsOf([flowId]);
      return;
    }
    case "would have done an effect":
      run?.effects.push({ name: String(fields.effect), how: "shadow", made: undefined });
      return;
    case "an effect was not done, because its name was used before in this run":
      run?.effects.push({ name: String(fields.effect), how: "replaced", made: undefined });
      return;
    case "put an event beside its lane: its trigger is paused":
      if (run !== undefined) Object.assign(run, { outcome: "paused", endedMs: atMs });
      return;
    case "put an event beside its lane: its trigger waits":
    case "put an event beside its lane: its trigger took all the time of an earlier one":
    case "put an event beside its lane: earlier ones of its trigger wait": {
      const [, why = ""] = said.split(": ");
      if (run !== undefined) Object.assign(run, { outcome: "beside", why, endedMs: atMs });
      return;
    }
    case "put an event beside its lane: its trigger failed":
      // The run says how.
      return;
    case "could not handle an event yet":
    case "could not handle an event, for good":
    case "a trigger failed in shadow":
      noteFailure(line, run ?? readingRun(attempt, atMs), projectFolder);
      journey.words += wordsOf([fields.cause]);
      return;
    case "handled an event":
      for (const one of attempt.runs) if (one.outcome === "running") Object.assign(one, { outcome: "ended" });
      // A quarantined message is finished, too.
      if (attempt.outcome === "quarantined") attempt.endedMs = atMs;
      else end("handled");
      attempt.ranBefore = fields.ranBefore;
      return;
    case "an event waits":
      attempt.wakeAtMs = typeof fields.wakeAt === "number" ? fields.wakeAt : undefined;
      end("waits", String(fields.cause ?? ""));
      return;
    case "held an event back from the dead-letter queue: too many of its app go there":
      end("waits", "too many events of this app go to the dead-letter queue");
      return;
    case "moved an event to the dead-letter queue":
      message.buried = { atMs, reason: String(fields.reason), cause: String(fields.cause ?? "") };
      journey.words += wordsOf(["buried", message.buried.reason, message.buried.cause]);
      end("buried", message.buried.cause);
      return;
    case "put an event that cannot be understood into quarantine":
      end("quarantined", String(fields.problems ?? ""));
      journey.quarantined = {
        ...{ atMs, reason: "not-understood", problems: attempt.why, messageId: undefined },
      };
      return;
    case "a process ended while it had this event; it goes on alone":
      end("died", "the process ended while it had this event; its conversation goes on alone");
      return;
  }
  const note = { atMs, level: line.level, message: said, fields: ownFields(fields) };
  (run ?? attempt).notes.push(note);
  if (line.level === "ERROR" || line.level === "WARN") journey.words += wordsOf([said, fields.cause]);
}

/** A step is `<event> <handler>`. */
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

/** The journey itself has the ids of the event. */
const namingFields = ["appId", "trigger", "deliveryKey", "queueMessageId", "attempt", "step", "requestId"];

function ownFields(fields: OwnLine["fields"]): OwnLine["fields"] {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !namingFields.includes(name)));
}
