import { OwnError } from "../../../base/own-error.ts";
import { isCode, unlessMissing } from "../../../chat/is-code.ts";
import { bots } from "../../../chat/resources/bots.ts";
import { users } from "../../../chat/resources/users.ts";
import type { Bot, BotsClient } from "../../../chat/types/bots.ts";
import { pickFields } from "../pick-fields.ts";
import type { AppApis, FoundThing, Kind } from "../thing.ts";

const settings = ["name", "webhookURL", "username", "password"];

/**
 * With the name of its user, who is made first and remains. Answers omit what is false, empty or `none`, and
 * contain the password (docs/internals/platform/messages.md#bots).
 */
export const botKind: Kind = {
  name: "bot",
  rules: {},
  required: ["webhookURL"],
  address: "webhookURL",
  hasSecrets: true,
  connect: ({ chat, request }) => {
    const clients = chat.using({ bots, users });
    const calls: BotCalls = clients.bots;
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
      create: async (uid, { name, ...fields }) => {
        await nameUser(uid, name);
        await calls.create({ uid, ...fields }, request);
      },
      change: async (uid, { name, ...fields }) => {
        await nameUser(uid, name);
        if (Object.keys(fields).length > 0) await calls.update(uid, fields, request);
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

/** The client checks the inputs. */
interface BotCalls extends Omit<BotsClient, "create" | "update"> {
  create(input: object, options: AppApis["request"]): Promise<unknown>;
  update(uid: string, input: object, options: AppApis["request"]): Promise<unknown>;
}
