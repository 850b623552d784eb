import { recordStored } from "../../local/platform/chat/message-store.ts";
import {
  type Message,
  nextMessageId,
  putMessage,
  skipMessageIds,
} from "../../local/platform/store/messages.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";

/** Writes that many short messages of two users to each other, a second apart, without webhooks. */
export function seedHistory(
  { platform, app }: LocalStack,
  [one, other]: readonly [string, string],
  count: number,
): void {
  const { db } = platform.services;
  const from = Math.floor(Date.now() / 1_000) - count;
  db.transaction(() => {
    const first = Number(nextMessageId({ db, appId: app.appId }));
    for (let number = 0; number < count; number += 1) {
      const [sender, receiver] = number % 2 === 0 ? [one, other] : [other, one];
      const message: Message = {
        id: String(first + number),
        conversationId: one < other ? `${one}_user_${other}` : `${other}_user_${one}`,
        sender,
        receiver,
        receiverType: "user",
        category: "message",
        type: "text",
        data: { text: `Message number ${number + 1}, ${"and so on ".repeat(number % 7)}` },
        sentAt: from + number,
        updatedAt: from + number,
      };
      putMessage({ db, appId: app.appId }, message);
      if (number === count - 1) recordStored({ db, appId: app.appId }, message);
    }
    skipMessageIds({ db, appId: app.appId }, String(first + count));
  });
}
