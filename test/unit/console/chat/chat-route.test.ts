import { describe, expect, it } from "vitest";
import {
  type ChatRoute,
  chatHash,
  readChatRoute,
} from "../../../../local/console/page/views/chat/chat-route.ts";

describe("the address of the chat view", () => {
  it.each<[string, ChatRoute]>([
    ["#/chat", { appId: undefined, left: {}, beside: undefined }],
    [
      "#/chat/alice/alice_user_bob?message=7",
      {
        appId: undefined,
        left: { uid: "alice", conversationId: "alice_user_bob", message: "7" },
        beside: undefined,
      },
    ],
    ["#/chat/alice?beside=", { appId: undefined, left: { uid: "alice" }, beside: {} }],
    [
      "#/chat/alice/group_lobby?app=second&thread=3&besideThread=4&beside=bob%2Fgroup_lobby",
      {
        appId: "second",
        left: { uid: "alice", conversationId: "group_lobby", thread: "3" },
        beside: { uid: "bob", conversationId: "group_lobby", thread: "4" },
      },
    ],
  ])("%s is parsed to each side's content, and written back", (hash, route) => {
    const [path = "", search = ""] = hash.slice(2).split("?");
    const [, ...rest] = path.split("/");

    expect(chatHash(route)).toBe(hash);
    expect(readChatRoute({ rest, query: new URLSearchParams(search) })).toEqual(route);
  });
});
