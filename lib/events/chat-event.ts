import type { EventHead, EventReader } from "./define-event.ts";
import type { eventReaders } from "./event-readers.ts";
import type { EventFamily } from "./identity.ts";

/** Everything that the platform can tell; `kind`, then `trigger`, then `family` tell events apart. */
export type ChatEvent = CatalogueEvent | UnknownEvent;

/** An event whose trigger is in the catalogue. */
export type CatalogueEvent = {
  readonly [Family in EventFamily]: EventIn<(typeof eventReaders)[Family]>;
}[EventFamily];

/** An event whose trigger is not in the catalogue: new to us, or misspelt by its sender. */
interface UnknownEvent {
  readonly kind: "unknown";
  readonly family: EventFamily;
  readonly trigger: string;
  readonly head: EventHead;
  readonly data: unknown;
}

/** The name of an event in the catalogue. */
export type TriggerName = CatalogueEvent["trigger"];

/** The event of a trigger. Receipts of both engines are one; `after_message` is the legacy engine's or a bot's. */
export type EventOf<Name extends TriggerName> = Extract<CatalogueEvent, { trigger: Name }>;

type EventIn<Readers> = Readers[keyof Readers] extends EventReader<infer Event> ? Event : never;
