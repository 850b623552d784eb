import type { AwsCaller } from "../../aws/aws-call.ts";
import { createTable, scanTable } from "../../aws/create-table.ts";
import { type Item, when } from "../../aws/table.ts";
import { inParts, mapConcurrently } from "../../base/batching.ts";
import { parseJson } from "../../base/json.ts";
import { lazy } from "../../base/lazy.ts";
import { loginIdOf } from "../../endpoints/login/login-limit.ts";
import type { FlowOperator } from "../../flows/operate-flows.ts";
import type { ListedFlow } from "../../flows/read-executions.ts";
import { deadLetters, readDeadLetter } from "../../queue/dead-letter.ts";
import type { HeldMessage } from "../../queue/held-queue.ts";
import { isEventItem } from "../../queue/lanes/lane-events.ts";
import { createLaneStore } from "../../queue/lanes/lane-store.ts";
import { type OperatorServices, openForOperator } from "../../queue/operator-services.ts";
import { quarantinedDeliveries, readQuarantined } from "../../queue/quarantined-delivery.ts";
import { factsOf, payloadOf } from "../../queue/read-queued-event.ts";
import type { SetAside } from "../../queue/set-aside.ts";
import { type LookOptions, lookThrough } from "../../queue/set-aside-queue.ts";
import type { Found, Mentions, PersonalStore } from "./personal-store.ts";

export interface Person {
  readonly appId: string;
  /** In lower case. */
  readonly uid: string;
  readonly mentions: Mentions;
}

interface TableStoresOptions {
  readonly person: Person;
  readonly callAws: AwsCaller;
  readonly nameOf: (logicalId: string) => string;
  readonly now: () => number;
  readonly loginWindowMs: number;
  /** Default: nothing. */
  readonly onProgress?: (text: string) => void;
}

/** What overwrites an item. */
type Judge = (item: Item) => Item | boolean;

/** An item of EffectsTable names no app if its effect ended after the table had lost it. */
export function tableStores(options: TableStoresOptions): readonly PersonalStore[] {
  const { person, callAws, nameOf } = options;
  const { appId, uid, mentions } = person;
  const storeOf = (name: string, keys: readonly [string, ...string[]], judge: Judge): PersonalStore => ({
    name,
    find: async function* (isProof) {
      const table = createTable({ callAws, tableName: nameOf(name) });
      for await (const content of readTable(name, options, isProof)) {
        if (judge(content) === false) continue;
        const key = Object.fromEntries(keys.map((one) => [one, content[one]]));
        // Judges again: the search may take an hour, and a function may have stored another value meanwhile.
        const erase = async () => {
          const set = judge((await table.get(key)) ?? {});
          if (set === true) await table.delete(key);
          else if (set !== false) await table.update(key, { set }, isThere(keys[0]));
        };
        yield { id: Object.values(key).join(" "), content, erase };
      }
    },
  });
  const isOfApp = ({ app = appId }: Item) => app === appId;
  return [
    parkedEvents(options),
    storeOf("FlowsTable", ["waits", "flow"], (item) => isFlowItemOf(appId, item) && mentions(item)),
    storeOf("CallsTable", ["call", "fact"], (item) => {
      if (!isOfApp(item) || !mentions(item)) return false;
      // A call without its claim could be reported again.
      return item.holder === undefined || { holder: "erased" };
    }),
    loginCounts(options),
    storeOf(
      "StateTable",
      ["id"],
      ({ app, key, value, changes }) => app === appId && mentions({ key, value, changes }),
    ),
    storeOf("EffectsTable", ["id"], (item) => {
      const { result, answers } = item;
      if (!isOfApp(item)) return false;
      if (Array.isArray(answers) && answers.some((answer) => String(answer).endsWith(` ${uid}`))) return true;
      if (typeof result !== "string" || !mentions(result)) return false;
      // The effect stays recorded, so that it is not repeated.
      const { id } = Object(parseJson(result));
      return { result: JSON.stringify({ id, before: null, after: null }) };
    }),
  ];
}

/** Prevents re-creating a deleted item. */
function isThere(key: string) {
  return when("attribute_exists(#key)", {}, { key });
}

function isFlowItemOf(appId: string, { appId: ofItem, waits, key }: Item) {
  return ofItem === appId || `${waits}`.startsWith(`${appId} `) || `${key}`.startsWith(`${appId}|`);
}

async function* readTable(
  name: string,
  { callAws, nameOf, onProgress = () => {} }: TableStoresOptions,
  isConsistent = false,
): AsyncGenerator<Item, void> {
  let count = 0;
  for await (const item of scanTable(callAws, nameOf(name), { isConsistent })) {
    yield item;
    count += 1;
    if (count % 1_000 === 0) onProgress(`looked at ${count} items of ${name}`);
  }
}

/** The table deletes expired items within days. */
const loginsKnownMs = 4 * 86_400_000;
/** DynamoDB limit per request. */
const keysPerRead = 100;

function loginCounts({ person, callAws, nameOf, now, loginWindowMs }: TableStoresOptions): PersonalStore {
  const { appId, uid } = person;
  const find = async function* () {
    const table = createTable({ callAws, tableName: nameOf("LoginsTable") });
    const ids = new Set<string>();
    for (let ms = now(); ms > now() - loginsKnownMs; ms -= loginWindowMs)
      ids.add(loginIdOf(appId, uid, loginWindowMs, Math.floor(ms / loginWindowMs)));
    for (const part of inParts([...ids], keysPerRead))
      for (const content of await table.batchGet(part.map((id) => ({ id }))))
        yield { id: `${content.id}`, content, erase: () => table.delete({ id: content.id }) };
  };
  return { name: "LoginsTable", find };
}

const mostEvents = 10_000;

function parkedEvents(options: TableStoresOptions): PersonalStore {
  const { person, callAws, nameOf, now } = options;
  /** Its lane may have an event of the user. One in parts is compressed as a whole. */
  const isOfInterest = ({ item, parts, messageBody, head }: Item) =>
    isEventItem(item)
      ? parts !== 1 || person.mentions(contentOf(`${messageBody}`))
      : person.mentions({ head });
  const find = async function* (isProof = false) {
    const table = createTable({ callAws, tableName: nameOf("LanesTable"), sortKey: "item" });
    const store = createLaneStore(table, now);
    const lanes = new Set<string>();
    for await (const item of readTable("LanesTable", options, isProof))
      if (isOfInterest(item)) lanes.add(`${item.lane}`);
    const headOf = async (lane: string) => (await store.find([lane])).get(lane)?.head;
    for (const lane of lanes) {
      const head = await headOf(lane);
      for (const record of await store.first(lane, mostEvents)) {
        const { messageBody, sequence } = record;
        const content = { ...contentOf(messageBody), ...(head?.sequence === sequence && { head }) };
        const isOfApp = factsOf(parseJson(messageBody))?.appId === person.appId;
        if (!isOfApp || !person.mentions(content)) continue;
        const erase = async () => {
          // The state of its attempts may quote it.
          if ((await headOf(lane))?.sequence === sequence)
            await table.update({ lane, item: "state" }, { remove: ["head"] }, isThere("lane"));
          await store.remove(lane, record);
        };
        yield { id: `${lane} ${sequence}`, content, erase };
      }
    }
  };
  return { name: "LanesTable", isFilledLate: true, find };
}

function contentOf(messageBody: string) {
  return { message: payloadOf(messageBody) ?? messageBody };
}

export function queueStores(
  { appId, mentions }: Person,
  services: OperatorServices,
  looking: LookOptions,
): readonly PersonalStore[] {
  const { signal } = looking;
  const queues = [
    { name: "DeadLetterQueue", queue: "deadLetters", read: readDeadLetter, drop: deadLetters.drop },
    { name: "QuarantineQueue", queue: "quarantine", read: readQuarantined, drop: quarantinedDeliveries.drop },
  ] as const;
  return queues.map(({ name, queue, read, drop }) => ({
    name,
    isFilledLate: true as const,
    find: async function* () {
      const held = openForOperator(queue, services);
      const { free, taken } = await held.depth();
      // Reading hides the messages from other readers.
      if (free + taken === 0) return;
      const contents = new Map<string, unknown>();
      const note = (message: HeldMessage): SetAside => {
        const facts = read(message);
        const content = { cause: facts.cause, message: payloadOf(message.body) ?? message.body };
        if (facts.appId === appId && mentions(content)) contents.set(facts.id, content);
        return facts;
      };
      const { unseen } = await lookThrough(held, note, {}, looking);
      const dropAll = lazy(async () => {
        const { failure } = await drop({ selection: { ids: new Set(contents.keys()) }, signal }, services);
        if (failure !== undefined) throw new Error(failure);
      });
      for (const [id, content] of contents) yield { id, content, erase: dropAll };
      if (unseen > 0) yield { id: "unread", content: `about ${unseen} messages that another reader holds` };
    },
  }));
}

const shownAtOnce = 10;

/** Stops a running flow without its own clean-up; the next search finds it ended. */
export function flowStore(
  { appId, mentions }: Person,
  { list, show, cancel, erase }: Pick<FlowOperator, "list" | "show" | "cancel" | "erase">,
  { onProgress = () => {} }: Pick<TableStoresOptions, "onProgress"> = {},
): PersonalStore {
  /** By id, of ended flows, which do not change. */
  const known = new Map<string, Found | undefined>();
  const look = async ({ id, status, endedAt }: ListedFlow): Promise<Found | undefined> => {
    if (status === "DELETING") return undefined;
    if (known.has(id)) return known.get(id);
    const content = await show(id);
    const isFound = content?.appId === appId && mentions(content);
    if (endedAt === undefined) {
      const stop = async () => {
        // A flow that listens for its cancellation is asked first, and stopped at the second request.
        if ((await cancel(id, "erased")) === "asked") await cancel(id, "erased");
      };
      return isFound ? { id, content, erase: stop } : undefined;
    }
    known.set(id, isFound ? { id, content, erase: () => erase(id) } : undefined);
    return known.get(id);
  };
  const find = async function* () {
    const flows = await list({ limit: Number.POSITIVE_INFINITY });
    let looked = 0;
    const found = await mapConcurrently(flows, shownAtOnce, async (flow) => {
      const one = await look(flow);
      looked += 1;
      if (looked % 100 === 0) onProgress(`looked at ${looked} of ${flows.length} flows`);
      return one;
    });
    yield* found.flatMap((one) => one ?? []);
  };
  return { name: "flows", find };
}
