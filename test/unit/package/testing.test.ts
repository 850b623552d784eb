import { createPlatform } from "cometchat-functions/platform";
import { events, signedLambdaEvent, signedRequest } from "cometchat-functions/testing";
import { createWebhookReceiver, toLambdaHandler, type WebhookDelivery } from "cometchat-functions/webhook";
import { describe, expect, it, onTestFinished } from "vitest";
import { currentTriggers, legacyTriggers } from "../../../local/platform/webhooks/trigger-table.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const target = { url: "https://example.com/webhooks/app-1", username: "platform", password: "aPassword1" };

describe("signedRequest", () => {
  it("has the headers and the body of the platform's deliveries", async () => {
    const { url, requests } = await startLoopbackServer((_request, response) => response.end("{}"));
    const platform = await createPlatform();
    onTestFinished(() => platform.close());
    platform.add({ webhooks: [{ ...target, url, triggers: ["message_sent"] }] });
    await platform.user("alice").sends({ to: "bob", text: "Grüße 👋" });
    await platform.settled();
    const [sent] = requests;
    if (sent === undefined) throw new Error("The platform sent nothing.");

    const made = signedRequest({ ...target, url }, JSON.parse(sent.body));

    const { host: _, connection: __, ...headers } = sent.headers;
    expect(Object.fromEntries(made.headers)).toEqual(headers);
    expect(made.method).toBe(sent.method);
    expect(await made.text()).toBe(sent.body);
  });

  it("signs the bytes with a secret, so that a receiver refuses forgeries", async () => {
    const { receive, kept } = createReceiver({ signingKeys: ["whsec-4711"] });
    const body = events.messageSent({ text: "hi" });

    const signed = await receive(signedRequest({ ...target, webhookSecret: "whsec-4711" }, body));
    const forged = await receive(signedRequest({ ...target, webhookSecret: "another" }, body));
    const stranger = await receive(signedRequest({ ...target, password: "wrong" }, body));

    expect([signed.status, forged.status, stranger.status]).toEqual([200, 401, 401]);
    expect(kept).toHaveLength(1);
  });
});

describe("signedLambdaEvent", () => {
  it("is accepted by a function behind API Gateway", async () => {
    const { receive, kept } = createReceiver();
    const at = new Date("2026-11-20T12:00:01Z");

    const event = signedLambdaEvent(target, events.messageSent({ text: "Grüße 👋" }), { at });
    const result = await toLambdaHandler(receive)(event);

    expect(result).toMatchObject({ statusCode: 200 });
    expect(kept).toMatchObject([{ appId: "app-1", event: { trigger: "message_sent" } }]);
    expect(event).toMatchObject({
      routeKey: "POST /webhooks/{appId}",
      pathParameters: { appId: "app-1" },
      requestContext: { timeEpoch: at.getTime() },
    });
  });

  it("uses the given route, and the default route otherwise", () => {
    const url = "https://example.com/hook?x=1";

    const named = signedLambdaEvent({ ...target, url }, "{}", { route: "ANY /{proxy+}" });
    const other = signedLambdaEvent({ ...target, url }, "{}");

    expect(named).toMatchObject({ routeKey: "ANY /{proxy+}", pathParameters: { proxy: "hook" } });
    expect(other).toMatchObject({ routeKey: "$default", rawPath: "/hook", rawQueryString: "x=1" });
  });
});

it("events has a builder for every trigger of the platform", () => {
  const built = Object.values(events).map((build) => build());

  const names = new Set(built.flatMap((body) => ("trigger" in body ? [body.trigger] : [])));
  const missing = [...Object.keys(currentTriggers), ...Object.keys(legacyTriggers)].filter(
    (trigger) => !names.has(trigger),
  );
  // This subscription's event is called after_connection_status_changed
  // (docs/internals/platform/legacy-engine.md#legacy-triggers).
  expect(missing).toEqual(["user_connection_status_change"]);
  expect(built.length).toBeGreaterThanOrEqual(60);
});

function createReceiver(more: { readonly signingKeys?: readonly string[] } = {}) {
  const kept: WebhookDelivery[] = [];
  const { username, password } = target;
  const receive = createWebhookReceiver({
    apps: { "app-1": { credentials: [{ username, password }], ...more } },
    store: { put: async (delivery) => void kept.push(delivery) },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return { receive, kept };
}
