import * as z from "zod/mini";
import { chosenId } from "../../base/config-fields.ts";

export const canarySettingsSchema = z.strictObject({
  /** The users of the canary, who exchange nothing else. Default: no canary. */
  users: z.optional(
    z.nullable(
      z
        .strictObject({ sender: chosenId(), receiver: chosenId() })
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

export interface CanaryUsers {
  readonly sender: string;
  readonly receiver: string;
}

/** The platform converts ids to lower case (docs/internals/platform/ids-and-limits.md#chosen-ids). */
export function canaryUsersOf({ users }: CanarySettings): CanaryUsers | undefined {
  if (!users) return undefined;
  return { sender: users.sender.toLowerCase(), receiver: users.receiver.toLowerCase() };
}
