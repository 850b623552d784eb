import type { ProcessEnvironment } from "../target/target.ts";
import type { LocalConsumer } from "./start-consumer.ts";

/** Before the credentials' end: an event takes a minute at most. */
const marginMs = 120_000;

/**
 * Starts a new process before the credentials end or after the process has ended; the old one is closed once
 * it has answered its open events. If none can be started, the event fails, and the next one tries again.
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
  let current = await open();
  let renewal: Promise<void> | undefined;
  const closing: Promise<void>[] = [];
  const renew = async () => {
    const { consumer } = current;
    current = await open();
    closing.push(consumer.close());
  };
  return {
    handle: async (event) => {
      if (now() > current.endsMs - marginMs || current.consumer.hasEnded()) {
        renewal ??= renew().finally(() => {
          renewal = undefined;
        });
        await renewal;
      }
      return current.consumer.handle(event);
    },
    hasEnded: () => current.consumer.hasEnded(),
    close: async () => {
      await renewal?.catch(() => undefined); // its starter has got the error
      await Promise.all([...closing, current.consumer.close()]);
    },
  };
}
