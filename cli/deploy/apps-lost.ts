import { type BuiltFor, readBuiltFor } from "../../build/built-for.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import type { Output } from "../output.ts";

/**
 * Names the apps that one package serves and another does not; none if one of them does not say what it
 * serves.
 */
export function appsLost(from: BuiltFor | undefined, to: BuiltFor | undefined): readonly string[] {
  if (from === undefined || to === undefined) return [];
  return from.appIds.filter((appId) => !to.appIds.includes(appId));
}

/** Reads from a template which apps its package serves. */
export function readBuiltForOf(template: string): BuiltFor | undefined {
  const parsed = parseJson(template);
  return isRecord(parsed) ? readBuiltFor(parsed.Metadata) : undefined;
}

/** Warns before the question: the list of another checkout may lack an app that a colleague has added. */
export function warnAppsLost(appIds: readonly string[], out: Pick<Output, "note">): void {
  if (appIds.length === 0) return;
  out.note(`no longer serves: ${appIds.join(", ")}, whose deliveries are refused from then on`);
}
