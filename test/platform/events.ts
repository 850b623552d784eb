import { idle, type Json, receive } from "./helpers.ts";

/**
 * Collects events of some triggers at a customer's endpoint: each call returns `[trigger, data]` of all so
 * far.
 */
export async function watchEvents(...triggers: string[]): Promise<() => Promise<[string, Json][]>> {
  const receiver = await receive(triggers);
  return async () => {
    await idle();
    return receiver.received.map(({ json }) => [json.trigger, json.data]);
  };
}
