import type { World } from "../../local/stack/world.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { settle } from "../helpers/settle.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

/**
 * What happened before a command of a page is typed, by the name in the comment above its block:
 * `<!-- prepared: a message was answered -->`. It may be done after others of the page.
 */
export const preparations: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "a delivery cannot be read": (world) => mustDeliver(world, "{}"),

  "an event was given up": async ({ cloud }) => {
    const receivedAt = Date.now() - 31 * 60_000;
    const [appId, trigger] = ["local-app", "message_sent"];
    const event = { v: 1, appId, family: "webhook", trigger, key: `${appId}|${trigger}|4711`, receivedAt };
    const body = messageSent({ id: "4711", sender: "alice" });
    await createSetAside(cloud).bury("4711", {
      messageBody: JSON.stringify({ ...event, body, base64: false }),
      reason: "permanent",
      cause: "ChatApiError: ERR_UID_NOT_FOUND, the user support does not exist",
      receivedAt,
    });
  },
  "a message was answered": async (world) => {
    await writeToSupport(world, "Hello, is anybody there?");
    await settle(world);
  },
};

async function mustDeliver(world: World, body: string): Promise<void> {
  const { status } = await deliver(world, body);
  if (status !== 200) throw new Error(`The receiver answered ${status}.`);
}
