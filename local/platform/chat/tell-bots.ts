import { isJsonObject } from "../json.ts";
import type { Happenings } from "../services/happenings.ts";
import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { type Bot, listBots } from "../store/bots.ts";
import { findMember } from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import { legacyEnvelope } from "../webhooks/legacy.ts";

/**
 * Tells every bot that a stored message concerns: one written to it, or one of its groups as its setting says. A bot never
 * hears itself. Both engines tell bots in the form of after_message. @see docs/platform/other-calls.md#bots
 */
export function tellBots(
  services: Services,
  app: App,
  { message, verdict }: Happenings["messageStored"],
): void {
  if (verdict?.outcome === "disapproved") return;
  for (const bot of listBots(services.db, app.appId)) {
    const { url } = bot;
    if (url === undefined || bot.uid === message.sender || !hears(services, app, bot, message)) continue;
    services.outbox.deliver(app, {
      name: bot.uid,
      trigger: "after_message",
      body: legacyEnvelope(
        { legacyEnvelope: "full" },
        app,
        { trigger: "after_message", data: message, origin: "API" },
        { bot: bot.uid },
      ),
      target: { url, credentials: bot.credentials },
    });
  }
}

function hears(services: Services, app: App, bot: Bot, message: Message): boolean {
  if (message.receiverType === "user") return message.receiver === bot.uid;
  if (bot.groupMessages === "none") return false;
  if (findMember(services.db, app.appId, message.receiver, bot.uid) === undefined) return false;
  const { mentions } = message.data;
  return bot.groupMessages === "all" || (isJsonObject(mentions) && Object.hasOwn(mentions, bot.uid));
}
