import { describe, expect, it } from "vitest";
import { createChatClient } from "../../../lib/chat/client.ts";
import { UserBudgets } from "../../../lib/chat/user-budgets.ts";
import { createJumpingTime } from "../../helpers/jumping-time.ts";
import { reply, startLoopback } from "./loopback.ts";

const request = {
  operation: "op",
  deadlineMs: Number.POSITIVE_INFINITY,
  isRepetition: false,
  maybeExecuted: false,
};

function createBudgets() {
  const sleeps: number[] = [];
  const sleep = async (ms: number) => {
    sleeps.push(ms);
    await new Promise(() => {});
  };
  let nowMs = 1_000_000;
  const budgets = new UserBudgets({ limit: 100, maxConcurrent: 10, now: () => nowMs, sleep });
  const isLetIn = async (user?: string) => {
    let isIn = false;
    void budgets.acquire({ ...request, user }).then((release) => {
      isIn = true;
      release();
    });
    await new Promise((resolve) => setImmediate(resolve));
    return isIn;
  };
  return { budgets, isLetIn, pass: (ms: number) => (nowMs += ms) };
}

describe("UserBudgets", () => {
  it("lets all but the user at its limit go on", async () => {
    const { budgets, isLetIn } = createBudgets();

    budgets.close(30_000, "busy", true);
    budgets.close(30_000, "another", true);

    expect([await isLetIn("busy"), await isLetIn("other"), await isLetIn()]).toEqual([false, true, true]);
    expect(budgets.state()).toMatchObject({ closedUntilMs: undefined, waiting: 0 });
  });

  it("forgets users whose wait is over", async () => {
    const { budgets, isLetIn, pass } = createBudgets();
    for (let n = 0; n < 1_000; n += 1) budgets.close(30_000, `user-${n}`, true);

    pass(30_000);
    budgets.close(30_000, "last", true);

    expect(budgets.users).toBe(1);
    pass(30_000);
    expect(await isLetIn("last")).toBe(true);
    expect(budgets.users).toBe(0);
  });

  it("lets a user asked to wait for hours send one request at a time, each with its own 429", async () => {
    const { budgets } = createBudgets();
    budgets.close(5 * 3_600_000, "busy", true);
    const turns = [1, 2].map(() => budgets.acquire({ ...request, user: "busy" }));

    const release = await turns[0];
    const second = await Promise.race([turns[1], new Promise((resolve) => setImmediate(resolve, "waits"))]);
    release?.();

    expect(second).toBe("waits");
    await expect(turns[1]).resolves.toBeTypeOf("function");
  });

  it("takes a 429 that does not say whose limit it is for the user's, until another request gets one", async () => {
    const { budgets, isLetIn } = createBudgets();

    budgets.close(30_000, "busy", undefined);
    const afterOne = await isLetIn("other");
    budgets.close(30_000, "other", undefined);

    expect([afterOne, await isLetIn("third")]).toEqual([true, false]);
  });

  it("closes to all where the app has none left", async () => {
    const { budgets, isLetIn } = createBudgets();

    budgets.close(30_000, "busy", false);

    expect(await isLetIn("other")).toBe(false);
  });

  it("begins to doubt anew after an answer of another kind", async () => {
    const { budgets, isLetIn } = createBudgets();

    budgets.close(30_000, "busy", undefined);
    budgets.learn(new Headers(), false);
    budgets.close(30_000, "other", undefined);

    expect(await isLetIn("third")).toBe(true);
  });
});

describe("a user beyond 30 messages a minute", () => {
  it.each(["said", "not said"])(
    "delays no other user in two clients, and loses and doubles nothing; what the app has left is %s",
    async (isSaid) => {
      const time = createJumpingTime();
      const used = new Map<string, number>();
      const stored: { muid: string; atMs: number }[] = [];
      let refused = 0;
      await using platform = await startLoopback(({ headers, body }, response) => {
        const key = `${headers.onbehalfof} ${Math.floor(time.now() / 60_000)}`;
        used.set(key, (used.get(key) ?? 0) + 1);
        const left = isSaid === "said" ? { "x-rate-limit-remaining": "15000" } : {};
        if ((used.get(key) ?? 0) > 30) {
          refused += 1;
          const waitSeconds = String(Math.ceil((60_000 - (time.now() % 60_000)) / 1_000));
          reply(response, 429, {}, { ...left, "retry-after": waitSeconds });
          return;
        }
        const { muid } = JSON.parse(body) as { muid: string };
        stored.push({ muid, atMs: time.now() });
        reply(response, 200, { data: { id: String(stored.length), muid } }, left);
      });
      const options = { appId: "app1", apiKey: "key", baseUrlTemplate: platform.baseUrlTemplate, ...time };
      const clients = [createChatClient(options), createChatClient(options)];
      const startMs = time.now();
      const sendInTurn = async (number: number, user: string, count: number) => {
        for (let n = 0; n < count; n += 1) {
          const muid = `${user} ${number} ${n}`;
          await clients[number]?.messages.send(
            { receiver: "zoe", receiverType: "user", data: { text: "hi" }, muid },
            { onBehalfOf: user },
          );
        }
      };

      const sends = [0, 1].flatMap((number) => [
        sendInTurn(number, "busy", 75),
        ...Array.from({ length: 9 }, (_, n) => sendInTurn(number, `user-${n}`, 15)),
      ]);
      await time.passUntil(Promise.all(sends));

      const others = stored.filter(({ muid }) => muid.startsWith("user"));
      const busy = stored.map(({ muid }) => muid).filter((muid) => muid.startsWith("busy 0"));
      expect(Math.max(...others.map(({ atMs }) => atMs))).toBe(startMs);
      expect(busy).toEqual(Array.from({ length: 75 }, (_, n) => `busy 0 ${n}`));
      expect(new Set(stored.map(({ muid }) => muid)).size).toBe(stored.length);
      expect(stored).toHaveLength(2 * (75 + 9 * 15));
      expect(refused).toBeLessThan(20);
    },
  );
});
