import { hmacSha256, isSameDigest, sha256Hex } from "../../base/digest.ts";
import { joinFields } from "../identity.ts";

// How a message that this system sent is told from what people write (docs/platform/webhooks.md#loops: our own
// messages come back as message_sent). Anybody can put the words "automatic" and an effect's tag on a message of theirs, so
// what counts is a mark that only the holder of a key can make, bound to who speaks, to whom, and for which effect: whoever
// copies it speaks as somebody else or elsewhere. It stands twice, because a webhook need not carry tags and may rewrite
// metadata. The text is not part of it: a text that others edit stays ours.

/** The user that the platform itself acts as. */
export const systemUser = "app_system";

/** Who says something to whom. The platform lowers ids (docs/platform/ids-and-limits.md#chosen-ids). */
export interface Spoken {
  readonly appId: string;
  /** uid */
  readonly sender: string;
  readonly receiverType: string;
  /** uid or guid */
  readonly receiver: string;
}

/** Where marks are looked for. */
export interface MarkedMessage {
  readonly tags?: readonly string[] | undefined;
  readonly data?: { readonly metadata?: Readonly<Record<string, unknown>> | undefined } | undefined;
}

/** Marks to put on a message, so that it is known as ours and found again. */
export interface AutomaticMarks {
  /** The platform takes 25 tags of at most 100 characters (docs/platform/ids-and-limits.md#tags). */
  readonly tags: string[];
  /** `automatic` is for whoever shows the message; this system trusts `automaticMark` alone. */
  readonly metadata: { automatic: true; automaticMark: string };
}

/** Makes the marks of the message that an effect sends; equal effects get equal marks. */
export function marksOf(effectKey: string, spoken: Spoken, key: Uint8Array): AutomaticMarks {
  const effect = effectIdOf(effectKey);
  const mark = `${effect}-${digestOf(effect, spoken, key).toString("hex")}`;
  return {
    tags: ["automatic", effectTagOf(effectKey), `${markTag}${mark}`],
    metadata: { automatic: true, automaticMark: mark },
  };
}

/** The tag by which an effect's message is looked for among the app's messages; what is found must have a valid mark. */
export function effectTagOf(effectKey: string): string {
  return `effect-${effectIdOf(effectKey)}`;
}

/** Gives what looks like a mark on a message, whoever put it there. */
export function marksOn({ tags = [], data }: MarkedMessage): readonly string[] {
  const inTags = tags.flatMap((tag) => (tag.startsWith(markTag) ? [tag.slice(markTag.length)] : []));
  const inMetadata = data?.metadata?.automaticMark;
  const marks = typeof inMetadata === "string" ? [...inTags, inMetadata] : inTags;
  return [...new Set(marks)].filter((mark) => markForm.test(mark)).slice(0, maxMarks);
}

/** Tells whether a mark was made with this key for what is spoken, and for this effect where one is named. */
export function isMarkOf(mark: string, spoken: Spoken, key: Uint8Array, effectKey?: string): boolean {
  const [effect = "", digest = ""] = mark.split("-");
  if (effectKey !== undefined && effect !== effectIdOf(effectKey)) return false;
  return isSameDigest(Buffer.from(digest, "hex"), digestOf(effect, spoken, key));
}

const markTag = "mark-";
const markForm = /^[0-9a-f]{32}-[0-9a-f]{32}$/;
/** A message of the platform has no more tags, and one mark more in its metadata. */
const maxMarks = 26;
const digestBytes = 16;

function effectIdOf(effectKey: string): string {
  return sha256Hex(effectKey).slice(0, 32);
}

function digestOf(
  effect: string,
  { appId, sender, receiverType, receiver }: Spoken,
  key: Uint8Array,
): Buffer {
  const fields = ["message", appId, sender.toLowerCase(), receiverType, receiver.toLowerCase(), effect];
  return hmacSha256(key, joinFields(fields)).subarray(0, digestBytes);
}
