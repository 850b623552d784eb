import type { LocalStack } from "../../local/stack/local-stack.ts";
import { manageApp } from "./call-app.ts";

type World = Pick<LocalStack, "platform" | "cloud">;

/** Waits until all deliveries, and their consequences, are handled. */
export async function settle({ platform, cloud }: World, ways = 2): Promise<void> {
  for (let way = 0; way < ways; way += 1) {
    await deliverAll(platform);
    await cloud.drained();
  }
}

/** Waits until nothing is under way, without later deliveries. */
export async function stillOf({ platform, cloud }: World): Promise<void> {
  for (let way = 0; way < 3; way += 1) {
    await platform.idle();
    await cloud.settled();
  }
}

/** Deliveries that a busy receiver refused return in ten seconds, which is not awaited here. */
async function deliverAll({ idle, deliveries, services }: LocalStack["platform"]) {
  await idle();
  const refused = deliveries().filter(
    ({ state, attempts }) => state === "pending" && attempts.at(-1)?.status === 503,
  );
  for (const { id } of refused) services.outbox.hasten(id);
  await idle();
}

/** No messages are delivered from now on. */
export async function unsubscribe(world: Pick<LocalStack, "platform" | "app">): Promise<void> {
  await manageApp(world, "DELETE /webhooks/functions/triggers", { triggerIds: ["message_sent"] });
}
