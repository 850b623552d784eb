import { describe, expect, it } from "vitest";
import type { Platform } from "../../local/platform/create-platform.ts";
import { app, chat, idle, type Json, receive, sendText, startPlatform } from "./helpers.ts";

describe("moderation rules", () => {
  it("are created with a first revision, changed into the next and listed newest first", async () => {
    const created = await addWordRule(["bad"]);
    const changed = await chat("PUT /moderation/rules/words", { enabled: false });
    const revisions = await chat("GET /moderation/rules/words/revisions");
    const read = await chat("GET /moderation/rules/words");
    const list = await chat("GET /moderation/rules?limit=50");
    const deleted = await chat("DELETE /moderation/rules/words");

    expect(created.data).toMatchObject({ revisionId: `${app.appId}_words_1`, active: true });
    expect(changed.data.revisionId).toBe(`${app.appId}_words_2`);
    expect(revisions.data.map((rule: Json) => [rule.revisionId, rule.active])).toEqual([
      [`${app.appId}_words_2`, true],
      [`${app.appId}_words_1`, false],
    ]);
    expect(read.data).toMatchObject({ name: "Words", enabled: false });
    expect(list.data.filter((rule: Json) => rule.default).map((rule: Json) => rule.id)).toContain(
      "email_filter",
    );
    expect(list.body.meta.current).toEqual({ limit: 50, count: 10 });
    expect(deleted.data.message).toBe("Rule with id words has been deleted successfully.");
  });

  it("lose in a change what it leaves out, or keep it by switch", async () => {
    await addWordRule(["bad"], {}, { description: "Words" });

    const replaced = await chat("PUT /moderation/rules/words", { action: ["flagMessage"] });
    await startPlatform({ switches: { ruleChanges: "merge" } });
    await addWordRule(["bad"], {}, { description: "Words" });
    const merged = await chat("PUT /moderation/rules/words", { action: ["flagMessage"] });

    expect(replaced.data).toMatchObject({ name: "Words", conditions: [], action: ["flagMessage"] });
    expect(replaced.data).not.toHaveProperty("description");
    expect(merged.data).toMatchObject({ description: "Words", conditions: [{ value: ["bad"] }] });
  });

  it("number 25 at the most beside the built-in ones", async () => {
    for (let number = 0; number < 25; number += 1) await addWordRule(["x"], { id: `r${number}` });

    const oneMore = await addWordRule(["x"], { id: "r25" });

    expect(oneMore.code).toBe("ERR_PLAN_QUOTA_RESTRICTION");
  });
});

describe("keyword lists", () => {
  it("take terms from a form or a CSV file and make revisions", async () => {
    const platform = await startPlatform();

    const typed = await form(platform, "POST /moderation/keywords", {
      name: "My list",
      category: "word",
      searchTerms: "a, b",
    });
    const file = await form(platform, "PUT /moderation/keywords/my-list", {
      category: "pattern",
      file: 'x{1,2},"y{1,2}"\n\nz\n',
    });
    const list = await chat("GET /moderation/keywords");
    const deleted = await chat("DELETE /moderation/keywords/my-list");

    expect(typed.body.data).toMatchObject({ id: "my-list", isCSV: false, searchTerms: ["a", "b"] });
    expect(file.body.data).toMatchObject({
      name: "My list",
      isCSV: true,
      category: "pattern",
      searchTerms: ["x{1", "2}", "y{1,2}", "z"],
      revisionId: `${app.appId}_my-list_2`,
    });
    expect(list.data.map((item: Json) => [item.id, item.appId, item.__v, item.default])).toEqual([
      ["profanity-list", "default", 0, true],
      ["my-list", app.appId, 0, undefined],
    ]);
    expect(deleted.data.message).toBe("Keyword with id my-list has been deleted successfully.");
  });

  it("hold sentences for sentence-similarity", async () => {
    const platform = await startPlatform();

    const answer = await form(platform, "POST /moderation/keywords", {
      id: "spam",
      category: "sentence-similarity",
      disallowedSentences: "Buy now, please\nFree offer",
    });

    expect(answer.body.data.disallowedSentences).toEqual(["Buy now, please", "Free offer"]);
  });

  it.each([
    ["ERR_BAD_REQUEST", "POST /moderation/keywords", { id: "x", category: "word" }],
    [
      "ERR_BAD_REQUEST",
      "POST /moderation/keywords",
      { id: "x", category: "word", file: "x\n".repeat(600_000) },
    ],
    ["ERR_BAD_REQUEST", "POST /moderation/keywords", { category: "word", searchTerms: "a" }],
    ["ERR_BAD_REQUEST", "POST /moderation/keywords", { id: "a b", category: "word", searchTerms: "a" }],
    [
      "ERR_BAD_REQUEST",
      "POST /moderation/keywords",
      { id: "profanity-list", category: "word", searchTerms: "a" },
    ],
    [
      "ERR_BAD_REQUEST",
      "POST /moderation/keywords",
      { id: "x", category: "word", searchTerms: "x".repeat(101) },
    ],
    ["ERR_BAD_REQUEST", "POST /moderation/keywords", { id: "x", category: "sentence-similarity" }],
    ["ERR_KEYWORD_NOT_FOUND", "PUT /moderation/keywords/none", { category: "word", searchTerms: "a" }],
  ])("refuse with %s: %s %j", async (code, line, fields) => {
    const platform = await startPlatform();

    expect((await form(platform, line, fields)).body.error?.code).toBe(code);
  });
});

describe("a moderated message", () => {
  it("is blocked by a keyword list: disapproved, told instead of message_sent, unseen by the receiver", async () => {
    const platform = await startPlatform();
    const receiver = await receive(["message_sent", ...moderationTriggers]);
    await form(platform, "POST /moderation/keywords", {
      id: "no",
      category: "word",
      searchTerms: "darn,heck",
    });
    await addWordRule(["no"], { isKeywordsReferencePresent: true });

    const blocked = await sendText("oh HECK!");
    await idle();

    const seenBy = async (uid: string) => (await chat("GET /messages", uid)).data.length;
    expect(blocked.data.moderation).toEqual({ status: "disapproved", rule: { id: "words", name: "Words" } });
    expect(receiver.received.map(({ json }) => json.trigger)).toEqual(["moderation_engine_blocked"]);
    expect(receiver.received[0]?.json.data.moderation[0].rule.revisionId).toBe(`${app.appId}_words_1`);
    expect([await seenBy("alice"), await seenBy("bob")]).toEqual([1, 0]);
  });

  it("leaves nothing behind when the rule drops it", async () => {
    await addWordRule(["bad"], {}, { action: ["dropMessage"] });

    await sendText("bad");

    expect((await chat("GET /messages")).data).toEqual([]);
    expect((await chat("GET /moderation/blocked-messages")).data).toEqual([]);
  });

  it("is not moderated while no rule is on", async () => {
    expect((await sendText("damn")).data.moderation).toBeUndefined();
  });

  it("tells of a custom service that is not there, and passes", async () => {
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

    const before = await chat("GET /moderation/blocked-messages");
    const decided = await chat(`PATCH /moderation/blocked-messages/${id}`, body);
    const after = await chat("GET /moderation/blocked-messages");
    const reviewed = await chat("GET /moderation/reviewed-messages");
    await idle();

    expect(before.data).toMatchObject([
      {
        ruleId: "words",
        condition: { message: ["Contains bad"] },
        message: { id },
        action: ["blockMessage"],
      },
    ]);
    expect(decided.data.message).toBe(`Message with ID ${id} ${ending}`);
    expect(after.data).toEqual([]);
    expect(reviewed.data).toMatchObject([
      {
        appId: app.appId,
        condition: { message: "Contains bad" },
        message: { data: { moderation: { status } } },
      },
    ]);
    expect(receiver.received).toHaveLength(events);
    expect((await chat(`GET /messages/${id}`)).data.data.moderation.status).toBe(status);
  });
});

describe("flags", () => {
  it("collect, are listed and reviewed", async () => {
    const { id } = await sendText("hi", "alice", "lobby");

    const flagged = await chat(`POST /messages/${id}/flagged`, "bob", { id: "spam" });
    await chat(`POST /messages/${id}/flagged`, "bob", { reasonId: "sexual", remark: "ugh" });
    await chat(`POST /messages/${id}/flagged`, "support", { reasonId: "spam" });
    const list = await chat("GET /moderation/flagged-messages");
    const reviewed = await chat(`PATCH /moderation/flagged-messages/${id}`, { status: "disapproved" });

    expect(flagged.data).toEqual({
      success: true,
      message: `Message ${id} has been flagged successfully.`,
    });
    expect(list.data).toMatchObject([
      {
        id,
        appId: app.appId,
        flaggedCount: 2,
        flaggedBy: [{ uid: "bob", reasonId: "sexual", remark: "ugh" }, {}],
      },
    ]);
    expect(reviewed.data).toEqual({
      success: true,
      message: `Message with id ${id} has been unflagged successfully.`,
    });
    expect((await chat("GET /moderation/flagged-messages")).data).toEqual([]);
    expect((await chat("GET /moderation/reviewed-messages")).data).toHaveLength(1);
    expect((await chat(`GET /messages/${id}`)).data.data.moderation).toEqual({
      status: "disapproved",
    });
  });
});

describe("messages sent for moderation", () => {
  it("create who is described, answer pending and end decided, also after an edit", async () => {
    await addWordRule(["bad"]);

    const sent = await chat("POST /moderation/messages", {
      sender: "zoe",
      senderUserDetails: { uid: "zoe", name: "Zoe" },
      receiver: "den",
      receiverType: "group",
      receiverGroupDetails: { guid: "den", name: "Den", type: "public" },
      data: { text: "good" },
      sentAt: 1_700_000_000,
    });
    const { id } = sent.data;
    const read = await chat(`GET /moderation/messages/${id}`);
    const edited = await chat(`PUT /moderation/messages/${id}`, { data: { text: "bad" } });
    const list = await chat("GET /moderation/messages?moderationStatus=disapproved&receiverGUID=den");
    const deleted = await chat(`DELETE /moderation/messages/${id}`);

    expect(sent.data).toMatchObject({
      sentAt: 1_700_000_000,
      data: { moderation: { status: "pending" } },
    });
    expect(read.data.data.moderation).toEqual({ status: "approved" });
    expect(edited.data).toMatchObject({ id, editedBy: "app_system", data: { text: "bad" } });
    expect(list.data.map((message: Json) => message.id)).toEqual([id]);
    expect(deleted.data.message).toBe(`Message with id ${id} has been deleted successfully.`);
  });

  it("are approved when there is no rule", async () => {
    const body = { sender: "alice", receiver: "bob", receiverType: "user", data: { text: "x" } };

    const { id } = (await chat("POST /moderation/messages", body)).data;

    expect((await chat(`GET /moderation/messages/${id}`)).data.data.moderation.status).toBe("approved");
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
    expect((await chat("POST /moderation/messages", { ...text, ...fields })).code).toBe(code);
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

async function form(
  platform: Platform,
  line: string,
  fields: Record<string, string | undefined>,
): Promise<Json> {
  const [method = "", path = ""] = line.split(" ");
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (name === "file") body.set("file", new Blob([value]), "terms.csv");
    else body.set(name, value);
  }
  const response = await fetch(`${platform.appUrl(app.appId)}${path}`, {
    method,
    headers: { apikey: app.fullAccessKey },
    body,
  });
  return { status: response.status, body: await response.json() };
}
