import type { LocalStack } from "../../local/stack/local-stack.ts";

/** Alice writes to support. Gives the message's id. */
export async function writeToSupport(
  { platform, app }: Pick<LocalStack, "platform" | "app">,
  text: string,
): Promise<string> {
  const answer = await fetch(`${platform.appUrl(app.appId)}/messages`, {
    method: "POST",
    headers: { apikey: app.fullAccessKey, onBehalfOf: "alice", "content-type": "application/json" },
    body: JSON.stringify({ receiver: "support", receiverType: "user", type: "text", data: { text } }),
  });
  const { data } = JSON.parse(await answer.text());
  return String(data.id);
}
