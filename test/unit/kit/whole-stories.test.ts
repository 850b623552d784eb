import { expect, it } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { createTestPlatform } from "../../../local/test-platform/create-test-platform.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { letKitDecide, readFrom } from "./kit-world.ts";

letKitDecide();

const answerIn = (name: string, word: string) =>
  onTrigger("message_sent", { where: { text: { words: [word] } } }, async ({ effects, event }) => {
    const { sender: receiver = "" } = event.message;
    await effects.sendText(name, { receiver, receiverType: "user", onBehalfOf: "support", text: name });
  });
const says = (id: string, text: string) => events.messageSent({ id, sender: "ann", text });

it("runs a table of triggers in one story, and reports when each message was sent", async () => {
  const table = { hello: answerIn("hello", "hello"), bye: answerIn("bye", "bye") };
  const later = [{ after: "1h", event: says("2", "bye") }] as const;
  const { sent, isHandled } = await runTrigger(table, says("1", "hello"), { later });

  expect([isHandled, sent.map(({ text }) => text)]).toEqual([true, ["hello", "bye"]]);
  const [first, second] = sent.map(({ at }) => at.getTime());
  expect(Math.round(((second ?? 0) - (first ?? 0)) / 60_000)).toBe(60);
});

it("gives the platform's messages ids that differ from all ids of the story", async () => {
  const later = [{ after: "1h", event: says("2", "hello") }] as const;
  const { sent, platform } = await runTrigger(answerIn("hi", "hello"), says("1", "hello"), { later });

  expect(sent.map(({ id }) => id)).toEqual(["3", "4"]);
  expect(await readFrom(platform, "/messages/2")).toMatchObject({
    data: { sender: "ann", data: { text: "hello" } },
  });
});

it.each(["99999999999999999999", "abc"])(
  "refuses the id %s, which no message of the platform has",
  async (id) => {
    const trigger = answerIn("hi", "hello");
    const later = [{ after: "1min", event: says(id, "hello") }] as const;

    const refusal = `The id "${id}" of a message`;
    await expect(runTrigger(trigger, says(id, "hello"))).rejects.toThrow(refusal);
    await expect(runTrigger(trigger, says("1", "hello"), { later })).rejects.toThrow(refusal);
  },
);

it("stores the text of the last edit, whatever its time", async () => {
  const edit = (text: string) => events.messageEdited({ id: "1", sender: "ann", text });
  const later = [
    { after: "1min", event: edit("better") },
    { after: "2min", event: edit("best") },
  ] as const;
  const texts: unknown[] = [];
  const mask = onTrigger("message_edited", async ({ event, chat }) => {
    const { id } = event.message;
    texts.push((await chat.messages.get(id)).data?.text);
    await chat.messages.update(id, { data: { text: "***" } });
  });
  const { isHandled } = await runTrigger(mask, says("1", "hello"), { later });

  expect([isHandled, texts]).toEqual([true, ["better", "best"]]);
});

it("stores a later deletion, and keeps the message's text", async () => {
  const deleted = events.messageDeleted({ id: "1", sender: "ann" });
  const edited = events.messageEdited({ id: "1", sender: "ann", text: "better" });
  const later = [
    { after: "1min", event: edited },
    { after: "2min", event: deleted },
    { after: "3min", event: edited },
  ] as const;
  const { platform } = await runTrigger(answerIn("hi", "hello"), says("1", "hello"), { later });

  expect(await readFrom(platform, "/messages/1")).toMatchObject({
    data: { data: { text: "better" }, deletedBy: "ann", deletedAt: expect.any(Number) },
  });
});

const group = { guid: "g" };
const message = {
  id: "7",
  conversationId: "a_user_b",
  sender: "alice",
  receiver: "bob",
  receiverType: "user",
  category: "message",
  type: "text",
  data: { text: "hi" },
  sentAt: 1,
  updatedAt: 1,
} as const;

it.each<[place: string, app: object]>([
  ["users[0].status", { users: [{ uid: "cara", status: "away" }] }],
  ["groups[0].members.alice", { groups: [{ ...group, members: { alice: "boss" } }] }],
  ["group g names the user nobodyy", { groups: [{ ...group, banned: ["nobodyy"] }] }],
  ["messages[0].conversationId", { messages: [{ id: "1", text: "x" }] }],
  ["messages[0].data", { messages: [{ ...message, data: "hi" }] }],
  ["peple", { peple: [] }],
])("refuses a wrong %s in an app's contents, as a seed of the platform", async (place, app) => {
  const playing = runTrigger(answerIn("hi", "hello"), says("1", "hello"), { app });
  const told: Error = await playing.then(
    () => expect.unreachable(),
    (error) => error,
  );
  const refused: Error = await createTestPlatform({ seed: app }).then(
    () => expect.unreachable(),
    (error) => error,
  );

  expect([told.name, refused.name]).toEqual(["SeedError", "SeedError"]);
  for (const { message } of [told, refused])
    expect(message.replaceAll(/: Unrecognized key: "/g, ".")).toContain(place);
});

it("accepts presence and messages, and fills in missing names", async () => {
  const app = { users: [{ uid: "cara", status: "online" }], messages: [message] } as const;
  const { platform } = await runTrigger(answerIn("hi", "hello"), says("1", "hello"), { app });

  expect(await readFrom(platform, "/users/cara")).toMatchObject({ data: { status: "online", name: "cara" } });
  expect(await readFrom(platform, "/messages/7")).toMatchObject({ data: { data: { text: "hi" } } });
});

it("gives up on an unresponsive host, by the story's clock", async () => {
  const ask = onTrigger("message_sent", async ({ effects }) => {
    await effects.request("ask", { url: "https://slow.example.com/", method: "GET" });
  });
  const outside = () => new Promise<Response>(() => {});
  const options = { allowedHosts: ["slow.example.com"], outside, attempts: 1 };

  const { failures, buried, tookMs } = await runTrigger(ask, says("1", "hello"), options);

  expect([failures, buried]).toEqual([1, undefined]);
  expect(tookMs).toBeGreaterThanOrEqual(10_000);
});
