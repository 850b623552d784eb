import { ensure, found, requireRoom, userNotFound } from "../errors/platform-error.ts";
import { choice, optionalFlag, optionalUrl, readFields, requiredText, text } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, replyPage } from "../http/route.ts";
import { defined, type JsonObject, objectOf, omit } from "../json.ts";
import { type AppServices, nowSeconds, type Occurrences } from "../services/services.ts";
import {
  type Bot,
  deleteBot,
  findBot,
  groupChatSettings,
  groupSettings,
  hasBasicAuth,
  listBots,
  maxBots,
  ownCredentials,
  putBot,
} from "../store/bots.ts";
import { withReadableCopy } from "../store/message-access.ts";
import type { Message } from "../store/messages.ts";
import { isNotified } from "../store/notified.ts";
import { legacyEnvelope } from "../webhooks/legacy.ts";
import { requireUser, requireUserByUid } from "./lookup.ts";
import { sendFrom } from "./message-send.ts";

const botFields = {
  webhookURL: optionalUrl,
  groupChatSetting: (body: JsonObject, field: string) => choice(body, field, groupChatSettings),
  enabled: optionalFlag,
  useBasicAuth: optionalFlag,
  username: text(50),
  password: text(50),
};

export const botRoutes = appFamily({
  "create-bot"(request) {
    const uid = requiredText(request.body, "uid").toLowerCase();
    if (uid.length > 50) throw userNotFound(uid);
    requireUserByUid(request, uid);
    ensure(findBot(request, uid) === undefined, "ERR_BOT_ALREADY_EXISTS", `The bot ${uid} already exists.`);
    requireRoom(listBots(request).length, "bots", maxBots);
    const url = requiredText(request.body, "webhookURL");
    const given = readSettings(request.body);
    return keepBot(request, {
      uid,
      url,
      groupMessages: "none",
      enabled: false,
      useBasicAuth: false,
      ...(given.useBasicAuth ? given : omit(given, "username", "password")),
      createdAt: nowSeconds(request),
    });
  },
  "list-bots"(request) {
    const key = request.query.text("searchKey")?.toLowerCase() ?? "";
    const bots = listBots(request)
      .filter(({ uid }) => uid.startsWith(key))
      .toSorted((one, other) => (one.uid < other.uid ? -1 : 1));
    return replyPage(request.query, request.query.flag("isAIBot") ? [] : bots, { show: showBot });
  },
  "get-bot": (request) => showBot(requireBot(request)),
  "update-bot"(request) {
    const changed = { ...requireBot(request), ...readSettings(request.body) };
    return keepBot(request, { ...changed, updatedAt: nowSeconds(request) });
  },
  "delete-bot"(request) {
    const { uid } = requireBot(request);
    deleteBot(request, uid);
    return acknowledge(`Bot with ${uid} has been deleted successfully.`);
  },
  "send-bot-message": {
    checksBody: true,
    async handler(request) {
      requireBot(request);
      return await sendFrom(request, requireUser(request));
    },
  },
});

function readSettings(body: JsonObject) {
  const { webhookURL: url, groupChatSetting, ...others } = readFields(body, botFields);
  return defined({ ...others, url, groupMessages: groupChatSetting && groupSettings[groupChatSetting] });
}

function keepBot(request: AppRequest, bot: Bot) {
  putBot(request, bot);
  request.redactor.refresh();
  return showBot(bot);
}

/** Omits empty and false properties; the password is in clear. */
function showBot(shown: Bot) {
  const { url, groupMessages, useBasicAuth: _, enabled, ...bot } = shown;
  const [groupChatSetting] = Object.entries(groupSettings).find(([, own]) => own === groupMessages) ?? [];
  const all = {
    ...bot,
    webhookURL: url,
    groupChatSetting,
    enabled: enabled !== false,
    useBasicAuth: hasBasicAuth(shown),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== "" && value !== false),
  );
}

function requireBot(request: AppRequest) {
  const uid = request.param("uid").toLowerCase();
  return found(findBot(request, uid), "ERR_BOT_NOT_FOUND", `The bot with UID ${uid} does not exist.`);
}

/**
 * Ignores the bot's own messages, and agents' (assumed). Both engines use after_message's form.
 * @see docs/internals/platform/other-calls.md#bots
 */
export function notifyBots(services: AppServices, { message }: Occurrences["messageStored"]): void {
  if (message.category === "agentic") return;
  for (const bot of listBots(services)) {
    if (
      bot.url === undefined ||
      bot.enabled === false ||
      bot.uid === message.sender ||
      !receives(bot, message) ||
      !isNotified(services, bot.uid, message)
    )
      continue;
    services.outbox.deliver(services.app, {
      name: bot.uid,
      trigger: "after_message",
      body: legacyEnvelope(
        { legacyEnvelope: "full" },
        services.app,
        { trigger: "after_message", data: withReadableCopy(services, bot.uid, message), origin: "API" },
        { bot: bot.uid },
      ),
      target: { url: bot.url, credentials: hasBasicAuth(bot) ? ownCredentials(bot) : undefined },
    });
  }
}

function receives(bot: Bot, message: Message) {
  if (message.receiverType === "user") return message.receiver === bot.uid;
  if (bot.groupMessages === "none") return false;
  const { mentions, text } = message.data;
  if (bot.groupMessages === "slashed") return typeof text === "string" && text.startsWith("/");
  return bot.groupMessages === "all" || Object.hasOwn(objectOf(mentions), bot.uid);
}
