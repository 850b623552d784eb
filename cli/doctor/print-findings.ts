import type { Finding } from "../../lib/operate/doctor/run-checks.ts";
import type { Output } from "../output.ts";

export function countFindings(findings: readonly Finding[]) {
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
    ...(unknown > 0 ? [`${unknown} undecided`] : []),
  ];
  out.line(`${counts.join(", ")}${counts.length === 1 ? ", nothing is wrong" : ""}`);
}
