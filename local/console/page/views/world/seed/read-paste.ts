export interface ImportRequest {
  readonly kind: "groups" | "members" | "users";
  readonly entities: Readonly<Record<string, unknown>>;
}

const maxEntities = 50; // docs/internals/platform/import-and-metrics.md#import-limits

/**
 * Reads `{"users": […], "groups": […]}`; a group's `members` are uids with their scopes, as in a seed.
 * @throws Error if the JSON is invalid; the message says where
 */
export function readPaste(text: string): ImportRequest[] {
  const pasted = parse(text);
  const users = listOf(pasted, "users", "uid");
  const groups = listOf(pasted, "groups", "guid");
  if (users.length + groups.length === 0) {
    throw new Error(
      'The JSON needs "users" or "groups", each a list: {"users": [{"uid": "ann", "name": "Ann"}]}.',
    );
  }
  const members = groups.flatMap(([guid, { members: scopes }]) => {
    if (scopes === undefined) return [];
    if (!isObject(scopes)) throw new Error(`The members of group ${guid} must be scopes by uid.`);
    return Object.entries(scopes).map(([uid, scope]): Entry => {
      const memberId = `${guid}_member_${uid}`;
      return [memberId, { memberId, guid, uid, scope }];
    });
  });
  const ownGroups = groups.map(
    ([guid, { members: _members, ...group }]): Entry => [guid, { type: "public", ...group }],
  );
  return [...cut("users", users), ...cut("groups", ownGroups), ...cut("members", members)];
}

type Entry = readonly [id: string, entity: Readonly<Record<string, unknown>>];

function listOf(pasted: Readonly<Record<string, unknown>>, name: string, idField: string): Entry[] {
  const list = pasted[name];
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new Error(`"${name}" must be a list.`);
  const items: readonly unknown[] = list;
  return items.map((item, index) => {
    if (!isObject(item)) throw new Error(`${name}[${index}] must be an object.`);
    const id = item[idField];
    if (typeof id !== "string" || id === "") throw new Error(`${name}[${index}] needs a ${idField}.`);
    return [id, item];
  });
}

function cut(kind: ImportRequest["kind"], entries: readonly Entry[]): ImportRequest[] {
  const requests: ImportRequest[] = [];
  for (let first = 0; first < entries.length; first += maxEntities) {
    requests.push({ kind, entities: Object.fromEntries(entries.slice(first, first + maxEntities)) });
  }
  return requests;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new Error(`This is not JSON. ${error instanceof Error ? error.message : ""}`);
  }
  throw new Error("The JSON must be an object.");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
