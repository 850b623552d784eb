import { ensure } from "../errors/platform-error.ts";
import { appFamily } from "../http/route.ts";
import { isJsonObject } from "../json.ts";
import type { AppServices, Occurrences } from "../services/services.ts";
import { type Bot, findBot, listBots, ownCredentials } from "../store/bots.ts";
import { findMember } from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import { legacyEnvelope } from "../webhooks/legacy.ts";
import { requireUser } from "./lookup.ts";
import { sendFrom } from "./message-send.ts";

const route = appFamily("docs/internals/platform/messages.md#bots");

/** The dashboard makes bots; here the emulation's own interface or the seed does. */
export const botRoutes = [
  route(
    "send-bot-message",
    "POST /bots/{uid}/messages",
    async (request) => {
      const uid = request.param("uid").toLowerCase();
      ensure(
        findBot(request, uid) !== undefined,
        "ERR_BOT_NOT_FOUND",
        `The bot with UID ${uid} does not exist.`,
      );
      return await sendFrom(request, requireUser(request));
    },
    [
      "A bot writes to every group, member or not.",
      "The message fires message_sent.",
      "Bots are made by the emulation's own `PUT /_platform/apps/{appId}/bots/{uid}`: the platform's dashboard does it.",
    ],
  ),
];

/**
 * A bot never receives its own messages. Both engines call bots in the form of after_message. @see
 * docs/internals/platform/other-calls.md#bots
 */
export function notifyBots(services: AppServices, { message, verdict }: Occurrences["messageStored"]): void {
  if (verdict?.outcome === "disapproved") return;
  for (const bot of listBots(services)) {
    if (bot.url === undefined || bot.uid === message.sender || !receives(services, bot, message)) continue;
    services.outbox.deliver(services.app, {
      name: bot.uid,
      trigger: "after_message",
      body: legacyEnvelope(
        { legacyEnvelope: "full" },
        services.app,
        { trigger: "after_message", data: message, origin: "API" },
        { bot: bot.uid },
      ),
      target: { url: bot.url, credentials: ownCredentials(bot) },
    });
  }
}

function receives(services: AppServices, bot: Bot, message: Message) {
  if (message.receiverType === "user") return message.receiver === bot.uid;
  if (bot.groupMessages === "none") return false;
  if (findMember(services, message.receiver, bot.uid) === undefined) return false;
  const { mentions } = message.data;
  return bot.groupMessages === "all" || (isJsonObject(mentions) && Object.hasOwn(mentions, bot.uid));
}
