import { expect, it } from "vitest";
import { createAttachments } from "../../../lib/effects/http/attachments.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";

const url = "https://files-eu.cometchat.io/app-1/media/7";
const fileAt = "https://media-eu.cometchat.io/app-1/media/7?fat=token";

it("opens a file by the app's key, in the app's region", async () => {
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
