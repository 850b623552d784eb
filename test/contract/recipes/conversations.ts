import type { ChatClient } from "../../../lib/chat/client.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../../../lib/chat/errors.ts";

export async function sendOnBehalf(chat: ChatClient) {
  // recipe: Send on behalf of a user, once
  const muid = "order-4711-shipped"; // your own id for this message: the same for every try
  const text = "Your order is on its way 📦";
  const message = await chat.messages.send(
    { receiver: "alice", receiverType: "user", type: "text", data: { text }, muid },
    { onBehalfOf: "support" },
  );
  // end
  return message;
}

export async function flagAndReview(chat: ChatClient, messageId: string) {
  // recipe: Flag and review a message
  await chat.reasons.create({ id: "off-topic", name: "Off topic" });
  await chat.flaggedMessages.flag(
    messageId,
    { reasonId: "off-topic", remark: "twice today" },
    { onBehalfOf: "bob" },
  );
  for await (const flagged of chat.flaggedMessages.list()) {
    if (flagged.id) await chat.flaggedMessages.review(flagged.id, { status: "approved" });
  }
  // end
}

export async function keepReasons(chat: ChatClient) {
  // recipe: Keep moderation reasons as declared
  const declared = new Map([
    ["off-topic", "Off topic"],
    ["selling", "Selling things"],
  ]);
  const existing = await chat.reasons.list().toArray({ limit: Infinity });
  for (const [id, name] of declared) {
    const reason = existing.find((known) => known.id === id);
    if (!reason) await chat.reasons.create({ id, name });
    else if (reason.name !== name) await chat.reasons.update(id, { name });
  }
  for (const reason of existing) {
    if (!reason.default && !declared.has(reason.id)) await chat.reasons.delete(reason.id);
  }
  // end
}

export async function handleErrors(chat: ChatClient, log: (line: string) => void) {
  // recipe: Distinguish refusals, missing answers and wrong calls
  try {
    await chat.users.get("nobody");
  } catch (error) {
    if (error instanceof ChatApiError && error.code === "ERR_UID_NOT_FOUND") log("There is no such user.");
    else if (error instanceof ChatApiError)
      log(`Refused: ${error.message}`); // error.retryable, error.retryAfterMs
    else if (error instanceof ChatUnreachableError)
      log(`No answer: ${error.message}`); // error.maybeExecuted
    else if (error instanceof InvalidInputError) log(`Never sent: ${error.field} must be ${error.rule}`);
    else throw error;
  }
  // end
}

export async function stayWithinTime(chat: ChatClient, context: { getRemainingTimeInMillis(): number }) {
  // recipe: Stay within the function's time
  const deadlineMs = Date.now() + context.getRemainingTimeInMillis() - 500; // leave 500 ms for the answer
  const user = await chat.users.get("alice", { deadlineMs, timeoutMs: 2_000 });
  const groups = await chat.groups.list({ hasJoined: true }, { onBehalfOf: "alice", deadlineMs }).page();
  // end
  return { user, groups };
}
