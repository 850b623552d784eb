import { isRecord } from "../../lib/base/json.ts";
import type { Output } from "../output.ts";
import { parseTemplate, toAscii } from "../stack/changes.ts";

/** Notes variables that a deployment would change: some come from the shell that packages. */
export function noteChangedSettings(running: string, template: string, out: Pick<Output, "note">): void {
  const [before, after] = [running, toAscii(template)].map(variablesOf);
  const functionsBy = new Map<string, string[]>();
  for (const [id, variables] of after ?? []) {
    const old = before?.get(id);
    if (old === undefined) continue;
    for (const name of Object.keys({ ...old, ...variables })) {
      const [from, to] = [old[name] ?? "", variables[name] ?? ""];
      if (isRecord(from) || isRecord(to) || String(from) === String(to)) continue;
      const change = shownNames.has(name) ? `${shown(from)} -> ${shown(to)}` : "changes";
      const line = `${name} ${change}`;
      functionsBy.set(line, [...(functionsBy.get(line) ?? []), id.replace(/LambdaFunction$/, "")]);
    }
  }
  for (const [line, ids] of functionsBy) {
    const functions = before !== undefined && ids.length === before.size ? "all functions" : ids.join(", ");
    out.note(`${functions}: ${line}`);
  }
}

/** Settings of serverless.yml. Other variables may have a team's secrets. */
const shownNames: ReadonlySet<string> = new Set([
  "ACT_ON_OLD_EVENTS",
  "ANSWER_LIMIT",
  "ANSWER_WINDOW_MINUTES",
  "APP_DRIFT",
  "CHAT_BASE_URL_TEMPLATE",
  "CHAT_MANAGEMENT_URL",
  "EFFECT_DAYS",
  "ENABLED_TRIGGERS",
  "LOG_FOREIGN_MESSAGES",
  "LOG_LEVEL",
  "PATIENCE_HOURS",
  "PREVIOUS_CREDENTIALS_MINUTES",
  "RECONCILE",
  "REQUEST_CONNECT_TO",
  "REQUEST_PRIVATE_NETWORKS",
  "SECRET_MAX_AGE_HOURS",
  "SECRET_REFRESH_SECONDS",
  "SIGNED_DELIVERY_HOURS",
]);

function shown(value: unknown) {
  return value === "" ? "none" : String(value);
}

function variablesOf(template: string) {
  const functions = Object.entries(parseTemplate(template).Resources).flatMap(
    ([id, { Type, Properties }]) => {
      if (Type !== "AWS::Lambda::Function") return [];
      const variables = Object(Properties?.Environment).Variables;
      return [[id, isRecord(variables) ? variables : {}] as const];
    },
  );
  return new Map(functions);
}
