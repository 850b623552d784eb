import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { createTable } from "../../../lib/aws/create-table.ts";
import { readAwsEnvironment } from "../../../lib/base/config.ts";
import type { PauseTarget } from "../../../lib/effects/health/pause-settings.ts";
import { createPauseStore } from "../../../lib/queue/pauses/pause-store.ts";
import { tableNames } from "../../../local/testing/simulated/aws.ts";
import { epochMs } from "../../../local/testing/simulated/clock.ts";
import { createProcess } from "../../../local/testing/simulated/process.ts";
import type { World } from "./world.ts";

/** When something of an app is paused, in milliseconds since the start. */
export interface PausePlan {
  readonly target: PauseTarget;
  readonly appId?: string;
  readonly fromMs: number;
  /** When an operator ends it. Default: never. */
  readonly toMs?: number;
  /** The end that it was given itself. */
  readonly untilMs?: number;
}

/** Pauses and resumes at the given times. */
export function planPauses(world: World, plans: readonly PausePlan[]): void {
  const { clock, aws } = world;
  const process = createProcess("desk", clock, () => "none");
  let tokens = 0;
  const callAws = createAwsCaller(readAwsEnvironment(), {
    now: clock.now,
    createPost: aws.createPostOf(process),
    sleep: clock.sleep,
    random: () => 0.5,
  });
  const table = createTable({
    callAws,
    tableName: tableNames.lanes,
    sortKey: "item",
    sleep: clock.sleep,
  });
  const store = createPauseStore(table, clock.now, () => `pause-${++tokens}`);
  const insist = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch {
      await clock.sleep(1_000);
      await insist(act);
    }
  };

  for (const { target, appId = "app-1", fromMs, toMs, untilMs } of plans) {
    const until = untilMs === undefined ? {} : { untilMs: epochMs + untilMs };
    clock.at(epochMs + fromMs, () => {
      void insist(() => store.begin(appId, target, { by: "the desk", ...until }));
    });
    if (toMs !== undefined) clock.at(epochMs + toMs, () => void insist(() => store.end(appId, target)));
  }
}
