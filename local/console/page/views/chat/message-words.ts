import type { Message } from "./chat-types.ts";

export function sayMessage(message: Message): string {
  if (message.deletedAt !== undefined) return "Message deleted";
  const text = messageText(message);
  switch (message.category) {
    case "action":
      return actionWords(message);
    case "call":
      return callWords(message);
    case "custom":
      return text ?? `Custom message of type ${message.type}`;
    case "message":
      return text ?? attachmentsOf(message)[0]?.name ?? mediaWords[message.type] ?? message.type;
    default:
      return text ?? `${message.category} message of type ${message.type}`;
  }
}

export function messageText({ data }: Message): string | undefined {
  const { text } = data;
  if (typeof text !== "string" || text === "") return undefined;
  return splitMentions(text, data.mentions)
    .map((part) => part.text)
    .join("");
}

/** Mentions are `<@uid:…>`; `isMention` parts contain the name. */
export function splitMentions(
  text: string,
  mentions: unknown,
): readonly { readonly text: string; readonly isMention: boolean }[] {
  return text
    .split(/(<@uid:[^<>\s]{1,100}>)/)
    .filter((part) => part !== "")
    .map((part) => {
      const uid = /^<@uid:([^<>\s]+)>$/.exec(part)?.[1];
      if (uid === undefined) return { text: part, isMention: false };
      return { text: `@${textIn(inside(mentions, uid), "name") ?? uid}`, isMention: true };
    });
}

export interface Attachment {
  readonly url: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number | undefined;
}

export function attachmentsOf({ data }: Message): readonly Attachment[] {
  const listed: unknown[] = Array.isArray(data.attachments) ? data.attachments : [];
  const found = listed.length > 0 || typeof data.url !== "string" ? listed : [{ url: data.url }];
  return found.flatMap((item) => {
    const url = textIn(item, "url");
    if (url === undefined) return [];
    const size = inside(item, "size");
    return [
      {
        url,
        name: textIn(item, "name") ?? url.split("/").at(-1) ?? "file",
        mimeType: textIn(item, "mimeType") ?? "",
        size: typeof size === "number" ? size : undefined,
      },
    ];
  });
}

export interface ShownReaction {
  readonly reaction: string;
  readonly count: number;
  readonly isMine: boolean;
}

export function shownReactions({ data }: Message): readonly ShownReaction[] {
  const listed: unknown[] = Array.isArray(data.reactions) ? data.reactions : [];
  return listed.flatMap((item) => {
    const reaction = textIn(item, "reaction");
    const count = inside(item, "count");
    if (reaction === undefined || typeof count !== "number") return [];
    return [{ reaction, count, isMine: inside(item, "reactedByMe") === true }];
  });
}

export function moderationOf({ data }: Message): { status: string; rule: string | undefined } | undefined {
  const status = textIn(data.moderation, "status");
  if (status === undefined) return undefined;
  const rule = inside(data.moderation, "rule");
  return { status, rule: textIn(rule, "name") ?? textIn(rule, "id") };
}

export function senderName(message: Message): string {
  const sender = inside(inside(message.data.entities, "sender"), "entity");
  return textIn(sender, "name") ?? entityName(message, "by") ?? message.sender;
}

export function isLine({ category }: Message): boolean {
  return category === "action" || category === "call";
}

function actionWords(message: Message): string {
  const action = textIn(message.data, "action") ?? message.type;
  const by = entityName(message, "by") ?? message.sender;
  const on = entityName(message, "on") ?? "somebody";
  if (message.type === "groupMember") {
    const write = memberWords[action];
    return write === undefined ? `${by} ${action} ${on}` : write(by, on);
  }
  const id = textIn(inside(inside(message.data.entities, "on"), "entity"), "id");
  return `${by} ${action} message ${id ?? ""}`.trim();
}

function callWords(message: Message): string {
  const action = textIn(message.data, "action") ?? "";
  const by = entityName(message, "by") ?? senderName(message);
  const kind = message.type === "video" ? "video call" : "voice call";
  const write = callActions[action];
  return write === undefined ? `${by}: ${kind} ${action}`.trim() : write(by, kind);
}

const memberWords: Readonly<Record<string, (by: string, on: string) => string>> = {
  added: (by, on) => `${by} added ${on}`,
  joined: (by) => `${by} joined`,
  left: (by) => `${by} left`,
  kicked: (by, on) => `${by} removed ${on}`,
  banned: (by, on) => `${by} banned ${on}`,
  unbanned: (by, on) => `${by} lifted the ban of ${on}`,
  scopeChanged: (by, on) => `${by} changed the scope of ${on}`,
};

const callActions: Readonly<Record<string, (by: string, kind: string) => string>> = {
  initiated: (by, kind) => `${by} started a ${kind}`,
  ongoing: (by, kind) => `${by} answered the ${kind}`,
  rejected: (by, kind) => `${by} rejected the ${kind}`,
  busy: (by, kind) => `${by} was busy: ${kind}`,
  cancelled: (by, kind) => `${by} cancelled the ${kind}`,
  unanswered: (by, kind) => `No answer to the ${kind} of ${by}`,
  ended: (by, kind) => `${by} ended the ${kind}`,
};

const mediaWords: Readonly<Record<string, string>> = {
  image: "Image",
  video: "Video",
  audio: "Audio",
  file: "File",
};

function entityName({ data }: Message, which: string): string | undefined {
  return textIn(inside(inside(data.entities, which), "entity"), "name");
}

function textIn(value: unknown, field: string): string | undefined {
  const found = inside(value, field);
  return typeof found === "string" && found !== "" ? found : undefined;
}

function inside(value: unknown, field: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Reflect.get(value, field);
}
