import type { ProcessEnvironment } from "../target/target.ts";
import type { LocalConsumer } from "./start-consumer.ts";

/** How long before their end credentials are replaced: an event takes a minute at most. */
const marginMs = 120_000;

/**
 * Creates a consumer that is replaced by a new process before its credentials end or after its process has
 * ended. The old process is closed once it has answered its open events. If no process can be started, the
 * event fails, and the next one tries again.
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
      await renewal?.catch(() => undefined); // the caller that started the renewal has got its error
      await Promise.all([...closing, current.consumer.close()]);
    },
  };
}
