import { sha256Hex } from "../digest.ts";

// How a message that this system sent is told from what people write (docs/platform/webhooks.md#loops: our own
// messages come back as message_sent). Twice, because a webhook need not carry tags and may rewrite metadata.

const automaticTag = "automatic";

/** The user that the platform itself acts as. */
const systemUser = "app_system";

/** Marks to put on a message, so that it is known as automatic and found again. */
export interface AutomaticMarks {
  /** Two tags; the platform takes 25 of at most 100 characters (docs/platform/ids-and-limits.md#tags). */
  readonly tags: string[];
  readonly metadata: { automatic: true };
}

/** Makes the marks of the message that an effect sends; equal effects get equal marks. */
export function marksOf(effectKey: string): AutomaticMarks {
  return { tags: [automaticTag, effectTagOf(effectKey)], metadata: { automatic: true } };
}

/** The tag by which an effect's message is found among the app's messages. */
export function effectTagOf(effectKey: string): string {
  return `effect-${sha256Hex(effectKey).slice(0, 32)}`;
}

/** Tells whether a message was written by no person: by this system, another automatic sender or the platform. */
export function isAutomatic(message: {
  readonly sender: string;
  readonly tags?: readonly string[] | undefined;
  readonly data: { readonly metadata?: Readonly<Record<string, unknown>> | undefined };
}): boolean {
  return (
    message.sender === systemUser ||
    message.tags?.includes(automaticTag) === true ||
    message.data.metadata?.automatic === true
  );
}
