import type { KnownEvent } from "./known-event.ts";
import type { Message } from "./message.ts";

/**
 * The e-mail extension reports unread messages. No trigger or app id; the name is ours.
 * @see docs/internals/platform/other-calls.md#legacy-extensions
 */
export interface EmailExtensionEvent extends KnownEvent<"extension", "email-extension"> {
  /** The recipient's e-mail address. */
  readonly to: string;
  /** The unread messages between two users. */
  readonly messages: readonly Message[];
}
