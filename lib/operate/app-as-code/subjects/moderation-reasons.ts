import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { reasons } from "../../../chat/resources/moderation-rules.ts";
import { defineListSubject } from "../define-subject.ts";
import { isUnchangedDefault, resourceKind } from "../resource-kind.ts";

// The platform documents no lengths (docs/internals/platform/ids-and-limits.md#texts).
const reasonSchema = z.strictObject({
  id: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
});

const reasonKind = resourceKind({
  name: "moderation reason",
  fields: ["name", "description"],
  callsOf: (chat) => chat.using({ reasons }).reasons,
  list: (calls, request) => calls.list(request),
  missing: "ERR_REASON_NOT_FOUND",
  isUntouched: isUnchangedDefault,
  // Required with every change (docs/internals/platform/moderation.md#reasons).
  toInput: (target, found) => ({ name: found?.fields.name, ...target }),
});

/** For flagging a message. */
export const moderationReasons = defineListSubject({
  name: "moderation-reasons",
  list: "reasons",
  items: z.array(reasonSchema).check(noTwoAlike("id", "another reason has the same id")),
  kinds: [reasonKind],
  wanted: ({ id, ...fields }) => [{ kind: reasonKind.name, id, fields }],
});
