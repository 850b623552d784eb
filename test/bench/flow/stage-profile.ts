import { Session } from "node:inspector/promises";

/** Whose code a file belongs to; the first that fits. */
const stages: readonly (readonly [stage: string, files: RegExp])[] = [
  ["platform (REST API, deliveries)", /local\/platform\/|@hono\/|\/hono\//],
  ["queue", /local\/cloud\/(queue\/|sqs-endpoint)/],
  ["table", /local\/cloud\/(table\/|dynamodb-endpoint)/],
  ["gateway, Lambda, secrets", /local\/cloud\//],
  ["sender (this benchmark)", /test\/bench\//],
];

export type StageTimes = ReadonlyMap<string, number>;

/**
 * Samples this process's CPU until the returned function is called, which gives milliseconds by stage. Time in Node's
 * own code counts for the nearest caller that belongs to a stage; what has none, such as input and output, is "Node".
 */
export async function startStageProfile(): Promise<() => Promise<StageTimes>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 1_000 });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    return sumByStage(profile);
  };
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: number[] | undefined;
  }[];
  readonly samples?: number[] | undefined;
  readonly timeDeltas?: number[] | undefined;
}

function sumByStage({ nodes, samples = [], timeDeltas = [] }: Profile): StageTimes {
  const stageOf = new Map<number, string>();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    const own = stages.find(([, files]) => files.test(callFrame.url))?.[0];
    const isIdle = callFrame.functionName === "(idle)";
    stageOf.set(id, isIdle ? "idle" : (own ?? stageOf.get(parents.get(id) ?? -1) ?? "Node"));
  }
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const stage = stageOf.get(id) ?? "Node";
    times.set(stage, (times.get(stage) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  });
  times.delete("idle");
  return times;
}
