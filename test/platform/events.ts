import { idle, type Json, receive } from "./helpers.ts";

/** Collects what a customer's endpoint receives of some triggers: each call gives `[trigger, data]` of all so far. */
export async function watchEvents(...triggers: string[]): Promise<() => Promise<[string, Json][]>> {
  const receiver = await receive(triggers);
  return async () => {
    await idle();
    return receiver.received.map(({ json }) => [json.trigger, json.data]);
  };
}
