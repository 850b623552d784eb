import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { reasons } from "../../../chat/resources/reasons.ts";
import type { Reason } from "../../../chat/types/reasons.ts";
import { defineListSubject } from "../define-subject.ts";
import { inputOf } from "../input-of.ts";
import { isUnchangedDefault } from "../is-unchanged-default.ts";
import { unlessMissing } from "../not-found.ts";
import { pickFields } from "../pick-fields.ts";
import type { FoundThing, Kind } from "../thing.ts";

// The platform documents no lengths (docs/internals/platform/ids-and-limits.md#texts).
const reasonSchema = z.strictObject({
  id: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
});

const names = ["name", "description"];

const reasonKind: Kind = {
  name: "moderation reason",
  rules: {},
  connect: ({ chat, request }) => ({
    list: async () => (await chat.call(reasons.list, request).page()).items.map(toFound),
    find: async (id) => {
      const reason = await unlessMissing("ERR_REASON_NOT_FOUND", chat.call(reasons.get, id, request));
      return reason && toFound(reason);
    },
    create: async (id, target) => {
      await chat.call(reasons.create, inputOf(reasons.create, { id, ...target }), request);
    },
    change: async (id, target, { fields }) => {
      // Required with every change (docs/internals/platform/moderation.md#reasons).
      const input = inputOf(reasons.update, { name: fields.name, ...target });
      await chat.call(reasons.update, id, input, request);
    },
    remove: async (id) => {
      await chat.call(reasons.delete, id, request);
    },
  }),
};

/** For flagging a message. */
export const moderationReasons = defineListSubject({
  name: "moderation-reasons",
  list: "reasons",
  items: z.array(reasonSchema).check(noTwoAlike("id", "another reason has the same id")),
  kinds: [reasonKind],
  wanted: (reason) => [{ kind: reasonKind.name, id: reason.id, fields: pickFields(reason, names) }],
});

function toFound(reason: Reason): FoundThing {
  return {
    id: reason.id,
    fields: pickFields(reason, names),
    isUntouched: isUnchangedDefault(reason),
  };
}
