import type { Hono } from "hono";
import { publicUrlOf } from "../../../lib/receive/webhook-url.ts";
import { listApps } from "../../platform/store/apps.ts";
import type { TroubleCounts, WorldFacts } from "../api/world.ts";
import type { ConsoleContext } from "../console-context.ts";
import type { JourneyStore } from "../journeys/journey-store.ts";
import { countFailed } from "../journeys/list-journeys.ts";

/** Counting looks at every journey. */
const countedForMs = 1_000;

export function addFactsRoutes(app: Hono, { world: { platform, cloud }, journal }: ConsoleContext): void {
  app.get("/api/facts", (context) => {
    const facts: WorldFacts = {
      apps: listApps(platform.services.db).map(({ appId, name, region }) => ({ appId, name, region })),
      talk: newestTalk(journal.store),
      folder: cloud.serviceFolder,
      addresses: { platform: platform.url, functions: publicUrlOf(cloud.httpUrl), lambda: cloud.lambdaUrl },
    };
    return context.json(facts);
  });

  let counted = { counts: { journeys: 0, queues: 0, flows: 0 }, untilMs: 0 };
  const count = (): TroubleCounts => {
    const visible = (queue: string) => cloud.queueDepth(queue).visible;
    const flows = cloud.durable.peek().filter(({ status }) => status === "FAILED" || status === "TIMED_OUT");
    return {
      journeys: countFailed(journal.store),
      queues: visible("DeadLetterQueue") + visible("QuarantineQueue"),
      flows: flows.length,
    };
  };
  app.get("/api/troubles", (context) => {
    const nowMs = performance.now();
    if (nowMs >= counted.untilMs) counted = { counts: count(), untilMs: nowMs + countedForMs };
    return context.json(counted.counts);
  });
}

function newestTalk(store: JourneyStore): WorldFacts["talk"] {
  let talk: WorldFacts["talk"];
  for (const { facts } of store.newest()) {
    const { appId, trigger, sender: uid, conversation: conversationId } = facts;
    if (trigger !== "message_sent" || uid === undefined || conversationId === undefined) continue;
    talk ??= { appId, uid, conversationId };
    if (talk.conversationId === conversationId && talk.appId === appId) talk = { ...talk, uid };
  }
  return talk;
}
