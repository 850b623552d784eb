import { ask } from "../../parts/ask.ts";
import { chatPath } from "./chat-api.ts";
import type { Answer, Message, Peer, Seat } from "./chat-types.ts";

export interface Outgoing {
  /** The client's own id, by which the message is recognised when it appears. */
  readonly muid: string;
  readonly text: string;
  readonly files: readonly File[];
  readonly quoted: Message | undefined;
  readonly error: unknown;
  /** The outcome of an accepted message that does not appear. */
  readonly note: string | undefined;
}

/** @throws AskError */
export async function sendOutgoing(
  { appId, uid }: Seat,
  { peer, parentId }: { peer: Peer; parentId?: string | undefined },
  { muid, text, files, quoted }: Outgoing,
): Promise<Message> {
  const path = chatPath(appId, parentId === undefined ? ["messages"] : ["messages", parentId, "thread"]);
  const fields = {
    receiver: peer.id,
    receiverType: peer.type,
    category: "message",
    muid,
    ...(quoted !== undefined && { quotedMessageId: quoted.id }),
  };
  const data = text === "" ? {} : { text };
  if (files.length === 0) {
    const body = { ...fields, type: "text", data };
    return (await ask<Answer<Message>>(path, { method: "POST", body, onBehalfOf: uid })).data;
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("data", JSON.stringify(data));
  for (const [index, file] of files.entries()) form.set(`file${index}`, file);
  return (await ask<Answer<Message>>(path, { method: "POST", body: form, onBehalfOf: uid })).data;
}
