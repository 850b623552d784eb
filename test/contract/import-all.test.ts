import { expect, it, onTestFinished } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import { importAll } from "../../lib/chat/import-all.ts";
import { createPlatform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";

it("imports each good message once where empty ones end requests, and names these", async () => {
  const [app] = defaultSeed.apps;
  const platform = await createPlatform({ port: 0 });
  onTestFinished(() => platform.close());
  const chat = createChatClient({
    appId: app.appId,
    apiKey: app.fullAccessKey,
    baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
  });
  const empty = [100, 500, 501];
  const texts = Array.from({ length: 1_000 }, (_, index) =>
    empty.includes(index) ? "" : `imported ${index}`,
  );
  const sentAt = Math.floor(Date.now() / 1_000) - 60;
  const messages = texts.map((text, index) => ({
    ...{ muid: `m${index}`, sender: "alice", receiver: "bob", receiverType: "user" as const, sentAt },
    ...{ category: "message" as const, type: "text", data: { text } },
  }));
  let requests = 0;

  const { imported, failed } = await importAll(messages, {
    keyOf: ({ muid }) => muid,
    send: (some) => {
      requests += 1;
      return chat.dataImport.messages({ messages: some });
    },
  });

  const stored: string[] = [];
  const list = chat.messages.listForUser("bob", {}, { onBehalfOf: "alice" });
  for await (const { data } of list) if (data?.text?.startsWith("imported")) stored.push(data.text);
  expect(stored.toSorted()).toEqual(texts.filter(Boolean).toSorted());
  expect(Object.values(failed).map(({ index }) => index)).toEqual(empty);
  expect(imported).toBe(997);
  expect(requests).toBeLessThan(60);
});
