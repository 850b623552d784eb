import { publicUrlOf } from "../../lib/receive/webhook-url.ts";
import { listFirstUsers } from "../platform/store/users.ts";
import { type LocalStack, readSecret } from "./local-stack.ts";

/** @param nowMs makes an unused message id for the delivery */
export function writeAddresses(localStack: LocalStack, consoleUrl: string, nowMs: number): string {
  const { platform, cloud, app, webhook } = localStack;
  const { username, password } = webhook;
  const debuggers = Object.entries(cloud.inspectors)
    .map(([key, address]) => `\n  Debugger        ${address} (${key})`)
    .join("");
  const agents = Object.entries(cloud.functionUrls)
    .map(([key, url]) => `\n  Function URL    ${url} (${key})`)
    .join("");
  return `
Open
  ${consoleUrl}/   everything that happens here, to be seen and tried

Addresses
  Chat API        ${platform.appUrl(app.appId)}
  Receiver        ${webhook.url}
  Own functions   ${publicUrlOf(cloud.httpUrl)}${agents}
  Lambda          ${cloud.lambdaUrl}${debuggers}

${writeMessage(localStack)}Send a delivery of your own (this password opens nothing else; each id is answered once):
  curl -i ${webhook.url} -u ${username}:${password} -H 'content-type: application/json' \\
    -d '${writeDelivery(app.appId, nowMs)}'

Ctrl-C ends everything. The functions' log follows.

`;
}

function writeMessage({ platform, cloud, app: { appId } }: LocalStack) {
  const uids = listFirstUsers({ db: platform.services.db, appId }, 100).map(({ uid }) => uid);
  const isDefault = uids.includes("alice") && uids.includes("support");
  const [sender, receiver] = isDefault ? ["alice", "support"] : uids;
  if (sender === undefined || receiver === undefined) return "";
  return `Write another message, from ${sender} to ${receiver}:
  curl -s ${platform.appUrl(appId)}/messages -H 'apikey: ${readSecret(cloud, appId).apiKey}' \\
    -H 'onBehalfOf: ${sender}' -H 'content-type: application/json' \\
    -d '{"receiver":"${receiver}","receiverType":"user","type":"text","data":{"text":"What is the price?"}}'

`;
}

/** Writes the shortest body that `message_sent`'s triggers can handle. */
function writeDelivery(appId: string, nowMs: number) {
  const message = {
    id: String(nowMs),
    conversationId: "alice_user_support",
    sender: "alice",
    receiverType: "user",
    receiver: "support",
    category: "message",
    type: "text",
    data: { text: "What is the price?" },
  };
  return JSON.stringify({ trigger: "message_sent", appId, data: { message } });
}
