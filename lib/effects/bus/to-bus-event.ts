import type { AppEvent } from "../../events/app-event.ts";

/** An event as other teams receive it from the bus. */
export interface BusEvent {
  /** The trigger, for rules of the bus. */
  readonly detailType: string;
  /** A JSON object; see docs/triggers.md for its fields. */
  readonly detail: object;
  readonly occurredAt: Date | undefined;
}

/**
 * Converts an event for the bus: the common fields, and the platform's `data` (for a derived event, its
 * facts). `key` identifies repetitions, because the bus may deliver twice.
 */
export function toBusEvent(event: AppEvent): BusEvent {
  const { key, appId, region, engine, trigger, occurredAt, actor, conversation } = event.head;
  const detail = {
    key,
    appId,
    region,
    engine,
    trigger,
    occurredAt,
    actor,
    conversation,
    data: dataOf(event),
  };
  return { detailType: trigger, detail, occurredAt };
}

function dataOf(event: AppEvent): unknown {
  if (event.kind !== "derived") return event.data;
  const { kind: _, head: __, trigger: ___, ...facts } = event;
  return facts;
}
