import type { AwsCaller } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { scanTable } from "../../aws/scan-table.ts";
import type { Item, Table } from "../../aws/table.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { loginIdOf } from "../../endpoints/login/login-limit.ts";
import { contentOf } from "../../queue/dead-letters.ts";
import { unpackEvent } from "../../queue/lanes/lane-events.ts";
import { createLaneStore } from "../../queue/lanes/lane-store.ts";
import { factsOf } from "../../queue/message-facts.ts";
import { type Mentions, withoutTexts } from "./mentions.ts";
import type { Found, PersonalStore } from "./personal-store.ts";

/** Whom to search for. */
export interface Person {
  readonly appId: string;
  /** In lower case. */
  readonly uid: string;
  readonly mentions: Mentions;
}

export interface TableStoresOptions {
  readonly person: Person;
  readonly callAws: AwsCaller;
  /** Returns a table's name by its logical id in infrastructure/tables.yml. */
  readonly nameOf: (logicalId: string) => string;
  readonly now: () => number;
  /** The window in which logins are counted, in milliseconds. */
  readonly loginWindowMs: number;
}

/**
 * Returns the stores on tables. Skips items of other apps; in EffectsTable and CallsTable, those of an earlier
 * version do not name their app.
 */
export function tableStores(options: TableStoresOptions): readonly PersonalStore[] {
  const { person, callAws, nameOf, now } = options;
  const { appId, mentions } = person;
  const open = (logicalId: string, sortKey?: string) => {
    const tableName = nameOf(logicalId);
    const table = createTable({ callAws, tableName, ...(sortKey !== undefined && { sortKey }) });
    return { table, scan: () => scanTable(callAws, tableName) };
  };
  /** A store of items that are judged one by one, and deleted unless `read` says how to erase. */
  const storeOf = (name: string, keys: readonly string[], read: ReadItem): PersonalStore => {
    const { table, scan } = open(name, keys[1]);
    const find = async () => {
      const found: Found[] = [];
      for await (const item of scan()) {
        const key = Object.fromEntries(keys.map((one) => [one, item[one]]));
        const change = read(item, { table, key });
        if (change === undefined) continue;
        const erase = change === "delete" ? () => table.delete(key) : change;
        found.push({ id: Object.values(key).join(" "), content: item, erase });
      }
      return { found };
    };
    return { name, find };
  };
  const lanes = open("LanesTable", "item");
  const logins = recentLogins(options);
  const isOfApp = ({ app = appId }: Item) => app === appId;
  return [
    { name: "LanesTable", find: async () => ({ found: await findParked(lanes, person, now) }) },
    storeOf("FlowsTable", ["waits", "flow"], (item) =>
      isFlowItemOf(appId, item) && mentions(item) ? "delete" : undefined,
    ),
    storeOf("CallsTable", ["call", "fact"], (item, { table, key }) => {
      if (!isOfApp(item) || !mentions(item)) return undefined;
      // Without its claim, a call could be reported again.
      return item.holder === undefined ? "delete" : () => table.update(key, { set: { holder: "erased" } });
    }),
    storeOf("LoginsTable", ["id"], ({ id }) => (logins.has(String(id)) ? "delete" : undefined)),
    storeOf("StateTable", ["id"], ({ app, key, value, changes }) =>
      app === appId && mentions({ key, value, changes }) ? "delete" : undefined,
    ),
    storeOf("EffectsTable", ["id"], (item, { table, key }) =>
      isOfApp(item) ? eraseEffect(item, { table, key }, person) : undefined,
    ),
  ];
}

interface ItemPlace {
  readonly table: Table;
  readonly key: Item;
}

/** Returns how to erase an item; undefined if it does not name the person. */
type ReadItem = (item: Item, place: ItemPlace) => "delete" | (() => Promise<unknown>) | undefined;

/** The key of an outcome or of a stored event begins with the app. */
function isFlowItemOf(appId: string, { appId: ofItem, waits, key }: Item): boolean {
  return ofItem === appId || [`${waits} `, `${key}|`].some((text) => /^[^ |]+/.exec(text)?.[0] === appId);
}

/** Expired items are deleted within days. */
const loginsKnownMs = 4 * 86_400_000;

/** Returns the ids of a user's logins, which are digests. */
function recentLogins({ person: { appId, uid }, now, loginWindowMs }: TableStoresOptions) {
  const current = Math.floor(now() / loginWindowMs);
  const count = Math.ceil(loginsKnownMs / loginWindowMs) + 1;
  return new Set(
    Array.from({ length: count }, (_, back) => loginIdOf(appId, uid, loginWindowMs, current - back)),
  );
}

/**
 * An effect stays known, so that it is not repeated: only the texts of its result go. Of the recent answers
 * of a conversation, those that the person sent.
 */
function eraseEffect({ result, answers }: Item, { table, key }: ItemPlace, { mentions, uid }: Person) {
  if (Array.isArray(answers)) {
    const others = answers.map(String).filter((answer) => !answer.endsWith(` ${uid}`));
    return others.length < answers.length
      ? () => table.update(key, { set: { answers: others } }, isStill("answers", answers))
      : undefined;
  }
  if (typeof result !== "string" || !mentions(result)) return undefined;
  const empty = JSON.stringify(withoutTexts(parseJson(result) ?? null, uid));
  return () => table.update(key, { set: { result: empty } }, isStill("result", result));
}

/** True while an attribute is as it was read. A change meanwhile is found by the last search. */
function isStill(name: string, value: Item[string]) {
  return { expression: "#read = :read", names: { "#read": name }, values: { ":read": value } };
}

/** Finds the events of parked lanes, which may consist of several items. */
async function findParked(
  { table, scan }: { readonly table: Table; scan(): AsyncIterable<Item> },
  { appId, mentions }: Person,
  now: () => number,
): Promise<readonly Found[]> {
  const parts: Item[] = [];
  const states = new Map<string, Item[string]>();
  for await (const item of scan()) {
    if (String(item.item).startsWith("event ")) parts.push(item);
    if (item.item === "state") states.set(String(item.lane), item.head);
  }
  const store = createLaneStore(table, now);
  const events = Map.groupBy(parts, ({ lane, item }) => `${lane}\n${String(item).split(" ")[1]}`);
  return [...events].flatMap(([id, items]): Found[] => {
    const [lane = "", sequence = ""] = id.split("\n");
    const record = unpackEvent(
      sequence,
      items.toSorted((one, other) => (String(one.item) < String(other.item) ? -1 : 1)),
    );
    if (record === undefined) return [];
    const message = parseJson(record.messageBody);
    const content = contentOf(record.messageBody);
    const isOfApp = isRecord(message) && message.appId === appId;
    if (!isOfApp || !mentions([content, factsOf(message)])) return [];
    const head = states.get(lane);
    const attempts = parseJson(String(head));
    const isHead = isRecord(attempts) && attempts.sequence === sequence;
    const erase = async () => {
      // The state of its attempts may quote it.
      if (isHead) await table.update({ lane, item: "state" }, { remove: ["head"] }, isStill("head", head));
      await store.remove(lane, record);
    };
    return [{ id: `${lane} ${sequence}`, content: isHead ? { content, attempts } : content, erase }];
  });
}
