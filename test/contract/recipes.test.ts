import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import * as ofPackage from "../../package/chat.ts";
import { readRecipes, runExample } from "./documented-examples.ts";
import { onePlatform } from "./one-platform.ts";

const { createAttachments, createChatClient, createManagementClient } = ofPackage;
const [app] = defaultSeed.apps;
const platform = onePlatform();
const recipes = new Map(readRecipes().map(({ name, code }) => [name, code]));
const tested = new Set<string>();

const template = () => `${platform().url}/{appId}.{service}-{region}/v3`;
const clientWith = (apiKey: string) =>
  createChatClient({ appId: app.appId, apiKey, baseUrlTemplate: template() });
const client = () => clientWith(app.fullAccessKey);

describe("the recipes of docs/chat-client.md", () => {
  recipe("Create a user and log in", async (run) => {
    expect((await run({ chat: client() })).authToken).toMatch(/^zoe_/);
  });

  recipe("Send on behalf of a user, once", async (run) => {
    const { message } = await run({ chat: client() });

    expect(message).toMatchObject({ sender: "support", muid: "order-4711-shipped" });
  });

  recipe("Send a picture", async (run) => {
    const { picture } = await run({ chat: client() });

    expect(picture.data.attachments).toMatchObject([{ name: "map.png" }]);
  });

  recipe("Open what a user sent", async (run) => {
    const { appId, fullAccessKey: apiKey } = app;
    const fetch = async () => new Response("png", { headers: { "content-type": "image/png" } });
    const attachments = createAttachments({ appId, apiKey, fetch });
    const kept: string[] = [];
    const keep = (part: Uint8Array, type: string) => void kept.push(type, Buffer.from(part).toString());
    const open = (url: string) => run({ attachments, keep, message: { data: { attachments: [{ url }] } } });

    await expect(open("https://cdn.example.com/map.png")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await open(`https://media-us.cometchat.io/${appId}/media/7?Expires=9`);
    expect(kept).toEqual(["image/png", "png"]);
  });

  recipe("Page through members", async (run) => {
    const { names, firstPage } = await run({ chat: client() });

    expect(names.toSorted()).toEqual(["Alice Nguyen", "Bob Okafor"]);
    expect(firstPage.items).toHaveLength(2);
    expect(firstPage.next).toMatchObject({ page: 2 });
  });

  recipe("Flag and review a message", async (run) => {
    const chat = client();
    const { id: messageId } = await chat.messages.send(
      { receiver: "bob", receiverType: "user", data: { text: "hi" } },
      { onBehalfOf: "alice" },
    );

    await run({ chat, messageId });

    expect((await chat.flaggedMessages.listReviewed().page()).items).toHaveLength(1);
  });

  recipe("Register a webhook", async (run) => {
    const management = createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: platform().managementUrl,
    });

    expect((await run({ management, appId: app.appId })).refused).toEqual([]);
    expect(await management.webhooks.get(app.appId, "events")).toMatchObject({ id: "events", enabled: true });
  });

  recipe("Import 1,000 users with progress", async (run) => {
    const lines: string[] = [];
    const chat = client();
    const log = (line: string) => lines.push(line);

    const { outcome } = await run({ chat, log });

    expect(outcome).toEqual({ imported: 1_000, failed: {}, unconfirmed: [] });
    expect(lines).toHaveLength(20);
    expect((await chat.users.get("person-999")).name).toBe("Person 999");
  });

  recipe("Give an AI agent a file to know", async (run) => {
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    platform().switches.knowledgeIndexingMs = 0;

    const { step } = await run({ chat: client(), log });

    expect(step).toBe("indexed");
    expect(lines.map((line) => line.split(" ").at(-1))).toEqual(["started", "sent", "added", "indexed"]);
  });

  recipe("Stay within the function's time", async (run) => {
    const { user } = await run({ chat: client(), context: { getRemainingTimeInMillis: () => 10_000 } });

    expect(user.uid).toBe("alice");
  });

  it("are all run here", () => {
    expect(tested).toEqual(new Set(recipes.keys()));
  });
});

/** Tests a recipe: `run` runs it with these values in scope. */
function recipe(
  title: string,
  test: (run: (scope: object) => ReturnType<typeof runExample>) => Promise<void>,
) {
  tested.add(title);
  it(title, () => test((scope) => runExample(recipes.get(title) ?? "", { ...ofPackage, z, ...scope })));
}
