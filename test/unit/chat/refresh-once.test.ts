import { expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { reply, startLoopback } from "./loopback.ts";

it("fetches the key anew once only, so that a key that stays refused ends in an error", async () => {
  // The tenth answer is a good one, so that a client that never gives up ends, too.
  await using platform = await startLoopback((_, response, count) =>
    count < 10
      ? reply(response, 401, { error: { code: "AUTH_ERR_APIKEY_NOT_FOUND", message: "No such key." } })
      : reply(response, 200, { data: { uid: "alice", name: "Alice" } }),
  );
  let refreshed = 0;
  const apiKey = {
    get: async () => "old-key",
    refresh: async () => {
      refreshed += 1;
      return "new-key";
    },
  };
  const chat = createChatClient({ appId: "app1", apiKey, baseUrlTemplate: platform.baseUrlTemplate });

  await expect(chat.users.get("alice")).rejects.toMatchObject({ name: "ChatApiError", status: 401 });

  expect(refreshed).toBe(1);
  expect(platform.seen.map(({ headers }) => headers.apikey)).toEqual(["old-key", "new-key"]);
});
