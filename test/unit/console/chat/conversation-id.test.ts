import { describe, expect, it } from "vitest";
import { conversationOf, peerOf } from "../../../../local/console/page/views/chat/chat-api.ts";

describe("peerOf", () => {
  it.each([
    ["alice", "alice_user_bob", { type: "user", id: "bob" }],
    ["bob", "alice_user_bob", { type: "user", id: "alice" }],
    ["alice", "group_lobby", { type: "group", id: "lobby" }],
    // Ids that contain the words of a conversation's id.
    ["a_user_b", "a_user_b_user_zoe", { type: "user", id: "zoe" }],
    ["zoe", "a_user_b_user_zoe", { type: "user", id: "a_user_b" }],
    ["zoe", "group_x_user_zoe", { type: "user", id: "group_x" }],
    ["alice", "group_x_user_zoe", { type: "group", id: "x_user_zoe" }],
  ])("finds the peer of %s in %s", (uid, conversationId, peer) => {
    expect(peerOf(uid, conversationId)).toEqual(peer);
  });

  it("recognizes a conversation of other users", () => {
    expect(peerOf("support", "alice_user_bob")).toBeUndefined();
    expect(peerOf("alice", "bob_user_alice")).toBeUndefined();
  });

  it("reads what conversationOf writes", () => {
    for (const peer of [
      { type: "user", id: "aaron" },
      { type: "user", id: "zoe" },
      { type: "group", id: "lobby" },
    ] as const) {
      expect(peerOf("mia", conversationOf("mia", peer))).toEqual(peer);
    }
  });
});
