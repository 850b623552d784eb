import * as z from "zod/mini";
import type { Item } from "../../aws/table.ts";
import { parseJson } from "../../base/json.ts";

/** What can be paused of an app: all of it, or a trigger or flow by its name. */
export type PauseTarget =
  | { readonly kind: "app" }
  /** As `app`, for everybody but whoever holds the lease: a listener acts in the deployment's place. */
  | { readonly kind: "lease" }
  | { readonly kind: "trigger" | "flow"; readonly name: string };

/** A stop that somebody ordered. What comes meanwhile waits in order (docs/decisions/0026-what-is-paused-waits-in-a-room.md). */
export interface Pause {
  /** Tells one pause from the next of the same target. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** Milliseconds since 1970: from then on it is over, whoever forgets about it. */
  readonly untilMs: number;
  /** Who ordered it, such as an identity's ARN. */
  readonly by: string;
  readonly reason?: string | undefined;
}

/** What is paused of an app, by attribute (`pauseAttribute`); over or not. */
export type PauseSettings = ReadonlyMap<string, Pause>;

/** The item of an app's partition on the lanes table; beside the app's health, so that one request reads both. */
export const pauseItem = "in-pause";

/** A pause is over after 14 days at the latest: what a lane is known by is kept for 15 (lib/queue/lanes/lane-store.ts). */
export const longestPauseMs = 14 * 24 * 60 * 60_000;

/** Thrown for a setting that can be read in no way: then nobody knows whether something may act. */
export class PauseSettingError extends Error {
  override readonly name = "PauseSettingError";

  constructor(appId: string, attribute: string) {
    super(
      `What is paused of app ${appId} cannot be read: the attribute "${attribute}" of the item "${pauseItem}" on the ` +
        "lanes table is none that `pause` writes. The app's events wait until it is put right or removed.",
    );
  }
}

/** Names a target among the settings. */
export function pauseAttribute(target: PauseTarget): string {
  return "name" in target ? `${target.kind} ${target.name}` : target.kind;
}

/** Reads back what `pauseAttribute` writes; undefined for anything else. */
export function readPauseAttribute(attribute: string): PauseTarget | undefined {
  if (attribute === "app" || attribute === "lease") return { kind: attribute };
  const [, kind, name] = /^(trigger|flow) (.+)$/s.exec(attribute) ?? [];
  if (name === undefined || (kind !== "trigger" && kind !== "flow")) return undefined;
  return { kind, name };
}

/** Gives the pause that a target is in; undefined where it is in none, or its time is over. */
export function pauseInForce(settings: PauseSettings, target: PauseTarget, nowMs: number): Pause | undefined {
  const pause = settings.get(pauseAttribute(target));
  return pause !== undefined && nowMs < pause.untilMs ? pause : undefined;
}

/** Reads the item of an app; none means that nothing is paused. @throws PauseSettingError */
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
