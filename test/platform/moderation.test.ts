import { describe, expect, it } from "vitest";
import {
  type Answer,
  app,
  chat,
  chatForm,
  codeOf,
  dataOf,
  idle,
  type Json,
  receive,
  sendText,
  startPlatform,
} from "./helpers.ts";

describe("moderation rules", () => {
  it("are created with a first revision, changed into the next and listed newest first", async () => {
    await addWordRule(["bad"]);
    await chat("PUT /moderation/rules/words", { enabled: false });

    const revisions = await dataOf("GET /moderation/rules/words/revisions");
    expect(revisions.map((rule: Json) => [rule.revisionId, rule.active])).toEqual([
      [`${app.appId}_words_2`, true],
      [`${app.appId}_words_1`, false],
    ]);
    expect((await chat("GET /moderation/rules?limit=50")).body.meta.current).toEqual({
      limit: 50,
      count: 10,
    });
  });

  it("lose omitted fields in a change, or keep them by switch", async () => {
    await addWordRule(["bad"], {}, { description: "Words" });

    const replaced = await dataOf("PUT /moderation/rules/words", { action: ["flagMessage"] });
    await startPlatform({ switches: { ruleChanges: "merge" } });
    await addWordRule(["bad"], {}, { description: "Words" });
    expect(await dataOf("PUT /moderation/rules/words", { action: ["flagMessage"] })).toMatchObject({
      description: "Words",
      conditions: [{ value: ["bad"] }],
    });

    expect(replaced).toMatchObject({ name: "Words", conditions: [], action: ["flagMessage"] });
    expect(replaced).not.toHaveProperty("description");
  });

  it("are limited to 25 besides the built-in ones", async () => {
    for (let number = 0; number < 25; number += 1) await addWordRule(["x"], { id: `r${number}` });

    const oneMore = await addWordRule(["x"], { id: "r25" });

    expect(oneMore.code).toBe("ERR_PLAN_QUOTA_RESTRICTION");
  });
});

describe("keyword lists", () => {
  it("accept terms from a form or a CSV file and create revisions", async () => {
    const typed = await form("POST /moderation/keywords", {
      name: "My list",
      category: "word",
      searchTerms: "a, b",
    });
    const file = await form("PUT /moderation/keywords/my-list", {
      category: "pattern",
      file: 'x{1,2},"y{1,2}"\n\nz\n',
    });

    expect(typed.data).toMatchObject({ id: "my-list", isCSV: false, searchTerms: ["a", "b"] });
    expect(file.data).toMatchObject({
      name: "My list",
      isCSV: true,
      category: "pattern",
      searchTerms: ["x{1", "2}", "y{1,2}", "z"],
      revisionId: `${app.appId}_my-list_2`,
    });
  });

  it("contain sentences for sentence-similarity", async () => {
    const answer = await form("POST /moderation/keywords", {
      id: "spam",
      category: "sentence-similarity",
      disallowedSentences: "Buy now, please\nFree offer",
    });

    expect(answer.data.disallowedSentences).toEqual(["Buy now, please", "Free offer"]);
  });

  it.each<[of: string, fields: Record<string, string>]>([
    ["no terms", { id: "x", category: "word" }],
    ["more than a megabyte", { id: "x", category: "word", file: "x\n".repeat(600_000) }],
    ["no id", { category: "word", searchTerms: "a" }],
    ["a blank in the id", { id: "a b", category: "word", searchTerms: "a" }],
    ["the id of a built-in list", { id: "profanity-list", category: "word", searchTerms: "a" }],
    ["a term of 101 characters", { id: "x", category: "word", searchTerms: "x".repeat(101) }],
    ["no sentences", { id: "x", category: "sentence-similarity" }],
  ])("are refused for %s", async (_, fields) => {
    expect((await form("POST /moderation/keywords", fields)).code).toBe("ERR_BAD_REQUEST");
  });
});

describe("a moderated message", () => {
  it("is blocked by a keyword list: disapproved, without message_sent, hidden from the receiver", async () => {
    const receiver = await receive(["message_sent", ...moderationTriggers]);
    await form("POST /moderation/keywords", {
      id: "no",
      category: "word",
      searchTerms: "darn,heck",
    });
    await addWordRule(["no"], { isKeywordsReferencePresent: true });

    const blocked = await sendText("oh HECK!");
    await idle();

    const seenBy = async (uid: string) => (await dataOf("GET /messages", uid)).length;
    expect(blocked.data.moderation).toEqual({ status: "disapproved", rule: { id: "words", name: "Words" } });
    expect(receiver.received.map(({ json }) => json.trigger)).toEqual(["moderation_engine_blocked"]);
    expect(receiver.received[0]?.json.data.moderation[0].rule.revisionId).toBe(`${app.appId}_words_1`);
    expect([await seenBy("alice"), await seenBy("bob")]).toEqual([1, 0]);
  });

  it("is not stored if the rule drops it", async () => {
    await addWordRule(["bad"], {}, { action: ["dropMessage"] });

    await sendText("bad");

    expect(await dataOf("GET /messages")).toEqual([]);
    expect(await dataOf("GET /moderation/blocked-messages")).toEqual([]);
  });

  it("is not moderated while no rule is enabled", async () => {
    expect((await sendText("damn")).data.moderation).toBeUndefined();
  });

  it("is accepted and reported if a custom service is missing", async () => {
    const receiver = await receive(["moderation_engine_failed"]);
    await addWordRule(["check_greaterThan_80"], { category: "custom-api" });

    const message = await sendText("x");
    await idle();

    expect(message.data.moderation.status).toBe("approved");
    expect(receiver.received[0]?.json.data).toMatchObject({
      outcome: "approved",
      contentType: "text",
      failures: [{ category: "not_configured" }],
    });
  });
});

describe("blocked messages", () => {
  it.each([
    ["a review", { status: "approved", reviewed: true }, "has been reviewed successfully.", "approved", 1],
    ["an approval", { status: "approved" }, "has been approved.", "approved", 1],
    [
      "a rejection",
      { status: "rejected", reviewed: true },
      "has been reviewed successfully.",
      "disapproved",
      0,
    ],
  ])("are decided by %s", async (_name, body, ending, status, events) => {
    const receiver = await receive(["moderation_manual_approved"]);
    await addWordRule(["bad"], { message: ["Contains bad"] });
    const { id } = await sendText("bad");

    expect(await dataOf("GET /moderation/blocked-messages")).toMatchObject([
      {
        ruleId: "words",
        condition: { message: ["Contains bad"] },
        message: { id },
        action: ["blockMessage"],
      },
    ]);
    expect((await dataOf(`PATCH /moderation/blocked-messages/${id}`, body)).message).toBe(
      `Message with ID ${id} ${ending}`,
    );
    expect(await dataOf("GET /moderation/blocked-messages")).toEqual([]);
    expect(await dataOf("GET /moderation/reviewed-messages")).toMatchObject([
      {
        appId: app.appId,
        condition: { message: "Contains bad" },
        message: { data: { moderation: { status } } },
      },
    ]);
    await idle();
    expect(receiver.received).toHaveLength(events);
    expect((await dataOf(`GET /messages/${id}`)).data.moderation.status).toBe(status);
  });
});

describe("flags", () => {
  it("collect, are listed and reviewed", async () => {
    const { id } = await sendText("hi", "alice", "lobby");

    await chat(`POST /messages/${id}/flagged`, "bob", { id: "spam" });
    await chat(`POST /messages/${id}/flagged`, "bob", { reasonId: "sexual", remark: "ugh" });
    await chat(`POST /messages/${id}/flagged`, "support", { reasonId: "spam" });
    expect(await dataOf("GET /moderation/flagged-messages")).toMatchObject([
      { id, flaggedCount: 2, flaggedBy: [{ uid: "bob", reasonId: "sexual", remark: "ugh" }, {}] },
    ]);
    await chat(`PATCH /moderation/flagged-messages/${id}`, { status: "disapproved" });
    expect(await dataOf("GET /moderation/reviewed-messages")).toHaveLength(1);
    expect((await dataOf(`GET /messages/${id}`)).data.moderation).toEqual({ status: "disapproved" });
  });
});

describe("messages sent for moderation", () => {
  it("create the given entities, are pending at first and decided in the end, also after an edit", async () => {
    await addWordRule(["bad"]);

    const sent = await dataOf("POST /moderation/messages", {
      sender: "zoe",
      senderUserDetails: { uid: "zoe", name: "Zoe" },
      receiver: "den",
      receiverType: "group",
      receiverGroupDetails: { guid: "den", name: "Den", type: "public" },
      data: { text: "good" },
      sentAt: 1_700_000_000,
    });
    const { id } = sent;
    expect((await dataOf(`GET /moderation/messages/${id}`)).data.moderation).toEqual({ status: "approved" });
    await chat(`PUT /moderation/messages/${id}`, { data: { text: "bad" } });
    const list = await dataOf("GET /moderation/messages?moderationStatus=disapproved&receiverGUID=den");

    expect(sent).toMatchObject({ sentAt: 1_700_000_000, data: { moderation: { status: "pending" } } });
    expect(list.map((message: Json) => message.id)).toEqual([id]);
  });

  it("are approved without a rule", async () => {
    const body = { sender: "alice", receiver: "bob", receiverType: "user", data: { text: "x" } };

    const { id } = await dataOf("POST /moderation/messages", body);

    expect((await dataOf(`GET /moderation/messages/${id}`)).data.moderation.status).toBe("approved");
  });
});

describe("messages sent for moderation are refused like others", () => {
  const lobby = { receiver: "lobby", receiverType: "group" };
  it.each([
    ["DELETE /users/alice", {}, {}, "ERR_UID_NOT_FOUND"],
    ["DELETE /users/bob", {}, {}, "ERR_UID_NOT_FOUND"],
    ["POST /users/alice/blockedusers", { blockedUids: ["bob"] }, {}, "ERR_BLOCKED_RECEIVER"],
    ["POST /groups/lobby/bannedusers/alice", {}, lobby, "ERR_BANNED_GROUPMEMBER"],
    ["DELETE /groups/lobby/members/alice", {}, lobby, undefined],
  ])("after %s %j, %j: %s", async (line, body, fields, code) => {
    await chat(line, body);

    const text = { sender: "alice", receiver: "bob", receiverType: "user", data: { text: "x" } };
    expect(await codeOf("POST /moderation/messages", { ...text, ...fields })).toBe(code);
  });
});

const moderationTriggers = [
  "moderation_engine_approved",
  "moderation_engine_blocked",
  "moderation_engine_failed",
  "moderation_manual_approved",
];

async function addWordRule(value: string[], condition: Json = {}, fields: Json = {}) {
  const { id = "words", ...rest } = condition;
  return await chat("POST /moderation/rules", {
    id,
    name: "Words",
    conditions: [{ category: "word", value, ...rest }],
    ...fields,
  });
}

async function form(line: string, fields: Record<string, string>): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === "file") body.set("file", new Blob([value]), "terms.csv");
    else body.set(name, value);
  }
  return await chatForm(path, body, undefined, method);
}
