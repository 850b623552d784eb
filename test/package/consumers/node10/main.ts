import {
  ChatApiError,
  type ChatClient,
  type ChatClientOptions,
  createChatClient,
} from "cometchat-functions/chat";
import { parseEvent } from "cometchat-functions/events";
import { onTrigger } from "cometchat-functions/triggers";

const options: ChatClientOptions = JSON.parse(process.env.CONNECTION ?? "");
const chat: ChatClient = createChatClient(options);
const text = "A module of an old resolution";

async function main(): Promise<void> {
  const sent = await chat.messages.send(
    { receiver: "bob", receiverType: "user", data: { text } },
    { onBehalfOf: "alice" },
  );
  const error: unknown = await chat.users.get("nobody").catch((reason: unknown) => reason);
  if (sent.sender !== "alice" || !(error instanceof ChatApiError)) throw new Error(String(error));
  console.log(text);
}

void main();

export const made = [parseEvent, onTrigger];
