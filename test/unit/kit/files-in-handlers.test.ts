import { expect, it } from "vitest";
import { createAttachments } from "../../../lib/effects/http/attachments.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";

const url = "https://files-eu.cometchat.io/app-1/media/7";
const signedUrl = "https://media-eu.cometchat.io/app-1/media/7?Expires=1&Signature=s&Key-Pair-Id=k";
const fileAt = "https://media-eu.cometchat.io/app-1/media/7?fat=token";

it("opens a file with the app's key, in the app's region", async () => {
  const texts: string[] = [];
  const handler = onTrigger("message_sent", async ({ event, files }) => {
    const attachments = createAttachments(await files());
    for (const attachment of event.message.data.attachments ?? [])
      texts.push(await new Response((await attachments.open(attachment)).body).text());
  });
  const answer = (request: Request) => {
    if (request.url === fileAt) return new Response("a small picture");
    if (request.url !== url) return undefined;
    const isAllowed = request.headers.get("apikey") !== null && request.headers.get("appid") === "app-1";
    return isAllowed ? Response.json({ data: { url: fileAt } }) : new Response(null, { status: 401 });
  };

  const { isHandled, requests } = await runTrigger(handler, events.messageSent({ attachments: [{ url }] }), {
    answer,
    app: { region: "eu" },
  });

  expect([isHandled, texts, requests]).toEqual([true, ["a small picture"], []]);
});

it("waits for a host with an endless file, and does not blame the handler", async () => {
  let asked = 0;
  const handler = onTrigger("message_sent", async ({ event, files }) => {
    const attachments = createAttachments(await files());
    for (const attachment of event.message.data.attachments ?? [])
      await new Response((await attachments.open(attachment)).body).text();
  });
  const endless = () =>
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("abc")) });
  const answer = (request: Request) => {
    if (request.url !== signedUrl) return undefined;
    asked += 1;
    return new Response(asked <= 6 ? endless() : "abc");
  };
  const event = events.messageSent({ attachments: [{ url: signedUrl }] });

  const { isHandled, buried, failures } = await runTrigger(handler, event, { answer, app: { region: "eu" } });

  expect([isHandled, buried, failures]).toEqual([true, undefined, 6]);
});

it("does not wait for a host that failed once and answered afterwards", async () => {
  const seen: string[] = [];
  const handler = onTrigger("message_sent", async ({ event, files }) => {
    const attachments = createAttachments(await files());
    for (const attachment of event.message.data.attachments ?? []) {
      const reading = attachments.open(attachment).then(({ body }) => new Response(body).text());
      seen.push(await reading.catch(({ code }) => code));
    }
    await new Promise(() => {});
  });
  const failsThenAnswers = (request: Request) => {
    if (request.url !== signedUrl) return undefined;
    if (seen.length % 2 === 0) throw new TypeError("fetch failed");
    return new Response("abc");
  };

  const attachments = [{ url: signedUrl }, { url: signedUrl }];
  const options = { answer: failsThenAnswers, app: { region: "eu" } } as const;
  const { buried, failures } = await runTrigger(handler, events.messageSent({ attachments }), options);

  expect(seen.slice(0, 2)).toEqual(["UNREACHABLE", "abc"]);
  expect([buried?.reason, failures]).toEqual(["ours", 5]);
});
