import type { AppData } from "./database.ts";
import { findMember, type Group } from "./groups.ts";
import { findMessage, type Message, selectMessages } from "./messages.ts";
import { type Condition, condition, equals, ofApp } from "./query.ts";
import { selectPart, systemUser, type User } from "./users.ts";

export type Found = ReturnType<typeof searchApp>;

/** A search takes at most 140 ms, at 0.7 ms a thousand. */
const searchedMessages = 200_000;

/** Finds an id, or every word in a text, id or name. */
export function searchApp(data: AppData, text: string, limit: number) {
  const { db, appId } = data;
  const words = text.split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) return { messages: [], users: [], groups: [], isWhole: true };
  const newest = db.count("SELECT max(id) FROM messages WHERE app_id = ?", appId);
  const since = Math.max(0, newest - searchedMessages);
  const byText = selectMessages(data, {
    conditions: [condition("deleted_at IS NULL AND id > ?", since), ...words.flatMap(inText)],
    newestFirst: true,
    limit,
  });
  const messages = [...new Map([...byId(data, text.trim()), ...byText].map((one) => [one.id, one])).values()];
  const named = <T>(from: string, id: string) =>
    selectPart<T>(
      db,
      {
        ...ofApp(
          appId,
          words.map((word) => has(word, [id, "name"])),
        ),
        columns: `json_object('${id}', ${id}, 'name', name)`,
        from,
        order: id,
      },
      { limit, offset: 0 },
    ).items;
  return {
    /** Newest first. */
    messages: messages.slice(0, limit).map((message) => ({ message, reader: readerOf(data, message) })),
    users: named<Pick<User, "uid" | "name">>("users", "uid"),
    groups: named<Pick<Group, "guid" | "name">>("groups", "guid").map((group) => ({
      ...group,
      reader: firstMember(data, group.guid),
    })),
    isWhole: since === 0 || !db.has("SELECT 1 FROM messages WHERE app_id = ? AND id <= ?", appId, since),
  };
}

function byId(data: AppData, id: string) {
  const newest = (column: string) =>
    selectMessages(data, { conditions: equals(column, id), newestFirst: true, limit: 1 });
  const found = findMessage(data, id);
  return [...(found === undefined ? [] : [found]), ...newest("muid"), ...newest("conversation_id")];
}

function inText(word: string): Condition[] {
  const text = "coalesce(json_extract(body, '$.data.text'), '')";
  return [has(word, ["body"], (one) => JSON.stringify(one).slice(1, -1)), has(word, [text])];
}

function has(word: string, columns: readonly string[], written = (one: string) => one): Condition {
  const patterns = casesOf(word).map((one) => `%${written(one).replaceAll(/[\\%_]/g, "\\$&")}%`);
  const pairs = columns.flatMap((column) => patterns.map((pattern) => ({ column, pattern })));
  const sql = pairs.map(({ column }) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ");
  return condition(`(${sql})`, ...pairs.map(({ pattern }) => pattern));
}

/** LIKE ignores the case of ASCII letters only (https://sqlite.org/lang_expr.html#like). */
function casesOf(word: string) {
  if (/^[\x20-\x7e]*$/.test(word)) return [word];
  const lower = word.toLowerCase();
  const [first = ""] = lower;
  return [...new Set([word, lower, word.toUpperCase(), first.toUpperCase() + lower.slice(first.length)])];
}

function readerOf(data: AppData, { receiverType, receiver, sender }: Message) {
  if (receiverType === "user") return sender === systemUser.uid ? receiver : sender;
  return findMember(data, receiver, sender) === undefined ? firstMember(data, receiver) : sender;
}

function firstMember({ db, appId }: AppData, guid: string): string | undefined {
  return db.value("SELECT uid FROM members WHERE app_id = ? AND guid = ? LIMIT 1", appId, guid);
}
