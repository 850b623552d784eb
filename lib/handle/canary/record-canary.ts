import type { Log } from "../../base/log.ts";
import type { Settings } from "../../chat/settings-from.ts";
import type { AppEvent } from "../../events/app-event.ts";
import type { LoopGuard } from "../../events/marks/loop-guard.ts";
import { readText } from "../../events/read-path.ts";
import { isCanary } from "./canary-message.ts";
import { type CanarySettings, type CanaryUsers, canaryUsersOf } from "./canary-settings.ts";
import type { CanaryStore } from "./canary-store.ts";

/**
 * Records a canary's event. Returns true if no trigger may handle it. Repeatable. @throws GuardKeyError,
 * AwsCallError
 */
export type RecordIfCanary = (
  event: AppEvent,
  of: { readonly appId: string; readonly receivedAt: number },
) => Promise<boolean>;

export interface CanaryRecorderServices {
  readonly store: CanaryStore;
  readonly guardOf: (appId: string) => LoopGuard;
  readonly log: Log;
}

export function createCanaryRecorder(
  settings: Settings<CanarySettings>,
  { store, guardOf, log }: CanaryRecorderServices,
): RecordIfCanary {
  return async (event, { appId, receivedAt }) => {
    const users = canaryUsersOf(settings.of(appId));
    if (users === undefined || event.kind !== "known") return false;
    const message = "message" in event ? event.message : {};
    const messageId = readText(message, "id") ?? readText(event, "receipt.messageId");
    if (messageId === undefined) return false;
    if (await isCanary(message, users, guardOf(appId))) {
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

function isInConversation({ head }: AppEvent, { sender, receiver }: CanaryUsers): boolean {
  const ids = [`${receiver}_user_${sender}`, `${sender}_user_${receiver}`];
  return ids.includes(head.conversation?.id ?? "");
}
