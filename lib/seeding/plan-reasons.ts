import type { DeclaredReason } from "./declared-reasons.ts";

/** The part of a reason in the app that the declaration speaks about. */
export interface ExistingReason {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
}

export type PlannedStep =
  | { readonly action: "create"; readonly reason: DeclaredReason }
  | { readonly action: "update"; readonly reason: DeclaredReason }
  | { readonly action: "keep"; readonly reason: DeclaredReason };

/**
 * Decides what makes the app's reasons equal to the declared ones: one step for each declared reason, in their order.
 * A description that is not declared is left as it is. Reasons that are not declared get no step.
 */
export function planReasons(
  declared: readonly DeclaredReason[],
  existing: readonly ExistingReason[],
): readonly PlannedStep[] {
  const byId = new Map(existing.map((reason) => [reason.id, reason]));
  return declared.map((reason) => {
    const found = byId.get(reason.id);
    if (found === undefined) return { action: "create", reason };
    return { action: isAsDeclared(found, reason) ? "keep" : "update", reason };
  });
}

/** Tells whether a reason in the app is already what the declaration says. */
export function isAsDeclared(existing: ExistingReason, { name, description }: DeclaredReason): boolean {
  return (
    existing.name === name && (description === undefined || (existing.description ?? "") === description)
  );
}
