import { composeChatClient, messages } from "cometchat-functions/chat";

const chat = composeChatClient(JSON.parse(process.env.CONNECTION ?? ""), { messages });
const text = "A bundle";

await chat.messages.send({ receiver: "bob", receiverType: "user", data: { text } }, { onBehalfOf: "alice" });
console.log(text);
