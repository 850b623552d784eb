import { describe, expect, it } from "vitest";
import type { PlatformRecord } from "../../local/platform/services/records.ts";
import { chat, chatWith, startPlatform } from "./helpers.ts";

type RequestRecord = Extract<PlatformRecord, { type: "request" }>;

function listen(platform: { subscribe(listener: (record: PlatformRecord) => void): () => void }) {
  const requests: RequestRecord[] = [];
  platform.subscribe((record) => {
    if (record.type === "request") requests.push(record);
  });
  return requests;
}

const message = { receiver: "bob", receiverType: "user", type: "text", data: { text: "grüezi" } };

describe("the record of a request", () => {
  it("contains the caller, both bodies, and the certainty of the behaviour", async () => {
    const platform = await startPlatform();
    const requests = listen(platform);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const headers = { "user-agent": "curl/8.5.0", traceparent };

    const answer = await chatWith("POST /messages", { as: "alice", body: message, headers });

    expect(requests).toMatchObject([
      { method: "POST", userAgent: "curl/8.5.0", traceparent, fault: undefined, fidelity: "documented" },
    ]);
    const exchange = requests[0]?.exchange();
    expect(JSON.parse(new TextDecoder().decode(exchange?.sent))).toEqual(message);
    expect(JSON.parse(exchange?.answer ?? "")).toEqual(answer.body);
  });

  it("contains no body that the platform did not read", async () => {
    const platform = await startPlatform();
    const requests = listen(platform);

    await chatWith("POST /messages", { key: "wrong", body: message });

    expect(requests).toMatchObject([{ status: 401, code: "AUTH_ERR_APIKEY_NOT_FOUND" }]);
    expect(requests[0]?.exchange().sent).toBeUndefined();
  });

  it("also exists for a request that a fault dropped before it ran", async () => {
    const rules = [{ on: "request", fault: "dropBefore", count: 1 }] as const;
    const platform = await startPlatform({ faults: { rules } });
    const requests = listen(platform);

    await expect(chat("GET /users")).rejects.toThrow();

    expect(requests).toMatchObject([{ status: 0, fault: "dropBefore" }]);
  });

  it("omits the bodies from its JSON", async () => {
    const platform = await startPlatform();
    const requests = listen(platform);

    await chat("GET /users");

    expect(JSON.stringify(requests[0])).not.toContain("exchange");
  });
});

describe("the redactor", () => {
  it("leaves a flow id unchanged that begins like a token's time", async () => {
    const { services } = await startPlatform();
    const id = `remind_1795751509${"abcdef0123456789abcdef"}`;

    expect(services.redactor.text(`${id} alice_1795751509${"0f".repeat(16)}`)).toBe(`${id} [redacted]`);
  });

  it("handles an endless text that looks like the beginning of a token in the same time", async () => {
    const { services } = await startPlatform();
    const long = `${"a".repeat(200_000)} support_1780000000${"0a".repeat(20)}`;

    const clean = services.redactor.text(long);

    expect(clean.endsWith(" [redacted]")).toBe(true);
  });

  it("hides credentials of tools and custom agents", async () => {
    const { services } = await startPlatform();
    const tool = { slug: "t", name: "T", description: "d", endpoint: "https://a.example/", method: "GET" };
    const headers = JSON.stringify({ Authorization: "Bearer of-tool-1", Accept: "text/plain" });
    const own = {
      name: "A",
      icon: "https://a.example/i.png",
      integrationType: "agent",
      integrateWith: "ag-ui",
    };
    const basic = { enableBasicAuth: true, basicAuthUsername: "u", basicAuthPassword: "of-basic-2" };
    const made = [
      await chat("POST /ai-agents/agent-builder/api-tools", { ...tool, ...basic, headers }),
      await chat("POST /ai-agents/agents", {
        ...own,
        integrationMeta: { headers: { "X-Key": "of-agent-3" } },
      }),
      await chat("POST /ai-agents/agents", {
        ...own,
        name: "B",
        integrateWith: "rasa",
        integrationMeta: { headers: "X-Key: of-lines-4" },
      }),
    ];

    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(services.redactor.text("of-tool-1 of-basic-2 of-agent-3 of-lines-4 text/plain")).toBe(
      "[redacted] [redacted] [redacted] [redacted] text/plain",
    );
  });
});
