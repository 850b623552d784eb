import { isRecord } from "../../base/json.ts";
import type { AppEvent, AppEventOf, EventName } from "../app-event.ts";
import { systemUser } from "../marks/automatic.ts";
import type { HeardMessage } from "../marks/loop-guard.ts";
import { containsWord, toCompatibleText } from "./contains-word.ts";
import { patternIn, type TextPattern } from "./patterns.ts";
import { type Seen, seenIn } from "./seen.ts";

/**
 * Conditions on an event; all must hold. A field that the event lacks matches only `moderation` (`none`) and
 * `tags` (no tag). Plain data, storable as JSON.
 */
export interface Conditions {
  /**
   * `people` excludes messages of this system and of the platform's own user, and categories other than
   * `message` and `custom` unless `category` asks for one; what AI agents write, unless it names `agentic`.
   * Default: `people`.
   */
  readonly from?: "people" | "anybody" | undefined;
  /** uid of the author, caller or reacting user. */
  readonly sender?: OneOf | undefined;
  /** uid, or guid of a group. */
  readonly receiver?: OneOf | undefined;
  readonly receiverType?: "user" | "group" | undefined;
  /** guid of the group; `*` matches any characters: `support-*`. */
  readonly group?: OneOf | undefined;
  readonly conversation?: OneOf | undefined;
  /** For a reaction, of its message. */
  readonly messageId?: OneOf | undefined;
  /** Only replies in this message's thread. */
  readonly parentId?: OneOf | undefined;
  /** `message`, `custom`, `action`, `call`, `agentic` or a new one. */
  readonly category?: OneOf | undefined;
  /** `text`, `image` and so on; for phone calls `audio` or `video`. */
  readonly type?: OneOf | undefined;
  /**
   * Any of these words or phrases, whole, in any case (lib/events/conditions/contains-word.ts), or a
   * `textPattern`.
   */
  readonly text?: { readonly words: readonly string[] } | TextPattern | undefined;
  /** One of the message's tags. */
  readonly tags?: OneOf | undefined;
  /** `none` if the message has none. */
  readonly moderation?: OneOf<ModerationState> | undefined;
  /** The emoji. */
  readonly reaction?: OneOf | undefined;
}

/** docs/internals/platform/moderation.md#status-of-a-message */
type ModerationState = "pending" | "approved" | "disapproved" | "none";

export type ConditionName = keyof Conditions;

/** The conditions that each event supports. */
export type Where<Name extends EventName = EventName> = {
  readonly [C in ConditionName as [AppEventOf<Name>] extends [Holders[C]] ? C : never]?: Conditions[C];
};

type OfMessage = { readonly message: { readonly category?: string | undefined } };
type OfResource = { readonly resource: { readonly category?: string | undefined } };
type OfCall =
  | { readonly call: { readonly caller: string | undefined } }
  | { readonly callId: string; readonly calleeType: string };
type OfReaction = { readonly reaction: { readonly messageId: string } };
type OfGroup = { readonly group: { readonly guid: string } };

interface Holders {
  readonly from: unknown;
  readonly sender: OfMessage | OfResource | OfCall | OfReaction;
  readonly receiver: OfMessage | OfResource | OfCall;
  readonly receiverType: OfMessage | OfResource | OfCall;
  readonly group: OfMessage | OfResource | OfCall | OfGroup;
  readonly conversation: OfMessage | OfResource;
  readonly messageId: OfMessage | OfResource | OfReaction;
  readonly parentId: OfMessage;
  readonly category: OfMessage | OfResource;
  readonly type: OfMessage | OfResource | OfCall;
  readonly text: OfMessage;
  readonly tags: OfMessage;
  readonly moderation: OfMessage;
  readonly reaction: OfReaction;
}

/**
 * Returns the first condition that fails or is unknown. Does not recognize this system's own messages, as
 * `whyNotFor` does.
 * @throws UnknownPatternError if the compiler of patterns is not loaded
 */
export function whyNot(event: AppEvent, where: Conditions): string | undefined {
  const seen = seenIn(event);
  return unknownIn(where) ?? checks.find(([, holds]) => !holds(seen, where))?.[0];
}

/**
 * Like `whyNot`, and excludes this system's own messages unless `from` is `anybody`.
 * @throws the errors of `isOwn` and `whyNot`
 */
export async function whyNotFor(
  event: AppEvent,
  where: Conditions,
  isOwn: (message: HeardMessage) => Promise<boolean>,
): Promise<string | undefined> {
  const name = whyNot(event, where);
  if (name !== undefined || where.from === "anybody") return name;
  const { heard } = seenIn(event);
  return heard !== undefined && (await isOwn(heard)) ? "from" : undefined;
}

/** @throws RangeError, InvalidPatternError, UnknownPatternError for conditions that match no event */
export function checkConditions(where: Conditions): void {
  const unknown = unknownIn(where);
  if (unknown !== undefined) {
    const known = checks.map(([name]) => name).join(", ");
    throw new RangeError(`"where" has no condition "${unknown}". It may have: ${known}.`);
  }
  const malformed = Object.entries(where).find(
    ([name, wanted]) => wanted !== undefined && !isOfForm(name, wanted),
  );
  if (malformed !== undefined)
    throw new RangeError(
      `The condition "${malformed[0]}" must be ${forms[malformed[0]] ?? "a text, several, or { not }"}.`,
    );
  const empty = Object.entries(where).find(([, wanted]) => isEmpty(wanted))?.[0];
  if (empty !== undefined)
    throw new RangeError(`The condition "${empty}" names nothing that an event could fit.`);
  if (where.text !== undefined && "pattern" in where.text) patternIn(where.text);
}

/** All others take one or several texts. */
const forms: Readonly<Record<string, string>> = {
  from: "people or anybody",
  receiverType: "user or group",
  text: "{ words } or a textPattern",
};

function isOfForm(name: string, wanted: unknown) {
  const { words, pattern, not } = Object(wanted);
  if (name === "text") return typeof pattern === "string" || (Array.isArray(words) && areTexts(words));
  const known = forms[name]?.split(" or ");
  return known?.some((one) => one === wanted) ?? (areTexts(wanted) || areTexts(not));
}

function areTexts(value: unknown) {
  return [value].flat().every((one) => typeof one === "string");
}

function isEmpty(wanted: unknown) {
  if (Array.isArray(wanted)) return wanted.length === 0;
  if (!isRecord(wanted) || !Array.isArray(wanted.words)) return false;
  return wanted.words.length === 0 || wanted.words.some((word) => String(word).trim() === "");
}

type Check = (seen: Seen, where: Conditions) => boolean;

const fields = [
  ["receiverType"],
  ["receiver", isSameId],
  ["group", isLikeGlob],
  ["conversation", isSameId],
  ["messageId"],
  ["parentId"],
  ["sender", isSameId],
  ["category"],
  ["type"],
  ["reaction", isSameEmoji],
] as const;

/** Ordered by cost; the first also explain a skip best. */
const checks: readonly (readonly [ConditionName, Check])[] = [
  ...fields.map(
    ([name, isLike]) =>
      [name, (seen: Seen, where: Conditions) => fits(seen[name], where[name], isLike)] as const,
  ),
  ["moderation", (seen, where) => fits(seen.moderation ?? "none", where.moderation)],
  ["tags", ({ tags = [] }, where) => where.tags === undefined || fitsOneOf(tags, where.tags)],
  ["from", isFromWanted],
  ["text", ({ text }, where) => where.text === undefined || (text !== undefined && says(text, where.text))],
];

const known: ReadonlySet<string> = new Set(checks.map(([name]) => name));

function unknownIn(where: Conditions) {
  const given = Object.entries(where).find(([name, wanted]) => wanted !== undefined && !known.has(name));
  return given?.[0];
}

/** A missing value might be the excluded one: not even `not` matches it. */
function fits(
  value: string | undefined,
  wanted: OneOf | undefined,
  isLike?: Parameters<typeof fitsOneOf>[2],
) {
  return wanted === undefined || (value !== undefined && fitsOneOf([value], wanted, isLike));
}

/** docs/internals/platform/messages.md#categories */
const ofPeople: readonly (string | undefined)[] = ["message", "custom", undefined];

function isFromWanted(seen: Seen, { from = "people", category: asked }: Conditions) {
  const { sender, category } = seen;
  if (from === "anybody") return true;
  if (isOfAgent(seen)) return [asked].flat().includes("agentic");
  return sender?.toLowerCase() !== systemUser && (asked !== undefined || ofPeople.includes(category));
}

/** An agent may write ordinary messages, too (docs/internals/platform/ai-agents.md#what-a-run-leaves). */
export function isOfAgent({ category, role }: Seen): boolean {
  return category === "agentic" || role === "@agentic";
}

/** Clients may omit the variation selector for an emoji's colored form. */
function isSameEmoji(emoji: string, other: string) {
  return emoji.replaceAll("\uFE0F", "") === other.replaceAll("\uFE0F", "");
}

function says(text: string, wanted: NonNullable<Conditions["text"]>) {
  if ("pattern" in wanted) return patternIn(wanted)(toCompatibleText(text));
  return wanted.words.some((word) => containsWord(text, word));
}

/** One value, one of several, or none of those in `not`. */
type OneOf<Value extends string = string> =
  | Value
  | readonly Value[]
  | { readonly not: Value | readonly Value[] };

/** With `not`, true if none matches. An empty list matches only `not`. */
export function fitsOneOf(
  values: readonly string[],
  wanted: OneOf,
  isLike: (value: string, wanted: string) => boolean = (value, one) => value === one,
): boolean {
  const isNot = typeof wanted === "object" && "not" in wanted;
  const list = isNot ? wanted.not : wanted;
  const ones = typeof list === "string" ? [list] : list;
  return isNot !== values.some((value) => ones.some((one) => isLike(value, one)));
}

/** The platform lowers ids (docs/internals/platform/ids-and-limits.md#chosen-ids). */
export function isSameId(id: string, other: string): boolean {
  return id.toLowerCase() === other.toLowerCase();
}

/** Ids contain no `*`. Takes time in proportion to the id. */
export function isLikeGlob(id: string, glob: string): boolean {
  const [first = "", ...others] = glob.toLowerCase().split("*");
  const text = id.toLowerCase();
  const last = others.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found === -1 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}
