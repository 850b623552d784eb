import { hmacSha256, isSameDigest, sha256Hex } from "../../base/digest.ts";
import { joinFields } from "../identity.ts";

// Our messages come back as message_sent (docs/internals/platform/webhooks.md#loops). Users can copy tags and
// metadata, so the proof is a mark that only the key's holder can create, bound to sender, receiver and
// effect, and by its first claim to one message. Stored twice: a webhook may omit tags or rewrite metadata.
// An edited message stays ours.

/** The platform's own user. */
export const systemUser = "app_system";

/** The platform lowers ids (docs/internals/platform/ids-and-limits.md#chosen-ids). */
export interface Spoken {
  readonly appId: string;
  /** uid */
  readonly sender: string;
  readonly receiverType: string;
  /** uid or guid */
  readonly receiver: string;
}

export interface MarkedMessage {
  readonly tags?: readonly string[] | undefined;
  readonly data?: { readonly metadata?: Readonly<Record<string, unknown>> | undefined } | undefined;
}

export interface AutomaticMarks {
  /** The platform allows 25 of at most 100 characters (docs/internals/platform/ids-and-limits.md#tags). */
  readonly tags: string[];
  /** `automatic` is for clients; this system trusts only `automaticMark`. */
  readonly metadata: { automatic: true; automaticMark: string };
}

/** Equal effects get equal marks. */
export function marksOf(effectKey: string, spoken: Spoken, key: Uint8Array): AutomaticMarks {
  const effect = effectIdOf(effectKey);
  const mark = `${effect}-${digestOf(effect, spoken, key).toString("hex")}`;
  return {
    tags: ["automatic", effectTagOf(effectKey), `${markTag}${mark}`],
    metadata: { automatic: true, automaticMark: mark },
  };
}

/** To search; the message must have a valid mark, too. */
export function effectTagOf(effectKey: string): string {
  return `effect-${effectIdOf(effectKey)}`;
}

/** Valid or not. */
export function marksOn({ tags = [], data }: MarkedMessage): readonly string[] {
  const inTags = tags.flatMap((tag) => (tag.startsWith(markTag) ? [tag.slice(markTag.length)] : []));
  const inMetadata = data?.metadata?.automaticMark;
  const marks = typeof inMetadata === "string" ? [...inTags, inMetadata] : inTags;
  return [...new Set(marks)].filter((mark) => markForm.test(mark)).slice(0, maxMarks);
}

/** Checks the effect only if given. */
export function isMarkOf(mark: string, spoken: Spoken, key: Uint8Array, effectKey?: string): boolean {
  const [effect = "", digest = ""] = mark.split("-");
  if (effectKey !== undefined && effect !== effectIdOf(effectKey)) return false;
  return isSameDigest(Buffer.from(digest, "hex"), digestOf(effect, spoken, key));
}

const markTag = "mark-";
const markForm = /^[0-9a-f]{32}-[0-9a-f]{32}$/;
/** 25 tags, and one in the metadata. */
const maxMarks = 26;
const digestBytes = 16;

function effectIdOf(effectKey: string) {
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
