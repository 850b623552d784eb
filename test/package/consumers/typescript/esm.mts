import {
  ChatApiError,
  type ChatClient,
  type ChatClientOptions,
  createChatClient,
} from "cometchat-functions/chat";
import { type ChatEvent, parseEvent } from "cometchat-functions/events";
import { defineFlow } from "cometchat-functions/flows";
import { type HttpFunction, onRequest } from "cometchat-functions/functions";
import { createPlatform, type Platform } from "cometchat-functions/platform";
import { events, runTrigger } from "cometchat-functions/testing";
import { onTrigger, type Trigger } from "cometchat-functions/triggers";
import { createWebhookReceiver, type WebhookStore } from "cometchat-functions/webhook";

const options: ChatClientOptions = JSON.parse(process.env.CONNECTION ?? "");
const chat: ChatClient = createChatClient(options);
const text = "An ES module in TypeScript";

const sent = await chat.messages.send(
  { receiver: "bob", receiverType: "user", data: { text } },
  { onBehalfOf: "alice" },
);
const sender: string | undefined = sent.sender;
// @ts-expect-error: a message's id is not a number
const id: number = sent.id;
const code = await chat.users
  .get("nobody")
  .catch((error: unknown) => (error instanceof ChatApiError ? error.code : error));
if (sender !== "alice" || code !== "ERR_UID_NOT_FOUND") throw new Error(`${sender} ${id} ${code}`);

export const kinds: [ChatEvent?, Platform?, Trigger?, WebhookStore?, HttpFunction?] = [];
export const made = [
  parseEvent,
  defineFlow,
  createPlatform,
  events,
  runTrigger,
  onRequest,
  onTrigger,
  createWebhookReceiver,
];
console.log(text);
