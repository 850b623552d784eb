import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { OwnError } from "../../../base/own-error.ts";
import { isCode, unlessMissing } from "../../../chat/is-code.ts";
import { bots } from "../../../chat/resources/bots.ts";
import { users } from "../../../chat/resources/users.ts";
import type { Bot, BotsClient } from "../../../chat/types/bots.ts";
import { defineListSubject } from "../define-subject.ts";
import { pickFields } from "../fields.ts";
import type { FoundThing, Kind, Unchecked } from "../thing.ts";
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

const settings = ["name", "webhookURL", "username", "password"];

/**
 * With the name of its user, who is made first and remains. Answers omit what is false, empty or `none`, and
 * contain the password (docs/internals/platform/messages.md#bots).
 */
const botKind: Kind = {
  name: "bot",
  required: ["webhookURL"],
  address: "webhookURL",
  hasSecrets: true,
  connect: ({ chat, request }) => {
    const clients = chat.using({ bots, users });
    const calls: Unchecked<BotsClient> = clients.bots;
    const readUser = (uid: string) => unlessMissing("ERR_UID_NOT_FOUND", clients.users.get(uid, request));
    const read = async (bot: Bot): Promise<FoundThing> => {
      const { uid, groupChatSetting = "none", enabled = false, useBasicAuth = false } = bot;
      const shown = pickFields({ ...bot, name: (await readUser(uid))?.name }, settings);
      // Bots of the emulation's seeds may have no address: they only write, and are no declaration's.
      const isUntouched = shown.webhookURL === undefined;
      return { id: uid, fields: { ...shown, groupChatSetting, enabled, useBasicAuth }, isUntouched };
    };
    const nameUser = async (uid: string, name: unknown) => {
      if (typeof name !== "string") return;
      const user = await readUser(uid);
      if (user === undefined) await clients.users.create({ uid, name }, request).catch(blameDeactivation);
      else if (user.name !== name) await clients.users.update(uid, { name }, request);
    };
    return {
      list: async () => {
        const found = await Array.fromAsync(calls.list({ perPage: 1_000 }, request));
        return Promise.all(found.map(read));
      },
      find: async (uid) => {
        const bot = await unlessMissing("ERR_BOT_NOT_FOUND", calls.get(uid, request));
        return bot && read(bot);
      },
      write: async (uid, { name, ...fields }, there) => {
        await nameUser(uid, name);
        if (there === undefined) await calls.create({ uid, ...fields }, request);
        else if (Object.keys(fields).length > 0) await calls.update(uid, fields, request);
      },
      remove: (uid) => calls.delete(uid, request),
    };
  },
};

/** A user that is neither found nor can be made. */
function blameDeactivation(error: unknown): never {
  if (!isCode(error, "ERR_UID_ALREADY_EXISTS")) throw error;
  throw new UserDeactivatedError("The bot's user is deactivated. Reactivate the user, then run this again.");
}

class UserDeactivatedError extends OwnError {
  override readonly name = "UserDeactivatedError";
}

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
