import { describe, expect, it } from "vitest";
import { addWebhook, app, chat, manage, startPlatform } from "./helpers.ts";

describe("what is stored is read by its id", () => {
  it("for a moderation reason", async () => {
    const platform = await startPlatform();
    await chat(platform, "POST /moderation/reasons", { body: { id: "rude", name: "Rude" } });

    const answer = await chat(platform, "GET /moderation/reasons/rude");

    expect(answer.body.data).toMatchObject({ id: "rude", name: "Rude" });
  });

  it("for a keyword list", async () => {
    const platform = await startPlatform();

    const answer = await chat(platform, "GET /moderation/keywords/profanity-list");

    expect(answer.body.data).toMatchObject({ id: "profanity-list", category: "word", default: true });
  });

  it("for a webhook", async () => {
    const platform = await startPlatform();
    await addWebhook(platform, "http://127.0.0.1:9/hook", ["message_sent"]);

    const answer = await manage(platform, `GET /apps/${app.appId}/webhooks/hook1`);

    expect(answer.body.data).toMatchObject({ id: "hook1", webhookURL: "http://127.0.0.1:9/hook" });
  });
});
