import * as z from "zod/mini";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { invokeFunction } from "../../lib/aws/functions.ts";
import { countOf } from "../../lib/base/count-of.ts";
import {
  ReconcileRequestError,
  readReconcileRequest,
  settlingSeconds,
} from "../../lib/operate/reconcile/reconcile-request.ts";
import {
  type AppResult,
  addRuns,
  reconcileResultSchema,
} from "../../lib/operate/reconcile/reconcile-result.ts";
import { CliError, exitCodes, partlyDone, refused, wrongUse } from "../cli-error.ts";
import { defineCommand, flag, moment, texts } from "../command.ts";
import { type Output, printTable } from "../output.ts";

const mostRuns = 20;

interface ReconcileInput {
  readonly since: number;
  readonly until?: number;
  readonly appIds?: readonly string[];
  readonly rehearsal: boolean;
}

export const command = defineCommand({
  description:
    "Every message of the span goes to the events queue again: finished effects are not repeated, and triggers skip what is too old for them. With --dry-run it compares whole hours and changes nothing; that needs `reconcile: rehearse` in config/stages.yml. See docs/maintain.md.",
  examples: `
    $ reconcile --stage prod --since 6h --dry-run
        count the messages of the last hours that never arrived
    $ reconcile --stage prod --since 2026-11-21T10:00:00Z --until 2026-11-21T12:00:00Z
        hand over messages after an outage
  `,
  options: {
    since: moment("start time; at most five days ago"),
    until: moment("end time (default: two minutes ago)"),
    app: texts("<id>", "only this app; may be repeated"),
    dryRun: flag("only count what never arrived, and change nothing"),
  },
  changes: true,
  run: async ({ target, options, edges, out, confirm }) => {
    const nowMs = edges.now();
    const sinceMs = options.since?.(nowMs);
    const untilMs = options.until?.(nowMs);
    if (sinceMs === undefined)
      throw wrongUse("The start time is missing.", "Add --since, such as --since 6h.");
    const rehearsal = options.dryRun;
    const input: ReconcileInput = {
      since: Math.floor(sinceMs / 1000),
      ...(untilMs !== undefined && { until: Math.floor(untilMs / 1000) }),
      ...(options.app.length > 0 && { appIds: options.app }),
      rehearsal,
    };
    refuseSpan(input, nowMs);
    const functionName = (await target.stack()).physicalId("ReconcileLambdaFunction");
    if (!rehearsal) {
      const since = new Date(sinceMs).toISOString();
      const until = untilMs === undefined ? "two minutes ago" : new Date(untilMs).toISOString();
      const apps = options.app.length > 0 ? options.app.join(", ") : "every app";
      await confirm(`Hand over the messages of ${apps} from ${since} to ${until}?`);
    }
    const noteAgain = () => (rehearsal ? undefined : out.note(`To continue: ${continuing(input)}`));
    edges.signal.addEventListener("abort", noteAgain, { once: true });
    const apps = new Map<string, AppResult>();
    let asked: ReconcileInput = input;
    for (let runs = 1; ; runs += 1) {
      out.progress(`the function runs (${runs}); it may take 15 minutes`);
      const answer = await runReconcile(target.callAws, functionName, asked).catch((error: unknown) => {
        if (!(error instanceof CliError) || error.exitCode === exitCodes.partlyDone) noteAgain();
        throw error;
      });
      for (const app of answer.apps) apps.set(app.appId, addRun(apps.get(app.appId), app));
      const left = [...apps.values()].filter((app) => !isDone(app));
      const isComplete = left.length === 0;
      const isOver = left.every(({ error }) => error !== undefined);
      // A rehearsal omits hours whose events still wait: a second run changes nothing.
      if (isOver || rehearsal || runs === mostRuns || edges.signal.aborted) {
        if (!isComplete) noteAgain();
        else if (untilMs === undefined) noteNewest([...apps.values()], out);
        return { isRehearsal: rehearsal, isComplete, runs, apps: [...apps.values()] };
      }
      asked = { ...input, appIds: left.map(({ appId }) => appId) };
    }
  },
  print: ({ isRehearsal, isComplete, apps }, out) => {
    for (const app of apps) printApp(app, out);
    const missing = apps.flatMap(neverReceived).reduce((all, one) => all + one, 0);
    if (missing > 0) out.line("To hand them over, repeat it without --dry-run.");
    if (isComplete) return;
    out.line(
      isRehearsal
        ? "Not all hours could be compared: their events still wait, the time was up, or an app failed. Run it again later."
        : "Not everything was handed over.",
    );
  },
  exitCode: ({ isComplete, apps }) => {
    if (apps.flatMap(neverReceived).some((count) => count > 0)) return "unwell";
    return isComplete ? "done" : "partlyDone";
  },
});

/** Refuses before the question; only the function knows which apps it serves. @throws CliError */
function refuseSpan(input: { readonly appIds?: readonly string[] }, nowMs: number) {
  try {
    readReconcileRequest(input, input.appIds ?? ["every app"], nowMs);
  } catch (error) {
    throw error instanceof ReconcileRequestError ? toWrongUse(error.message) : error;
  }
}

function toWrongUse(message: string) {
  return wrongUse(message.replace(/ Write \{"since".*$/s, ""));
}

/** Names the time after which messages sent until now are complete: twice the settling time. */
function noteNewest(apps: readonly AppResult[], out: Output) {
  const ends = apps.flatMap(({ handedOver }) => (handedOver === undefined ? [] : [handedOver.until]));
  if (ends.length === 0) return;
  const end = Math.min(...ends);
  const again = timeOf(end + 2 * settlingSeconds);
  out.note(`Messages after ${timeOf(end)} are not looked at yet; type it again at ${again}.`);
}

function timeOf(seconds: number) {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC`;
}

function isDone({ error, handedOver, measured }: AppResult) {
  return error === undefined && (handedOver ?? measured)?.isComplete === true;
}

/** A continuing run reports only its own part. */
function addRun(before: AppResult | undefined, app: AppResult) {
  if (before?.handedOver === undefined) return app;
  const { handedOver: run } = app;
  return { ...app, handedOver: run ? addRuns(before.handedOver, run) : before.handedOver };
}

/** A run continues only one with the same start, which an age such as 6h changes. */
export function continuing({ since: start, until, appIds = [] }: Omit<ReconcileInput, "rehearsal">): string {
  const timeAt = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000", "");
  const more = [
    ...(until === undefined ? [] : [` --until ${timeAt(until)}`]),
    ...appIds.map((appId) => ` --app ${appId}`),
  ].join("");
  const since = timeAt(start);
  return `npx cometchat-functions reconcile --since ${since}${more}`;
}

function neverReceived({ measured }: AppResult): readonly number[] {
  return measured?.hours.map((hour) => hour.neverReceived) ?? [];
}

function printApp({ appId, handedOver, measured, error }: AppResult, out: Output) {
  if (error !== undefined) out.line(`${appId}: ${error}`);
  if (handedOver !== undefined) {
    const { listed, passedOver, refused } = handedOver;
    out.line(
      `${appId}: ${handedOver.handedOver} of ${countOf(listed, "message")} handed over, ${passedOver} skipped`,
    );
    if (refused > 0) out.line(`  ${refused} are too large for the queue`);
  }
  if (measured === undefined) return;
  out.line(`${appId}:`);
  printTable(
    out,
    measured.hours,
    [
      ["hour (UTC)", ({ hour }) => new Date(hour * 1000).toISOString().slice(0, 16).replace("T", " ")],
      ["listed", "listed", "right"],
      ["received", "received", "right"],
      [
        "never received",
        ({ neverReceived: least, neverReceivedAtMost: most }) =>
          least === most ? least : `${least} to ${most}`,
        "right",
      ],
    ],
    "  ",
  );
}

const errorSchema = z.object({ errorType: z.string(), errorMessage: z.string() });

const timeoutMs = 930_000;

/**
 * Takes at most 15 minutes. May be repeated.
 * @throws CliError if the function refuses the request, AwsCallError if Lambda does or gives no answer
 */
async function runReconcile(callAws: AwsCaller, functionName: string, input: ReconcileInput) {
  const answer = await invokeFunction(
    callAws,
    functionName,
    { ...input },
    { timeoutMs, isRepeatable: false },
  );
  const read = z.safeParse(reconcileResultSchema, answer);
  if (read.success) return read.data;
  throw toError(errorSchema.safeParse(answer).data ?? { errorType: "", errorMessage: "" }, functionName);
}

function toError({ errorType, errorMessage }: z.infer<typeof errorSchema>, functionName: string) {
  if (errorType === "ReconcileRequestError") return toWrongUse(errorMessage);
  if (errorType === "NothingCountedError") {
    return refused(
      "NOTHING_COUNTED",
      "Received messages are not recorded, so nothing can be compared.",
      "Set `reconcile: rehearse` for the stage in config/stages.yml and deploy (the local stack: start it again); or hand everything over: without --dry-run.",
    );
  }
  return partlyDone(
    "RECONCILE_FAILED",
    `${functionName} failed: ${errorMessage || "its answer cannot be read."}`,
    "Fix the causes and run it again. Its log: npx cometchat-functions logs --function reconcile",
  );
}
