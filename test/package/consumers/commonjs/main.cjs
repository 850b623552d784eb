const assert = require("node:assert/strict");
const { ChatApiError, createChatClient } = require("cometchat-functions/chat");
const { parseEvent } = require("cometchat-functions/events");
const { onRequest } = require("cometchat-functions/functions");
const { onTrigger } = require("cometchat-functions/triggers");
const { createWebhookReceiver } = require("cometchat-functions/webhook");

const chat = createChatClient(JSON.parse(process.env.CONNECTION ?? ""));
const text = `A CommonJS module, Node ${process.version}`;

async function main() {
  const sent = await chat.messages.send(
    { receiver: "bob", receiverType: "user", data: { text } },
    { onBehalfOf: "alice" },
  );
  const refused = await chat.users.get("nobody").catch((error) => error);
  const imported = await import("cometchat-functions/chat");

  assert.equal(sent.sender, "alice");
  assert(refused instanceof ChatApiError);
  assert.equal(imported.ChatApiError, ChatApiError);
  assert.equal(await askFunction(), 204);
  for (const used of [parseEvent, onTrigger, createWebhookReceiver]) assert.equal(typeof used, "function");
  console.log(text);
}

/** Asks a function of one's own whether a page may call it, and gives the status of its answer. */
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

void main();
