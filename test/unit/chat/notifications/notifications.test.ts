import { expect, it } from "vitest";
import { clientFor } from "../list-client.ts";

it("the notification families ask for further notification logs by logId and keep a filter of the cursor's name", async () => {
  const { chat, asked } = clientFor((query) => ({
    data: query.has("logId") ? [] : [{ _id: "a", messageId: 7 }],
    meta: { next: { affix: "append", messageId: "7" } },
  }));

  await Array.fromAsync(chat.notificationLogs.list({ messageId: 5 }));

  expect(asked).toEqual(["?messageId=5", "?messageId=5&affix=append&logId=7"]);
});
