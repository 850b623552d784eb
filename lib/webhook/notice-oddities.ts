import type { Identity } from "../events/identity.ts";
import { readText } from "../events/read-path.ts";
import { createHint, type HintTools } from "../hint.ts";
import { isRecord } from "../json.ts";

/** Tells what is odd about an app's deliveries, however well they are taken. Never throws. */
export type NoticeOddities = (
  delivery: { readonly appId: string; readonly isReplaced: boolean; readonly body: unknown },
  identity: Identity | undefined,
) => void;

/** What was seen within this time belongs together, in milliseconds. */
const sameSettingsMs = 3_600_000;
/** More names than the platform has: names that it does not have must not fill the memory. */
const maxNames = 500;

/**
 * Makes a function that notices what only the receiver can: later the queue has dropped what was delivered twice. It knows
 * the deliveries of its own process alone, so one odd delivery may go unseen, but no lasting oddity.
 */
export function createNoticeOddities(tools: HintTools): NoticeOddities {
  const { now } = tools;
  const hint = createHint(tools);
  const tellers = new Map<string, { readonly name: string; readonly at: number }>();

  /** Gives who told the same within the hour before, if it was somebody else. */
  const otherTeller = (what: string, name: string): string | undefined => {
    const known = tellers.get(what);
    if (known !== undefined && now() - known.at < sameSettingsMs) {
      return known.name === name ? undefined : known.name;
    }
    if (tellers.size >= maxNames) tellers.clear();
    tellers.set(what, { name, at: now() });
    return undefined;
  };

  return ({ appId, isReplaced, body }, identity) => {
    const { webhook, contextMessages } = isRecord(body) ? body : {};
    if (isReplaced) {
      hint("ReplacedPasswordUsed", appId, "the platform still uses a password that was replaced");
    }
    if ((readText(body, "appId") ?? appId) !== appId) {
      hint("AppIdMismatch", appId, "a delivery names another app than its address; the address counts");
    }
    if (identity?.trigger === "before_message" || (identity === undefined && contextMessages !== undefined)) {
      hint("QuestionAtWebhooks", appId, "the platform asks a question where nobody answers: see its address");
    }
    if (identity === undefined) return;

    const { family, trigger } = identity;
    if (family !== "webhook" && family !== "legacy") return;
    if (otherTeller(appId, family) !== undefined) {
      hint("TwoEngines", appId, "both engines deliver for one app: a message comes as two events", {
        trigger,
      });
    }
    if (typeof webhook !== "string") return;
    const other = otherTeller(`${appId} ${trigger}`, webhook);
    if (other === undefined) return;
    const webhooks = `${other}, ${webhook}`.slice(0, 200);
    hint("TwoWebhooks", appId, "two webhooks deliver the same trigger for one app", { trigger, webhooks });
  };
}
