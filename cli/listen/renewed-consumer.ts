import type { ProcessEnvironment } from "../target/target.ts";
import type { LocalConsumer } from "./start-consumer.ts";

/** How long before their end credentials are replaced: an event takes a minute at most. */
const marginMs = 120_000;

/**
 * Makes a consumer that outlives the credentials of one process: another takes over before they end, and the first one is
 * ended when it has answered for what it has.
 */
export async function startRenewedConsumer(
  read: () => Promise<ProcessEnvironment>,
  start: (variables: ProcessEnvironment["variables"]) => Promise<LocalConsumer>,
  now: () => number,
): Promise<LocalConsumer> {
  const open = async () => {
    const { variables, endsAt } = await read();
    return { consumer: await start(variables), endsMs: endsAt?.getTime() ?? Number.POSITIVE_INFINITY };
  };
  let current = Promise.resolve(await open());
  let endsMs = (await current).endsMs;
  const closing: Promise<void>[] = [];
  return {
    handle: async (event) => {
      if (now() > endsMs - marginMs) {
        endsMs = Number.POSITIVE_INFINITY; // one replacement at a time
        const before = current;
        current = open().then(async (opened) => {
          endsMs = opened.endsMs;
          closing.push((await before).consumer.close());
          return opened;
        });
      }
      return (await current).consumer.handle(event);
    },
    close: async () => {
      await (await current).consumer.close();
      await Promise.all(closing);
    },
  };
}
