import { isRecord } from "../../../lib/base/json.ts";
import { seenIn } from "../../../lib/events/conditions/seen.ts";
import { systemUser } from "../../../lib/events/marks/automatic.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";

export interface Misfit {
  readonly condition: string;
  readonly wanted: unknown;
  readonly found: unknown;
}

export function findMisfit(
  { condition, wanted }: { readonly condition: string; readonly wanted: unknown },
  body: unknown,
  appId: string,
): Misfit {
  const parsed = parseEvent(body, { appId });
  const seen = new Map(Object.entries(parsed.ok ? seenIn(parsed.event) : {}));
  return { condition, wanted, found: condition === "from" ? seen.get("sender") : seen.get(condition) };
}

export function describeMisfit({ condition, wanted, found }: Misfit, category?: string): string {
  if (condition === "from") {
    if (typeof found === "string" && found.toLowerCase() === systemUser) return "the platform wrote it";
    if (category !== undefined && category !== "message" && category !== "custom") {
      return `it has the category ${category}, not message or custom`;
    }
    return "an automatic message of these functions, which triggers ignore";
  }
  const what = found === undefined ? "the event does not have it" : `it is ${show(found)}`;
  return `${condition} should be ${show(wanted)}, but ${what}`;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.map(show).join(" or ");
  if (isRecord(value) && "not" in value) return `anything but ${show(value.not)}`;
  if (isRecord(value) && Array.isArray(value.words))
    return `a text with ${value.words.map(show).join(" or ")}`;
  if (isRecord(value)) return JSON.stringify(value);
  return `“${String(value)}”`;
}
