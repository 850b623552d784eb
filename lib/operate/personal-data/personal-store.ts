import { mapConcurrently } from "../../base/batching.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { isChatApiError } from "../../chat/error-guards.ts";

export interface Found {
  readonly id: string;
  readonly content: unknown;
  readonly stays?: string;
  /** Absent if it stays, or goes with another store. Repeatable. */
  readonly erase?: () => Promise<unknown>;
}

export interface PersonalStore {
  readonly name: string;
  /** Whether it is erased after all others, which cannot be searched without it. */
  readonly isLast?: true;
  /** Whether functions fill it with what the platform's deletions report: it is searched again at the end. */
  readonly isFilledLate?: true;
  /** @param isProof false (default): writes of the last second may be missing */
  find(isProof?: boolean): AsyncIterable<Found>;
}

/** Marks the search's own requests, which the local console does not keep. */
export const personalDataAgent = "cometchat-functions-people";

export type Findings = ReadonlyMap<string, readonly Found[]>;

export function countLeft(found: readonly Found[] = []): number {
  return found.filter(({ stays }) => stays === undefined).length;
}

/** @param onStore called before each store */
export async function collect(
  stores: readonly PersonalStore[],
  onStore?: (name: string) => void,
  isProof?: boolean,
): Promise<Findings> {
  const all = new Map<string, Found[]>();
  for (const { name, find } of stores) {
    onStore?.(name);
    const found: Found[] = [];
    for await (const one of find(isProof)) found.push(one);
    all.set(name, found);
  }
  return all;
}

const atOnce = 5;

export interface Erasure {
  /** The last failure of each failed store. */
  readonly failures: ReadonlyMap<string, unknown>;
  /** What the last search found in each store that had nothing to erase. */
  readonly clean: Findings;
}

/**
 * May be stopped anywhere and repeated. A refusal ends one erasure, another failure its store.
 * @throws the signal's reason if aborted, and the errors of `onErased`
 */
export async function eraseFrom(
  stores: readonly PersonalStore[],
  onErased: (name: string, count: number) => void,
  signal: AbortSignal,
): Promise<Erasure> {
  const failures = new Map<string, unknown>();
  const clean = new Map<string, readonly Found[]>();
  for (const store of stores) {
    const { name, isLast = false } = store;
    if (isLast && ![...failures.values()].every(isRefusal)) continue;
    failures.delete(name);
    clean.delete(name);
    let erased = 0;
    const tryOne = async (erase: () => Promise<unknown>) => {
      signal.throwIfAborted();
      try {
        await erase();
        erased += 1;
      } catch (error) {
        failures.set(name, error);
        if (!isRefusal(error)) throw error;
      }
    };
    try {
      const found = (await collect([store], undefined, true)).get(name) ?? [];
      if (countLeft(found) === 0) clean.set(name, found);
      await mapConcurrently(
        found.flatMap(({ erase }) => erase ?? []),
        atOnce,
        tryOne,
      );
    } catch (error) {
      signal.throwIfAborted();
      failures.set(name, error);
    }
    if (erased > 0) onErased(name, erased);
  }
  return { failures, clean };
}

/** A repeated request would be refused again. */
export function isRefusal(error: unknown): boolean {
  return isChatApiError(error) && !error.retryable && error.status < 500;
}

export type Mentions = (value: unknown, field?: string) => boolean;

/** Their values equal a uid only by chance. */
const otherFields =
  /^(text|name|type|category|action|status|role|scope|trigger|event|kind|state|app|appId|region|receiverType|guid|group|flow|webhook|platform|entity|entityType|receiptType|contentType|callType|callAction|oldScope|engine|outcome|mode|sdk|language|method|origin)$/;
/** Field names in events and stored items: a uid `data` would otherwise match each of them. */
const formNames = new Set(
  "_id action actions all_occupants answers app appid at attempts audio_call avatar background bot body by call call_version cause category channels changes comparison condition conditions confidence connected_at connection connections content context created_at dark data description destroyed_at duration email engine entities entity error errors event event_for events extensions fact failures flow group guid head holder icon id initial_config input is_audio_muted is_audio_only is_video_muted item joined_at key label lane language left_at light link link-preview links mentions members message messages metadata method moderation mode muid name occupant on operand operator origin outcome owner padding percent phno platform priority profile prompts reaction reactions reason receiver recording_url region replies request resource result reviewed role rule scope sdk sender sequence session_id sessionid setting start start_recording_on_call_start state status status_updated status_updated_at steps style subject tag tags text threshold tid tier timestamp title to token tools transcript_url trigger type uid uids until url user users value variables variant version waits webhook webhooks weight".split(
    " ",
  ),
);
const byUid = /^(mentions|members|users|reactions|contextMessages)$/;
/** A uid of digits alone may equal ids of messages and sessions. */
const idFields = /^(id|messageId|parentId|sessionId|muid|early)$/;

/**
 * Finds a uid as a whole value, a field's name, in a mention (`<@uid:…>`), the id of a conversation and a
 * delivery key, also in JSON within texts; as a word in a field `cause` and in broken JSON. Ignores other
 * texts: a uid may be a common word.
 */
export function createMentions(uid: string): Mentions {
  const isNumber = /^\d+$/.test(uid);
  const isFormName = formNames.has(uid);
  const word = isFormName
    ? new RegExp(`"(sender|receiver|uid|owner)"\\s*:\\s*"${uid}"`, "i")
    : new RegExp(`(?<![a-z0-9_-])${uid}(?![a-z0-9_-])`, "i");
  const within = new RegExp(`<@uid:${uid}>|^${uid}_user_|_user_${uid}$`, "i");

  const isInText = (text: string, field: string) => {
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
      const isNamed = name.toLowerCase() === uid && (!isFormName || byUid.test(field));
      return isNamed || isIn(inner, isGroup ? "guid" : name);
    });
  };
  return isIn;
}
