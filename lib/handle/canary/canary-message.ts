import type { LoopGuard } from "../../events/marks/loop-guard.ts";
import type { CanaryUsers } from "./canary-settings.ts";

const canaryKey = "canary";

export interface CanaryMessage {
  readonly receiver: string;
  readonly receiverType: "user";
  readonly data: { readonly text: string; readonly metadata: Readonly<Record<string, string | boolean>> };
  readonly tags: string[];
}

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
 * Makes a message with this system's mark. The text contains the mark too: a webhook may omit tags and
 * metadata, while text arrives byte for byte (docs/internals/platform/webhooks.md#transport).
 * @throws GuardKeyError
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

/** Reads the key only for messages between the two users. */
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
