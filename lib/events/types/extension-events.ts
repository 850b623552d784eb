import type { KnownEvent } from "./known-event.ts";
import type { Message } from "./message.ts";

/**
 * The e-mail extension tells of unread messages. It has no trigger and no app id; the name of the trigger is ours.
 * @see docs/platform/other-calls.md#legacy-extensions
 */
export interface EmailExtensionEvent extends KnownEvent<"extension", "email-extension"> {
  /** The address to write to. */
  readonly to: string;
  /** The unread messages between two people. */
  readonly messages: readonly Message[];
}
