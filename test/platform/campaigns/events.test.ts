import { describe, expect, it } from "vitest";
import { idle, receive, settled, startPlatform } from "../helpers.ts";
import { addCampaign, api } from "./helpers.ts";

describe("sending", () => {
  it("reports the notification and gives each receiver the content of the template's channels", async () => {
    const { receiver } = await withWebhook();

    const sent = await notify(["alice", "nobody"]);
    await idle();

    const told = receiver.received.map(({ json }) => json);
    const created = told.find(({ trigger }) => trigger === "after_notification_created");
    const items = told.filter((item) => item !== created);
    expect(created).toMatchObject({
      trigger: "after_notification_created",
      data: {
        notificationId: sent.data.notificationId,
        templateId: "news",
        templateVersion: 1,
        category: "Alerts",
        label: "daily",
        tags: ["a"],
        sendMode: "realtime",
        channels: ["in_app", "push"],
        status: "dispatching",
        totalTargets: 2,
        sentCount: 0,
      },
    });
    expect(created.data).not.toHaveProperty("campaignId");
    expect(items.map(({ trigger, data }) => [trigger, data.receiver]).toSorted()).toEqual([
      ["after_feed_item_sent", "alice"],
      ["after_feed_item_sent", "nobody"],
      ["after_push_notification_sent", "alice"],
      ["after_push_notification_sent", "nobody"],
    ]);
    const feed = items.find(({ trigger }) => trigger === "after_feed_item_sent");
    expect(feed.data).toMatchObject({
      channelType: "in_app",
      status: "sent",
      templateCategory: "Alerts",
      deliveredAt: null,
      readAt: null,
      engagedAt: null,
      realtimeFanout: ["websocket"],
      content: { body: "hi" },
    });
    const push = items.find(({ trigger }) => trigger === "after_push_notification_sent");
    expect(push.data).toMatchObject({ channelType: "push", category: "Alerts", clickedAt: null, tag: "t" });
    expect(push.data.pushNotificationId).toBeTypeOf("string");
  });

  it("gives a campaign's recipients the same, with the campaign's id", async () => {
    const { receiver } = await withWebhook();
    await newsTemplate();
    const { id } = (await api("POST /campaigns", { name: "n", templateId: "news", templateVersion: 1 })).data;
    await api(`POST /campaigns/${id}/recipients`, { userIds: ["alice"] });

    await api(`POST /campaigns/${id}/send`);
    await idle();

    expect(receiver.received.map(({ json }) => [json.trigger, json.data.campaignId]).toSorted()).toEqual([
      ["after_campaign_completed", id],
      ["after_feed_item_sent", id],
      ["after_notification_created", id],
      ["after_push_notification_sent", id],
    ]);
    const numbers = (await api(`GET /analytics/campaigns/${id}`)).data;
    expect(numbers).toMatchObject({ sent: 2, delivered: 0, viewed: 0 });
  });

  it("fails a campaign whose template is archived", async () => {
    const { receiver } = await withWebhook();
    const id = await addCampaign();
    await api(`POST /campaigns/${id}/recipients`, { userIds: ["alice"] });
    await api("DELETE /templates/spring-sale");

    const sent = await api(`POST /campaigns/${id}/send`);
    await idle();

    expect(sent.data).toMatchObject({ status: "failed", sentCount: 0, failedCount: 1 });
    expect(receiver.received.map(({ json }) => json.trigger)).toEqual(["after_campaign_failed"]);
    expect((await api("GET /notification-feed", undefined, "alice")).data).toEqual([]);
  });
});

describe("feeds", () => {
  it("show a user's own items, and have one event each for reading and engagement", async () => {
    const { receiver } = await withWebhook();
    await notify(["alice", "bob"]);
    const id = await firstItem("/notification-feed", "alice");
    const at = `/notification-feed/${id}`;
    const before = await settled(receiver);

    await api(`POST ${at}/read`, undefined, "alice");
    await api(`POST ${at}/read`, undefined, "alice");
    await api(`POST ${at}/delivered`, undefined, "alice");
    await api(`POST ${at}/engagement`, { topic: "liked" }, "alice");
    const list = await api("GET /notification-feed?readState=read", undefined, "alice");
    const others = await api(`POST ${at}/read`, undefined, "bob");
    await idle();

    expect(list.data).toHaveLength(1);
    expect(others.code).toBe("ERR_FEED_ITEM_NOT_FOUND");
    // Reading also delivers, as observed live: both events show it.
    const told = receiver.received.slice(before).map(({ json }) => json);
    expect(told.map(({ trigger, data }) => [trigger, data.status, data.topic]).toSorted()).toEqual([
      ["after_feed_item_delivered", "read", undefined],
      ["after_feed_item_interacted", "read", "liked"],
      ["after_feed_item_read", "read", undefined],
    ]);
    expect(told.every(({ data }) => data.id === id && !("content" in data))).toBe(true);
  });

  it("report delivery, reading and interaction separately if switched to it", async () => {
    const { platform, receiver } = await withWebhook();
    platform.switches.feedItemForm = "documented";
    await notify(["alice"]);
    const at = `/notification-feed/${await firstItem("/notification-feed", "alice")}`;
    const before = await settled(receiver);

    await api(`POST ${at}/engagement`, {}, "alice");
    await api(`POST ${at}/read`, undefined, "alice");
    await api(`POST ${at}/delivered`, undefined, "alice");
    await idle();

    const told = receiver.received.slice(before).map(({ json }) => json);
    expect(told.map(({ trigger }) => trigger).toSorted()).toEqual([
      "after_feed_item_delivered",
      "after_feed_item_interacted",
      "after_feed_item_read",
    ]);
    const interacted = told.find(({ trigger }) => trigger === "after_feed_item_interacted")?.data;
    expect(interacted).toMatchObject({ status: "read", interactedAt: expect.any(Number) });
    expect(interacted).not.toHaveProperty("topic");
  });

  it("show push notifications, delivered and clicked", async () => {
    const { receiver } = await withWebhook();
    await notify(["alice", "bob"]);
    const id = await firstItem("/push-notifications?limit=10", "bob");
    const before = await settled(receiver);

    await api(`PUT /push-notifications/${id}/delivered`, undefined, "bob");
    await api(`PUT /push-notifications/${id}/clicked`, undefined, "bob");
    await api(`PUT /push-notifications/${id}/delivered`, undefined, "bob");
    await api(`POST /push-notifications/${id}/engagement`, {}, "bob");
    await idle();

    const { data } = (await api(`GET /push-notifications/${id}`, undefined, "bob")).body;
    expect(data).toMatchObject({ topic: "clicked", status: "clicked" });
    expect([data.deliveredAt, data.clickedAt, data.engagedAt].every((at) => typeof at === "number")).toBe(
      true,
    );
    const told = receiver.received.slice(before).map(({ json }) => [json.trigger, json.data.status]);
    expect(told.toSorted()).toEqual([
      ["after_push_notification_clicked", "clicked"],
      ["after_push_notification_delivered", "delivered"],
    ]);
  });
});

async function withWebhook() {
  const platform = await startPlatform();
  const receiver = await receive(campaignTriggers);
  return { platform, receiver };
}

function newsTemplate() {
  return api("POST /templates", {
    name: "News",
    status: "approved",
    templateCategory: "Alerts",
    label: "daily",
    tags: ["a"],
    channels: [
      { channelType: "in_app", content: { body: "hi" } },
      { channelType: "push", content: { body: "hi" } },
    ],
  });
}

async function notify(receivers: string[]) {
  await newsTemplate();
  return api("POST /notifications/messages", { templateId: "news", receivers, tag: "t" });
}

async function firstItem(path: string, uid: string): Promise<string> {
  return (await api(`GET ${path}`, undefined, uid)).data[0].id;
}

const campaignTriggers = [
  "after_campaign_completed",
  "after_campaign_failed",
  "after_notification_created",
  "after_feed_item_sent",
  "after_feed_item_delivered",
  "after_feed_item_read",
  "after_feed_item_interacted",
  "after_push_notification_sent",
  "after_push_notification_delivered",
  "after_push_notification_clicked",
];
