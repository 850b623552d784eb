import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { act, app, chat, dataOf, type Json, manage, sendText, startAt, startPlatform } from "./helpers.ts";

const prefix = "core.conversations.updateOn";

describe("settings of an app", () => {
  it.each([
    ["GroupActions", true, addToLobby],
    ["Replies", true, replyInLobby],
    ["MessageActions", false, editInLobby],
    ["CallActivity", false, callLobby],
    ["CustomMessage", true, sendCustomToLobby],
  ])("choose by updateOn%s the last message of a conversation", async (key, initially, does) => {
    const moved: boolean[] = [];
    for (const setting of [undefined, !initially]) {
      const platform = await startPlatform({ clock: createVirtualClock() });
      if (setting !== undefined) await set({ [`${prefix}${key}`]: setting });
      const first = await sendText("first", "alice", "lobby");

      await does(first.id);

      moved.push((await lobbyOf("alice")).lastMessage.id !== first.id);
      await platform.close();
    }

    expect(moved).toEqual([initially, !initially]);
  });

  it("keep a conversation's place and time if configured, but not its unread count", async () => {
    const clock = await startAt();
    await set({ [`${prefix}Replies`]: false });
    const first = await sendText("first", "alice", "lobby");
    const before = await lobbyOf("bob");
    await clock.advance(60_000);

    await replyInLobby(first.id);

    const after = await lobbyOf("bob");
    expect(after.updatedAt).toBe(before.updatedAt);
    expect([before.unreadMessageCount, after.unreadMessageCount].map(Number)).toEqual([1, 2]);
  });

  it("let a conversation begin with a message that would not move it", async () => {
    await act("/calls", { caller: "alice", receiver: "bob" });

    const { data } = (await chat("GET /conversations", "bob")).body;
    expect(data).toMatchObject([{ lastMessage: { category: "call" } }]);
  });
});

async function set(settings: Record<string, boolean>) {
  await manage(`POST /apps/${app.appId}/settings`, { settings });
}

async function lobbyOf(as: string): Promise<Json> {
  return await dataOf("GET /groups/lobby/conversation", as);
}

async function addToLobby() {
  await chat("POST /groups/lobby/members", "support", { participants: ["helper"] });
}

async function replyInLobby(id: string) {
  await chat(`POST /messages/${id}/thread`, "support", {
    receiver: "lobby",
    receiverType: "group",
    data: { text: "reply" },
  });
}

async function editInLobby(id: string) {
  await chat(`PUT /messages/${id}`, "alice", { data: { text: "edited" } });
}

async function callLobby() {
  await act("/calls", { caller: "alice", receiver: "lobby", receiverType: "group" });
}

async function sendCustomToLobby() {
  await chat("POST /messages", "alice", {
    receiver: "lobby",
    receiverType: "group",
    category: "custom",
    type: "location",
    data: { customData: { at: "here" } },
  });
}
