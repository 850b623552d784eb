import { expect, it, onTestFinished } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import { createMemoryPlatform } from "../../local/platform/create-memory-platform.ts";

it("returns the undocumented answer to a message to several receivers", async () => {
  const platform = createMemoryPlatform();
  onTestFinished(() => platform.close());
  const { fullAccessKey: apiKey } = platform.keys;
  const chat = createChatClient({ appId: "local-app", apiKey, fetch: platform.fetch });
  const message = { data: { text: "Hi" }, multipleReceivers: { uids: ["bob", "nobody"], guids: ["lobby"] } };
  const alice = { onBehalfOf: "alice" };

  const sent = await chat.messages.send({ ...message, muid: "m" }, alice);
  const { items } = await chat.messages.listForUser("bob", { affix: "prepend" }, alice).page();
  const replied = await chat.threads.reply(String(items[0]?.id), message, alice);

  const uids = { bob: { success: true, data: { receiver: "bob" } }, nobody: { success: false } };
  expect(sent).toMatchObject({ uids, guids: { lobby: { success: true } } });
  expect(replied).toMatchObject({ uids: { bob: { data: { parentId: items[0]?.id } } } });
});
