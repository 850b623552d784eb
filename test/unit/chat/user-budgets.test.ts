import { describe, expect, it } from "vitest";
import { type Actor, actorOf, UserBudgets } from "../../../lib/chat/user-budgets.ts";
import { startLimited } from "./limited-platform.ts";

const request = {
  operation: "op",
  deadlineMs: Number.POSITIVE_INFINITY,
  isRepetition: false,
  maybeExecuted: false,
};

const sends = (uid: string): Actor => ({ uid, counted: "sends" });
const numbers = (limit?: number, remaining?: number) =>
  new Headers({
    ...(limit !== undefined && { "x-rate-limit": String(limit) }),
    ...(remaining !== undefined && { "x-rate-limit-remaining": String(remaining) }),
  });
const silent = numbers();
const own = numbers(30, 0);

function createBudgets() {
  const sleep = async () => await new Promise<void>(() => {});
  let nowMs = 1_000_000;
  const budgets = new UserBudgets({ limit: 20_000, maxConcurrent: 10, now: () => nowMs, sleep });
  const isLetIn = async (who?: string | Actor) => {
    let isIn = false;
    void budgets
      .acquire({ ...request, actor: typeof who === "string" ? sends(who) : who })
      .then((release) => {
        isIn = true;
        release();
      });
    await new Promise((resolve) => setImmediate(resolve));
    return isIn;
  };
  const refuse = (uid: string, headers: Headers, waitMs = 30_000) =>
    budgets.close(headers, { actor: sends(uid), waitMs, leaves: false });
  return { budgets, isLetIn, refuse, pass: (ms: number) => (nowMs += ms) };
}

describe("UserBudgets", () => {
  it.each([
    ["the app's, with requests left", numbers(20_000, 15_000)],
    ["only what is left", numbers(undefined, 15_000)],
    ["the user's own", own],
  ])("blocks only the users at their limit, by the numbers of the 429: %s", async (_, headers) => {
    const { budgets, isLetIn, refuse } = createBudgets();

    const taken = [refuse("busy", headers), refuse("another", headers)];

    expect(taken).toEqual([true, true]);
    expect([await isLetIn("busy"), await isLetIn("other"), await isLetIn()]).toEqual([false, true, true]);
    expect(budgets.state()).toMatchObject({ closedUntilMs: undefined, waiting: 0, limit: 20_000 });
  });

  it("does not block the user's other requests", async () => {
    const { budgets, isLetIn, refuse } = createBudgets();

    refuse("busy", own);
    budgets.close(numbers(5, 0), {
      actor: { uid: "marker", counted: "unread marks" },
      waitMs: 30_000,
      leaves: false,
    });

    expect(await isLetIn({ uid: "busy", counted: "others" })).toBe(true);
    expect(await isLetIn({ uid: "busy", counted: "unread marks" })).toBe(true);
    expect([await isLetIn("busy"), await isLetIn("marker")]).toEqual([false, true]);
  });

  it("forgets users whose wait is over", async () => {
    const { budgets, isLetIn, refuse, pass } = createBudgets();
    for (let n = 0; n < 1_000; n += 1) refuse(`user-${n}`, own);

    pass(30_000);
    refuse("last", own);

    expect(budgets.users).toBe(1);
    pass(30_000);
    expect(await isLetIn("last")).toBe(true);
    expect(budgets.users).toBe(0);
  });

  it("sends one request at a time for a user asked to wait for hours, each with its own 429", async () => {
    const { budgets, refuse } = createBudgets();
    refuse("busy", own, 5 * 3_600_000);
    const turns = [1, 2].map(() => budgets.acquire({ ...request, actor: sends("busy") }));

    const release = await turns[0];
    const second = await Promise.race([turns[1], new Promise((resolve) => setImmediate(resolve, "waits"))]);
    release?.();

    expect(second).toBe("waits");
    await expect(turns[1]).resolves.toBeTypeOf("function");
  });

  it.each([
    ["none", silent],
    ["nothing left, of an unknown limit", numbers(undefined, 0)],
    ["nothing left, of a limit other than the app's", numbers(600, 0)],
  ])("attributes a 429 to the user until another user gets one, with the numbers: %s", async (_, headers) => {
    const { isLetIn, refuse } = createBudgets();

    const taken = [refuse("busy", headers), refuse("busy", headers)];
    const afterOne = await isLetIn("other");
    taken.push(refuse("other", headers));

    expect(taken).toEqual([false, false, false]);
    expect([afterOne, await isLetIn("third")]).toEqual([true, false]);
  });

  it.each([
    ["has none left", numbers(20_000, 0), sends("busy")],
    ["acts itself", silent, undefined],
  ])("blocks all users if the app %s", async (_, headers, actor) => {
    const { budgets, isLetIn } = createBudgets();

    expect(budgets.close(headers, { actor, waitMs: 30_000, leaves: false })).toBe(false);

    expect(await isLetIn("other")).toBe(false);
  });

  it("attributes a 429 to its user again after another answer", async () => {
    const { budgets, isLetIn, refuse } = createBudgets();

    refuse("busy", silent);
    budgets.learn(silent, undefined);
    refuse("other", silent);

    expect(await isLetIn("third")).toBe(true);
  });

  it("treats a low limit as the app's if an uncounted request reported it", async () => {
    const { budgets, refuse } = createBudgets();

    budgets.learn(numbers(40, 1), { uid: "busy", counted: "others" });

    expect(refuse("busy", numbers(40, 0))).toBe(false);
  });

  it("does not confuse a user's numbers in an answer with the app's", () => {
    const { budgets } = createBudgets();

    budgets.learn(numbers(30, 0), sends("busy"));

    expect(budgets.state()).toMatchObject({ limit: 20_000, remaining: 20_000 });
  });
});

it.each<[string, string, string | undefined, Actor | undefined]>([
  ["POST", "/messages", "Alice", { uid: "alice", counted: "sends" }],
  ["POST", "/messages/7/thread", "alice", { uid: "alice", counted: "sends" }],
  ["POST", "/bots/Helper/messages", undefined, { uid: "helper", counted: "sends" }],
  ["DELETE", "/users/bob/conversation/read", "alice", { uid: "alice", counted: "unread marks" }],
  ["DELETE", "/groups/g/conversation/read", "alice", { uid: "alice", counted: "unread marks" }],
  ["POST", "/users/bob/conversation/read", "alice", { uid: "alice", counted: "others" }],
  ["GET", "/messages?limit=5", "alice", { uid: "alice", counted: "others" }],
  ["PUT", "/messages/7", "alice", { uid: "alice", counted: "others" }],
  ["POST", "/messages", undefined, undefined],
])("actorOf of %s %s on behalf of %s", (method, path, onBehalfOf, actor) => {
  expect(actorOf({ method, path, onBehalfOf })).toEqual(actor);
});

it.each<[string, (left: number) => Record<string, string>]>([
  ["the user's own", (left) => (left < 0 ? { "x-rate-limit": "30", "x-rate-limit-remaining": "0" } : {})],
  ["none", () => ({})],
])(
  "a user beyond 30 messages a minute delays no other user and loses no message; the numbers of its 429 are %s",
  async (_, numbersOf) => {
    const { time, stored, refused, send } = await startLimited(60_000, 30, numbersOf);
    const startMs = time.now();
    const sendInTurn = async (number: 0 | 1, user: string, count: number) => {
      for (let n = 0; n < count; n += 1) await send(number, `${user} ${number} ${n}`, user);
    };

    const sends = ([0, 1] as const).flatMap((number) => [
      sendInTurn(number, "busy", 45),
      ...Array.from({ length: 9 }, (_, n) => sendInTurn(number, `user-${n}`, 5)),
    ]);
    await time.passUntil(Promise.all(sends));

    const others = stored.filter(({ muid }) => muid.startsWith("user"));
    const busy = stored.map(({ muid }) => muid).filter((muid) => muid.startsWith("busy 0"));
    expect(Math.max(...others.map(({ atMs }) => atMs))).toBe(startMs);
    expect(busy).toEqual(Array.from({ length: 45 }, (_, n) => `busy 0 ${n}`));
    expect(new Set(stored.map(({ muid }) => muid)).size).toBe(stored.length);
    expect(stored).toHaveLength(2 * (45 + 9 * 5));
    expect(refused.length).toBeLessThan(20);
  },
);
