import { isRecord, readPath, readText } from "../base/json.ts";
import { digestOf } from "./canonical-text.ts";

/** The changed message in an action message. */
export const CHANGED = "message.data.entities.on.entity";

/**
 * True for the action message about an edit or deletion, not the changed message. An action message can be
 * changed: then it has its own time of change, and usually contains a user or group, which have no `id`.
 * @see docs/internals/platform/events.md#edited-and-deleted-messages
 */
export function isActionMessage(data: unknown, action: "edited" | "deleted"): boolean {
  if (readText(data, `message.${action}At`) !== undefined) return false;
  if (readText(data, `${CHANGED}.id`) !== undefined) return true;
  // An action message without the changed message inside is unreadable.
  return readText(data, "message.category") === "action" && readText(data, "message.data.action") === action;
}

// Occurrences without id and time differ in what users or the customer's code wrote, not in what the platform
// adds (profiles, presence, counters).

/** In either form. */
export function editedContent(data: unknown): readonly string[] {
  return [messageDigest(readPath(data, CHANGED) ?? readPath(data, "message"))];
}

export function judgedContent(data: unknown): readonly string[] {
  return [messageDigest(readPath(data, "message"))];
}

/** The action form nests the message in another one. */
export function deletedMessage(data: unknown): readonly string[] | undefined {
  const inner = isActionMessage(data, "deleted") ? readText(data, `${CHANGED}.id`) : undefined;
  const id = inner ?? readText(data, "message.id");
  return id === undefined ? undefined : [id];
}

/** Settable fields, without counters and the reader's own membership. */
export function groupContent(data: unknown): readonly string[] {
  const group = readPath(data, "group");
  if (!isRecord(group)) return [""];
  const { name, type, description, icon, owner, tags, metadata } = group;
  return [digestOf({ name, type, description, icon: withoutSignature(icon), owner, tags, metadata })];
}

/**
 * Sorted by uid, with details of each. A list, and a map by position, have the uids inside. Undefined without
 * any, or if one is unreadable.
 */
export function peopleAt(path: string, ...details: readonly string[]) {
  return (data: unknown): readonly string[] | undefined => {
    const people = readPath(data, path);
    const isMap = isRecord(people);
    const fields = Object.entries(isMap || Array.isArray(people) ? people : {})
      .map(([name, person]) => [
        (/^\d+$/.test(name) && readText(person, "uid")) || (isMap ? name : ""),
        ...details.map((detail) => readText(person, detail) ?? ""),
      ])
      .sort()
      .flat();
    return fields[0] ? fields : undefined;
  };
}

/** Rule and kind, without the engine's response. */
export function moderationFailures(data: unknown): readonly string[] {
  const failures = readPath(data, "failures");
  if (!Array.isArray(failures)) return [""];
  return [
    digestOf(
      failures.map((failure) => [readText(failure, "category"), readText(failure, "context.rule.id")]),
    ),
  ];
}

/** The title comes from a profile, and the counter changes. */
export function pushBody(data: unknown): readonly string[] {
  return [digestOf(readPath(data, "notificationDetails.body"))];
}

/** Senders and texts. The subject consists of profile names. */
export function collectedMessages(data: unknown): readonly string[] | undefined {
  const messages = readPath(data, "messages");
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  return [
    digestOf(
      messages.map((message) => [
        readText(message, "sender.uid"),
        readText(message, "message"),
        readText(message, "messageObject.id"),
      ]),
    ),
  ];
}

function messageDigest(message: unknown): string {
  const data = readPath(message, "data");
  if (!isRecord(data)) return "";
  const { text, url, customData, attachments, metadata } = data;
  return digestOf({
    text,
    customData,
    url: withoutSignature(url),
    attachments: Array.isArray(attachments) ? attachments.map(attachmentFacts) : undefined,
    metadata: isRecord(metadata) ? { ...metadata, "@injected": undefined } : metadata,
    tags: readPath(message, "tags"),
  });
}

function attachmentFacts(attachment: unknown): unknown {
  return isRecord(attachment) ? [attachment.name, withoutSignature(attachment.url)] : attachment;
}

/** A renewed signature leads to the same file (docs/internals/platform/webhooks.md#addresses-of-media). */
function withoutSignature(address: unknown): unknown {
  if (typeof address !== "string") return address;
  return address.replace(/[?&](Expires|Signature|Key-Pair-Id|fat)=[^&#]*/g, "");
}
