import assert from "node:assert/strict";
import { ChatApiError, createChatClient } from "cometchat-functions/chat";
import { identify, parseEvent } from "cometchat-functions/events";
import { onRequest } from "cometchat-functions/functions";
import { onTrigger, textPattern } from "cometchat-functions/triggers";
import { createWebhookReceiver } from "cometchat-functions/webhook";

const chat = createChatClient(JSON.parse(process.env.CONNECTION ?? ""));
const text = `An ES module, Node ${process.version}`;

const sent = await chat.messages.send(
  { receiver: "bob", receiverType: "user", data: { text } },
  { onBehalfOf: "alice" },
);
const refused = await chat.users.get("nobody").catch((error) => error);
const imported = await import("cometchat-functions/chat");

assert.equal(sent.sender, "alice");
assert(refused instanceof ChatApiError);
assert.equal(imported.ChatApiError, ChatApiError); // the same class if it was required
assert.equal(refused.code, "ERR_UID_NOT_FOUND");
assert.equal(typeof parseEvent, "function");
assert.equal(typeof identify, "function");
assert.equal(typeof createWebhookReceiver, "function");
assert.equal(await askFunction(), 204);
assert(onTrigger("message_sent", { where: { text: textPattern("refund") } }, async () => {}));
console.log(text);

/** Asks a custom function whether a page may call it, and returns the status of its answer. */
async function askFunction() {
  Object.assign(process.env, { SECRET_PREFIX: "shop/local", CHAT_BASE_URL_TEMPLATE: "http://127.0.0.1:9" });
  const origin = "https://shop.example";
  const handler = onRequest({ auth: "none", origins: () => [origin] }, async () => {});
  const answer = await handler(
    {
      pathParameters: { appId: "local-app" }, // the app that the package's own config/apps.yml names
      headers: { origin },
      requestContext: { http: { method: "OPTIONS", sourceIp: "127.0.0.1" } },
    },
    { awsRequestId: "1", getRemainingTimeInMillis: () => 5_000 },
  );
  return answer.statusCode;
}
