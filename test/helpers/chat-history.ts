import { recordStored } from "../../local/platform/chat/message-effects.ts";
import { type Message, putMessage, skipMessageIds } from "../../local/platform/store/messages.ts";
import type { World } from "../../local/world.ts";

/** Writes that many short messages between alice and bob, as if they had been sent a second apart. Tells nobody. */
export function seedHistory({ platform, app }: World, count: number): void {
  const { db } = platform.services;
  const from = Math.floor(Date.now() / 1_000) - count;
  let last: Message | undefined;
  db.transaction(() => {
    for (let number = 1; number <= count; number += 1) {
      last = historyMessage(number, from + number);
      putMessage(db, app.appId, last);
    }
    skipMessageIds(db, app.appId, String(count));
    if (last !== undefined) recordStored(db, app.appId, last);
  });
}

function historyMessage(number: number, sentAt: number): Message {
  const [sender, receiver] = number % 2 === 0 ? ["alice", "bob"] : ["bob", "alice"];
  return {
    id: String(number),
    conversationId: "alice_user_bob",
    sender: sender ?? "",
    receiver: receiver ?? "",
    receiverType: "user",
    category: "message",
    type: "text",
    data: { text: `Message number ${number}, ${"and so on ".repeat(number % 7)}` },
    sentAt,
    updatedAt: sentAt,
  };
}
