import type { HeadFacts } from "./define-event.ts";

export function firstMoment(
  moments: Readonly<Record<string, Date | undefined>>,
): Pick<HeadFacts, "occurredAt" | "occurredAtField"> {
  for (const [field, at] of Object.entries(moments)) {
    if (at !== undefined) return { occurredAt: at, occurredAtField: field };
  }
  return {};
}
