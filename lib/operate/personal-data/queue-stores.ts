import { lazy } from "../../base/lazy.ts";
import { readDeadLetter } from "../../queue/dead-letter.ts";
import { contentOf, dropDeadLetters } from "../../queue/dead-letters.ts";
import type { HeldMessage } from "../../queue/held-queue.ts";
import { lookThrough } from "../../queue/look-through.ts";
import { type OperatorServices, openForOperator } from "../../queue/operator-services.ts";
import { dropQuarantined } from "../../queue/quarantined-deliveries.ts";
import { readQuarantined } from "../../queue/quarantined-delivery.ts";
import type { SetAside } from "../../queue/set-aside.ts";
import { freeText } from "./mentions.ts";
import type { PersonalStore } from "./personal-store.ts";
import type { Person } from "./table-stores.ts";

/** Returns the dead letters and the quarantine as stores. */
export function queueStores(
  person: Person,
  services: OperatorServices,
  signal: AbortSignal,
): readonly PersonalStore[] {
  const readers = [
    {
      ...{ name: "DeadLetterQueue", queue: "deadLetters", drop: dropDeadLetters },
      read: (message: HeldMessage) => ({ ...readDeadLetter(message), content: contentOf(message.body) }),
    },
    {
      ...{ name: "QuarantineQueue", queue: "quarantine", drop: dropQuarantined },
      read: (message: HeldMessage) => {
        const { bytes, ...facts } = readQuarantined(message);
        return { ...facts, content: bytes?.toString("utf8") ?? message.body };
      },
    },
  ] as const;
  return readers.map(({ name, queue, read, drop }) => ({
    name,
    find: async () => {
      const held = await openForOperator(queue, services);
      const { free, taken } = await held.depth();
      // Reading hides the messages from other readers.
      if (free + taken === 0) return { found: [] };
      const contents = new Map<string, unknown>();
      const note = (message: HeldMessage): SetAside => {
        const { content, ...facts } = read(message);
        const { cause, deliveryKey } = facts;
        // What is not JSON is searched as a text.
        if (person.mentions({ cause, deliveryKey, content }) || person.mentions(content, freeText))
          contents.set(facts.id, { cause, content });
        return facts;
      };
      const { found, unseen } = await lookThrough(held, note, { appId: person.appId }, { signal });
      const ids = new Set(found.map(({ id }) => id).filter((id) => contents.has(id)));
      const dropAll = lazy(async () => {
        const { failure } = await drop({ selection: { ids }, signal }, services);
        if (failure !== undefined) throw new Error(failure);
      });
      return { found: [...ids].map((id) => ({ id, content: contents.get(id), erase: dropAll })), unseen };
    },
  }));
}
