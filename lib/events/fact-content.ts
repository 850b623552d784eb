import { isRecord } from "../base/json.ts";
import { digestOf } from "./canonical-text.ts";
import { isDeed } from "./deed.ts";
import { readPath, readText } from "./read-path.ts";

// What tells two facts apart where neither an id nor a time does. Only what people or the customer's own code wrote is
// named here; what the platform adds about the world at that moment (profiles, presence, counters) is no part of a fact.

/** Digests what an edited message says now, whichever form the event has. */
export function editedContent(data: unknown): readonly string[] {
  return [messageDigest(readPath(data, "message.data.entities.on.entity") ?? readPath(data, "message"))];
}

/** Digests what a judged message says. */
export function judgedContent(data: unknown): readonly string[] {
  return [messageDigest(readPath(data, "message"))];
}

/** The id that a deleted message always had: the action form holds the message inside another one. */
export function deletedMessage(data: unknown): readonly string[] | undefined {
  const inner = isDeed(data, "deleted") ? readText(data, "message.data.entities.on.entity.id") : undefined;
  const id = inner ?? readText(data, "message.id");
  return id === undefined ? undefined : [id];
}

/** Digests what can be set of a group; its counters and the reader's own standing in it are left out. */
export function groupContent(data: unknown): readonly string[] {
  const group = readPath(data, "group");
  if (!isRecord(group)) return [""];
  const { name, type, description, icon, owner, tags, metadata } = group;
  return [digestOf({ name, type, description, icon: withoutSignature(icon), owner, tags, metadata })];
}

/** The members that an event is about; without any, nobody can say what happened to whom. */
export function membersConcerned(data: unknown): readonly string[] | undefined {
  const map = readPath(data, "members");
  const uids = isRecord(map) ? Object.keys(map).sort() : [];
  return uids.length > 0 ? uids : undefined;
}

/** The members that an event is about, each with the scope that it gives them. */
export function membersWithScopes(data: unknown): readonly string[] | undefined {
  return membersConcerned(data)?.flatMap((uid) => {
    const member = readMember(data, uid);
    return [uid, readText(member, "oldScope") ?? "", readText(member, "scope") ?? ""];
  });
}

/** Says which failures a moderation pass met: rule and kind, not what the other side answered. */
export function moderationFailures(data: unknown): readonly string[] {
  const failures = readPath(data, "failures");
  if (!Array.isArray(failures)) return [""];
  return [
    digestOf(
      failures.map((failure) => [readText(failure, "category"), readText(failure, "context.rule.id")]),
    ),
  ];
}

/** Digests the line that a push notification shows. Its title is a profile's name, and its counter counts. */
export function pushBody(data: unknown): readonly string[] {
  return [digestOf(readPath(data, "notificationDetails.body"))];
}

/** Digests who says what in a collected e-mail or text; the subject is made of profiles' names. */
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

/** A signed address has the same file behind it after its signature is renewed (docs/platform/webhooks.md#addresses-of-media). */
function withoutSignature(address: unknown): unknown {
  if (typeof address !== "string") return address;
  return address.replace(/[?&](Expires|Signature|Key-Pair-Id|fat)=[^&#]*/g, "");
}

/** A uid may hold a dot, so no path leads to a member. */
function readMember(data: unknown, uid: string): unknown {
  const map = readPath(data, "members");
  return isRecord(map) ? map[uid] : undefined;
}
