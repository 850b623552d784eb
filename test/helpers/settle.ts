import timers from "node:timers/promises";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { manageApp } from "./call-app.ts";

type World = Pick<LocalStack, "platform" | "cloud">;

/** Waits until all deliveries, and their consequences, are handled. */
export async function settle({ platform, cloud }: World, ways = 2): Promise<void> {
  for (let way = 0; way < ways; way += 1) {
    await deliverAll(platform, 1_000 * 2 ** way);
    await cloud.drained();
  }
}

/** Waits until nothing is under way. */
export async function stillOf({ platform, cloud }: World): Promise<void> {
  for (let way = 0; way < 3; way += 1) {
    await deliverAll(platform, 1_000 * 2 ** way);
    await cloud.settled();
  }
}

/** Hastens what a busy receiver refused. */
async function deliverAll({ idle, deliveries, services }: LocalStack["platform"], pauseMs: number) {
  await idle();
  const refused = deliveries().filter(
    ({ state, attempts }) => state === "pending" && attempts.at(-1)?.status === 503,
  );
  if (refused.length > 0) await timers.setTimeout(pauseMs);
  for (const { id } of refused) services.outbox.hasten(id);
  await idle();
}

/** No messages are delivered from now on. */
export async function unsubscribe(world: Pick<LocalStack, "platform" | "app">): Promise<void> {
  await manageApp(world, "DELETE /webhooks/functions/triggers", { triggerIds: ["message_sent"] });
}
