import { mayPass } from "../../lib/aws/aws-trouble.ts";
import { defineCommand, flag, texts } from "../command.ts";
import { readStatus } from "../see/read-status.ts";
import { endOf, printStatus, type Status } from "../see/status.ts";
import { toFailure } from "../to-failure.ts";

const watchMs = 60_000;

export const command = defineCommand({
  description:
    "Shows also what is paused, since when, by whom and why, and the stack's addresses. CloudWatch's metrics are some minutes late. Rates and lags of apps cover the last five minutes, from the consumer's log. `doctor` checks the setup; this shows the operation.",
  examples: `
    $ status --stage prod
        show the state now; exit with 1 if something needs attention
    $ status --stage prod --app shop
        show one app
    $ status --stage prod --watch
        repeat every minute, until Ctrl-C
  `,
  options: {
    app: texts("<id>", "only this app; may be repeated"),
    watch: flag("repeat every minute, until Ctrl-C"),
  },
  run: async ({ options, emit, ...context }) => {
    const { edges, out } = context;
    for (let isFirst = true; ; isFirst = false) {
      out.progress(`asking ${context.target.kind === "local" ? "the local stack" : "AWS"}`);
      const found = await readStatus(context, options.app).catch((error: unknown) => {
        // A short outage of CloudFormation does not end a watch.
        if (isFirst || !mayPass(error)) throw error;
        out.note(toFailure(error).message);
      });
      if (!options.watch) return found;
      if (found !== undefined) emit(found satisfies Status);
      await edges.sleep(watchMs, edges.signal);
      if (edges.signal.aborted) return undefined;
      out.line();
    }
  },
  print: printStatus,
  exitCode: endOf,
});
