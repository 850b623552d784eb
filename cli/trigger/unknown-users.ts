import type { ChatClient } from "../../lib/chat/client.ts";
import { isCode } from "../../lib/chat/is-code.ts";
import { readText } from "../../lib/events/read-path.ts";

/** Of those who are answered, or in whose name. */
const userPaths = ["data.message.sender", "data.call.sender", "data.call.receiver"];

/** A user whom the app does not have. */
export interface UnknownUser {
  readonly path: string;
  readonly uid: string;
  /** A user of the app, if there is one who has no place in the event yet. */
  readonly other: string | undefined;
}

/** Those of a delivery, as far as the platform says so. */
export async function findUnknownUsers(
  body: unknown,
  users: Pick<ChatClient["users"], "get" | "list">,
): Promise<readonly UnknownUser[]> {
  const isToGroup = readText(body, "data.call.receiverType") === "group";
  const paths = userPaths.filter((path) => !(isToGroup && path === "data.call.receiver"));
  const taken = new Set(paths.map((path) => readText(body, path)));
  const found: UnknownUser[] = [];
  for (const path of paths) {
    const uid = readText(body, path);
    if (uid === undefined || !(await isUnknown(uid, users))) continue;
    const { items } = await users.list({ perPage: 4 }).page();
    const other = items.find((user) => !taken.has(user.uid))?.uid;
    taken.add(other);
    found.push({ path, uid, other });
  }
  return found;
}

async function isUnknown(uid: string, users: Pick<ChatClient["users"], "get">): Promise<boolean> {
  try {
    await users.get(uid);
    return false;
  } catch (error) {
    return isCode(error, "ERR_UID_NOT_FOUND");
  }
}
