import type { Item, Table } from "../../aws/table.ts";
import { readText } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { recordOf } from "../../base/record-of.ts";
import type { Settings } from "../../chat/settings-from.ts";
import type { AppEvent } from "../../events/app-event.ts";
import type { HeardMessage, LoopGuard } from "../../events/marks/loop-guard.ts";
import type { CanarySettings } from "./canary-settings.ts";

export interface CanaryUsers {
  readonly sender: string;
  readonly receiver: string;
}

/** The platform converts ids to lower case (docs/internals/platform/ids-and-limits.md#chosen-ids). */
export function canaryUsersOf({ users }: CanarySettings): CanaryUsers | undefined {
  if (!users) return undefined;
  return { sender: users.sender.toLowerCase(), receiver: users.receiver.toLowerCase() };
}

const canaryKey = "canary";

export interface CanaryMessage {
  readonly receiver: string;
  readonly receiverType: "user";
  readonly data: { readonly text: string; readonly metadata: Readonly<Record<string, string | boolean>> };
  readonly tags: string[];
}

type PerhapsCanary = HeardMessage & { readonly data?: { readonly text?: string | undefined } | undefined };

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
async function isCanary(message: PerhapsCanary, users: CanaryUsers, guard: LoopGuard) {
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

/**
 * Times by several clocks: sent by the sender's, received by the receiver's, handled and blocked (by
 * moderation) by the consumer's.
 */
const noteFields = ["sentAt", "receivedAt", "handledAt", "blockedAt"] as const;

/** Keyed by message id. Repeatable, in any order. @throws AwsCallError */
export type CanaryStore = ReturnType<typeof createCanaryStore>;

const rememberedSeconds = 2 * 24 * 60 * 60;

export function createCanaryStore(lanes: Table, now: () => number) {
  const keyOf = (appId: string, messageId: string): Item => ({
    lane: `app ${appId}`,
    item: `canary ${messageId}`,
  });
  const note = async (appId: string, messageId: string, set: Item) => {
    const expiration = Math.ceil(now() / 1000) + rememberedSeconds;
    await lanes.update(keyOf(appId, messageId), { set: { ...set, expiration } });
  };
  return {
    find: async (appId: string, messageId: string) => {
      const item = await lanes.get(keyOf(appId, messageId));
      return (
        item && recordOf(noteFields, (name) => (typeof item[name] === "number" ? item[name] : undefined))
      );
    },
    noteSent: (appId: string, messageId: string) => note(appId, messageId, { sentAt: now() }),
    noteHandled: (appId: string, messageId: string, receivedAt: number) =>
      note(appId, messageId, { receivedAt, handledAt: now() }),
    noteBlocked: (appId: string, messageId: string) => note(appId, messageId, { blockedAt: now() }),
  };
}

/**
 * Records a canary's event. Returns true if no trigger may handle it. Repeatable. @throws GuardKeyError,
 * AwsCallError
 */
export type RecordIfCanary = (
  event: AppEvent,
  delivery: { readonly appId: string; readonly receivedAt: number },
) => Promise<boolean>;

interface CanaryRecorderServices {
  readonly store: CanaryStore;
  readonly loopGuardOf: (appId: string) => LoopGuard;
  readonly log: Log;
}

export function createCanaryRecorder(
  settings: Settings<CanarySettings>,
  { store, loopGuardOf, log }: CanaryRecorderServices,
): RecordIfCanary {
  return async (event, { appId, receivedAt }) => {
    const users = canaryUsersOf(settings.of(appId));
    if (users === undefined || event.kind !== "known") return false;
    const message = "message" in event ? event.message : {};
    const messageId = readText(message, "id") ?? readText(event, "receipt.messageId");
    if (messageId === undefined) return false;
    if (await isCanary(message, users, loopGuardOf(appId))) {
      if (event.trigger === "message_sent") {
        await store.noteHandled(appId, messageId, receivedAt);
        log.info("saw the canary", { appId, messageId });
      }
      if (event.trigger === "moderation_engine_blocked") await store.noteBlocked(appId, messageId);
      return true;
    }
    // Events about deleted or read messages contain little more than the id.
    return isInConversation(event, users) && (await store.find(appId, messageId)) !== undefined;
  };
}

function isInConversation({ head }: AppEvent, { sender, receiver }: CanaryUsers) {
  const ids = [`${receiver}_user_${sender}`, `${sender}_user_${receiver}`];
  return ids.includes(head.conversation?.id ?? "");
}
