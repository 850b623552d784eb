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
