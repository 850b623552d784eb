import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";

// The kit decides, as in a user's tests.
beforeAll(() => void vi.stubEnv("LOG_FOREIGN_MESSAGES", ""));
afterAll(() => void vi.unstubAllEnvs());

const answerIn = (name: string, word: string) =>
  onTrigger("message_sent", { where: { text: { words: [word] } } }, async ({ effects, event }) => {
    const { sender: receiver = "" } = event.message;
    await effects.sendText(name, { receiver, receiverType: "user", onBehalfOf: "support", text: name });
  });
const says = (id: string, text: string) => events.messageSent({ id, sender: "ann", text });

it("plays a table of triggers in one story, and tells when each message was sent", async () => {
  const table = { hello: answerIn("hello", "hello"), bye: answerIn("bye", "bye") };
  const later = [{ after: "1h", event: says("2", "bye") }] as const;
  const { sent, isHandled } = await runTrigger(table, says("1", "hello"), { later });

  expect([isHandled, sent.map(({ text }) => text)]).toEqual([true, ["hello", "bye"]]);
  const [first, second] = sent.map(({ at }) => at.getTime());
  expect(Math.round(((second ?? 0) - (first ?? 0)) / 60_000)).toBe(60);
});

it("gives the platform's messages ids that no message of the story has", async () => {
  const later = [{ after: "1h", event: says("2", "hello") }] as const;
  const { sent, platform } = await runTrigger(answerIn("hi", "hello"), says("1", "hello"), { later });

  expect(sent.map(({ id }) => id)).toEqual(["3", "4"]);
  const { fullAccessKey: apikey } = platform.keys;
  const answer = await platform.fetch(`${platform.appUrl("app-1", "eu")}/messages/2`, {
    headers: { apikey },
  });
  expect(await answer.json()).toMatchObject({ data: { sender: "ann", data: { text: "hello" } } });
});

it("stores the text of an edit that comes later", async () => {
  const later = [
    { after: "1min", event: events.messageEdited({ id: "1", sender: "ann", text: "better" }) },
  ] as const;
  const { platform } = await runTrigger(answerIn("hi", "hello"), says("1", "hello"), { later });

  const { fullAccessKey: apikey } = platform.keys;
  const answer = await platform.fetch(`${platform.appUrl("app-1", "eu")}/messages/1`, {
    headers: { apikey },
  });
  expect(await answer.json()).toMatchObject({ data: { data: { text: "better" }, editedBy: "ann" } });
});

it("stores a deletion that comes later, and keeps what the message said", async () => {
  const deleted = events.messageDeleted({ id: "1", sender: "ann" });
  const edited = events.messageEdited({ id: "1", sender: "ann", text: "better" });
  const later = [
    { after: "1min", event: edited },
    { after: "2min", event: deleted },
    { after: "3min", event: edited },
  ] as const;
  const { platform } = await runTrigger(answerIn("hi", "hello"), says("1", "hello"), { later });

  const { fullAccessKey: apikey } = platform.keys;
  const answer = await platform.fetch(`${platform.appUrl("app-1", "eu")}/messages/1`, {
    headers: { apikey },
  });
  expect(await answer.json()).toMatchObject({
    data: { data: { text: "better" }, deletedBy: "ann", deletedAt: expect.any(Number) },
  });
});

it("refuses unknown fields of a user, and takes presence", async () => {
  const run = (user: object) =>
    runTrigger(answerIn("hi", "hello"), says("1", "hello"), {
      app: { users: [{ uid: "cara", name: "Cara", ...user }] },
    });

  await expect(run({ state: "online" })).rejects.toThrow(/users/);
  const { platform } = await run({ status: "online" });
  const { fullAccessKey: apikey } = platform.keys;
  const answer = await platform.fetch(`${platform.appUrl("app-1", "eu")}/users/cara`, {
    headers: { apikey },
  });
  expect(await answer.json()).toMatchObject({ data: { status: "online" } });
});

it("gives up on a host and a platform that never answer, by the story's clock", async () => {
  const ask = onTrigger("message_sent", async ({ effects }) => {
    await effects.request("ask", { url: "https://slow.example.com/", method: "GET" });
  });
  const hangs = () => new Promise<Response>(() => {});
  const asked = { allowedHosts: ["slow.example.com"], outside: hangs };
  const { failures, buried, tookMs } = await runTrigger(ask, says("1", "hello"), { ...asked, attempts: 1 });
  const { failures: other } = await runTrigger(answerIn("hi", "hello"), says("1", "hello"), {
    answer: hangs,
    attempts: 1,
  });

  expect([failures, other, buried]).toEqual([1, 1, undefined]);
  expect(tookMs).toBeGreaterThanOrEqual(10_000);
});
