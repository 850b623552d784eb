import { between } from "../../local/testing/world/random.ts";
import { idle } from "../chaos/world/handlers.ts";
import { answerTimes, percentile } from "../chaos/world/judge.ts";
import { createWorld } from "../chaos/world/world.ts";
import { type Load, type Outcome, warmUpMs } from "./load.ts";

/** Plays a load on the real receiver and consumer in virtual time: for loads that they bear, up to about 10,000 webhooks. */
export async function playLoad(load: Load): Promise<Outcome> {
  const { webhooksPerSecond, seconds, apps, conversations, platformMs, answered, seed } = load;
  const appIds = Array.from({ length: apps }, (_, number) => `app-${number}`);
  const world = createWorld({
    seed,
    appIds,
    maximumConcurrency: load.maximumConcurrency,
    receptionOf: (_, __, random) => ({
      kind: "well",
      ms: between(random, 0.9 * platformMs, 1.1 * platformMs),
    }),
  });
  try {
    const webhooks = Math.round(webhooksPerSecond * seconds);
    const sentAtMs = new Map<string, number>();
    for (let number = 0; number < webhooks; number += 1) {
      const conversation = Math.floor(world.random() * conversations);
      const atMs = Math.floor(((number + world.random()) / webhooksPerSecond) * 1000);
      const id = `m${number}`;
      sentAtMs.set(id, atMs);
      world.send({
        id,
        appId: appIds[conversation % apps] ?? "",
        conversation: `g${conversation}`,
        atMs,
        text: world.random() < answered ? "hello" : idle,
      });
    }
    await world.run(seconds * 1000 + 3_600_000);
    const answers = [...answerTimes(world)];
    const times = answers.flatMap(([id, atMs]) => {
      const sentMs = sentAtMs.get(id) ?? 0;
      return sentMs < warmUpMs ? [] : [atMs - sentMs];
    });
    const sorted = times.toSorted((one, other) => one - other);
    return {
      webhooks,
      replies: answers.length,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      batch: webhooks / world.lambda.batches.length,
      consumerSeconds: world.lambda.workedMs() / 1000 / webhooks,
    };
  } finally {
    world.close();
  }
}
