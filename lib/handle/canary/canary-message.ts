import type { LoopGuard } from "../../events/marks/loop-guard.ts";
import type { CanaryUsers } from "./canary-settings.ts";

/** What marks are made for, in the place of an effect: nothing else that this system sends has a mark of it. */
const canaryKey = "canary";

/** The message that is sent from one of the two users to the other. */
export interface CanaryMessage {
  readonly receiver: string;
  readonly receiverType: "user";
  readonly data: { readonly text: string; readonly metadata: Readonly<Record<string, string | boolean>> };
  readonly tags: string[];
}

/** As much of a message as tells whether it is a canary. */
export interface PerhapsCanary {
  readonly sender?: string | undefined;
  readonly receiver?: string | undefined;
  readonly receiverType?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly data?:
    | {
        readonly text?: string | undefined;
        readonly metadata?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
}

/**
 * Makes the canary, marked as this system's own messages are. The mark stands in its text, too: a webhook need not carry
 * tags and metadata, and text arrives byte for byte (docs/platform/webhooks.md#transport).
 * @throws GuardKeyError when the key of the marks cannot be read
 */
export async function makeCanary(
  guard: LoopGuard,
  { sender, receiver }: CanaryUsers,
): Promise<CanaryMessage> {
  const { tags, metadata } = await guard.mark(canaryKey, { sender, receiverType: "user", receiver });
  return {
    receiver,
    receiverType: "user",
    data: { text: `canary ${metadata.automaticMark}`, metadata },
    tags,
  };
}

/**
 * Tells whether a message is a canary: from the one user to the other, with a mark that only the holder of the key can
 * make. The key is read only for what looks like one. @throws GuardKeyError when it cannot be read
 */
export async function isCanary(
  message: PerhapsCanary,
  users: CanaryUsers,
  guard: LoopGuard,
): Promise<boolean> {
  const { sender, receiver, receiverType, tags = [], data } = message;
  const isBetween =
    sender?.toLowerCase() === users.sender &&
    receiver?.toLowerCase() === users.receiver &&
    receiverType === "user";
  if (!isBetween) return false;
  const [, inText] = /^canary (\S+)$/.exec(data?.text ?? "") ?? [];
  const heard = { ...message, tags: inText === undefined ? tags : [...tags, `mark-${inText}`] };
  return guard.isOf(canaryKey, heard);
}
