import type { World } from "../../local/world.ts";

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
};
