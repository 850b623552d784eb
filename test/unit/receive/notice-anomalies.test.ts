import { describe, expect, it } from "vitest";
import { identify } from "../../../lib/events/identity.ts";
import { reconcileWebhook } from "../../../lib/events/occurrence.ts";
import { createNoticeAnomalies } from "../../../lib/receive/notice-anomalies.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createHintTools } from "../../helpers/hint-tools.ts";

function createNoticing() {
  const { tools, namesOf, ...heard } = createHintTools();
  const notice = createNoticeAnomalies(tools);
  const deliver = (body: unknown, more: { appId?: string; isReplaced?: boolean } = {}) => {
    const { appId = "app-1", isReplaced = false } = more;
    return namesOf(() => notice({ appId, isReplaced, body }, identify(body, appId)));
  };
  return { deliver, ...heard };
}

const sent = (more: object = {}) => ({
  trigger: "message_sent",
  data: { message: { id: "1", conversationId: "c" } },
  appId: "app-1",
  webhook: "functions",
  ...more,
});

describe("createNoticeAnomalies", () => {
  it("reports nothing for usual deliveries of any family", () => {
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

  it.each([["app-2"], [7]])("reports a body with the app %j", (appId) => {
    const { deliver, counted } = createNoticing();

    expect(deliver(sent({ appId }))).toEqual(["AppIdMismatch"]);
    expect(counted).toEqual(['AppIdMismatch {"appId":"app-1"}']);
  });

  it("treats a numeric app id like its text", () => {
    expect(createNoticing().deliver(sent({ appId: 42 }), { appId: "42" })).toEqual([]);
  });

  it("reports the use of a replaced password", () => {
    expect(createNoticing().deliver(sent(), { isReplaced: true })).toEqual(["ReplacedPasswordUsed"]);
  });

  it.each([
    ["before_message", { ...sent(), trigger: "before_message" }],
    ["moderation", { contextMessages: [{ alice: "hello" }] }],
  ])("reports a question of %s that arrived at the webhooks address", (_kind, body) => {
    expect(createNoticing().deliver(body)).toEqual(["QuestionAtWebhooks"]);
  });

  it("reports two webhooks that alternate for one trigger, as long as both deliver", () => {
    const { deliver, said, clock } = createNoticing();
    const other = sent({ webhook: "other" });

    expect(deliver(sent())).toEqual([]);
    expect(deliver(other)).toEqual([]);
    expect(deliver(sent())).toEqual(["TwoWebhooks"]);
    expect(deliver(sent())).toEqual([]);
    expect(deliver(other)).toEqual(["TwoWebhooks"]);
    expect(said).toEqual([{ appId: "app-1", trigger: "message_sent", webhooks: "functions, other" }]);

    clock.ms = 3_600_000;
    expect(deliver(sent())).toEqual([]);
  });

  it("does not report a replaced webhook, or webhooks of different triggers and apps", () => {
    const { deliver, counted } = createNoticing();

    for (const webhook of ["functions", "other", "other", "third", "other triggers"])
      deliver(sent({ webhook }));
    deliver({ ...sent(), trigger: "message_edited" });
    deliver(sent({ appId: "app-2" }), { appId: "app-2" });
    deliver(sent({ trigger: "push-notification", webhook: "custom" }));

    expect(counted).toEqual([]);
  });

  it("does not take a message from reconcile for another webhook's", () => {
    const { deliver, counted } = createNoticing();

    for (const webhook of ["functions", reconcileWebhook, "functions", reconcileWebhook])
      deliver(sent({ webhook }));

    expect(counted).toEqual([]);
  });

  it("reports three that alternate, and cuts long names", () => {
    const { deliver, said } = createNoticing();
    const names = ["functions", "other", "x".repeat(100_000)];

    for (const webhook of names) deliver(sent({ webhook }));

    expect(names.map((webhook) => deliver(sent({ webhook })))).toEqual(Array(3).fill(["TwoWebhooks"]));
    expect(JSON.stringify(said).length).toBeLessThan(500);
  });

  it("remembers a limited number of names and triggers", () => {
    const { deliver, counted } = createNoticing();

    for (let count = 0; count < 6; count += 1) deliver(sent({ webhook: `webhook ${count}` }));
    deliver(sent({ webhook: "webhook 0" }));
    for (let count = 0; count < 500; count += 1) deliver(sent({ trigger: `made up ${count}` }));
    deliver(sent({ webhook: "webhook 5" }));

    expect(counted).toEqual([]);
  });
});
