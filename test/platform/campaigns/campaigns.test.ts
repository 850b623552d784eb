import { describe, expect, it } from "vitest";
import { idle, type Json, receive } from "../helpers.ts";
import { addCampaign, addTemplate, api } from "./helpers.ts";

describe("campaigns", () => {
  it("go from draft to completed with an event", async () => {
    const receiver = await receive(["after_campaign_completed"]);
    const id = await addCampaign();

    const early = await api(`POST /campaigns/${id}/send`);
    const added = await api(`POST /campaigns/${id}/recipients`, {
      userIds: ["alice", "bob", "bob"],
    });
    await api(`POST /campaigns/${id}/send`);
    const late = await api(`DELETE /campaigns/${id}`);
    const summary = await api(`GET /campaigns/${id}/recipients/summary`);
    await idle();

    expect([early.code, late.code]).toEqual(["ERR_VALIDATION", "ERR_VALIDATION"]);
    expect(added.data).toEqual({ added: 2, total: 2 });
    expect(summary.data).toEqual({ total: 2, pending: 0, processing: 0, completed: 2, failed: 0 });
    expect(receiver.received[0]?.json.data).toMatchObject({ status: "completed", totalTargets: 2 });
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
  it("refuse the header of a user on operations of the server", async () => {
    const answer = await api("POST /channels", { name: "x", type: "push" }, "alice");

    expect(answer.code).toBe("ERR_VALIDATION");
  });
});
