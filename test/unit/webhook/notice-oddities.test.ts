import { describe, expect, it } from "vitest";
import { identify } from "../../../lib/events/identity.ts";
import { createNoticeOddities } from "../../../lib/webhook/notice-oddities.ts";
import { events } from "../../helpers/events/events.ts";

function createNoticing() {
  const counted: string[] = [];
  const ignore = () => undefined;
  const notice = createNoticeOddities({
    log: { debug: ignore, info: ignore, error: ignore, warn: ignore },
    count: (name, dimensions) => counted.push(`${name} ${JSON.stringify(dimensions)}`),
    now: () => 0,
  });
  const deliver = (body: unknown, more: { appId?: string; isReplaced?: boolean } = {}) => {
    const { appId = "app-1", isReplaced = false } = more;
    const before = counted.length;
    notice({ appId, isReplaced, body }, identify(body, appId));
    return counted.slice(before).map((line) => line.split(" ")[0]);
  };
  return { deliver, counted };
}

const sent = (more: object = {}) => ({
  trigger: "message_sent",
  data: { message: { id: "1", conversationId: "c" } },
  appId: "app-1",
  webhook: "functions",
  ...more,
});

describe("createNoticeOddities", () => {
  it("says nothing of usual deliveries, whatever their family", () => {
    const { deliver, counted } = createNoticing();

    for (const body of [events.messageSent(), events.groupMemberJoined(), events.botMessage()]) {
      deliver({ ...body, appId: "app-1" });
      deliver({ ...body, appId: "app-1" });
    }
    deliver([]);
    deliver(undefined);
    for (const appId of [undefined, null, ""]) deliver(sent({ appId, webhook: undefined }));

    expect(counted).toEqual([]);
  });

  it.each([["app-2"], [7]])("tells when the body names the app %j", (appId) => {
    const { deliver, counted } = createNoticing();

    expect(deliver(sent({ appId }))).toEqual(["AppIdMismatch"]);
    expect(counted).toEqual(['AppIdMismatch {"appId":"app-1"}']);
  });

  it("takes an app id that is a number for the same as text", () => {
    expect(createNoticing().deliver(sent({ appId: 42 }), { appId: "42" })).toEqual([]);
  });

  it("tells that a password was replaced", () => {
    expect(createNoticing().deliver(sent(), { isReplaced: true })).toEqual(["ReplacedPasswordUsed"]);
  });

  it.each([
    ["before_message", { ...sent(), trigger: "before_message" }],
    ["moderation", { contextMessages: [{ alice: "hello" }] }],
  ])("tells that a question of %s came where nobody answers", (_kind, body) => {
    expect(createNoticing().deliver(body)).toEqual(["QuestionAtWebhooks"]);
  });
});
