import type { World } from "../../local/world.ts";
import { createSetAside } from "../helpers/set-aside.ts";

/**
 * What happened before a command of a page is typed, by the name in the comment above its block:
 * `<!-- prepared: a message was answered -->`. It may be done after others of the page.
 */
export const preparations: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "a delivery cannot be read": async ({ webhook }) => {
    const credentials = Buffer.from(`${webhook.username}:${webhook.password}`, "utf8").toString("base64");
    const { status } = await fetch(webhook.url, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}` },
      body: "{}",
    });
    if (status !== 200) throw new Error(`The receiver answered ${status}.`);
  },
  "an event was given up": async ({ cloud }) => {
    await createSetAside(cloud).bury("4711", {
      reason: "permanent",
      cause: "ChatApiError: ERR_UID_NOT_FOUND, the user support does not exist",
      receivedAt: Date.now() - 31 * 60_000,
    });
  },
  "a message was answered": async ({ platform, cloud, app }) => {
    await fetch(`${platform.appUrl(app.appId)}/messages`, {
      method: "POST",
      headers: { apikey: app.fullAccessKey, onBehalfOf: "alice", "content-type": "application/json" },
      body: JSON.stringify({
        receiver: "support",
        receiverType: "user",
        type: "text",
        data: { text: "Hello, is anybody there?" },
      }),
    });
    for (let way = 0; way < 2; way += 1) {
      await platform.idle();
      await cloud.drained();
    }
  },
};
