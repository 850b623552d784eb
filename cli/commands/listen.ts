import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { bundleFunction } from "../../scripts/bundle-function.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import { exitCodes } from "../exit-codes.ts";
import { readDeployedSettings } from "../listen/deployed-settings.ts";
import { type Lease, takeLease } from "../listen/lease.ts";
import { createLaneRunner, type LaneRunner } from "../listen/run-lanes.ts";
import { startConsumer } from "../listen/start-consumer.ts";
import { text } from "../options.ts";
import type { Output } from "../output.ts";
import { openPauses } from "../pauses/open-pauses.ts";
import { logLevels, readLogLine } from "../see/log-line.ts";
import { printLogLine } from "../see/print-line.ts";
import type { Target } from "../target/target.ts";
import { meantApp } from "../trigger/who-acts.ts";

const lineSchema = z.strictObject({
  time: z.string(),
  level: z.enum(logLevels),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()),
});

/** How often it is looked for events. */
const lookMs = 1_000;
/** How often the lease is renewed: two renewals may fail before it runs out. */
const renewMs = 8_000;

/** What cannot concern a listener: its tickets are in no queue. */
const ownNoise = /^could not hide events for a while/;

/** Runs the triggers of this machine on a stage's real events, in the stage's place. */
export const listen = defineCommand({
  name: "listen",
  summary: "runs the triggers of this machine on the real events of a stage, which does not act meanwhile",
  description:
    "The stage leaves an app's events to this command for as long as it runs, in order and each once: it is the same " +
    "ledger. Ctrl-C, a closed laptop or a lost network gives them back within a minute. Flows go on running on the stage. " +
    "The code is bundled once, at the start. Refused on stages that are marked as production.",
  examples: [
    ["listen --stage dev --app 2379ab41f5c8", "the triggers that the stage has turned on"],
    ["listen --stage dev --triggers order-status", "only those, whatever the stage has turned on"],
  ],
  arguments: {},
  options: {
    app: text("<id>", "the app; need not be said where there is but one"),
    triggers: text("<names>", "what is turned on here, separated by commas"),
  },
  target: "required",
  changes: true,
  json: lineSchema,
  run: async ({ target, options, edges, out, confirm, emit }) => {
    if (target.isProduction) {
      throw new CliError(`${target.title} is marked as production: nobody's laptop answers there.`, {
        code: "PRODUCTION",
        exitCode: exitCodes.refused,
        hint: "Use another stage, or npx cometchat-functions trigger.",
      });
    }
    const pauses = await openPauses(target, edges);
    const appId = meantApp(options.app, pauses.facts);
    await confirm(`Run the events of app ${appId} of ${target.title} on this machine, and not there?`);
    const folder = await mkdtemp(join(tmpdir(), "listen-"));
    try {
      out.progress("Bundling functions/process-events.ts …");
      const bundleFile = join(folder, "process-events.mjs");
      await bundleConsumer(edges.projectFolder, target.stage, bundleFile);
      const consumer = await startConsumer({
        bundleFile,
        environment: await environmentFor(target, options.triggers),
        onLine: (line) => {
          const { kind, level, message, fields } = readLogLine({
            ...{ eventId: "", source: "here", atMs: edges.now(), text: line },
          });
          if (kind === "metric" || ownNoise.test(message)) return;
          emit({ time: new Date(edges.now()).toISOString(), level, message, fields: { ...fields } });
        },
        token: edges.token,
      });
      try {
        const { store, room, sendPauseTicket } = pauses;
        const { token, now } = edges;
        const lease = await takeLease(store, appId, { by: target.identity, token, now });
        const of = { appId, pauseId: lease.id };
        try {
          const runner = createLaneRunner({
            ...{ room, of, token, now, handle: consumer.handle },
            queueArn: queueArnOf((await target.stack()).physicalId("ParkedLanesQueue")),
            onFailure: (error) => out.note(error instanceof Error ? error.message : String(error)),
          });
          out.note(`Listening for app ${appId}. End with Ctrl-C.`);
          await goOn(lease, runner, out, edges);
        } finally {
          await lease.end();
          await sendPauseTicket(of);
          out.note("The stage acts again.");
        }
      } finally {
        await consumer.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  },
  print: ({ time, ...line }, out) =>
    printLogLine({ ...line, kind: "own", source: "here", eventId: "", atMs: Date.parse(time) }, out),
});

/** Goes on until it is interrupted. @throws CliError where the lease is lost */
async function goOn(
  lease: Lease,
  runner: LaneRunner,
  out: Output,
  { now, sleep, signal }: Pick<CliEdges, "now" | "sleep" | "signal">,
): Promise<void> {
  let renewAtMs = now() + renewMs;
  let isTrouble = false;
  while (!signal.aborted) {
    try {
      if (now() >= renewAtMs) {
        if (!(await lease.renew())) throw lost();
        renewAtMs = now() + renewMs;
      }
      if (now() < lease.endsMs()) await runner.look();
      isTrouble = false;
    } catch (error) {
      if (error instanceof CliError || now() >= lease.endsMs()) throw error;
      if (!isTrouble) out.note("The stage gives no answer. Trying again.");
      isTrouble = true;
    }
    await sleep(lookMs, signal);
  }
  await runner.settled();
}

function lost(): CliError {
  return new CliError("The right to listen ran out, and the stage acts again.", {
    code: "LEASE_LOST",
    exitCode: exitCodes.partlyDone,
    hint: "Run the command again.",
  });
}

async function bundleConsumer(projectFolder: string, stage: string, outFile: string): Promise<void> {
  const file = "functions/process-events.ts";
  await bundleFunction({ projectFolder, file, stage, outFile }).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw wrongUse(`${file} cannot be bundled. ${message}`, "Mend what it says, then run the command again.");
  });
}

async function environmentFor(
  { callAws, stack, processEnvironment }: Target,
  triggers: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const functionName = (await stack()).physicalId("ProcessEventsLambdaFunction");
  const settings = await readDeployedSettings(callAws, functionName);
  const { variables } = await processEnvironment();
  return {
    ...settings,
    ...variables,
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    ...(triggers !== undefined && { ENABLED_TRIGGERS: triggers }),
  };
}

/** Records name their queue by an ARN, of which the last part alone counts. */
function queueArnOf(queueUrl: string): string {
  return `arn:aws:sqs:::${queueUrl.split("/").at(-1)}`;
}
