import { describe, expect, it } from "vitest";
import { app, chat, type Json, own, sendText } from "./helpers.ts";

describe("GET /_platform/apps/{appId}/search", () => {
  it("finds the texts with every word, the newest first", async () => {
    await sendText("The price of lunch");
    await sendText("Über 50% of\nlunch", "bob", "alice");
    await sendText('He "quoted" a \\');
    const { id } = await sendText("gone");
    await chat(`DELETE /messages/${id}`, "alice");
    const found: Json = {
      "price LUNCH": ["The price of lunch"],
      lunch: ["Über 50% of lunch", "The price of lunch"],
      "50%": ["Über 50% of lunch"],
      _: [],
      über: ["Über 50% of lunch"],
      '"quoted" \\': ['He "quoted" a \\'],
      entities: [],
      gone: [],
      " ": [],
    };

    for (const [searched, texts] of Object.entries(found)) {
      const { messages } = await search(searched);
      expect([searched, messages.map(({ excerpt }: Json) => excerpt)]).toEqual([searched, texts]);
    }
  });

  it("finds a message by its id, muid and conversation", async () => {
    const body = { receiver: "bob", receiverType: "user", muid: "of-mine", data: { text: "hi" } };
    const { data } = await chat("POST /messages", "alice", body);

    for (const searched of [data.id, "of-mine", "alice_user_bob"]) {
      expect((await search(searched)).messages).toEqual([
        {
          id: data.id,
          conversationId: "alice_user_bob",
          sender: "alice",
          receiver: "bob",
          sentAt: data.sentAt,
          excerpt: "hi",
          reader: "alice",
        },
      ]);
    }
  });

  it("finds users and groups by a part of their id or name, and a reader of a group", async () => {
    expect((await search("nguy")).users).toEqual([{ uid: "alice", name: "Alice Nguyen" }]);
    expect((await search("obb")).groups).toEqual([
      { guid: "lobby", name: "Lobby", reader: expect.any(String) },
    ]);
  });

  it("shows messages of former members through a current member", async () => {
    await sendText("my last words", "bob", "lobby");
    await chat("DELETE /groups/lobby/members/bob");

    const [{ reader }] = (await search("last words")).messages;

    expect(["alice", "support"]).toContain(reader);
  });

  it("returns no secret, and no more than the limit", async () => {
    for (let count = 0; count < 3; count += 1)
      await sendText(`key ${app.fullAccessKey} ${"so ".repeat(200)}`);

    const { messages } = await search("key&limit=2");

    expect(messages.map(({ excerpt }: Json) => excerpt.slice(0, 14))).toEqual(
      Array.from({ length: 2 }, () => "key [redacted]"),
    );
    expect(messages[0].excerpt.length).toBeLessThan(200);
    expect(JSON.stringify(await search(app.fullAccessKey))).not.toContain(app.fullAccessKey);
  });
});

async function search(text: string): Promise<Json> {
  const asked = text.replace(/^[^&]*/, encodeURIComponent);
  return (await own(`GET /apps/${app.appId}/search?text=${asked}`)).body;
}
