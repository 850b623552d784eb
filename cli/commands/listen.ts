import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleFunction } from "../../build/bundle-function.ts";
import { readFunctionSettings } from "../../lib/aws/functions.ts";
import { refused, wrongUse } from "../cli-error.ts";
import { defineCommand, text } from "../command.ts";
import { listenToApp } from "../listen/listen-to-app.ts";
import { startConsumer, startRenewedConsumer } from "../listen/start-consumer.ts";
import { openPauses } from "../pauses/open-pauses.ts";
import { type Line, printLogLine, readLogLine } from "../see/log-line.ts";
import { meantApp } from "../target/served-apps.ts";

type ShownLine = Omit<Line, "source" | "kind">;

/** A listener's tickets are in no queue. */
const ownNoise = /^could not hide events;/;

export const command = defineCommand({
  description:
    "The stage leaves an app's events to this command while it runs, in order and each once: both use the same ledger. After Ctrl-C, a closed laptop or a lost network the stage handles them again within a minute. Flows continue on the stage. The code is bundled once, at the start. Refused on stages marked as production.",
  examples: `
    $ listen --stage dev --app 2379ab41f5c8
        run the triggers that the stage has turned on
    $ listen --stage dev --triggers order-status
        run only these, whatever the stage has turned on
  `,
  options: {
    app: text("<id>", "the app (default: the only one)"),
    triggers: text("<names>", "what is turned on here, separated by commas"),
  },
  changes: true,
  run: async ({ options, emit, ...context }): Promise<ShownLine | undefined> => {
    const { target, edges, out, confirm } = context;
    if (target.settings.production) {
      throw refused(
        "PRODUCTION",
        `${target.title} is marked as production: a developer's machine must not answer there.`,
        "Use another stage, or npx cometchat-functions trigger message_sent",
      );
    }
    const pauses = await openPauses(context);
    const appId = meantApp(options.app, pauses.served);
    await confirm(`Run the events of app ${appId} of ${target.title} on this machine instead of the stage?`);
    const folder = await mkdtemp(join(tmpdir(), "listen-"));
    const bundleFile = join(folder, "process-events.mjs");
    const onLine = (text: string) => {
      const line = readLogLine({ eventId: "", source: "here", atMs: edges.now(), text });
      const { kind, level, message, fields } = line;
      if (kind === "metric" || ownNoise.test(message)) return;
      emit({ time: new Date(line.atMs).toISOString(), level, message, fields } satisfies ShownLine);
    };
    try {
      out.progress("Bundling functions/process-events.ts …");
      await bundleConsumer(edges.projectFolder, target.stage, bundleFile);
      const functionName = (await target.stack()).physicalId("ProcessEventsLambdaFunction");
      const settings = {
        ...(await readFunctionSettings(target.callAws, functionName)),
        AWS_LAMBDA_FUNCTION_NAME: functionName,
        ...(options.triggers !== undefined && { ENABLED_TRIGGERS: options.triggers }),
      };
      const consumer = await startRenewedConsumer(
        target.processEnvironment,
        (variables) => {
          const environment = { ...settings, ...variables };
          return startConsumer({
            bundleFile,
            environment,
            onLine,
            token: edges.token,
            aheadMs: target.aheadMs,
            isTyped: options.triggers !== undefined,
          });
        },
        edges.now,
      );
      try {
        await listenToApp(appId, consumer, pauses, context);
      } finally {
        await consumer.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  },
  print: (line, out) => printLogLine({ ...line, source: "here" }, out),
});

async function bundleConsumer(projectFolder: string, stage: string, outFile: string) {
  const file = "functions/process-events.ts";
  await bundleFunction({ projectFolder, file, stage, outFile }).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw wrongUse(`${file} cannot be bundled. ${message}`, "Fix the error, then run the command again.");
  });
}
