import { describe, expect, it } from "vitest";
import type { Platform } from "../../../local/platform/create-platform.ts";
import { addWebhook, startPlatform, startReceiver } from "../helpers.ts";
import { addCampaign, api } from "./helpers.ts";

describe("sending", () => {
  it("tells of the notification and gives each receiver what the template's channels say", async () => {
    const { platform, receiver } = await withWebhook();

    const sent = await notify(platform, ["alice", "nobody"]);
    await platform.idle();

    const told = receiver.received.map(({ json }) => json);
    const created = told.find(({ trigger }) => trigger === "after_notification_created");
    const items = told.filter((item) => item !== created);
    expect(created).toMatchObject({
      trigger: "after_notification_created",
      data: {
        notificationId: sent.body.data.notificationId,
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
    const { platform, receiver } = await withWebhook();
    await newsTemplate(platform);
    const { id } = (
      await api(platform, "POST /campaigns", { name: "n", templateId: "news", templateVersion: 1 })
    ).body.data;
    await api(platform, `POST /campaigns/${id}/recipients`, { userIds: ["alice"] });

    await api(platform, `POST /campaigns/${id}/send`);
    await platform.idle();

    expect(receiver.received.map(({ json }) => [json.trigger, json.data.campaignId]).toSorted()).toEqual([
      ["after_campaign_completed", id],
      ["after_feed_item_sent", id],
      ["after_notification_created", id],
      ["after_push_notification_sent", id],
    ]);
    const numbers = (await api(platform, `GET /analytics/campaigns/${id}`)).body.data;
    expect(numbers).toMatchObject({ sent: 2, delivered: 0, viewed: 0 });
  });

  it("fails a campaign whose template is archived", async () => {
    const { platform, receiver } = await withWebhook();
    const id = await addCampaign(platform);
    await api(platform, `POST /campaigns/${id}/recipients`, { userIds: ["alice"] });
    await api(platform, "DELETE /templates/spring-sale");

    const sent = await api(platform, `POST /campaigns/${id}/send`);
    await platform.idle();

    expect(sent.body.data).toMatchObject({ status: "failed", sentCount: 0, failedCount: 1 });
    expect(receiver.received.map(({ json }) => json.trigger)).toEqual(["after_campaign_failed"]);
    expect((await api(platform, "GET /notification-feed", undefined, "alice")).body.data).toEqual([]);
  });
});

describe("feeds", () => {
  it("show one item by its id", async () => {
    const { platform } = await withWebhook();
    await notify(platform, ["alice"]);
    const id = await firstItem(platform, "/notification-feed", "alice");

    const item = await api(platform, `GET /notification-feed/${id}`, undefined, "alice");

    expect(item.body.data).toMatchObject({ id, receiver: "alice" });
  });

  it("show a user's items, read, engaged and deleted, and tell once of each", async () => {
    const { platform, receiver } = await withWebhook();
    await notify(platform, ["alice", "bob"]);
    const id = await firstItem(platform, "/notification-feed", "alice");
    const at = `/notification-feed/${id}`;
    const before = await settled(platform, receiver);

    const unread = await api(
      platform,
      "GET /notification-feed/unread-count?templateCategory=Alerts",
      undefined,
      "alice",
    );
    const read = await api(platform, `POST ${at}/read`, undefined, "alice");
    await api(platform, `POST ${at}/read`, undefined, "alice");
    await api(platform, `POST ${at}/delivered`, undefined, "alice");
    const engaged = await api(platform, `POST ${at}/engagement`, { topic: "liked" }, "alice");
    const list = await api(platform, "GET /notification-feed?readState=read", undefined, "alice");
    const others = await api(platform, `POST ${at}/read`, undefined, "bob");
    const deleted = await api(platform, `DELETE ${at}`);
    await platform.idle();

    expect(unread.body.data).toEqual({ count: 1 });
    expect(read.body.data).toMatchObject({ status: "read", readAt: expect.any(Number) });
    expect(engaged.body.data).toMatchObject({ topic: "liked" });
    expect(list.body.data).toHaveLength(1);
    expect(others.body.error.code).toBe("ERR_FEED_ITEM_NOT_FOUND");
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    expect((await api(platform, "GET /notification-feed", undefined, "alice")).body.data).toEqual([]);
    // Reading has delivered too, as it was seen live: both events say so.
    const told = receiver.received.slice(before).map(({ json }) => json);
    expect(told.map(({ trigger, data }) => [trigger, data.status, data.topic]).toSorted()).toEqual([
      ["after_feed_item_delivered", "read", undefined],
      ["after_feed_item_interacted", "read", "liked"],
      ["after_feed_item_read", "read", undefined],
    ]);
    expect(told.every(({ data }) => data.id === id && !("content" in data))).toBe(true);
  });

  it("tell of delivery, reading and interaction apart where the switch says so", async () => {
    const { platform, receiver } = await withWebhook();
    platform.switches.feedItemForm = "documented";
    await notify(platform, ["alice"]);
    const at = `/notification-feed/${await firstItem(platform, "/notification-feed", "alice")}`;
    const before = await settled(platform, receiver);

    await api(platform, `POST ${at}/engagement`, {}, "alice");
    await api(platform, `POST ${at}/read`, undefined, "alice");
    await api(platform, `POST ${at}/delivered`, undefined, "alice");
    await platform.idle();

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
    const { platform, receiver } = await withWebhook();
    await notify(platform, ["alice", "bob"]);
    const id = await firstItem(platform, "/push-notifications?limit=10", "bob");
    const before = await settled(platform, receiver);

    await api(platform, `PUT /push-notifications/${id}/delivered`, undefined, "bob");
    await api(platform, `PUT /push-notifications/${id}/clicked`, undefined, "bob");
    await api(platform, `PUT /push-notifications/${id}/delivered`, undefined, "bob");
    await api(platform, `POST /push-notifications/${id}/engagement`, {}, "bob");
    await platform.idle();

    const { data } = (await api(platform, `GET /push-notifications/${id}`, undefined, "bob")).body;
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
  const receiver = await startReceiver();
  await addWebhook(platform, receiver.url, campaignTriggers);
  return { platform, receiver };
}

function newsTemplate(platform: Platform) {
  return api(platform, "POST /templates", {
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

async function notify(platform: Platform, receivers: string[]) {
  await newsTemplate(platform);
  return api(platform, "POST /notifications/messages", { templateId: "news", receivers, tag: "t" });
}

async function firstItem(platform: Platform, path: string, uid: string): Promise<string> {
  return (await api(platform, `GET ${path}`, undefined, uid)).body.data[0].id;
}

/** Waits for the deliveries so far and counts them. */
async function settled(platform: Platform, receiver: { received: unknown[] }): Promise<number> {
  await platform.idle();
  return receiver.received.length;
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
