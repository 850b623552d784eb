import type { Output } from "../output.ts";
import { type Column, printTable } from "../table.ts";
import type { AppPlanReport, PlanReport } from "./plan-report.ts";

export function printPlan({ apps, switches }: PlanReport, out: Output): void {
  for (const app of apps) {
    out.line(out.style("bold", `App ${app.appId}: ${summaryOf(app)}`));
    const rows = app.steps.flatMap(toRows);
    if (rows.length > 0) {
      const columns: readonly Column<Row>[] = [
        ["", ({ sign }) => sign],
        ["What", ({ what }) => what, 50],
        ["Field", ({ field }) => field, 44],
        ["Now", ({ before }) => before, 40],
        ["Declared", ({ after }) => after, 40],
      ];
      printTable(out, rows, columns, "  ");
    }
    for (const line of notesOf(app, switches)) out.line(`  ${line}`);
  }
}

interface Row {
  readonly sign: string;
  readonly what: string;
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

const signs = { create: "+", update: "~", delete: "-", keep: " ", held: "!", blocked: "!" } as const;

function toRows({ kind, id, action, changes, blockedBy }: AppPlanReport["steps"][number]): readonly Row[] {
  if (action === "keep") return [];
  const head = { sign: signs[action], what: `${kind} ${id}` };
  const gone = {
    field: "",
    before: "there",
    after: action === "held" ? "absent (needs --delete)" : "absent",
  };
  if (action === "delete" || action === "held") return [{ ...head, ...gone }];
  const rows = changes.map(({ field, before, after }) => ({
    sign: "",
    what: "",
    field,
    before: action === "create" ? "" : shown(before),
    after: shown(after),
  }));
  const first =
    blockedBy === undefined ? [] : [{ ...head, field: "cannot be made", before: "", after: blockedBy }];
  const [top, ...rest] = [...first, ...rows];
  return top === undefined ? [] : [{ ...top, ...head }, ...rest];
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
    [unchanged, "as declared"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return told.length === 0 ? "nothing is declared" : told.join(", ");
}

function notesOf(
  { steps, notOurs, unseen }: AppPlanReport,
  { writesUnknown }: PlanReport["switches"],
): readonly string[] {
  const silent = steps.filter(({ action, cannotTell }) => action !== "create" && cannotTell.length > 0);
  const silentNames = silent.map(({ kind, id, cannotTell }) => `${kind} ${id} (${cannotTell.join(", ")})`);
  const kept = steps.flatMap(({ kind, id, kept: members }) =>
    members.map((member) => `${kind} ${id} (${member})`),
  );
  const others = notOurs.map(({ kind, id }) => `${kind} ${id}`);
  return [
    ...note(
      "Unknown, because the platform does not show it",
      silentNames,
      writesUnknown ? "" : "; --write-unknown writes it",
    ),
    ...note("Exists, and is not declared", kept, "; --delete removes it"),
    ...note("Not managed here, and left unchanged", others, ""),
    ...note("Not read, because there are no management credentials", unseen, ""),
  ];
}

function note(what: string, names: readonly string[], remedy: string): readonly string[] {
  if (names.length === 0) return [];
  const shownNames = names.length > 8 ? [...names.slice(0, 8), `and ${names.length - 8} more`] : names;
  return [`${what}: ${shownNames.join(", ")}${remedy}.`];
}
