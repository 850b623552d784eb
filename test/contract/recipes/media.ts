import type { ChatClient } from "../../../lib/chat/client.ts";
import type { Attachments } from "../../../lib/effects/http/attachments.ts";

export async function sendPicture(chat: ChatClient) {
  // recipe: Send a picture
  const url = "https://cdn.example.com/map.png";
  const picture = await chat.messages.send(
    {
      receiver: "alice",
      receiverType: "user",
      type: "image",
      data: {
        attachments: [{ url, name: "map.png", mimeType: "image/png", extension: "png", size: 48_213 }],
      },
    },
    { onBehalfOf: "support" },
  );
  // end
  return picture;
}

interface Received {
  readonly data?:
    | { readonly attachments?: readonly { readonly url?: string | undefined }[] | undefined }
    | undefined;
}

export async function openFile(attachments: Attachments, message: Received) {
  const kept: Uint8Array[] = [];
  const keep = (part: Uint8Array, type: string) => void (type !== "" && kept.push(part));
  // recipe: Open what a user sent
  const [attachment] = message.data?.attachments ?? [];
  if (attachment !== undefined) {
    const { body, type } = await attachments.open(attachment, { maxBytes: 5_000_000, types: ["image/*"] });
    for await (const part of body) keep(part, type);
  }
  // end
  return Buffer.concat(kept).toString();
}
