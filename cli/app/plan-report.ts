import { listSome } from "../../lib/base/names.ts";
import { whyBlocked } from "../../lib/operate/app-as-code/apply-plan.ts";
import { type AppPlan, isToDo } from "../../lib/operate/app-as-code/plan-app.ts";
import type { ResourceStep } from "../../lib/operate/app-as-code/plan-resource.ts";
import type { PlanSwitches } from "../../lib/operate/app-as-code/resource.ts";
import { type Column, type Output, printTable } from "../output.ts";

type AppPlanReport = ReturnType<typeof toAppReport>;

interface Compared {
  readonly action: ResourceStep["action"];
  readonly missingSecrets?: readonly string[] | undefined;
}

/** Whether the app's secret lacks a declared field of an otherwise possible resource. */
export function isPartlyCompared({ action, missingSecrets = [] }: Compared): boolean {
  return action !== "blocked" && missingSecrets.length > 0;
}

export function isAsDeclared(step: Compared): boolean {
  return step.action === "keep" && !isPartlyCompared(step);
}

export function toAppReport(plan: AppPlan) {
  const steps = plan.steps.map((step) => ({
    kind: step.kind.name,
    id: step.id,
    action: step.action,
    changes: step.changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
    /** Declared fields that the platform does not show. */
    cannotTell: [...step.unknown],
    ...(step.missingSecrets.length > 0 && { missingSecrets: [...step.missingSecrets] }),
    /** Existing, undeclared resources that are kept. */
    kept: [...step.kept],
    ...(step.action === "blocked" ? { blockedBy: whyBlocked(step) } : {}),
  }));
  const isQuiet = (step: (typeof steps)[number]) =>
    step.action === "keep" &&
    step.cannotTell.length + step.kept.length === 0 &&
    step.missingSecrets === undefined;
  return {
    appId: plan.appId,
    /** Digest of the found and declared state. */
    state: plan.state,
    toDo: plan.steps.filter(isToDo).length,
    unchanged: plan.steps.filter(isAsDeclared).length,
    steps: steps.filter((step) => !isQuiet(step)),
    notOurs: plan.others.map(({ kind, id }) => ({ kind, id })),
    unseen: [...plan.unseen],
  };
}

interface PlannedApps {
  readonly apps: readonly AppPlanReport[];
  readonly switches: PlanSwitches;
}

export function printPlan({ apps, switches }: PlannedApps, out: Output): void {
  for (const app of apps) {
    out.line(out.style("bold", `App ${app.appId}: ${summaryOf(app)}`));
    const rows = app.steps.flatMap((step) =>
      toLines(step).map(
        (line, index): Row =>
          index === 0 ? [signs[step.action], `${step.kind} ${step.id}`, ...line] : ["", "", ...line],
      ),
    );
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

function toLines({ action, changes, blockedBy }: AppPlanReport["steps"][number]): readonly Line[] {
  if (action === "keep") return [];
  if (action === "delete") return [["", "there", "absent"]];
  if (action === "held") return [["", "there", "absent (needs --delete)"]];
  const lines = changes.map(
    ({ field, before, after }): Line => [field, action === "create" ? "" : shown(before), shown(after)],
  );
  return blockedBy === undefined ? lines : [["cannot be made", "", ""], ...lines];
}

function shown(value: unknown) {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function summaryOf({ steps, unchanged }: AppPlanReport) {
  const countOf = (action: string) => steps.filter((step) => step.action === action).length;
  const parts = [
    [countOf("create"), "to create"],
    [countOf("update"), "to update"],
    [countOf("delete"), "to delete"],
    [countOf("blocked"), "that cannot be made"],
    [steps.filter((step) => step.action === "keep" && isPartlyCompared(step)).length, "partly compared"],
    [unchanged, "as declared"],
  ] as const;
  const counted = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return counted.join(", ") || "nothing is declared";
}

function notesOf({ steps, notOurs, unseen }: AppPlanReport, { writesUnknown }: PlanSwitches) {
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
      ([why, some]) =>
        `Cannot be made: ${listSome(
          some.map(({ kind, id }) => `${kind} ${id}`),
          mostNamed,
        )}. ${why}`,
    ),
    ...notes.flatMap(([what, names, remedy]) =>
      names.length === 0 ? [] : [`${what}: ${listSome(names, mostNamed)}${remedy}.`],
    ),
  ];
}

const mostNamed = 8;
