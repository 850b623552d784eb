import type { Effects } from "../effects/effects.ts";
import type { Log } from "../log.ts";
import type { AppEvent, AppEventOf, EventName } from "./app-event.ts";
import type { PassReason } from "./pass-over.ts";
import type { TriggerChat } from "./trigger-chat.ts";

/** What a trigger handler gets. */
export interface TriggerContext<Event extends AppEvent = AppEvent> {
  readonly event: Event;
  /** The client of the app that the event came from. For what must happen once, use `effects`. */
  readonly chat: TriggerChat;
  readonly effects: Effects;
  readonly log: Log;
  readonly receivedAt: Date;
  /** Milliseconds since it happened, or since it was received where that is not known. */
  readonly ageMs: number;
  /** Says that the handler leaves an event alone which it would handle otherwise: logged and counted. */
  readonly passOver: (reason: PassReason) => void;
}

export interface TriggerOptions {
  /** What happened longer ago, in milliseconds, is passed over. Default: nothing is. */
  readonly maxAgeMs?: number | undefined;
}

/** A behaviour of this app, made by `onTrigger`. */
export interface Trigger {
  readonly names: readonly EventName[];
  readonly run: (context: TriggerContext) => Promise<void>;
}

/** The app's triggers by name, in the order in which they run. */
export type TriggerTable = Readonly<Record<string, Trigger>>;

/**
 * Declares what happens on an event of the platform, on one of several, on a derived one, or with `*` on every event.
 * The handler may run several times for one event: what it does through `effects` happens once.
 * @example onTrigger("message_sent", async ({ event, effects }) => { … })
 */
export function onTrigger<const Name extends EventName>(
  names: Name | readonly Name[],
  handle: (context: TriggerContext<AppEventOf<Name>>) => Promise<void>,
  { maxAgeMs = Number.POSITIVE_INFINITY }: TriggerOptions = {},
): Trigger {
  const trigger = { names: isList(names) ? names : [names] };
  const isMine = (event: AppEvent): event is AppEventOf<Name> => handles(trigger, event);
  return {
    ...trigger,
    run: async (context) => {
      const { event } = context;
      if (!isMine(event)) return;
      if (context.ageMs > maxAgeMs) context.passOver("too-old");
      else await handle({ ...context, event });
    },
  };
}

/** Tells whether a trigger wants an event. An unknown event is wanted by `*` alone. */
export function handles({ names }: Pick<Trigger, "names">, event: AppEvent): boolean {
  return names.some((name) => name === "*" || (event.kind !== "unknown" && event.trigger === name));
}

/** Tells whether any of the triggers wants the events of a name. */
export function isWanted(triggers: readonly Pick<Trigger, "names">[], name: EventName): boolean {
  return triggers.some(({ names }) => names.includes(name) || names.includes("*"));
}

function isList<Name>(names: Name | readonly Name[]): names is readonly Name[] {
  return Array.isArray(names);
}
