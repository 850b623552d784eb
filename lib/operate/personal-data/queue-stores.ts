import { lazy } from "../../base/lazy.ts";
import { deadLetters, readDeadLetter } from "../../queue/dead-letter.ts";
import type { HeldMessage } from "../../queue/held-queue.ts";
import { type OperatorServices, openForOperator } from "../../queue/operator-services.ts";
import { quarantinedDeliveries, readQuarantined } from "../../queue/quarantined-delivery.ts";
import { payloadOf } from "../../queue/read-queued-event.ts";
import type { SetAside } from "../../queue/set-aside.ts";
import { lookThrough } from "../../queue/set-aside-queue.ts";
import type { PersonalStore } from "./personal-store.ts";
import type { Person } from "./table-stores.ts";

/** Returns the dead letters and the quarantine as stores. */
export function queueStores(
  { appId, mentions }: Person,
  services: OperatorServices,
  signal: AbortSignal,
): readonly PersonalStore[] {
  const queues = [
    { name: "DeadLetterQueue", queue: "deadLetters", read: readDeadLetter, drop: deadLetters.drop },
    { name: "QuarantineQueue", queue: "quarantine", read: readQuarantined, drop: quarantinedDeliveries.drop },
  ] as const;
  return queues.map(({ name, queue, read, drop }) => ({
    name,
    find: async function* () {
      const held = await openForOperator(queue, services);
      const { free, taken } = await held.depth();
      // Reading hides the messages from other readers.
      if (free + taken === 0) return;
      const contents = new Map<string, unknown>();
      const note = (message: HeldMessage): SetAside => {
        const facts = read(message);
        const content = { cause: facts.cause, message: payloadOf(message.body) ?? message.body };
        if (facts.appId === appId && mentions(content)) contents.set(facts.id, content);
        return facts;
      };
      const { unseen } = await lookThrough(held, note, {}, { signal });
      const dropAll = lazy(async () => {
        const { failure } = await drop({ selection: { ids: new Set(contents.keys()) }, signal }, services);
        if (failure !== undefined) throw new Error(failure);
      });
      for (const [id, content] of contents) yield { id, content, erase: dropAll };
      if (unseen > 0) yield { id: "unread", content: `about ${unseen} messages that another reader holds` };
    },
  }));
}
