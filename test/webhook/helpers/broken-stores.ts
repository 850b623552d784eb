import { repetitionKey } from "../../../lib/events/occurrence.ts";
import { MessageTooLargeError } from "../../../lib/queue/queued-event.ts";
import type { StoreUnderTest } from "../../../lib/receive/own-hosts/stores/store-checks.ts";
import type { WebhookDelivery, WebhookStore } from "../../../lib/receive/own-hosts/webhook-store.ts";

/** The defects of a store in memory. */
interface Defects {
  /** Changes a delivery before it is kept. */
  readonly spoil?: (delivery: WebhookDelivery) => WebhookDelivery | undefined;
  readonly nameOf?: (delivery: WebhookDelivery) => string | undefined;
  readonly forgetsAtEnd?: boolean;
  readonly forgetsFactsAtEnd?: boolean;
  readonly looksBeforeItLeaps?: boolean;
  readonly isBackwards?: boolean;
  readonly losesUnderLoad?: boolean;
  readonly throwsForLarge?: boolean;
  readonly isDeafToFailure?: boolean;
}

/** One store for each check, with the defect that it finds. */
export const brokenStores: Readonly<Record<string, () => Promise<StoreUnderTest>>> = {
  "keeps a delivery byte for byte, with its app and the time of its receipt": () =>
    openInMemory({ spoil: asText }),
  "keeps what cannot be read, and distinguishes it": () =>
    openInMemory({ spoil: (delivery) => (delivery.event === undefined ? undefined : delivery) }),
  "keeps what has no content at all": () =>
    openInMemory({ spoil: (delivery) => (delivery.raw.length === 0 ? undefined : delivery) }),
  "has kept what was put when a process ends and another begins": () => openInMemory({ forgetsAtEnd: true }),
  "keeps an occurrence once, however often it is delivered": () =>
    openInMemory({ nameOf: ({ identity, receivedAt }) => identity && `${identity.key} ${receivedAt}` }),
  "keeps an occurrence once that is delivered several times concurrently": () =>
    openInMemory({ looksBeforeItLeaps: true }),
  "remembers an occurrence when a process ends and another begins": () =>
    openInMemory({ forgetsFactsAtEnd: true }),
  "keeps two occurrences of one key, an hour apart": () =>
    openInMemory({ nameOf: ({ identity }) => identity?.key }),
  "keeps one message of two apps twice": () =>
    openInMemory({ nameOf: ({ identity }) => identity?.key.replace(/^app-\d/, "") }),
  "keeps the order within a conversation, whatever comes between": () => openInMemory({ isBackwards: true }),
  "keeps all of a hundred deliveries that come at one time, each once": () =>
    openInMemory({ losesUnderLoad: true }),
  "keeps the largest delivery whole, or refuses it for good": () => openInMemory({ throwsForLarge: true }),
  "rejects when it cannot keep a delivery": () => openInMemory({ isDeafToFailure: true }),
};

/** Opens a correct store in memory, except for its defects; its memory outlives it. */
export async function openInMemory(defects: Defects = {}): Promise<StoreUnderTest> {
  const { spoil = (one) => one, nameOf = usualName } = defects;
  const kept: WebhookDelivery[] = [];
  const facts = new Set<string>();
  let atOnce = 0;
  let isBroken = false;

  const store: WebhookStore = {
    put: async (delivery) => {
      if (isBroken && !defects.isDeafToFailure) throw new Error("broken");
      if (delivery.raw.length > 1_000_000) {
        throw defects.throwsForLarge ? new Error("too large") : new MessageTooLargeError("too large");
      }
      atOnce += 1;
      const name = nameOf(delivery);
      const isKnown = name !== undefined && facts.has(name);
      if (defects.looksBeforeItLeaps || defects.losesUnderLoad) await Promise.resolve();
      if (name !== undefined) facts.add(name);
      const good = defects.losesUnderLoad && atOnce > 50 ? undefined : spoil(delivery);
      atOnce -= 1;
      if (!isKnown && good !== undefined) kept.push(good);
    },
  };
  return {
    store,
    read: async () => {
      const told = kept.map(({ appId, raw, receivedAt, event }) => ({
        appId,
        raw,
        receivedAt,
        isRead: event !== undefined,
      }));
      return defects.isBackwards ? told.reverse() : told;
    },
    reopen: async () => {
      if (defects.forgetsAtEnd) kept.length = 0;
      if (defects.forgetsFactsAtEnd) facts.clear();
      return store;
    },
    breakDown: async () => {
      isBroken = true;
    },
    close: async () => undefined,
  };
}

function usualName({ identity, receivedAt }: WebhookDelivery) {
  return identity && repetitionKey(identity, receivedAt);
}

function asText(delivery: WebhookDelivery): WebhookDelivery {
  return { ...delivery, raw: Buffer.from(Buffer.from(delivery.raw).toString("latin1"), "utf8") };
}
