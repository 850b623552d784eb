import type { Output } from "../output.ts";
import { type Column, printTable } from "../table.ts";
import { type AppPlanReport, isPartlyCompared, type PlanReport } from "./plan-report.ts";

export function printPlan({ apps, switches }: PlanReport, out: Output): void {
  for (const app of apps) {
    out.line(out.style("bold", `App ${app.appId}: ${summaryOf(app)}`));
    const rows = app.steps.flatMap(toRows);
    if (rows.length > 0) printTable(out, rows, columns, "  ");
    for (const line of notesOf(app, switches)) out.line(`  ${line}`);
  }
}

type Row = readonly [sign: string, what: string, ...Line];
type Line = readonly [field: string, now: string, declared: string];

const columns: readonly Column<Row>[] = [
  ["", ([sign]) => sign],
  ["What", ([, what]) => what, 50],
  ["Field", ([, , field]) => field, 44],
  ["Now", ([, , , now]) => now, 40],
  ["Declared", ([, , , , declared]) => declared, 40],
];

const signs = { create: "+", update: "~", delete: "-", keep: " ", held: "!", blocked: "!" } as const;

function toRows(step: AppPlanReport["steps"][number]): readonly Row[] {
  const { kind, id, action } = step;
  return toLines(step).map((line, index) =>
    index === 0 ? [signs[action], `${kind} ${id}`, ...line] : ["", "", ...line],
  );
}

function toLines({ action, changes, blockedBy }: AppPlanReport["steps"][number]): readonly Line[] {
  if (action === "keep") return [];
  if (action === "delete") return [["", "there", "absent"]];
  if (action === "held") return [["", "there", "absent (needs --delete)"]];
  const lines = changes.map(
    ({ field, before, after }): Line => [field, action === "create" ? "" : shown(before), shown(after)],
  );
  return blockedBy === undefined ? lines : [["cannot be made", "", ""], ...lines];
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function summaryOf({ steps, unchanged }: AppPlanReport): string {
  const countOf = (action: string) => steps.filter((step) => step.action === action).length;
  const parts = [
    [countOf("create"), "to create"],
    [countOf("update"), "to update"],
    [countOf("delete"), "to delete"],
    [countOf("blocked"), "that cannot be made"],
    [steps.filter((step) => step.action === "keep" && isPartlyCompared(step)).length, "partly compared"],
    [unchanged, "as declared"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return told.join(", ") || "nothing is declared";
}

function notesOf(
  { steps, notOurs, unseen }: AppPlanReport,
  { writesUnknown }: PlanReport["switches"],
): readonly string[] {
  const silent = steps.filter(({ action, cannotTell }) => action !== "create" && cannotTell.length > 0);
  const lacking = steps
    .filter(isPartlyCompared)
    .map(({ kind, id, missingSecrets = [] }) => `${kind} ${id} (${missingSecrets.join(", ")})`);
  const kept = steps.flatMap(({ kind, id, kept: members }) =>
    members.map((member) => `${kind} ${id} (${member})`),
  );
  const notes: readonly (readonly [what: string, names: readonly string[], remedy: string])[] = [
    [
      "Unknown, because the platform does not show it",
      silent.map(({ kind, id, cannotTell }) => `${kind} ${id} (${cannotTell.join(", ")})`),
      writesUnknown ? "" : "; --write-unknown writes it",
    ],
    ["Not compared, because the app's secret has no such field", lacking, ""],
    ["Exists, and is not declared", kept, "; --delete removes it"],
    ["Not managed here, and left unchanged", notOurs.map(({ kind, id }) => `${kind} ${id}`), ""],
    ["Not read, because there are no management credentials", unseen, ""],
  ];
  const blocked = Map.groupBy(steps, ({ blockedBy = "" }) => blockedBy);
  blocked.delete("");
  return [
    ...[...blocked].map(
      ([why, some]) => `Cannot be made: ${someOf(some.map(({ kind, id }) => `${kind} ${id}`))}. ${why}`,
    ),
    ...notes.flatMap(([what, names, remedy]) =>
      names.length === 0 ? [] : [`${what}: ${someOf(names)}${remedy}.`],
    ),
  ];
}

function someOf(names: readonly string[]): string {
  const others = names.length > 8 ? [`and ${names.length - 8} more`] : [];
  return [...names.slice(0, 8), ...others].join(", ");
}
