import { isRecord, parseJson } from "../../base/json.ts";

/** Returns whether a stored value names a person. */
export type Mentions = (value: unknown, field?: string) => boolean;

/** Fields whose value equals a uid only by chance. */
const otherFields =
  /^(text|name|type|category|action|status|role|scope|trigger|event|kind|state|app|appId|region|receiverType|guid|group|flow)$/;
/** The same for a uid of digits alone, which ids of messages and sessions are, too. */
const idFields = /^(id|messageId|parentId|sessionId|muid|early)$/;

/**
 * Returns a function that searches stored values for a uid, including JSON within texts. It finds a uid as a
 * whole value, as the name of a field, in a mention (`<@uid:…>`), in the id of a conversation of two users,
 * and in a delivery key; as a word in a field `cause` and in broken JSON. Words of other texts are not
 * compared: a uid may be a common word.
 */
export function createMentions(uid: string): Mentions {
  const isNumber = /^\d+$/.test(uid);
  const word = new RegExp(`(?<![a-z0-9_-])${uid}(?![a-z0-9_-])`, "i");
  const within = new RegExp(`<@uid:${uid}>|^${uid}_user_|_user_${uid}$`, "i");

  const isInText = (text: string, field: string): boolean => {
    const inner = /^\s*[{["]/.test(text) ? parseJson(text) : undefined;
    if (inner !== undefined) return isIn(inner, field);
    if (field === "cause" || /^\s*{/.test(text)) return word.test(text);
    if (within.test(text)) return true;
    if (otherFields.test(field) || (isNumber && idFields.test(field))) return false;
    // A key begins with the app and the trigger (lib/events/identity.ts), and often has the id of a message.
    const [whole, _trigger, ...others] = text.toLowerCase().split(/[\\|]+/);
    return whole === uid || (!isNumber && others.includes(uid));
  };
  const isIn: Mentions = (value, field = "") => {
    if (typeof value === "string") return isInText(value, field);
    if (Array.isArray(value)) return value.some((one) => isIn(one, field));
    if (!isRecord(value)) return false;
    return Object.entries(value).some(([name, inner]) => {
      const isGroup = name === "receiver" && value.receiverType === "group";
      return name.toLowerCase() === uid || isIn(inner, isGroup ? "guid" : name);
    });
  };
  return isIn;
}
