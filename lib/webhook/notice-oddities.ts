import type { Identity } from "../events/identity.ts";
import { readText } from "../events/read-path.ts";
import { createHint, type HintTools } from "../hint.ts";
import { isRecord } from "../json.ts";

/** Tells what is odd about an app's deliveries at the door, however well they are taken. Never throws. */
export type NoticeOddities = (
  delivery: { readonly appId: string; readonly isReplaced: boolean; readonly body: unknown },
  identity: Identity | undefined,
) => void;

/** Makes a function that notices what the events no longer show (lib/triggers/notice-senders.ts notices the rest). */
export function createNoticeOddities(tools: HintTools): NoticeOddities {
  const hint = createHint(tools);
  return ({ appId, isReplaced, body }, identity) => {
    if (isReplaced) {
      hint("ReplacedPasswordUsed", appId, "the platform still uses a password that was replaced");
    }
    if ((readText(body, "appId") ?? appId) !== appId) {
      hint("AppIdMismatch", appId, "a delivery names another app than its address; the address counts");
    }
    const isModeration = identity === undefined && isRecord(body) && "contextMessages" in body;
    if (isModeration || identity?.trigger === "before_message") {
      hint("QuestionAtWebhooks", appId, "the platform asks a question where nobody answers: see its address");
    }
  };
}
