import { PlatformError } from "../errors/platform-error.ts";
import type { Reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { findBot } from "../store/bots.ts";
import { sendFrom } from "./message-send.ts";
import { requireUser } from "./user-lookup.ts";

/** Declares the one operation of bots; the dashboard makes them, here the emulation's own interface or the seed. */
export const botRoutes: readonly AppRoute[] = [
  {
    operationId: "send-bot-message",
    method: "POST",
    path: "/bots/{uid}/messages",
    fidelity: "documented",
    source: "docs/platform/messages.md#bots",
    onBehalfOf: "unsupported",
    assumptions: [
      "A bot writes to every group, member or not.",
      "The message fires message_sent.",
      "Bots are made by the emulation's own `PUT /_platform/apps/{appId}/bots/{uid}`: the platform's dashboard does it.",
    ],
    handler: sendBotMessage,
  },
];

async function sendBotMessage(request: AppRequest): Promise<Reply> {
  const uid = request.param("uid").toLowerCase();
  if (findBot(request.db, request.app.appId, uid) === undefined) {
    throw new PlatformError("ERR_BOT_NOT_FOUND", `The bot with UID ${uid} does not exist.`);
  }
  return await sendFrom(request, requireUser(request));
}
