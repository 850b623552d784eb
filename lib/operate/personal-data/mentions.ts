import { isRecord, parseJson } from "../../base/json.ts";

/** Returns whether a stored value names a person. @param field the name of the field that holds the value */
export type Mentions = (value: unknown, field?: string) => boolean;

/** The field of texts for people, which may name a uid anywhere. */
export const freeText = "cause";

/** Fields whose value equals a uid only by chance. */
const otherFields = new Set(
  "text name type category action status role scope trigger event kind state app appId region receiverType guid group flow".split(
    " ",
  ),
);
/** The same for a uid of digits alone, which ids of messages and sessions are, too. */
const idFields = new Set(["id", "messageId", "parentId", "sessionId", "muid", "early"]);

/**
 * Returns a function that searches stored values for a uid, including JSON within texts. It finds a uid as a
 * whole value, as the name of a field, in a mention (`<@uid:…>`), in the id of a conversation of two users,
 * and in a delivery key; in a field `cause` also as a word. Words of other texts are not compared: a uid may
 * be a common word.
 */
export function createMentions(uid: string): Mentions {
  const wanted = uid.toLowerCase();
  const isNumber = /^\d+$/.test(wanted);
  const word = new RegExp(`(?<![a-z0-9_-])${wanted}(?![a-z0-9_-])`);

  const isInText = (given: string, field: string): boolean => {
    const inner = /^\s*[{[]/.test(given) ? parseJson(given) : undefined;
    if (inner !== undefined) return isIn(inner, field);
    const text = given.toLowerCase();
    if (text.includes(`<@uid:${wanted}>`)) return true;
    if (text.startsWith(`${wanted}_user_`) || text.endsWith(`_user_${wanted}`)) return true;
    if (field === freeText) return word.test(text);
    if (otherFields.has(field) || (isNumber && idFields.has(field))) return false;
    if (text === wanted) return true;
    // A key begins with the app and the trigger (lib/events/identity.ts), and often has the id of a message.
    return !isNumber && text.split(/[\\|]+/).indexOf(wanted, 2) > 0;
  };
  const isIn: Mentions = (value, field = "") => {
    if (typeof value === "string") return isInText(value, field);
    if (Array.isArray(value)) return value.some((one) => isIn(one, field));
    if (!isRecord(value)) return false;
    return Object.entries(value).some(([name, inner]) => {
      const isGroup = name === "receiver" && value.receiverType === "group";
      return name.toLowerCase() === wanted || isIn(inner, isGroup ? "guid" : name);
    });
  };
  return isIn;
}

/**
 * Removes every text of a value and every field named like the uid, but keeps ids, numbers and the form, so
 * that code that reads the value finds an empty one.
 */
export function withoutTexts(value: unknown, uid: string, field = ""): unknown {
  if (typeof value === "string") return field === "id" || field === "guid" ? value : null;
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one, uid, field));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name.toLowerCase() !== uid.toLowerCase())
      .map(([name, inner]) => [name, withoutTexts(inner, uid, name)]),
  );
}
