import * as z from "zod/mini";
import { chosenId } from "../../base/chosen-id.ts";

/** What config/canary.yml may hold. */
export const canarySettingsSchema = z.strictObject({
  /** Between whom the canary is sent: two users of the app that are used for nothing else. Default: no canary. */
  users: z.optional(
    z.nullable(
      z
        .strictObject({ sender: chosenId, receiver: chosenId })
        .check(
          z.refine(
            ({ sender, receiver }) => sender.toLowerCase() !== receiver.toLowerCase(),
            "sender and receiver must be two users",
          ),
        ),
    ),
  ),
});

export type CanarySettings = z.infer<typeof canarySettingsSchema>;

/** Between whom an app's canary is sent, uids in small letters. */
export interface CanaryUsers {
  readonly sender: string;
  readonly receiver: string;
}

/** Gives an app's canary users; undefined where it has no canary. The platform lowers ids (docs/platform/ids-and-limits.md#chosen-ids). */
export function canaryUsersOf({ users }: CanarySettings): CanaryUsers | undefined {
  if (!users) return undefined;
  return { sender: users.sender.toLowerCase(), receiver: users.receiver.toLowerCase() };
}
