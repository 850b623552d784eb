import { describe, expect, it } from "vitest";
import { countDocuments, putDocument } from "../../local/platform/store/database.ts";
import { putMessage } from "../../local/platform/store/messages.ts";
import { purgeConversation } from "../../local/platform/store/purge.ts";
import { app, chat, chatForm, chatWith, dataOf, type Json, sendText, startPlatform } from "./helpers.ts";

const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);

function formOf(fields: Record<string, string>, ...files: [name: string, type: string][]): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  for (const [name, type] of files) form.append("file", new Blob([bytes], { type }), name);
  return form;
}

const toAlice = { receiver: "alice", receiverType: "user" };
const toBob = { receiver: "bob", receiverType: "user" };

describe("a message sent as a form", () => {
  it("keeps its file, to which its attachment leads", async () => {
    const sent = await chatForm("/messages", formOf(toBob, ["Grüße 👋.png", "image/png"]), "alice");

    const [attachment] = sent.data.data.attachments;
    const file = await fetch(attachment.url);
    expect([sent.status, sent.data.type, sent.data.sender]).toEqual([200, "image", "alice"]);
    expect(attachment).toMatchObject({
      name: "Grüße 👋.png",
      mimeType: "image/png",
      extension: "png",
      size: 6,
    });
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    expect(file.headers.get("content-type")).toBe("image/png");
  });

  it("accepts several files, and data, tags and receivers as JSON", async () => {
    const form = formOf(
      { ...toBob, type: "file", data: '{"metadata":{"order":7}}', tags: '["invoice"]' },
      ["one.pdf", "application/pdf"],
      ["two", ""],
    );

    const sent = await chatForm("/messages", form, "alice");
    const stored = await dataOf(`GET /messages/${sent.data.id}`, "bob");

    expect(stored.data).toMatchObject({
      metadata: { order: 7 },
      attachments: [
        { name: "one.pdf", extension: "pdf" },
        { name: "two", mimeType: "application/octet-stream", extension: "" },
      ],
    });
    expect(stored.tags).toEqual(["invoice"]);
  });

  it("is a text message without a file", async () => {
    const sent = await chatForm("/messages", formOf({ ...toBob, data: '{"text":"Hi"}' }), "alice");

    expect([sent.data.type, sent.data.data.text]).toEqual(["text", "Hi"]);
  });

  it("may be a reply in a thread", async () => {
    const { id } = await sendText("Show me");

    const sent = await chatForm(`/messages/${id}/thread`, formOf({}, ["a.mp3", "audio/mpeg"]), "bob");

    expect([sent.status, sent.data.parentId, sent.data.type]).toEqual([200, id, "audio"]);
  });

  it.each([
    ["no file of a media message", formOf({ ...toBob, type: "image" }), "ERR_EMPTY_MESSAGE_FILE"],
    ["no receiver", formOf({}, ["a.png", "image/png"]), "ERR_EMPTY_RECEIVER"],
    ["an unknown receiver", formOf({ ...toBob, receiver: "nobody" }, ["a.png", ""]), "ERR_UID_NOT_FOUND"],
    ["data that is no JSON", formOf({ ...toBob, data: "{" }, ["a.png", ""]), "ERR_BAD_REQUEST"],
    ["data that is no object", formOf({ ...toBob, data: "[1]" }, ["a.png", ""]), "ERR_INVALID_MESSAGE_DATA"],
    ["neither text nor file", formOf(toBob), "ERR_EMPTY_MESSAGE_TEXT"],
  ])("is refused for %s, and no file is stored", async (_name, form, code) => {
    const platform = await startPlatform();

    const refused = await chatForm("/messages", form, "alice");

    expect(refused.code).toBe(code);
    expect(countDocuments({ db: platform.services.db, appId: app.appId }, "message-file")).toBe(0);
  });

  it("is refused if the form is invalid", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };

    const refused = await chatWith("POST /messages", { as: "alice", body: {}, headers });

    expect(refused.code).toBe("ERR_BAD_REQUEST");
  });
});

describe("a kept file", () => {
  it("is a separate download, never a page of the platform", async () => {
    const sent = await chatForm("/messages", formOf(toBob, ["a.html", "text/html"]), "alice");

    const file = await fetch(sent.data.data.attachments[0].url);

    expect(file.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(file.headers.get("content-security-policy")).toBe("sandbox");
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each(["/messages/{id}", "/users/alice", "/groups/lobby"])("is removed by DELETE %s", async (path) => {
    const receiver = { receiver: "lobby", receiverType: "group" };
    const { data } = await chatForm("/messages", formOf(receiver, ["a.png", "image/png"]), "alice");
    const { attachments } = data.data;
    const forwarded = await dataOf("POST /messages", "bob", {
      ...toAlice,
      type: "image",
      data: { attachments },
    });
    const kept = await chatForm("/messages", formOf(toAlice, ["b.png", "image/png"]), "bob");
    const statusOf = async (message: Json) => (await fetch(message.data.attachments[0].url)).status;
    const remove = async (at: string) => await chat(`DELETE ${at}`, { permanent: true });

    await remove(path.replace("{id}", data.id));
    const whileForwarded = await statusOf(data);
    await remove(`/messages/${forwarded.id}`);

    const isOfUser = path.startsWith("/users");
    expect([whileForwarded, await statusOf(data)]).toEqual([isOfUser ? 404 : 200, 404]);
    expect(await statusOf(kept.data)).toBe(isOfUser ? 404 : 200);
  });

  it("is removed with a message whose file an edit replaced, although other messages contain its id", async () => {
    const { data } = await chatForm("/messages", formOf(toBob, ["a.png", "image/png"]), "alice");
    const [{ url }] = data.data.attachments;
    const statusOf = async () => (await fetch(url)).status;
    const other = { attachments: [{ url: "https://x.example/b.png" }] };
    const forwarded = await dataOf("POST /messages", "bob", { ...toAlice, type: "image", data: data.data });
    await sendText(`See ${url}`);

    await chat(`PUT /messages/${data.id}`, "alice", { data: other });
    await chat(`DELETE /messages/${data.id}`, { permanent: true });
    const whileForwarded = await statusOf();
    await chat(`PUT /messages/${forwarded.id}`, "bob", { data: other });
    await chat(`DELETE /messages/${forwarded.id}`, { permanent: true });

    expect([whileForwarded, await statusOf()]).toEqual([200, 404]);
  });

  it("is found without reading each message", async () => {
    const { services } = await startPlatform();
    const data = { db: services.db, appId: app.appId };
    const send = (id: number, guid: string, sent: Json) =>
      putMessage(data, {
        id: String(id),
        conversationId: `group_${guid}`,
        sender: "alice",
        receiver: guid,
        receiverType: "group",
        category: "message",
        type: "text",
        data: sent,
        sentAt: 1,
        updatedAt: 1,
      });
    const costOfRemoval = () => {
      for (let id = 6_000; id < 6_100; id += 1) {
        const fileId = String(id).padStart(24, "0");
        putDocument(data, "message-file", fileId, { name: "a", base64: "QQ==" });
        send(id, "g", { attachments: [{ url: `http://x/files/${fileId}/a` }] });
      }
      const before = process.cpuUsage();
      purgeConversation(data, "group_g");
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const leastOfThree = () => Math.min(costOfRemoval(), costOfRemoval(), costOfRemoval());

    const amongFew = leastOfThree();
    for (let id = 1; id <= 2_500; id += 1) send(id, "lobby", { text: `Some words of a usual length ${id}` });

    expect(leastOfThree() / amongFew).toBeLessThan(4);
    expect(countDocuments(data, "message-file")).toBe(0);
  });

  it("survives a snapshot, and is invisible to other apps", async () => {
    const platform = await startPlatform();
    const sent = await chatForm("/messages", formOf(toBob, ["a.png", "image/png"]), "alice");
    const { url } = sent.data.data.attachments[0];
    const snapshot = platform.snapshot();

    platform.reset();
    const gone = await fetch(url);
    platform.restore(snapshot);
    const back = await fetch(url);
    const foreign = await fetch(url.replace(app.appId, "other-app"));
    const renamed = await fetch(url.replace("a.png", "b.png"));

    expect([gone, back, foreign, renamed].map(({ status }) => status)).toEqual([404, 200, 404, 404]);
  });
});
