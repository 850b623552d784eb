import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../local/platform/services/clock.ts";
import { addWebhook, app, chat, type Json, startPlatform, startReceiver } from "../helpers.ts";
import { addCampaign, addTemplate, api } from "./helpers.ts";

describe("templates, categories and channels", () => {
  it("are stored, listed, changed, versioned and archived", async () => {
    const platform = await startPlatform();

    const created = await addTemplate(platform);
    const changed = await api(platform, "PUT /templates/spring-sale", { status: "approved" });
    const content = await api(platform, "PUT /templates/spring-sale/channels/in_app", { content: { a: 1 } });
    const version = await api(platform, "POST /templates/spring-sale/versions");
    const list = await api(platform, "GET /templates?status=approved&search=SALE");
    const archived = await api(platform, "DELETE /templates/spring-sale");

    expect([created.status, version.status]).toEqual([201, 201]);
    expect(created.body.data).toMatchObject({
      id: "spring-sale",
      templateId: "spring-sale",
      status: "draft",
      version: 1,
    });
    expect(changed.body.data.status).toBe("approved");
    expect(content.body.data.channels).toEqual([{ channelType: "in_app", content: { a: 1 } }]);
    expect(version.body.data.version).toBe(2);
    expect(list.body.data).toHaveLength(1);
    expect(archived.body.data.status).toBe("archived");
  });

  it("are read by id, with how they did", async () => {
    const platform = await startPlatform();
    await addTemplate(platform);

    const template = await api(platform, "GET /templates/spring-sale");
    const analytics = await api(platform, "GET /analytics/templates/spring-sale");

    expect(template.body.data).toMatchObject({ templateId: "spring-sale", name: "Spring Sale" });
    expect(analytics.body.data).toMatchObject({ templateId: "spring-sale" });
  });

  it("keep categories with names of their own", async () => {
    const platform = await startPlatform();
    const { id } = (await api(platform, "POST /templates/categories", { name: "News" })).body.data;

    const changed = await api(platform, `PUT /templates/categories/${id}`, { description: "d" });
    const read = await api(platform, `GET /templates/categories/${id}`);
    const deleted = await api(platform, `DELETE /templates/categories/${id}`);

    expect(changed.body.data).toMatchObject({ name: "News", description: "d" });
    expect(read.body).toEqual(changed.body);
    expect(deleted.status).toBe(200);
    expect((await api(platform, "GET /templates/categories")).body.data).toEqual([]);
  });

  it("keep channels", async () => {
    const platform = await startPlatform();
    await api(platform, "POST /channels", { name: "Push", type: "push", channelId: "c1" });

    const changed = await api(platform, "PUT /channels/c1", { enabled: true });

    expect(changed.body.data).toMatchObject({ channelId: "c1", type: "push", enabled: true });
    expect((await api(platform, "GET /channels/c1")).body).toEqual(changed.body);
    expect((await api(platform, "GET /channels")).body.data).toHaveLength(1);
    expect((await api(platform, "GET /channels/availability")).body.data).toHaveLength(6);
  });
});

describe("campaigns", () => {
  it("go from draft to completed with an event", async () => {
    const platform = await startPlatform();
    const receiver = await startReceiver();
    await addWebhook(platform, receiver.url, ["after_campaign_completed"]);
    const id = await addCampaign(platform);

    const early = await api(platform, `POST /campaigns/${id}/send`);
    const added = await api(platform, `POST /campaigns/${id}/recipients`, {
      userIds: ["alice", "bob", "bob"],
    });
    const changed = await api(platform, `PUT /campaigns/${id}`, { name: "Other" });
    const sent = await api(platform, `POST /campaigns/${id}/send`);
    const late = await api(platform, `DELETE /campaigns/${id}`);
    const summary = await api(platform, `GET /campaigns/${id}/recipients/summary`);
    await platform.idle();

    expect([early.body.error.code, late.body.error.code]).toEqual(["ERR_VALIDATION", "ERR_VALIDATION"]);
    expect(added.body.data).toEqual({ added: 2, total: 2 });
    expect(changed.body.data.name).toBe("Other");
    expect(sent.body.data).toMatchObject({ status: "completed", sentCount: 2 });
    expect(summary.body.data).toEqual({ total: 2, pending: 0, processing: 0, completed: 2, failed: 0 });
    expect(receiver.received[0]?.json.data).toMatchObject({
      campaignId: id,
      status: "completed",
      totalTargets: 2,
    });
  });

  it("are scheduled, cancelled, imported into and deleted", async () => {
    const platform = await startPlatform({ clock: createVirtualClock(1_000_000) });
    const [first, second] = [await addCampaign(platform), await addCampaign(platform)];

    const past = await api(platform, `POST /campaigns/${first}/schedule`, { scheduledAt: 5 });
    const scheduled = await api(platform, `POST /campaigns/${first}/schedule`, { scheduledAt: 2_000 });
    const cancelled = await api(platform, `POST /campaigns/${first}/cancel`);
    const upload = await api(platform, `POST /campaigns/${second}/recipients/upload-url`);
    const imported = await api(platform, `POST /campaigns/${second}/import-csv`, {
      s3Key: upload.body.data.s3Key,
    });
    const status = await api(platform, `GET /campaigns/${second}/import-status`);
    const deleted = await api(platform, `DELETE /campaigns/${second}`);

    expect(past.status).toBe(400);
    expect([scheduled, cancelled].map(({ body }) => body.data.status)).toEqual(["scheduled", "cancelled"]);
    expect([upload.status, imported.status, status.body.data.status, deleted.status]).toEqual([
      201,
      202,
      "completed",
      200,
    ]);
    expect((await api(platform, "GET /campaigns")).body.data).toHaveLength(1);
  });

  it("are read by id, with their recipients and metrics", async () => {
    const platform = await startPlatform();
    const id = await addCampaign(platform);
    await api(platform, `POST /campaigns/${id}/recipients`, { userIds: ["alice"] });

    const campaign = await api(platform, `GET /campaigns/${id}`);
    const recipients = await api(platform, `GET /campaigns/${id}/recipients`);
    const metrics = await api(platform, `GET /campaigns/${id}/sequence-metrics`);

    expect(campaign.body.data).toMatchObject({ name: "Sale", templateId: "spring-sale" });
    expect(recipients.body.data).toMatchObject([{ userId: "alice" }]);
    expect(metrics.body.data).toEqual({ campaignId: id, steps: [] });
  });

  it("are listed in pages by a cursor", async () => {
    const platform = await startPlatform();
    const ids = [await addCampaign(platform), await addCampaign(platform), await addCampaign(platform)];

    const first = await api(platform, "GET /campaigns?limit=2&sort=createdAt&order=asc");
    const { id } = first.body.meta.next;
    const second = await api(
      platform,
      `GET /campaigns?limit=2&sort=createdAt&order=asc&affix=append&id=${id}`,
    );

    expect([...first.body.data, ...second.body.data].map((item: Json) => item.id)).toEqual(ids);
  });

  it.each([
    [1, { mode: "realtime", channels: ["in_app"] }],
    [11, { mode: "batch", total: 11 }],
  ])("send to %d receivers at once or in a batch", async (count, expected) => {
    const platform = await startPlatform();
    await addTemplate(platform);
    const body = {
      templateId: "spring-sale",
      receivers: Array.from({ length: count }, (_, index) => `u${index}`),
    };

    const early = await api(platform, "POST /notifications/messages", body);
    await api(platform, "PUT /templates/spring-sale", { status: "approved" });
    const sent = await api(platform, "POST /notifications/messages", body);

    expect(early.body.error).toMatchObject({ code: "ERR_VALIDATION", source: "campaigns-service" });
    expect(sent.body.data).toMatchObject(expected);
  });
});

describe("campaign operations", () => {
  it.each(["overview", "channels", "users/alice"])("answer analytics: %s", async (path) => {
    const platform = await startPlatform();

    expect((await api(platform, `GET /analytics/${path}`)).status).toBe(200);
  });

  it.each([
    ["ERR_NOT_FOUND", "GET /campaigns/none", undefined],
    ["ERR_NOT_FOUND", "PUT /campaigns/none", { name: "X" }],
    ["ERR_VALIDATION", "GET /campaigns?updatedAt=soon", undefined],
    ["ERR_VALIDATION", "GET /campaigns?limit=all", undefined],
    ["ERR_VALIDATION", "PUT /campaigns/none", {}],
    ["ERR_NOT_FOUND", "POST /campaigns/none/send", undefined],
    ["ERR_NOT_FOUND", "GET /campaigns/none/import-status", undefined],
    ["ERR_NOT_FOUND", "GET /campaigns/none/sequence-metrics", undefined],
    ["ERR_NOT_FOUND", "GET /analytics/campaigns/none", undefined],
    ["ERR_TEMPLATE_NOT_FOUND", "GET /analytics/templates/none", undefined],
    ["ERR_TEMPLATE_NOT_FOUND", "PUT /templates/none", { name: "X" }],
    ["ERR_TEMPLATE_NOT_FOUND", "POST /campaigns", { name: "x", templateId: "none", templateVersion: 1 }],
    ["ERR_VALIDATION", "POST /campaigns", { name: "x" }],
    ["ERR_VALIDATION", "POST /templates", { name: "x", channels: [] }],
    [
      "ERR_CONFLICT",
      "POST /templates",
      { name: "x", channels: [{ channelType: "push" }, { channelType: "push" }] },
    ],
    ["ERR_VALIDATION", "POST /templates/categories", {}],
    ["ERR_VALIDATION", "POST /channels", { name: "x", type: "pigeon" }],
    ["ERR_CHANNEL_NOT_FOUND", "GET /channels/none", undefined],
    ["ERR_NOT_FOUND", "DELETE /templates/categories/none", undefined],
    ["ERR_FEED_ITEM_NOT_FOUND", "POST /notification-feed/none/read", undefined],
    ["ERR_VALIDATION", "GET /notification-feed/unread-count", undefined],
    ["ERR_VALIDATION", "GET /push-notifications", undefined],
    ["ERR_NOT_FOUND", "PUT /push-notifications/none/clicked", undefined],
  ])("refuse with %s: %s", async (code, line, body) => {
    const platform = await startPlatform();

    const answer = await api(platform, line, body);
    const [method, path] = line.split(" ");
    const unauthorised = await chat(platform, `${method} /campaigns${path}`, { body, key: app.authOnlyKey });

    expect(answer.body.error?.code).toBe(code);
    expect(unauthorised.body.error.code).toBe("AUTH_ERR_NO_ACCESS");
  });

  it("refuse the header of a user on operations of the server", async () => {
    const platform = await startPlatform();

    const answer = await api(platform, "POST /channels", { name: "x", type: "push" }, "alice");

    expect(answer.body.error.code).toBe("ERR_VALIDATION");
  });
});
