import {
  type DurableContext,
  type DurableExecutionClient,
  withDurableExecution,
} from "@aws/durable-execution-sdk-js";
import { DurableStore } from "../../local/cloud/durable/durable-store.ts";
import type {
  DurableFunction,
  DurableInvocationInput,
  DurableStoreOptions,
} from "../../local/cloud/durable/durable-types.ts";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";

export const flows: DurableFunction = {
  name: "service-flows",
  arn: "arn:aws:lambda:eu-central-1:000000000000:function:service-flows",
  version: "1",
  executionTimeoutMs: 30 * 86_400_000,
  retentionMs: 14 * 86_400_000,
};

export const startMs = Date.UTC(2026, 0, 1);

/** Makes a store with `invoke` as its function, and a clock that stands still until it is moved. */
export function storeWith(
  invoke: (input: DurableInvocationInput) => Promise<object> | object,
  options: Partial<DurableStoreOptions> = {},
) {
  let nowMs = startMs;
  const inputs: DurableInvocationInput[] = [];
  const store = new DurableStore({
    now: () => nowMs,
    async invoke(_name, input): Promise<Outcome> {
      inputs.push(input);
      return { kind: "answered", body: JSON.stringify(await invoke(input)) };
    },
    ...options,
  });
  /** Moves the clock to each due time until nothing is due by `untilMs`. */
  const playUntil = async (untilMs: number) => {
    for (;;) {
      await store.runDue();
      const atMs = store.nextWakeAt();
      if (atMs === undefined || atMs > untilMs) break;
      nowMs = Math.max(nowMs, atMs);
    }
    nowMs = untilMs;
  };
  return { store, inputs, playUntil, now: () => nowMs, moveTo: (atMs: number) => (nowMs = atMs) };
}

/** A checkpoint of an execution, counted over all its invocations from 1, at which its process dies. */
export interface CrashPoint {
  readonly nth: number;
  /** Before the checkpoint is written, or afterwards, before the process gets its answer. */
  readonly when: "before" | "after";
}

/** Makes a store whose function uses AWS's own SDK and runs in this process. */
export function storeWithSdk<Input>(
  handler: (input: Input, context: DurableContext) => Promise<unknown>,
  { crash, ...options }: Partial<DurableStoreOptions> & { crash?: CrashPoint } = {},
) {
  let checkpoints = 0;
  let die = () => {};
  const dead = new Promise<never>(() => {});
  const client: DurableExecutionClient = {
    async checkpoint({ DurableExecutionArn = "", ...input }) {
      checkpoints += 1;
      const isLast = crash?.nth === checkpoints;
      if (isLast && crash?.when === "before") {
        die();
        return await dead;
      }
      const answer = made.store.checkpoint(DurableExecutionArn, input);
      if (!isLast) return answer;
      die();
      return await dead;
    },
    getExecutionState: async ({ DurableExecutionArn = "", CheckpointToken = "", Marker, MaxItems }) =>
      made.store.getState(DurableExecutionArn, { CheckpointToken, Marker, MaxItems }),
  };
  const run = withDurableExecution(handler, { durableExecutionClient: client });
  const made = storeWith(() => ({}), {
    invoke: (_name, input) =>
      new Promise((resolve, reject) => {
        made.inputs.push(input);
        die = () => resolve({ kind: "exited", body: '{"errorType":"Runtime.ExitError"}' });
        const event = JSON.parse(JSON.stringify(input));
        run(event, lambdaContext).then(
          (output) => resolve({ kind: "answered", body: JSON.stringify(output) }),
          reject,
        );
      }),
    ...options,
  });
  return { ...made, checkpoints: () => checkpoints };
}

const lambdaContext = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: flows.name,
  functionVersion: flows.version,
  invokedFunctionArn: flows.arn,
  memoryLimitInMB: "128",
  awsRequestId: "00000000-0000-4000-8000-000000000000",
  logGroupName: "",
  logStreamName: "",
  getRemainingTimeInMillis: () => 60_000,
  done() {},
  fail() {},
  succeed() {},
};
