import type { Finding } from "../../lib/operate/doctor/run-checks.ts";
import { defineCommand, duration, flag, texts } from "../command.ts";
import { examineTarget } from "../doctor/examine-target.ts";
import type { Output } from "../output.ts";

export const command = defineCommand({
  description:
    "Checks the deployment, each app's secret, key and webhook, the queues and the alarms. ✓ is healthy, ✗ is wrong and has a remedy below it, – is unknown. Changes nothing; with --canary it sends a message between the two users of config/canary.yml, and deletes it again.",
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
  exitCode: ({ wrong }) => (wrong === 0 ? "done" : "unwell"),
});

function countFindings(findings: readonly Finding[]) {
  const count = (status: Finding["status"]) => findings.filter((one) => one.status === status).length;
  return { ok: count("ok"), wrong: count("wrong"), unknown: count("unknown") };
}

const fewApps = 3;

const signs = {
  ok: { sign: "✓", style: "green" },
  wrong: { sign: "✗", style: "red" },
  unknown: { sign: "–", style: "yellow" },
} as const;

export function printFindings(findings: readonly Finding[], out: Output): void {
  const { ok, wrong, unknown } = countFindings(findings);
  const byApp = Map.groupBy(findings, ({ appId }) => appId);
  const print = (shown: readonly Finding[]) => {
    for (const finding of shown) {
      const { check, status, says } = finding;
      const { sign, style } = signs[status];
      out.line(`${out.style(style, sign)} ${check.padEnd(15)}  ${says}`);
      if ("remedy" in finding) out.line(`  ${" ".repeat(15)}  → ${finding.remedy}`);
    }
  };
  print(byApp.get(undefined) ?? []);
  byApp.delete(undefined);
  for (const [appId, ofApp] of byApp) {
    const shown = byApp.size > fewApps ? ofApp.filter(({ status }) => status !== "ok") : ofApp;
    if (shown.length === 0) continue;
    out.line();
    out.line(out.style("bold", `app ${appId}`));
    print(shown);
  }
  out.line();
  const counts = [
    `${ok} healthy`,
    ...(wrong > 0 ? [`${wrong} wrong`] : []),
    ...(unknown > 0 ? [`${unknown} could not be checked`] : []),
  ];
  out.line(`${counts.join(", ")}${counts.length === 1 ? ", nothing is wrong" : ""}`);
}
