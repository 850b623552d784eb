import { describe, expect, it } from "vitest";
import { caught } from "../caught-client.ts";
import { clientFor } from "../list-client.ts";

describe("the notification families", () => {
  it("put the user of notification preferences into the query and the rest into the body", async () => {
    const { seen, chat } = caught({ timezone: "Europe/Berlin" });

    await chat.notificationPreferences.setTimezone({ uid: "alice", timezone: "Europe/Berlin" });

    expect(seen[0]?.url).toMatch(/timezone\?uid=alice$/);
    expect(seen[0]?.init.body).toBe('{"timezone":"Europe/Berlin"}');
  });

  it("ask for further notification logs by logId and keep a filter of the cursor's name", async () => {
    const { chat, asked } = clientFor((query) => ({
      data: query.has("logId") ? [] : [{ _id: "a", messageId: 7 }],
      meta: { next: { affix: "append", messageId: "7" } },
    }));

    await Array.fromAsync(chat.notificationLogs.list({ messageId: 5 }));

    expect(asked).toEqual(["?messageId=5", "?messageId=5&affix=append&logId=7"]);
  });
});
