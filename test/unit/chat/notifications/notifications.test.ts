import { expect, it } from "vitest";
import { clientFor } from "../list-client.ts";

it("notification logs are paged by logId, and keep the filter messageId", async () => {
  const { chat, asked } = clientFor((query) => ({
    data: query.has("logId") ? [] : [{ _id: "a", messageId: 7 }],
    meta: { next: { affix: "append", messageId: "7" } },
  }));

  await Array.fromAsync(chat.notificationLogs.list({ messageId: 5 }));

  expect(asked).toEqual(["?messageId=5", "?messageId=5&affix=append&logId=7"]);
});
