import type { LocalStack } from "../../local/stack/local-stack.ts";
import { callApp } from "./call-app.ts";

/** Alice writes to support. Returns the message's id. */
export async function writeToSupport(
  world: Pick<LocalStack, "platform" | "app">,
  text: string,
): Promise<string> {
  const message = { receiver: "support", receiverType: "user", type: "text", data: { text } };
  const { data } = await callApp(world, "POST /messages", message, { onBehalfOf: "alice" });
  return String(Object(data).id);
}
