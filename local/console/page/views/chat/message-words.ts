import type { Message } from "./chat-api.ts";

export function describeMessage(message: Message): string {
  if (message.deletedAt !== undefined) return "Message deleted";
  const { category, type, data } = message;
  if (category === "action") return actionWords(message);
  if (category === "call") return callWords(message);
  const asked = toolWords(message);
  if (asked !== "") return asked;
  if (typeof data.text === "string" && data.text !== "")
    return splitMentions(data.text, data.mentions)
      .map((part) => part.text)
      .join("");
  if (category !== "message") return `${firstLetterUp(category)} message of type ${type}`;
  return attachmentsOf(message)[0]?.name ?? (mediaTypes.has(type) ? firstLetterUp(type) : type);
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
      return { text: `@${textIn(mentions, uid, "name") ?? uid}`, isMention: true };
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
    const size = valueIn(item, "size");
    return {
      url,
      name: textIn(item, "name") ?? url.split("/").at(-1) ?? "file",
      mimeType: textIn(item, "mimeType") ?? "",
      size: typeof size === "number" ? size : undefined,
    };
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
    const count = valueIn(item, "count");
    if (reaction === undefined || typeof count !== "number") return [];
    return { reaction, count, isMine: valueIn(item, "reactedByMe") === true };
  });
}

export function moderationOf({ data }: Message): { status: string; rule: string | undefined } | undefined {
  const status = textIn(data, "moderation", "status");
  if (status === undefined) return undefined;
  const rule = ["moderation", "rule"];
  return { status, rule: textIn(data, ...rule, "name") ?? textIn(data, ...rule, "id") };
}

export function senderName(message: Message): string {
  return entityName(message, "sender") ?? entityName(message, "by") ?? message.sender;
}

export function isLine({ category }: Message): boolean {
  return category === "action" || category === "call";
}

/** Describes an agent's tool call, or the tool's answer. */
export function toolWords({ category, type, data }: Message): string {
  if (category !== "agentic") return "";
  if (type === "tool-result") return `The tool answers: ${textIn(data, "text") ?? ""}`;
  const calls: unknown[] = Array.isArray(data.toolCalls) ? data.toolCalls : [];
  return calls
    .map((call) => {
      const name = textIn(call, "displayName") ?? textIn(call, "function", "name") ?? "a tool";
      return `Asks ${name}: ${textIn(call, "function", "arguments") ?? ""}`;
    })
    .join("\n");
}

function actionWords(message: Message) {
  const action = textIn(message.data, "action") ?? message.type;
  const by = entityName(message, "by") ?? message.sender;
  const on = entityName(message, "on") ?? "somebody";
  if (message.type === "groupMember") return fill(memberWords[action] ?? `{by} ${action} {on}`, { by, on });
  const id = textIn(message.data, "entities", "on", "entity", "id");
  return `${by} ${action} message ${id ?? ""}`.trim();
}

function callWords(message: Message) {
  const action = textIn(message.data, "action") ?? "";
  const by = entityName(message, "by") ?? senderName(message);
  const kind = message.type === "video" ? "video call" : "voice call";
  return fill(callActions[action] ?? `{by}: {kind} ${action}`, { by, kind }).trim();
}

const memberWords: Readonly<Record<string, string>> = {
  added: "{by} added {on}",
  joined: "{by} joined",
  left: "{by} left",
  kicked: "{by} removed {on}",
  banned: "{by} banned {on}",
  unbanned: "{by} lifted the ban of {on}",
  scopeChanged: "{by} changed the scope of {on}",
};

const callActions: Readonly<Record<string, string>> = {
  initiated: "{by} started a {kind}",
  ongoing: "{by} answered the {kind}",
  rejected: "{by} rejected the {kind}",
  busy: "{by} was busy: {kind}",
  cancelled: "{by} cancelled the {kind}",
  unanswered: "No answer to the {kind} of {by}",
  ended: "{by} ended the {kind}",
};

const mediaTypes: ReadonlySet<string> = new Set(["image", "video", "audio", "file"]);

function fill(words: string, values: Readonly<Record<string, string>>) {
  return words.replace(/\{(\w+)\}/g, (_place, name: string) => values[name] ?? "");
}

function firstLetterUp(word: string) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function entityName({ data }: Message, which: string) {
  return textIn(data, "entities", which, "entity", "name");
}

function textIn(value: unknown, ...path: readonly string[]) {
  const found = path.reduce(valueIn, value);
  return typeof found === "string" && found !== "" ? found : undefined;
}

function valueIn(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;
}
