import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { readOutcome } from "../../../lib/effects/outcomes.ts";
import type { ReloadState } from "../../cloud/reload/reload-state.ts";
import type { SourceExcerpt } from "../api/journeys.ts";
import {
  handlerOf,
  type Journey,
  type KeptAttempt,
  type KeptMessage,
  type KeptRun,
  type OwnLine,
} from "./journey.ts";
import { type JourneyStore, wordsOf } from "./journey-store.ts";

interface LineSubject {
  readonly journey: Journey;
  readonly message: KeptMessage;
  readonly attempt: KeptAttempt;
  readonly store: JourneyStore;
  readonly sources: SourceTexts;
}

export function noteLine(line: OwnLine, subject: LineSubject): void {
  const { message, fields, atMs, level } = line;
  const { journey, attempt } = subject;
  const known = readOutcome(fields);
  const run = runOf(line, attempt);
  const [noteRun, noteEvent] = [runLines.get(message), eventLines.get(message)];
  if (run === undefined) noteEvent?.(subject, line);
  else {
    noteRun?.(run, line, subject);
    Object.assign(run, known && { ...known, endedMs: atMs });
  }
  if (run === undefined && known !== undefined && message !== "handled an event") {
    Object.assign(attempt, known, { endedMs: atMs });
    // Only this line says until when.
    for (const one of attempt.runs) if (one.outcome === known.outcome) one.why = known.why;
  }
  if (known !== undefined || (run === undefined ? noteEvent : noteRun) !== undefined) return;
  if (level === "ERROR" || level === "WARN") journey.words += wordsOf([message, fields.cause]);
}

/** Returns the line's run. A failure to read an event has no step. */
function runOf({ message, fields: { step }, atMs }: OwnLine, { runs }: KeptAttempt) {
  const name = typeof step === "string" ? step : message.startsWith(failed) ? "reading" : undefined;
  if (name === undefined) return undefined;
  const known = runs.find((run) => run.step === name);
  if (known !== undefined) return known;
  const run: KeptRun = {
    step: name,
    atMs,
    span: undefined,
    endedMs: undefined,
    outcome: "running",
    why: "",
    isShadow: false,
    misfit: undefined,
    failure: undefined,
    effects: [],
    woke: [],
  };
  runs.push(run);
  return run;
}

const failed = "could not handle an event";

const runLines = new Map<string, (run: KeptRun, line: OwnLine, subject: LineSubject) => void>([
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

const eventLines = new Map<string, (subject: LineSubject, line: OwnLine) => void>([
  [
    "began an event",
    ({ attempt }) => {
      // The line before it may be about a process that ended with it.
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
      message.deadLettered = { atMs, reason: String(reason), cause: String(cause) };
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

const effectOutcomes = new Map([
  ["would have done an effect", "shadow"],
  ["an effect was not done, because its name was used before in this run", "replaced"],
]);

function noteEffect(run: KeptRun, { message, fields }: OwnLine, { journey, store }: LineSubject) {
  const made = fields.made === undefined ? undefined : String(fields.made);
  const how = effectOutcomes.get(message) ?? String(fields.how);
  run.effects.push({ name: String(fields.effect), kind: String(fields.kind), how, made });
  if (made === undefined) return;
  store.name(journey, "chat", made);
  journey.words += wordsOf([made]);
}

function noteFailure(run: KeptRun, { message, fields, atMs }: OwnLine, { journey, sources }: LineSubject) {
  const stack = typeof fields.stack === "string" ? fields.stack.split("\n") : [];
  const [cause, isFinal] = [String(fields.cause), message === `${failed}, for good`];
  run.failure = { isFinal, stack, source: sources.excerpt(stack) };
  run.endedMs = atMs;
  journey.words += wordsOf([cause]);
}

const around = 3;

/** The frames of lib/base/fault-place.ts. The text is untrusted: any code can write a log line. */
const framePattern = /^(?:.* )?((?:functions|lib)\/(?:[\w-]+\/)*[\w.-]+\.ts):(\d+):\d+$/;

/** Reads sources as they run: edits count once reloaded. */
export class SourceTexts {
  readonly #folder: string;
  readonly #texts = new Map<string, string | undefined>();
  /** Files edited since all was loaded. */
  readonly #changed = new Set<string>();
  #revision = 1;

  constructor(projectFolder: string) {
    this.#folder = projectFolder;
    for (const file of filesIn(join(projectFolder, "functions"))) this.#read(`functions/${file}`);
  }

  /** One function may load an edit that another rejects: the revision grows without going live. */
  noteReload({
    state,
    revision,
    changedFiles,
  }: Pick<ReloadState, "state" | "revision" | "changedFiles">): void {
    for (const file of changedFiles) this.#changed.add(file);
    if (state !== "live" && revision === this.#revision) return;
    this.#revision = revision;
    for (const file of this.#changed) this.#read(file);
    if (state === "live") this.#changed.clear();
  }

  /**
   * @returns the source around the first frame in `functions/`, else in `lib/`; undefined without a known
   * file
   */
  excerpt(stack: readonly string[]): SourceExcerpt | undefined {
    const frames = stack.flatMap((frame) => {
      const [, file, line] = framePattern.exec(frame) ?? [];
      return file === undefined ? [] : [{ file, line: Number(line) }];
    });
    const frame = frames.find(({ file }) => file.startsWith("functions/")) ?? frames[0];
    if (frame === undefined) return undefined;
    if (!this.#texts.has(frame.file)) this.#read(frame.file);
    const all = this.#texts.get(frame.file)?.split("\n") ?? [];
    if (frame.line > all.length) return undefined;
    const first = Math.max(0, frame.line - 1 - around);
    const lines = all
      .slice(first, frame.line + around)
      .map((text, index) => ({ number: first + index + 1, text: text.slice(0, 240) }));
    return { ...frame, lines };
  }

  #read(file: string) {
    try {
      this.#texts.set(file, readFileSync(join(this.#folder, file), "utf8"));
    } catch {
      this.#texts.delete(file);
    }
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return all.filter((file) => file.endsWith(".ts")).map((file) => file.replaceAll(sep, "/"));
  } catch {
    return []; // an app without functions of its own
  }
}
