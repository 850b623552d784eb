import type { EventFamily } from "../identity.ts";
import type { EventHead } from "./event-head.ts";

/** The common fields of the catalogue's events. Their content is in further fields. */
export interface KnownEvent<Family extends EventFamily, Trigger extends string> {
  /** Distinguishes it from an `unknown` and a `derived` event. */
  readonly kind: "known";
  /** The kind of delivery; distinguishes two events of one name. */
  readonly family: Family;
  /** The platform's own name of the event. */
  readonly trigger: Trigger;
  /** Key, app, moment, actor and conversation: the same for every event. */
  readonly head: EventHead;
  /** As received: unknown fields, nulls and the platform's own numbers. */
  readonly data: unknown;
}

/** An event whose trigger is not in the catalogue: new, or misspelled by its sender. */
export interface UnknownEvent {
  /** Distinguishes it from an event of the catalogue, which is `known`. */
  readonly kind: "unknown";
  /** The kind of delivery. */
  readonly family: EventFamily;
  /** The name as received. */
  readonly trigger: string;
  /** Key, app and lane. Time, actor and conversation are not determined. */
  readonly head: EventHead;
  /** As received. */
  readonly data: unknown;
}
