import timers from "node:timers/promises";
import { publicUrlOf } from "../../../lib/receive/webhook-url.ts";
import type { ReloadAnswer } from "../api/reload.ts";
import type { StackFacts, TroubleCounts } from "../api/stack.ts";
import { appsOf } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { listFamilies } from "../explorer/list-families.ts";
import { restartOf } from "../flows/show-flow.ts";
import type { JourneyStore } from "../journeys/journey-store.ts";
import { countFailed } from "./journeys-routes.ts";

/** Minimum between counts, slow with many journeys. */
const leastGapMs = 1_000;

export function addFactsRoutes({ on, localStack, journal: { store } }: ConsoleContext): void {
  const { platform, cloud } = localStack;
  on.get(
    "/api/facts",
    (): StackFacts => ({
      apps: appsOf(localStack).map(({ appId, name, region }) => ({ appId, name, region })),
      newestConversation: findNewestConversation(store),
      folder: cloud.serviceFolder,
      functions: cloud.functionKeys(),
      addresses: { platform: platform.url, functions: publicUrlOf(cloud.httpUrl) },
    }),
  );
  on.get("/api/reload", (): ReloadAnswer => localStack.reload.state());
  on.get("/api/explorer", listFamilies);

  const count = (): TroubleCounts => {
    const executions = cloud.durable.peek();
    const hasFailed = ({ status }: { status: string }) => status === "FAILED" || status === "TIMED_OUT";
    const queues = ["DeadLetterQueue", "QuarantineQueue"].map((queue) => cloud.queueDepth(queue).visible);
    return {
      journeys: countFailed(store),
      queues: queues.reduce((sum, one) => sum + one),
      flows: executions.filter((one) => hasFailed(one) && restartOf(one, executions) === undefined).length,
    };
  };
  let countedAtMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<TroubleCounts> | undefined;
  const countAfter = async (waitMs: number) => {
    await timers.setTimeout(Math.max(0, waitMs), undefined, { ref: false });
    counting = undefined;
    countedAtMs = performance.now();
    return count();
  };
  // Otherwise an earlier count might stay on the page.
  on.get("/api/troubles", async () => {
    counting ??= countAfter(countedAtMs + leastGapMs - performance.now());
    return await counting;
  });
}

function findNewestConversation(store: JourneyStore): StackFacts["newestConversation"] {
  const sent = store.newest().flatMap(({ facts, origin }) => {
    const { appId, trigger, sender: uid, conversation: conversationId } = facts;
    // The platform may lack a message of Try.
    if (
      origin.kind !== "platform" ||
      trigger !== "message_sent" ||
      uid === undefined ||
      conversationId === undefined
    )
      return [];
    return [{ appId, uid, conversationId }];
  });
  const [newest] = sent;
  return sent.findLast(
    (newestConversation) =>
      newestConversation.appId === newest?.appId &&
      newestConversation.conversationId === newest.conversationId,
  );
}
