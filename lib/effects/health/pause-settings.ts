import * as z from "zod/mini";
import type { Item } from "../../aws/table.ts";
import { OwnError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";

export type PauseTarget =
  | { readonly kind: "app" }
  /** Like `app`, but does not apply to the lease's holder: a listener acts for the deployment. */
  | { readonly kind: "lease" }
  | { readonly kind: "trigger" | "flow"; readonly name: string };

/** Explained in docs/internals/decisions.md#waiting-rooms. */
export interface Pause {
  readonly id: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly by: string;
  readonly reason?: string | undefined;
}

/** Pauses by `pauseAttribute`, including ended ones. */
export type PauseSettings = ReadonlyMap<string, Pause>;

/** Lies in the app's partition of the lanes table, beside its health. */
export const pauseItem = "in-pause";

/** 14 days: a lane's state is kept for 15. */
export const longestPauseMs = 14 * 24 * 60 * 60_000;

export class PauseSettingError extends OwnError {
  override readonly name = "PauseSettingError";

  constructor(appId: string, attribute: string) {
    super(
      `What is paused of app ${appId} cannot be read: the attribute "${attribute}" of the item "${pauseItem}" on the ` +
        "lanes table is not one that `pause` writes. The app's events wait until it is corrected or removed.",
    );
  }
}

export function pauseAttribute(target: PauseTarget): string {
  return "name" in target ? `${target.kind} ${target.name}` : target.kind;
}

/** As it is typed: `app`, `lease`, `trigger:auto-reply`. */
export function pauseWord(target: PauseTarget): string {
  return pauseAttribute(target).replace(" ", ":");
}

export function readPauseAttribute(attribute: string): PauseTarget | undefined {
  if (attribute === "app" || attribute === "lease") return { kind: attribute };
  const [, kind, name] = /^(trigger|flow) (.+)$/s.exec(attribute) ?? [];
  if (name === undefined || (kind !== "trigger" && kind !== "flow")) return undefined;
  return { kind, name };
}

export function pauseInForce(settings: PauseSettings, target: PauseTarget, nowMs: number): Pause | undefined {
  const pause = settings.get(pauseAttribute(target));
  return pause !== undefined && nowMs < pause.untilMs ? pause : undefined;
}

/** @throws PauseSettingError */
export function readPauseItem(appId: string, found: Item | undefined): PauseSettings {
  const { lane: _lane, item: _item, ...attributes } = found ?? {};
  const settings = new Map<string, Pause>();
  for (const [attribute, value] of Object.entries(attributes)) {
    const pause = pauseSchema.safeParse(typeof value === "string" ? parseJson(value) : undefined);
    if (!pause.success || readPauseAttribute(attribute) === undefined)
      throw new PauseSettingError(appId, attribute);
    settings.set(attribute, pause.data);
  }
  return settings;
}

const pauseSchema = z.object({
  id: z.string(),
  sinceMs: z.number(),
  untilMs: z.number(),
  by: z.string(),
  reason: z.optional(z.string()),
});
