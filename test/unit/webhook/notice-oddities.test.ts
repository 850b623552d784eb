import { describe, expect, it } from "vitest";
import { identify } from "../../../lib/events/identity.ts";
import { createNoticeOddities } from "../../../lib/webhook/notice-oddities.ts";
import { events } from "../../helpers/events/events.ts";

function createNoticing() {
  const clock = { ms: 0 };
  const counted: string[] = [];
  const said: object[] = [];
  const ignore = () => undefined;
  const notice = createNoticeOddities({
    log: { debug: ignore, info: ignore, error: ignore, warn: (_text, fields) => said.push(fields) },
    count: (name, dimensions) => counted.push(`${name} ${JSON.stringify(dimensions)}`),
    now: () => clock.ms,
  });
  const deliver = (body: unknown, more: { appId?: string; isReplaced?: boolean } = {}) => {
    const { appId = "app-1", isReplaced = false } = more;
    const before = counted.length;
    notice({ appId, isReplaced, body }, identify(body, appId));
    return counted.slice(before).map((line) => line.split(" ")[0]);
  };
  return { deliver, clock, counted, said };
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

  it("tells that two webhooks deliver one trigger, as long as both do", () => {
    const { deliver, clock, said } = createNoticing();

    expect(deliver(sent())).toEqual([]);
    expect(deliver(sent({ webhook: "other" }))).toEqual(["TwoWebhooks"]);
    expect(deliver(sent())).toEqual([]);
    expect(deliver(sent({ webhook: "other" }))).toEqual(["TwoWebhooks"]);
    expect(said).toEqual([{ appId: "app-1", trigger: "message_sent", webhooks: "functions, other" }]);

    clock.ms = 3_600_000;
    expect(deliver(sent({ webhook: "other" }))).toEqual([]);
    expect(deliver(sent({ webhook: "other" }))).toEqual([]);
  });

  it("has nothing against two webhooks of different triggers, or of two apps", () => {
    const { deliver, counted } = createNoticing();

    deliver(sent());
    deliver(sent({ webhook: "other", trigger: "group_created" }));
    deliver(sent({ webhook: "other", appId: "app-2" }), { appId: "app-2" });

    expect(counted).toEqual([]);
  });

  it("tells that both engines deliver for one app", () => {
    const { deliver } = createNoticing();

    expect(deliver(sent())).toEqual([]);
    expect(deliver({ ...events.legacyMessageReadReceipt(), appId: "app-1" })).toContain("TwoEngines");
  });

  it("remembers no more names than it can bear, and never a whole name of any length in the log", () => {
    const { deliver, said } = createNoticing();
    for (let count = 0; count < 2_000; count += 1) deliver(sent({ trigger: `made up ${count}` }));

    deliver(sent({ webhook: "x".repeat(100_000) }));
    deliver(sent({ webhook: "y" }));

    expect(JSON.stringify(said).length).toBeLessThan(500);
  });
});
