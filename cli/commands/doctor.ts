import { defineCommand, duration, flag, texts } from "../command.ts";
import { examineTarget } from "../doctor/examine-target.ts";
import { countFindings, printFindings } from "../doctor/print-findings.ts";
import { endOfLook } from "../see/status.ts";

export const command = defineCommand({
  description:
    "Checks the deployment, each app's secret, key and webhook, the queues and the alarms. ✓ is healthy, ✗ is wrong and has a remedy below it, – is undecided. Changes nothing; with --canary it sends a message between the two users of config/canary.yml, and deletes it again.",
  examples: `
    $ doctor --stage prod
        check every app of the stage
    $ doctor --stage prod --app 2379ab41f5c8 --canary
        check one app, and whether a message arrives
    $ doctor --local --json
        for programs
  `,
  options: {
    app: texts("<id>", "an app to check; may be repeated (default: all)"),
    canary: flag("send the canaries that config/canary.yml turns on"),
    within: duration("how long to wait for a canary (default: 45s)"),
  },
  run: async ({ options: { app, canary, within = 45_000 }, ...context }) => {
    if (canary) await context.record();
    const findings = await examineTarget(context, app, canary ? within : undefined);
    return { ...countFindings(findings), findings };
  },
  print: ({ findings }, out) => printFindings(findings, out),
  exitCode: ({ wrong, findings }) =>
    endOfLook(
      wrong > 0,
      findings.filter((one) => one.status === "unknown"),
    ),
});
