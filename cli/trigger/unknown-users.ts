import { isRecord, readText } from "../../lib/base/json.ts";
import type { ChatClient } from "../../lib/chat/client.ts";
import { unlessMissing } from "../../lib/chat/is-code.ts";

const people = ["ann", "bela", "carla", "dimitri", "eun", "order-helper"];
const groups = ["chess-club"];

type Kind = "user" | "group";
type Resources = Pick<ChatClient, "users" | "groups">;

/**
 * Finds users and groups that the app lacks; each with another of the app that the event does not contain.
 */
export async function findStandIns(body: unknown, ofApp: Resources) {
  const named = namesIn(body);
  const missing = async (kind: Kind, ids: readonly string[]) => {
    const found: string[] = [];
    for (const id of ids) if (named.has(id) && !(await exists(kind, id, ofApp))) found.push(id);
    return found;
  };
  const persons = await missing("user", people);
  const rooms = await missing("group", groups);
  const uids = persons.length === 0 ? [] : (await ofApp.users.list({ perPage: 20 }).page()).items;
  const guids = rooms.length === 0 ? [] : (await ofApp.groups.list({ perPage: 20 }).page()).items;
  const free = uids.map(({ uid }) => uid).filter((uid) => !named.has(uid));
  return [
    ...persons.map((id, index) => ({ kind: "user" as const, id, other: free[index] })),
    ...rooms.map((id, index) => ({ kind: "group" as const, id, other: guids[index]?.guid })),
  ];
}

/** Replaces names everywhere: also in conversations' ids and field names. */
export function replaceNames(value: unknown, others: ReadonlyMap<string, string>): unknown {
  const nameOf = (id: string) => others.get(id) ?? id;
  if (typeof value === "string") {
    if (value.startsWith("group_")) return `group_${nameOf(value.slice("group_".length))}`;
    // The platform sorts the users in conversations' ids.
    return value.split("_user_").map(nameOf).toSorted().join("_user_");
  }
  if (Array.isArray(value)) return value.map((one) => replaceNames(one, others));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [nameOf(name), replaceNames(one, others)]),
  );
}

function namesIn(value: unknown) {
  const names = new Set<string>();
  const note = (one: unknown) => {
    if (typeof one === "string") names.add(one);
    else if (Array.isArray(one)) one.forEach(note);
    else if (isRecord(one)) Object.values(one).forEach(note);
  };
  note(value);
  return names;
}

const answeredPaths = ["message.sender", "message.receiver", "call.sender", "call.receiver"];

export async function findUnknownName(body: unknown, ofApp: Resources) {
  for (const path of answeredPaths.map((one) => `data.${one}`)) {
    const id = readText(body, path);
    if (id === undefined) continue;
    const kind: Kind = readText(body, `${path}Type`) === "group" ? "group" : "user";
    if (!(await exists(kind, id, ofApp))) return { kind, path, id };
  }
  return undefined;
}

/** Returns true also if the app cannot be asked. */
async function exists(kind: Kind, id: string, ofApp: Resources) {
  try {
    return kind === "user"
      ? (await unlessMissing("ERR_UID_NOT_FOUND", ofApp.users.get(id))) !== undefined
      : (await unlessMissing("ERR_GUID_NOT_FOUND", ofApp.groups.get(id))) !== undefined;
  } catch {
    return true;
  }
}
