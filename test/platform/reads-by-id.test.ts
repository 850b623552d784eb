import { describe, expect, it } from "vitest";
import { addWebhook, app, chat, manage } from "./helpers.ts";

describe("what is stored is read by its id", () => {
  it("for a moderation reason", async () => {
    await chat("POST /moderation/reasons", { id: "rude", name: "Rude" });

    const answer = await chat("GET /moderation/reasons/rude");

    expect(answer.data).toMatchObject({ id: "rude", name: "Rude" });
  });

  it("for a keyword list", async () => {
    const answer = await chat("GET /moderation/keywords/profanity-list");

    expect(answer.data).toMatchObject({ id: "profanity-list", category: "word", default: true });
  });

  it("for a webhook", async () => {
    await addWebhook("http://127.0.0.1:9/hook", ["message_sent"]);

    const answer = await manage(`GET /apps/${app.appId}/webhooks/hook1`);

    expect(answer.data).toMatchObject({ id: "hook1", webhookURL: "http://127.0.0.1:9/hook" });
  });
});
