import type { AppEvent } from "../../events/app-event.ts";

/** An event as other teams find it on the bus. */
export interface BusEvent {
  /** The trigger: rules of the bus choose by it. */
  readonly detailType: string;
  /** A JSON object; see docs/triggers.md for its fields. */
  readonly detail: object;
  readonly occurredAt: Date | undefined;
}

/**
 * Turns an event into what goes onto the bus: what is the same for all, and what the platform sent under `data`
 * (of a derived event, its facts). `key` tells a repetition from a new event: the bus may deliver twice.
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
