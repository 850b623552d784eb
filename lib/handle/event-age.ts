import type { EventHead } from "../events/types/event-head.ts";

/**
 * In milliseconds; since its receipt if the platform's time is missing or impossible. A group's `updatedAt`
 * does not change with its members (docs/internals/platform/events.md#group-events).
 */
export function ageOfEvent(
  { occurredAt, occurredAtField }: Pick<EventHead, "occurredAt" | "occurredAtField">,
  receivedAtMs: number,
  nowMs: number,
): number {
  const isKnown = occurredAt !== undefined && occurredAtField !== "data.group.updatedAt";
  const happenedAtMs = isKnown ? Math.min(occurredAt.getTime(), receivedAtMs) : receivedAtMs;
  return Math.max(0, nowMs - happenedAtMs);
}
