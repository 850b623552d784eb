import { describe, expect, it } from "vitest";
import { idle, type Json, receive, startAt } from "../helpers.ts";
import { addCampaign, addTemplate, api } from "./helpers.ts";

describe("templates, categories and channels", () => {
  it("are stored, listed, changed, versioned and archived", async () => {
    const created = await addTemplate();
    const changed = await api("PUT /templates/spring-sale", { status: "approved" });
    const content = await api("PUT /templates/spring-sale/channels/in_app", { content: { a: 1 } });
    const version = await api("POST /templates/spring-sale/versions");
    const list = await api("GET /templates?status=approved&search=SALE");
    const archived = await api("DELETE /templates/spring-sale");

    expect([created.status, version.status]).toEqual([201, 201]);
    expect(created.data).toMatchObject({
      id: "spring-sale",
      templateId: "spring-sale",
      status: "draft",
      version: 1,
    });
    expect(changed.data.status).toBe("approved");
    expect(content.data.channels).toEqual([{ channelType: "in_app", content: { a: 1 } }]);
    expect(version.data.version).toBe(2);
    expect(list.data).toHaveLength(1);
    expect(archived.data.status).toBe("archived");
  });

  it("are read by id, with how they did", async () => {
    await addTemplate();

    const template = await api("GET /templates/spring-sale");
    const analytics = await api("GET /analytics/templates/spring-sale");

    expect(template.data).toMatchObject({ templateId: "spring-sale", name: "Spring Sale" });
    expect(analytics.data).toMatchObject({ templateId: "spring-sale" });
  });

  it("keep categories with names of their own", async () => {
    const { id } = (await api("POST /templates/categories", { name: "News" })).data;

    const changed = await api(`PUT /templates/categories/${id}`, { description: "d" });
    const read = await api(`GET /templates/categories/${id}`);
    const deleted = await api(`DELETE /templates/categories/${id}`);

    expect(changed.data).toMatchObject({ name: "News", description: "d" });
    expect(read.body).toEqual(changed.body);
    expect(deleted.status).toBe(200);
    expect((await api("GET /templates/categories")).data).toEqual([]);
  });

  it("keep channels", async () => {
    await api("POST /channels", { name: "Push", type: "push", channelId: "c1" });

    const changed = await api("PUT /channels/c1", { enabled: true });

    expect(changed.data).toMatchObject({ channelId: "c1", type: "push", enabled: true });
    expect((await api("GET /channels/c1")).body).toEqual(changed.body);
    expect((await api("GET /channels")).data).toHaveLength(1);
    expect((await api("GET /channels/availability")).data).toHaveLength(6);
  });
});

describe("campaigns", () => {
  it("go from draft to completed with an event", async () => {
    const receiver = await receive(["after_campaign_completed"]);
    const id = await addCampaign();

    const early = await api(`POST /campaigns/${id}/send`);
    const added = await api(`POST /campaigns/${id}/recipients`, {
      userIds: ["alice", "bob", "bob"],
    });
    const changed = await api(`PUT /campaigns/${id}`, { name: "Other" });
    const sent = await api(`POST /campaigns/${id}/send`);
    const late = await api(`DELETE /campaigns/${id}`);
    const summary = await api(`GET /campaigns/${id}/recipients/summary`);
    await idle();

    expect([early.code, late.code]).toEqual(["ERR_VALIDATION", "ERR_VALIDATION"]);
    expect(added.data).toEqual({ added: 2, total: 2 });
    expect(changed.data.name).toBe("Other");
    expect(sent.data).toMatchObject({ status: "completed", sentCount: 2 });
    expect(summary.data).toEqual({ total: 2, pending: 0, processing: 0, completed: 2, failed: 0 });
    expect(receiver.received[0]?.json.data).toMatchObject({
      campaignId: id,
      status: "completed",
      totalTargets: 2,
    });
  });

  it("are scheduled, cancelled, imported into and deleted", async () => {
    await startAt(1_000_000);
    const [first, second] = [await addCampaign(), await addCampaign()];

    const past = await api(`POST /campaigns/${first}/schedule`, { scheduledAt: 5 });
    const scheduled = await api(`POST /campaigns/${first}/schedule`, { scheduledAt: 2_000 });
    const cancelled = await api(`POST /campaigns/${first}/cancel`);
    const upload = await api(`POST /campaigns/${second}/recipients/upload-url`);
    const imported = await api(`POST /campaigns/${second}/import-csv`, {
      s3Key: upload.data.s3Key,
    });
    const status = await api(`GET /campaigns/${second}/import-status`);
    const deleted = await api(`DELETE /campaigns/${second}`);

    expect(past.status).toBe(400);
    expect([scheduled, cancelled].map(({ body }) => body.data.status)).toEqual(["scheduled", "cancelled"]);
    expect([upload.status, imported.status, status.data.status, deleted.status]).toEqual([
      201,
      202,
      "completed",
      200,
    ]);
    expect((await api("GET /campaigns")).data).toHaveLength(1);
  });

  it("are read by id, with their recipients and metrics", async () => {
    const id = await addCampaign();
    await api(`POST /campaigns/${id}/recipients`, { userIds: ["alice"] });

    const campaign = await api(`GET /campaigns/${id}`);
    const recipients = await api(`GET /campaigns/${id}/recipients`);
    const metrics = await api(`GET /campaigns/${id}/sequence-metrics`);

    expect(campaign.data).toMatchObject({ name: "Sale", templateId: "spring-sale" });
    expect(recipients.data).toMatchObject([{ userId: "alice" }]);
    expect(metrics.data).toEqual({ campaignId: id, steps: [] });
  });

  it("are listed in pages by a cursor", async () => {
    const ids = [await addCampaign(), await addCampaign(), await addCampaign()];

    const first = await api("GET /campaigns?limit=2&sort=createdAt&order=asc");
    const { id } = first.body.meta.next;
    const second = await api(`GET /campaigns?limit=2&sort=createdAt&order=asc&affix=append&id=${id}`);

    expect([...first.data, ...second.data].map((item: Json) => item.id)).toEqual(ids);
  });

  it.each([
    [1, { mode: "realtime", channels: ["in_app"] }],
    [11, { mode: "batch", total: 11 }],
  ])("send to %d receivers at once or in a batch", async (count, expected) => {
    await addTemplate();
    const body = {
      templateId: "spring-sale",
      receivers: Array.from({ length: count }, (_, index) => `u${index}`),
    };

    const early = await api("POST /notifications/messages", body);
    await api("PUT /templates/spring-sale", { status: "approved" });
    const sent = await api("POST /notifications/messages", body);

    expect(early.body.error).toMatchObject({ code: "ERR_VALIDATION", source: "campaigns-service" });
    expect(sent.data).toMatchObject(expected);
  });
});

describe("campaign operations", () => {
  it.each(["overview", "channels", "users/alice"])("answer analytics: %s", async (path) => {
    expect((await api(`GET /analytics/${path}`)).status).toBe(200);
  });

  it.each([
    ["ERR_NOT_FOUND", "GET /campaigns/none", undefined],
    ["ERR_TEMPLATE_NOT_FOUND", "POST /campaigns", { name: "x", templateId: "none", templateVersion: 1 }],
    ["ERR_VALIDATION", "POST /templates", { name: "x", channels: [] }],
    [
      "ERR_CONFLICT",
      "POST /templates",
      { name: "x", channels: [{ channelType: "push" }, { channelType: "push" }] },
    ],
    ["ERR_VALIDATION", "POST /channels", { name: "x", type: "pigeon" }],
    ["ERR_CHANNEL_NOT_FOUND", "GET /channels/none", undefined],
    ["ERR_FEED_ITEM_NOT_FOUND", "POST /notification-feed/none/read", undefined],
    ["ERR_NOT_FOUND", "PUT /push-notifications/none/clicked", undefined],
  ])("refuse with %s: %s", async (code, line, body) => {
    expect((await api(line, body)).code).toBe(code);
  });

  it("refuse the header of a user on operations of the server", async () => {
    const answer = await api("POST /channels", { name: "x", type: "push" }, "alice");

    expect(answer.code).toBe("ERR_VALIDATION");
  });
});
