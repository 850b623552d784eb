import { describe, expect, it } from "vitest";
import { app, chat, codeOf, dataOf, own, sendText, startPlatform, startReceiver } from "./helpers.ts";

/** A customer's service that sends a request before it answers its first question, and accepts everything. */
async function judgeWhile(meanwhile: () => Promise<unknown>) {
  const { url } = await startReceiver(async (count) => {
    if (count === 1) await meanwhile();
    return { status: 200, body: '{"isMatchingCondition":false,"confidence":1}' };
  });
  await own(`PUT /apps/${app.appId}/moderation-services/check`, { url });
  const asking = { category: "custom-api", value: ["check_greaterThan_80"] };
  await chat("POST /moderation/rules", { id: "c", name: "C", conditions: [asking] });
}

const start = async () => await startPlatform({ switches: { customModerationTimeoutMs: 60_000 } });
const bad = { id: "r", name: "R", conditions: [{ category: "word", value: ["bad"] }] };
const blocked = async () => await dataOf("GET /moderation/blocked-messages");

describe("a message that changes during moderation of its edit", () => {
  it.each([
    ["edited", ["PUT"], { data: { attachments: [{ url: "x" }] } }, undefined, ["bad"]],
    ["purged", ["DELETE"], { data: { text: "bad" } }, "ERR_MESSAGE_ID_NOT_FOUND", []],
    ["disapproved", ["POST", "PATCH"], { data: { text: "fine" } }, undefined, []],
  ])("%s: is not shown, and is listed in its current state", async (_, methods, edit, code, listed) => {
    await start();
    const { id } = await sendText("good");
    const calls: Record<string, () => Promise<unknown>> = {
      PUT: () => chat(`PUT /messages/${id}`, "alice", { data: { text: "bad" } }),
      DELETE: () => chat(`DELETE /messages/${id}`, { permanent: true }),
      POST: () => chat(`POST /messages/${id}/flagged`, "bob", { reasonId: "spam" }),
      PATCH: () => chat(`PATCH /moderation/flagged-messages/${id}`, { status: "disapproved" }),
    };
    await judgeWhile(async () => {
      for (const method of methods) await calls[method]?.();
    });
    await chat("POST /moderation/rules", bad);

    expect(await codeOf(`PUT /messages/${id}`, "alice", edit)).toBe(code);
    expect((await chat(`GET /messages/${id}`, "bob")).status).not.toBe(200);
    expect((await blocked()).map(({ message }: { message: Message }) => message.data.text)).toEqual(listed);
  });
});

type Message = { data: { text: string } };

describe("a message that becomes forbidden during moderation", () => {
  it.each([
    ["DELETE /users/alice", { permanent: true }, "ERR_UID_NOT_FOUND"],
    ["DELETE /users/alice", {}, "ERR_UID_NOT_FOUND"],
    ["DELETE /groups/lobby/members/alice", {}, "ERR_GROUP_NOT_JOINED"],
    ["POST /groups/lobby/bannedusers/alice", {}, "ERR_BANNED_GROUPMEMBER"],
    ["DELETE /messages/1", { permanent: true }, "ERR_MESSAGE_ID_NOT_FOUND"],
  ])("%s %j: is not stored", async (line, body, code) => {
    await start();
    const { id } = await sendText("quoted", "bob", "lobby");
    expect(id).toBe("1");
    await judgeWhile(() => chat(line, body));

    const text = { receiver: "lobby", receiverType: "group", data: { text: "late" } };
    expect(await codeOf("POST /messages", "alice", { ...text, quotedMessageId: id })).toBe(code);
    expect(JSON.stringify(await dataOf("GET /messages?limit=100"))).not.toContain("late");
  });
});
