import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { defineListSubject } from "../define-subject.ts";
import { pickFields } from "../pick-fields.ts";
import { botKind } from "./bot-kind.ts";
import { callerSchema, credentialsOf, credentialsToWrite, isOurs } from "./caller-credentials.ts";

/** Limits: docs/internals/platform/messages.md#bots. */
const botSchema = z.strictObject({
  uid: z.string().check(z.regex(/^[a-z0-9_-]{1,50}$/, "expected 1 to 50 of a-z 0-9 - _")),
  /** Of its user, who is made with it. Default: the user must exist. */
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  ...callerSchema,
  groupChatSetting: z.optional(z.enum(["allMessages", "slashedMessages", "mentionedMessages", "none"])),
  /** Default: true. */
  enabled: z.optional(z.boolean()),
});

export const botsSubject = defineListSubject({
  name: "bots",
  list: "bots",
  named: "bot",
  idField: "uid",
  items: z.array(botSchema).check(z.maxLength(25), noTwoAlike("uid", "another bot has the same uid")),
  kinds: [botKind],
  wanted: (bot, { webhookUrl }) => {
    const { uid, url = webhookUrl, groupChatSetting = "none", enabled = true } = bot;
    const fields = {
      ...pickFields({ ...bot, webhookURL: url }, ["name", "webhookURL"]),
      ...{ groupChatSetting, enabled, useBasicAuth: false, ...credentialsOf(bot, ofBots) },
    };
    return [{ kind: botKind.name, id: uid, fields }];
  },
  write: ({ id: uid, fields }, facts) => {
    const { webhookURL: url } = fields;
    return {
      ...{ uid, ...pickFields(fields, ["name"]) },
      ...(isOurs(fields, facts) ? {} : { url, ...credentialsToWrite(fields) }),
      ...pickFields(fields, ["groupChatSetting", "enabled"]),
    };
  },
});

const ofBots = { unlessOwn: "bot" } as const;
