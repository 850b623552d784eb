import type { Effects } from "../effects/effects.ts";
import type { ChatEvent, EventOf, TriggerName } from "../events/chat-event.ts";
import type { Log } from "../log.ts";
import type { TriggerChat } from "./trigger-chat.ts";

/** What a trigger handler gets. */
export interface TriggerContext<Event extends ChatEvent = ChatEvent> {
  readonly event: Event;
  /** The client of the app that the event came from. For what must happen once, use `effects`. */
  readonly chat: TriggerChat;
  readonly effects: Effects;
  readonly log: Log;
}

/** A behaviour of this app, made by `onTrigger`. */
export interface Trigger {
  readonly handles: (event: ChatEvent) => boolean;
  readonly run: (context: TriggerContext) => Promise<void>;
}

/**
 * Declares what happens on an event of the platform. The handler may run several times for one event:
 * what it does through `effects` happens once.
 */
export function onTrigger<const Name extends TriggerName>(
  name: Name,
  handle: (context: TriggerContext<EventOf<Name>>) => Promise<void>,
): Trigger {
  const handles = (event: ChatEvent): event is EventOf<Name> =>
    event.kind === "known" && event.trigger === name;
  return {
    handles,
    run: async (context) => {
      const { event } = context;
      if (handles(event)) await handle({ ...context, event });
    },
  };
}
