import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { createAttachments } from "../../lib/effects/http/attachments.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { onePlatform } from "./one-platform.ts";
import { knowFile } from "./recipes/agents.ts";
import {
  flagAndReview,
  handleErrors,
  keepReasons,
  sendOnBehalf,
  stayWithinTime,
} from "./recipes/conversations.ts";
import { openFile, sendPicture } from "./recipes/media.ts";
import { createUserAndLogIn, importUsers, pageThroughMembers, rotateKey } from "./recipes/people.ts";
import { callTomorrow, registerWebhook, smallClient } from "./recipes/setup.ts";

const [app] = defaultSeed.apps;
const platform = onePlatform();

const template = () => `${platform().url}/{appId}.{service}-{region}/v3`;
const clientWith = (apiKey: string) =>
  createChatClient({ appId: app.appId, apiKey, baseUrlTemplate: template() });
const client = () => clientWith(app.fullAccessKey);

describe("the recipes of docs/chat-client.md", () => {
  it("are the ones that are run here, word for word", () => {
    const page = read("../../docs/chat-client.md");
    const printed = [...page.matchAll(/^### (.+)\n(?:(?!###)[^\n]*\n)*?```ts fragment\n([\s\S]*?)```/gm)].map(
      ([, title, code]) => ({ title, code }),
    );
    const run = ["people", "conversations", "media", "setup", "agents"].flatMap((name) =>
      recipesOf(read(`./recipes/${name}.ts`)),
    );

    expect(new Map(printed.map(({ title, code }) => [title, code]))).toEqual(
      new Map(run.map(({ title, code }) => [title, code])),
    );
    expect(printed.length).toBeGreaterThanOrEqual(10);
  });

  it("create a user and log in", async () => {
    expect(await createUserAndLogIn(client())).toMatch(/^zoe_/);
  });

  it("send on behalf of a user, once", async () => {
    const message = await sendOnBehalf(client());

    expect(message).toMatchObject({ sender: "support", muid: "order-4711-shipped" });
  });

  it("send a picture, and open it", async () => {
    const picture = await sendPicture(client());
    const fetch = async () => new Response("png", { headers: { "content-type": "image/png" } });
    const { appId, fullAccessKey: apiKey } = app;
    const media = { url: `https://media-us.cometchat.io/${appId}/media/7?Expires=9` };
    const attachments = createAttachments({ appId, apiKey, fetch });

    expect(picture.data?.attachments).toMatchObject([{ name: "map.png" }]);
    await expect(openFile(attachments, picture)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(await openFile(attachments, { data: { attachments: [media] } })).toBe("png");
  });

  it("page through members", async () => {
    const { names, firstPage } = await pageThroughMembers(client());

    expect(names.toSorted()).toEqual(["Alice Nguyen", "Bob Okafor"]);
    expect(firstPage.items).toHaveLength(2);
    expect(firstPage.next).toMatchObject({ page: 2 });
  });

  it("flag and review a message", async () => {
    const chat = client();
    const { id } = await chat.messages.send(
      { receiver: "bob", receiverType: "user", data: { text: "hi" } },
      { onBehalfOf: "alice" },
    );

    await flagAndReview(chat, id);

    expect((await chat.flaggedMessages.listReviewed().page()).items).toHaveLength(1);
  });

  it("keep moderation reasons as declared", async () => {
    const chat = client();
    await chat.reasons.create({ id: "old", name: "Old" });
    await chat.reasons.create({ id: "selling", name: "Selling" });

    await keepReasons(chat);

    const own = (await Array.fromAsync(chat.reasons.list())).filter((reason) => !reason.default);
    expect(own.map(({ id, name }) => [id, name]).toSorted()).toEqual([
      ["off-topic", "Off topic"],
      ["selling", "Selling things"],
    ]);
  });

  it("rotate an API key", async () => {
    const next = await rotateKey(client(), async (apiKey) => clientWith(apiKey));

    expect((await next.apiKeys.list({ scope: "fullAccess" }).page()).items).toHaveLength(1);
    await expect(client().users.get("alice")).rejects.toMatchObject({ status: 401 });
  });

  it("register a webhook", async () => {
    const management = createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: platform().managementUrl,
    });

    expect(await registerWebhook(management, app.appId)).toEqual([]);
    expect(await management.webhooks.get(app.appId, "events")).toMatchObject({ id: "events", enabled: true });
  });

  it("import 1,000 users with progress", async () => {
    const lines: string[] = [];
    const chat = client();

    const outcome = await importUsers(chat, (line) => lines.push(line));

    expect(outcome).toEqual({ imported: 1_000, failed: {}, unconfirmed: [] });
    expect(lines).toHaveLength(20);
    expect((await chat.users.get("person-999")).name).toBe("Person 999");
  });

  it("give an agent a file to know", async () => {
    const lines: string[] = [];
    platform().switches.knowledgeIndexingMs = 0;

    expect(await knowFile(client(), (line) => lines.push(line))).toBe("indexed");
    expect(lines.map((line) => line.split(" ").at(-1))).toEqual(["started", "sent", "added", "indexed"]);
  });

  it("tell refusals from silence and mistakes", async () => {
    const lines: string[] = [];

    await handleErrors(client(), (line) => lines.push(line));

    expect(lines).toEqual(["There is no such user."]);
  });

  it("stay within the function's time", async () => {
    const { user } = await stayWithinTime(client(), { getRemainingTimeInMillis: () => 10_000 });

    expect(user.uid).toBe("alice");
  });

  it("keep a function small and its key fresh", async () => {
    const source = { get: async () => "stale", refresh: async () => app.fullAccessKey };

    const { alice } = await smallClient(app.appId, source, template());

    expect(alice.uid).toBe("alice");
  });

  it("call what there is no method for", async () => {
    expect((await callTomorrow(client())).uid).toBe("alice");
  });
});

function read(path: string) {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

function recipesOf(source: string): { title: string | undefined; code: string }[] {
  return [...source.matchAll(/^ {2}\/\/ recipe: (.+)\n([\s\S]*?)^ {2}\/\/ end$/gm)].map(
    ([, title, code = ""]) => ({
      title,
      code: code.replace(/^ {2}/gm, ""),
    }),
  );
}
