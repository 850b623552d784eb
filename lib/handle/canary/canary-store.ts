import type { Item, Table } from "../../aws/table.ts";

/**
 * Times by several clocks: sent by the sender's, received by the receiver's, handled and blocked (by
 * moderation) by the consumer's.
 */
export interface CanaryNote {
  readonly sentAt: number | undefined;
  readonly receivedAt: number | undefined;
  readonly handledAt: number | undefined;
  readonly blockedAt: number | undefined;
}

/** Stores notes by message id. Repeatable, in any order. @throws AwsCallError */
export type CanaryStore = ReturnType<typeof createCanaryStore>;

const rememberedSeconds = 2 * 24 * 60 * 60;

export function createCanaryStore(lanes: Table, now: () => number) {
  const keyOf = (appId: string, messageId: string): Item => ({
    lane: `app ${appId}`,
    item: `canary ${messageId}`,
  });
  const note = async (appId: string, messageId: string, set: Item) => {
    const expiration = Math.ceil(now() / 1000) + rememberedSeconds;
    await lanes.update(keyOf(appId, messageId), { set: { ...set, expiration } });
  };
  return {
    find: async (appId: string, messageId: string) => {
      const item = await lanes.get(keyOf(appId, messageId));
      return item && toNote(item);
    },
    noteSent: (appId: string, messageId: string) => note(appId, messageId, { sentAt: now() }),
    noteHandled: (appId: string, messageId: string, receivedAt: number) =>
      note(appId, messageId, { receivedAt, handledAt: now() }),
    noteBlocked: (appId: string, messageId: string) => note(appId, messageId, { blockedAt: now() }),
  };
}

function toNote(item: Item): CanaryNote {
  const moment = (name: keyof CanaryNote) => (typeof item[name] === "number" ? item[name] : undefined);
  return {
    sentAt: moment("sentAt"),
    receivedAt: moment("receivedAt"),
    handledAt: moment("handledAt"),
    blockedAt: moment("blockedAt"),
  };
}
