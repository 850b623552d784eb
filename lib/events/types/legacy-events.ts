import type { KnownEvent } from "./known-event.ts";
import type { Message, UnsentMessage } from "./message.ts";

/**
 * The platform is about to store a message and waits for an answer. No handler receives it.
 * @see docs/internals/platform/legacy-engine.md#before-a-message
 */
export interface BeforeMessageEvent extends KnownEvent<"legacy", "before_message"> {
  /** Not yet stored, so without an id. */
  readonly message: UnsentMessage;
  /** The origin of the message. */
  readonly origin: Origin;
}

/**
 * A message was sent, as reported by the legacy engine.
 * @see docs/internals/platform/legacy-engine.md#legacy-triggers
 */
export interface AfterMessageEvent extends KnownEvent<"legacy", "after_message"> {
  /** The message. */
  readonly message: Message;
  /** The origin of the message. */
  readonly origin: Origin;
}

/** One of your bots received a message. @see docs/internals/platform/other-calls.md#bots */
export interface BotAfterMessageEvent extends KnownEvent<"bot", "after_message"> {
  /** The message. */
  readonly message: Message;
  /** The bot that should answer. */
  readonly botUid: string;
  /** The origin of the message. */
  readonly origin: Origin;
}

/** The origin of a message of the legacy engine. */
export interface Origin {
  /** `API`, `MGNT-API`, `WEBSOCKET`, `WEBRTC`; to a bot, `web` and similar. */
  readonly platform: string | undefined;
  /** The sending client's; only to a bot. */
  readonly language: string | undefined;
  /** Sending SDK and device; only to a bot. */
  readonly resource: string | undefined;
}

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
