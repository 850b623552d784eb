import { describe, expect, it } from "vitest";
import type { Platform } from "../../local/platform/create-platform.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { act, app, chat, type Json, manage, sendText, startPlatform } from "./helpers.ts";

const prefix = "core.conversations.updateOn";

describe("settings of an app", () => {
  it.each([
    { key: "GroupActions", initially: true, does: addToLobby },
    { key: "Replies", initially: true, does: replyInLobby },
    { key: "MessageActions", initially: false, does: editInLobby },
    { key: "CallActivity", initially: false, does: callLobby },
    { key: "CustomMessage", initially: true, does: sendCustomToLobby },
  ])(
    "choose by updateOn$key what becomes a conversation's last message",
    async ({ key, initially, does }) => {
      const moved: boolean[] = [];
      for (const setting of [undefined, true, false]) {
        const platform = await startPlatform({ clock: createVirtualClock() });
        if (setting !== undefined) await set(platform, { [`${prefix}${key}`]: setting });
        const first = await sendText(platform, "first", "alice", "lobby");

        await does(platform, first.id);

        moved.push((await lobbyOf(platform, "alice")).lastMessage.id !== first.id);
        await platform.close();
      }

      expect(moved).toEqual([initially, true, false]);
    },
  );

  it("keep a conversation in its place and its time when they say so, but not its unread count", async () => {
    const clock = createVirtualClock();
    const platform = await startPlatform({ clock });
    await set(platform, { [`${prefix}Replies`]: false });
    const first = await sendText(platform, "first", "alice", "lobby");
    const before = await lobbyOf(platform, "bob");
    await clock.advance(60_000);

    await replyInLobby(platform, first.id);

    const after = await lobbyOf(platform, "bob");
    expect(after.updatedAt).toBe(before.updatedAt);
    expect([before.unreadMessageCount, after.unreadMessageCount].map(Number)).toEqual([1, 2]);
  });

  it("let a conversation begin with what would not move it", async () => {
    const platform = await startPlatform();

    await act(platform, "/calls", { caller: "alice", receiver: "bob" });

    const { data } = (await chat(platform, "GET /conversations", { as: "bob" })).body;
    expect(data).toMatchObject([{ lastMessage: { category: "call" } }]);
  });

  it("are each app's own, and gone when they are put back", async () => {
    const platform = await startPlatform();
    await set(platform, { [`${prefix}Replies`]: false });
    await manage(platform, `DELETE /apps/${app.appId}/settings`);
    const first = await sendText(platform, "first", "alice", "lobby");

    await replyInLobby(platform, first.id);

    expect((await lobbyOf(platform, "alice")).lastMessage.id).not.toBe(first.id);
  });
});

async function set(platform: Platform, settings: Record<string, boolean>): Promise<void> {
  await manage(platform, `POST /apps/${app.appId}/settings`, { body: { settings } });
}

async function lobbyOf(platform: Platform, as: string): Promise<Json> {
  return (await chat(platform, "GET /groups/lobby/conversation", { as })).body.data;
}

async function addToLobby(platform: Platform): Promise<void> {
  await chat(platform, "POST /groups/lobby/members", { as: "support", body: { participants: ["helper"] } });
}

async function replyInLobby(platform: Platform, id: string): Promise<void> {
  await chat(platform, `POST /messages/${id}/thread`, {
    as: "support",
    body: { receiver: "lobby", receiverType: "group", data: { text: "reply" } },
  });
}

async function editInLobby(platform: Platform, id: string): Promise<void> {
  await chat(platform, `PUT /messages/${id}`, { as: "alice", body: { data: { text: "edited" } } });
}

async function callLobby(platform: Platform): Promise<void> {
  await act(platform, "/calls", { caller: "alice", receiver: "lobby", receiverType: "group" });
}

async function sendCustomToLobby(platform: Platform): Promise<void> {
  await chat(platform, "POST /messages", {
    as: "alice",
    body: {
      receiver: "lobby",
      receiverType: "group",
      category: "custom",
      type: "location",
      data: { customData: { at: "here" } },
    },
  });
}
