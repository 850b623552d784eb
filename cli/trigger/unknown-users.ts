import { isRecord, readText } from "../../lib/base/json.ts";
import type { ChatClient } from "../../lib/chat/client.ts";
import { unlessMissing } from "../../lib/chat/is-code.ts";

const people = ["ann", "bela", "carla", "dimitri", "eun", "order-helper"];
const groups = ["chess-club"];

type Resources = Pick<ChatClient, "users" | "groups">;

/**
 * Finds users and groups that the app lacks; each with another of the app that the event does not contain.
 */
export async function findStandIns(body: unknown, { users, groups: ofApp }: Resources) {
  const named = namesIn(body);
  const missing = async (ids: readonly string[], isThere: (id: string) => Promise<boolean>) => {
    const found: string[] = [];
    for (const id of ids) if (named.has(id) && !(await isThere(id))) found.push(id);
    return found;
  };
  const persons = await missing(people, (uid) => exists(users.get(uid), "ERR_UID_NOT_FOUND"));
  const rooms = await missing(groups, (guid) => exists(ofApp.get(guid), "ERR_GUID_NOT_FOUND"));
  const uids = persons.length === 0 ? [] : (await users.list({ perPage: 20 }).page()).items;
  const guids = rooms.length === 0 ? [] : (await ofApp.list({ perPage: 20 }).page()).items;
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

export async function findUnknownName(body: unknown, { users, groups: ofApp }: Resources) {
  for (const path of answeredPaths.map((one) => `data.${one}`)) {
    const id = readText(body, path);
    if (id === undefined) continue;
    const kind = readText(body, `${path}Type`) === "group" ? "group" : "user";
    const isThere =
      kind === "group"
        ? await exists(ofApp.get(id), "ERR_GUID_NOT_FOUND")
        : await exists(users.get(id), "ERR_UID_NOT_FOUND");
    if (!isThere) return { kind, path, id } as const;
  }
  return undefined;
}

/** Returns true also if the app cannot be asked. */
async function exists(read: Promise<unknown>, code: "ERR_UID_NOT_FOUND" | "ERR_GUID_NOT_FOUND") {
  return await unlessMissing(code, read).then(
    (found) => found !== undefined,
    () => true,
  );
}
