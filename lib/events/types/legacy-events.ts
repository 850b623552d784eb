import type { KnownEvent } from "./known-event.ts";
import type { Message, UnsentMessage } from "./message.ts";

/**
 * A message is about to be stored, and the platform waits for an answer; no trigger gets it.
 * @see docs/platform/legacy-engine.md#before-a-message
 */
export interface BeforeMessageEvent extends KnownEvent<"legacy", "before_message"> {
  /** The message, not stored yet and therefore without id. */
  readonly message: UnsentMessage;
  /** Where it came from. */
  readonly origin: Origin;
}

/**
 * A message was sent, in the words of the legacy engine.
 * @see docs/platform/legacy-engine.md#legacy-triggers
 */
export interface AfterMessageEvent extends KnownEvent<"legacy", "after_message"> {
  /** The message. */
  readonly message: Message;
  /** Where it came from. */
  readonly origin: Origin;
}

/**
 * A bot of yours got a message.
 * @see docs/platform/other-calls.md#bots
 */
export interface BotAfterMessageEvent extends KnownEvent<"bot", "after_message"> {
  /** The message. */
  readonly message: Message;
  /** The bot that is asked to answer. */
  readonly botUid: string;
  /** Where it came from. */
  readonly origin: Origin;
}

/** Where a message of the legacy engine came from. */
export interface Origin {
  /** `API`, `MGNT-API`, `WEBSOCKET`, `WEBRTC`; for messages to a bot, `web` and the like. */
  readonly platform: string | undefined;
  /** The language of the sending client; known of messages to a bot. */
  readonly language: string | undefined;
  /** The sending SDK and device; known of messages to a bot. */
  readonly resource: string | undefined;
}
