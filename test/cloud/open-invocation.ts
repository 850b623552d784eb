import { flows, storeWith } from "./play-durable.ts";

export const second = 1000;
export const day = 86_400_000;
export const mebibyte = 1024 * 1024;
export const step = (Id: string, Action: string, more: object = {}) => ({
  Id,
  Type: "STEP",
  Action,
  ...more,
});
export const wait = (Id: string, WaitSeconds: number) => ({
  Id,
  Type: "WAIT",
  Action: "START",
  WaitOptions: { WaitSeconds },
});
export const callback = (Id: string, CallbackOptions: object = {}) => ({
  Id,
  Type: "CALLBACK",
  Action: "START",
  CallbackOptions,
});

/** An execution whose function is in its first invocation and ends it on request. */
export async function openInvocation(name?: string) {
  let finish = (_output: object) => {};
  const made = storeWith(
    () =>
      new Promise<object>((resolve) => {
        finish = resolve;
      }),
  );
  const { arn } = made.store.start(flows, { name, payload: "{}" });
  void made.store.runDue();
  await Promise.resolve();
  let token = made.inputs[0]?.CheckpointToken ?? "";
  return {
    ...made,
    arn,
    token: () => token,
    checkpoint(...Updates: object[]) {
      const answer = made.store.checkpoint(arn, { CheckpointToken: token, Updates });
      token = answer.CheckpointToken;
      return answer.NewExecutionState.Operations;
    },
    answer: async (output: object) => {
      finish(output);
      await new Promise((resolve) => setImmediate(resolve));
    },
    operations: () => made.store.getState(arn, { CheckpointToken: token }).Operations,
  };
}
