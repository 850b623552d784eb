import { describe, expect, it } from "vitest";
import { isSelected, type Selection } from "../../../lib/queue/set-aside.ts";

const message = {
  id: "id-1",
  appId: "app-1",
  trigger: "message_sent",
  reason: "patience",
  cause: "ChatApiError: 503 from the Gateway",
  deliveryKey: "app-1|message_sent|7",
  receivedAt: 1_000,
  setAsideAt: 5_000,
};

describe("isSelected", () => {
  const picking: Selection[] = [
    {},
    { id: "id-1" },
    { ids: new Set(["id-0", "id-1"]) },
    { deliveryKey: "app-1|message_sent|7" },
    { appId: "app-1", trigger: "message_sent" },
    { text: "PATIENCE" },
    { text: "503 from the gateway" },
    { received: { fromMs: 1_000, beforeMs: 1_001 } },
    { setAside: { fromMs: 5_000 } },
    { setAside: { beforeMs: 5_001 } },
  ];
  it.each(picking)("selects by %o", (selection) => {
    expect(isSelected(message, selection)).toBe(true);
  });

  const passing: Selection[] = [
    { id: "id-2" },
    { ids: new Set(["id-0"]) },
    { deliveryKey: "app-1|message_sent|8" },
    { appId: "app-2", trigger: "message_sent" },
    { appId: "app-1", trigger: "message_edited" },
    { text: "tries" },
    { received: { fromMs: 1_001 } },
    { received: { beforeMs: 1_000 } },
    { setAside: { fromMs: 5_001 } },
    { setAside: { beforeMs: 5_000 } },
    { received: { fromMs: 0 }, setAside: { beforeMs: 0 } },
  ];
  it.each(passing)("skips with %o", (selection) => {
    expect(isSelected(message, selection)).toBe(false);
  });

  describe("by the payload", () => {
    const payload = {
      data: {
        message: { sender: "alice", conversationId: "alice_user_bob", data: { text: "Where is my Order?" } },
      },
    };
    const body = JSON.stringify({ body: JSON.stringify(payload), base64: false });
    it.each([
      [{ user: "alice" }, true],
      [{ user: "ali" }, false],
      [{ conversation: "alice_user_bob" }, true],
      [{ conversation: "alice_user_carol" }, false],
      [{ text: "my order" }, true],
      [{ text: "my order", user: "carol" }, false],
      [{ text: "alice_user" }, false],
    ])("selects by %j: %s", (selection, isIn) => {
      expect(isSelected(message, selection, body)).toBe(isIn);
    });

    it.each(["", "no JSON", '{"body":1}', '{"body":"AAAA","base64":true,"gzip":true}'])(
      "finds no user in %j",
      (other) => {
        expect(isSelected(message, { user: "alice" }, other)).toBe(false);
      },
    );
  });

  it("finds no ticket by a time of receipt", () => {
    expect(isSelected({ ...message, receivedAt: undefined }, { received: {} })).toBe(false);
  });
});
