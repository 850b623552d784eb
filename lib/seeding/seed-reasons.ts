import { ChatApiError } from "../chat/errors.ts";
import type { FamilyClient } from "../chat/operation.ts";
import type { Reason, reasons } from "../chat/resources/reasons.ts";
import { describeError } from "../describe-error.ts";
import type { DeclaredReason } from "./declared-reasons.ts";
import { isAsDeclared, type PlannedStep, planReasons } from "./plan-reasons.ts";

/** What happened to one declared reason, or, in a rehearsal, what would. */
export type ReasonOutcome =
  | { readonly id: string; readonly outcome: "created" | "updated" | "unchanged" }
  | { readonly id: string; readonly outcome: "failed"; readonly cause: string };

export type ReasonsApi = FamilyClient<typeof reasons>;

export interface SeedReasonsOptions {
  readonly reasons: ReasonsApi;
  readonly declared: readonly DeclaredReason[];
  /** Reads only, and reports what a run would do. */
  readonly dryRun: boolean;
  /** Unix milliseconds after which nothing is started. */
  readonly deadlineMs: number;
}

/**
 * Makes the app's moderation reasons equal to the declared ones and tells what became of each, in their order.
 * One that fails does not stop the others; reasons that are not declared are left alone. May be repeated.
 * @throws what listing the reasons throws: without the list nothing can be decided
 */
export async function seedReasons(options: SeedReasonsOptions): Promise<readonly ReasonOutcome[]> {
  const existing = await readExisting(options);
  const outcomes: ReasonOutcome[] = [];
  for (const step of planReasons(options.declared, existing)) {
    outcomes.push(await applyStep(step, options).catch((error) => failed(step.reason.id, error)));
  }
  return outcomes;
}

/**
 * Reads the reasons in the app. The list's length is not documented to be unlimited (its example shows ten),
 * so each declared reason that it lacks is looked up by its id before it counts as missing.
 */
async function readExisting({
  reasons,
  declared,
  deadlineMs,
}: SeedReasonsOptions): Promise<readonly Reason[]> {
  const listed = (await reasons.list({ deadlineMs }).page()).items;
  const listedIds = new Set(listed.map(({ id }) => id));
  const found: Reason[] = [...listed];
  for (const { id } of declared) {
    if (listedIds.has(id)) continue;
    const reason = await findReason(reasons, id, deadlineMs);
    if (reason !== undefined) found.push(reason);
  }
  return found;
}

async function applyStep(
  { action, reason }: PlannedStep,
  { reasons, dryRun, deadlineMs }: SeedReasonsOptions,
): Promise<ReasonOutcome> {
  const { id, ...fields } = reason;
  if (action === "keep") return { id, outcome: "unchanged" };
  const isCreation = action === "create";
  if (!dryRun) {
    const alreadyDone = () => findReason(reasons, id, deadlineMs);
    const stored = isCreation
      ? await reasons.create(reason, { deadlineMs, alreadyDone })
      : await reasons.update(id, fields, { deadlineMs });
    if (!isAsDeclared(stored, reason)) {
      return {
        id,
        outcome: "failed",
        cause: "The platform kept another name or description than the declared one.",
      };
    }
  }
  return { id, outcome: isCreation ? "created" : "updated" };
}

async function findReason(reasons: ReasonsApi, id: string, deadlineMs: number): Promise<Reason | undefined> {
  try {
    return await reasons.get(id, { deadlineMs });
  } catch (error) {
    if (error instanceof ChatApiError && error.code === "ERR_REASON_NOT_FOUND") return undefined;
    throw error;
  }
}

function failed(id: string, error: unknown): ReasonOutcome {
  return { id, outcome: "failed", cause: describeError(error) };
}
