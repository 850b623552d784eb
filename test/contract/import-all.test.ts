import { expect, it, onTestFinished } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import { importAll } from "../../lib/chat/import-all.ts";
import { createPlatform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";

it("imports each valid message once if old ones end requests, and lists old and invalid ones", async () => {
  const [app] = defaultSeed.apps;
  const platform = await createPlatform({ port: 0 });
  onTestFinished(() => platform.close());
  const chat = createChatClient({
    appId: app.appId,
    apiKey: app.fullAccessKey,
    baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
  });
  const old = [100, 500, 501];
  // The client refuses these, and sends the rest of their requests.
  const unfit = new Map([
    [3, { data: { text: "" } }],
    [4, { muid: "__proto__" }],
  ]);
  const now = Math.floor(Date.now() / 1_000);
  const messages = Array.from({ length: 1_000 }, (_, index) => ({
    muid: `m${index}`,
    sender: "alice",
    receiver: "bob",
    receiverType: "user" as const,
    sentAt: now - (old.includes(index) ? 400 * 86_400 : 60),
    category: "message" as const,
    type: "text",
    data: { text: `imported ${index}` },
    ...unfit.get(index),
  }));
  const isGood = (index: number) => !old.includes(index) && !unfit.has(index);
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
  const good = messages.filter((_, index) => isGood(index)).map(({ data }) => data.text);
  expect(stored.toSorted()).toEqual(good.toSorted());
  expect(
    Object.values(failed)
      .map(({ index }) => index)
      .toSorted((a, b) => a - b),
  ).toEqual([3, 4, ...old]);
  for (const { code, message } of Object.values(failed))
    expect([code, message]).toEqual([expect.stringMatching(/^[A-Z]+_/), expect.stringMatching(/\w/)]);
  const again = await importAll([{ uid: "alice", name: "Alice" }], {
    keyOf: ({ uid }) => uid,
    send: (users) => chat.dataImport.users({ users }),
  });
  expect(again.failed).toMatchObject({
    alice: { code: "ERR_UID_ALREADY_EXISTS", message: expect.stringMatching(/\w/) },
  });
  expect(imported).toBe(995);
  expect(requests).toBeLessThan(50);
});
