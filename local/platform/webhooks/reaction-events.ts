import type { JsonObject } from "../json.ts";
import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";

/** Emits that a reaction, with who reacted, was added or taken back. @see docs/platform/events.md#reaction-events */
export function emitReactionEvent(
  services: Services,
  app: App,
  trigger: "message_reaction_added" | "message_reaction_removed",
  reaction: JsonObject,
): void {
  services.outbox.emit(app, trigger, { reaction });
}
