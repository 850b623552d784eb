import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import type { ChatClientOptions } from "../../../lib/chat/compose.ts";
import { ChatUnreachableError } from "../../../lib/chat/errors.ts";
import { reply, startLoopback } from "./loopback.ts";

const apiKey = "0123456789abcdef0123456789abcdef01234567";
const base = { appId: "app1", apiKey, sleep: async () => {} } satisfies ChatClientOptions;
const hello = {
  receiver: "alice",
  receiverType: "user",
  type: "text",
  data: { text: "Grüße 👋" },
  muid: "m-1",
} as const;
const stored = { id: "7", sender: "bot", muid: "m-1", data: { text: "Grüße 👋" }, sentAt: 1, newField: 1 };

describe("createChatClient", () => {
  it("sends a message on behalf of a user", async () => {
    await using platform = await startLoopback((_, response) => reply(response, 200, { data: stored }));
    const chat = createChatClient({ ...base, baseUrlTemplate: platform.baseUrlTemplate });

    const message = await chat.messages.send(hello, { onBehalfOf: "support" });

    expect(message).toEqual(stored);
    expect(platform.seen).toHaveLength(1);
    expect(platform.seen[0]).toMatchObject({
      method: "POST",
      url: "/app1.api-us/v3/messages",
      headers: { apikey: apiKey, onbehalfof: "support", "content-type": "application/json" },
    });
    expect(JSON.parse(platform.seen[0]?.body ?? "")).toEqual(hello);
  });

  it("tells a refused connection from a lost answer", async () => {
    const platform = await startLoopback((_, response) => response.destroy());
    const chat = createChatClient({ ...base, baseUrlTemplate: platform.baseUrlTemplate });

    const lost = chat.messages.send(hello, { deadlineMs: Date.now() + 1_000 });
    await expect(lost).rejects.toThrow(ChatUnreachableError);
    await expect(lost).rejects.toMatchObject({ phase: "answer", maybeExecuted: true });
    await platform[Symbol.asyncDispose]();

    await expect(chat.messages.send(hello)).rejects.toMatchObject({
      phase: "connect",
      maybeExecuted: false,
      reason: "ECONNREFUSED",
    });
  });

  it("reads the reasons' numeric strings and the bare answer of their deletion", async () => {
    await using platform = await startLoopback((seen, response) =>
      seen.method === "DELETE"
        ? reply(response, 200, { success: true, message: "gone" })
        : reply(response, 200, {
            data: [{ id: "spam", name: "Spam", createdAt: "1760443648", default: true }],
            meta: { current: { limit: 10, count: 1 } },
          }),
    );
    const chat = createChatClient({ ...base, baseUrlTemplate: platform.baseUrlTemplate });

    const reasons = await Array.fromAsync(chat.reasons.list());
    const deleted = await chat.reasons.delete("spam");

    expect(reasons).toEqual([{ id: "spam", name: "Spam", createdAt: 1_760_443_648, default: true }]);
    expect(deleted.success).toBe(true);
  });
});
