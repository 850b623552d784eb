import type { EventFamily } from "../identity.ts";
import type { EventHead } from "./event-head.ts";

/** What each event of the catalogue has beside what it tells: its facts stand next to these fields. */
export interface KnownEvent<Family extends EventFamily, Trigger extends string> {
  /** Tells an event of the catalogue from an `unknown` and from a `derived` one. */
  readonly kind: "known";
  /** Which kind of delivery it is; tells two events of one name apart. */
  readonly family: Family;
  /** The platform's own name of the event. */
  readonly trigger: Trigger;
  /** Key, app, moment, actor and conversation: the same for every event. */
  readonly head: EventHead;
  /** As received: unknown fields, nulls and the platform's own numbers. */
  readonly data: unknown;
}

/** An event whose trigger is not in the catalogue: new to us, or misspelt by its sender. */
export interface UnknownEvent {
  /** Tells it from an event of the catalogue, which is `known`. */
  readonly kind: "unknown";
  /** Which kind of delivery it is. */
  readonly family: EventFamily;
  /** The name, as it came. */
  readonly trigger: string;
  /** Key, app and lane; the moment, the actor and the conversation are not looked for. */
  readonly head: EventHead;
  /** As received. */
  readonly data: unknown;
}
