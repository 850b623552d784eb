import { OwnError } from "../../../base/errors.ts";
import { aFunctionGiven, checkCall } from "../../../chat/check-call.ts";
import { readPlainly } from "../../../chat/check-plain.ts";
import { MessageTooLargeError, maxQueueBytes } from "../../../queue/queued-event.ts";
import type { WebhookDelivery, WebhookStore } from "../webhook-store.ts";
import { blockDelivery, messageDelivery, receivedLater, unreadDelivery } from "./sample-deliveries.ts";

/** A delivery as a consumer would receive it. */
export interface KeptDelivery {
  readonly appId: string;
  readonly raw: Uint8Array;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** False if it was put without an event. */
  readonly isRead: boolean;
}

/**
 * An empty store, and what a check needs. Any error of these methods fails the check; all but `close` may be
 * called again.
 */
export interface StoreUnderTest {
  readonly store: WebhookStore;
  /** All stored deliveries; a lane's in handling order. */
  read(): Promise<readonly KeptDelivery[]>;
  /** Abandons the store as a crash does, and opens another on the same data. */
  reopen(): Promise<WebhookStore>;
  /** Makes the store's file or server fail. */
  breakDown(): Promise<void>;
  /** Removes everything. */
  close(): Promise<void>;
}

/** One requirement of a store. */
export interface StoreCheck {
  /** A unique sentence. */
  readonly name: string;
  /** Repeatable: opens its own store. @throws StoreCheckError if the store does not meet the requirement */
  run(): Promise<void>;
}

/** Thrown if a store does not meet a requirement. */
export class StoreCheckError extends OwnError {
  override readonly name = "StoreCheckError";
}

/**
 * Returns the checks that show whether a receiver can rely on a store: run each as a test in any framework.
 * @param open creates an empty store
 * @throws InvalidInputError if it is not a function
 * @example for (const { name, run } of webhookStoreChecks(openMine)) test(name, run);
 */
export function webhookStoreChecks(open: () => Promise<StoreUnderTest>): readonly StoreCheck[] {
  checkCall("webhookStoreChecks", "open", aFunctionGiven(), open);
  return Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => {
      const subject = await open();
      checkSubject(subject);
      try {
        await check(subject);
      } finally {
        await subject.close();
      }
    },
  }));
}

function checkSubject(subject: unknown): void {
  const parts = { store: "put", read: "", reopen: "", breakDown: "", close: "" };
  for (const [name, method] of Object.entries(parts)) {
    const called = readPlainly("webhookStoreChecks", `open.${name}`, (): unknown => {
      const part: unknown = Reflect.get(Object(subject), name);
      return method === "" ? part : Reflect.get(Object(part), method);
    });
    if (typeof called === "function") continue;
    const what = method === "" ? `a function \`${name}\`` : `a \`${name}\` with a function \`${method}\``;
    throw new StoreCheckError(`What \`open\` gives has not ${what}.`);
  }
}

/** Longer than the platform's time limit. */
const waitMs = 5_000;

function put(store: WebhookStore, delivery: WebhookDelivery): Promise<void> {
  return store.put(delivery, { deadlineMs: Date.now() + waitMs });
}

const checks: Readonly<Record<string, (subject: StoreUnderTest) => Promise<void>>> = {
  "keeps a delivery byte for byte, with its app and the time of its receipt": async ({ store, read }) => {
    const delivery = messageDelivery({ text: "Grüße \u{1F44B} \uFFFD \uFFFE \\ud800 \u0000" });

    await put(store, delivery);

    expectKept(await read(), [delivery]);
  },

  "keeps what cannot be read, and distinguishes it": async ({ store, read }) => {
    const unread = [unreadDelivery(Buffer.from([0xff, 0x00, 0xfe, 0x22])), unreadDelivery(Buffer.from("{}"))];

    for (const delivery of [...unread, messageDelivery({})]) await put(store, delivery);

    expectKept(await read(), [...unread, messageDelivery({})], true);
  },

  "keeps what has no content at all": async ({ store, read }) => {
    const delivery = unreadDelivery(Buffer.alloc(0));

    await put(store, delivery);

    expectKept(await read(), [delivery]);
  },

  "has kept what was put when a process ends and another begins": async ({ store, read, reopen }) => {
    await put(store, messageDelivery({ id: "1" }));

    const other = await reopen();
    await put(other, messageDelivery({ id: "2" }));

    expectKept(await read(), [messageDelivery({ id: "1" }), messageDelivery({ id: "2" })]);
  },

  "keeps an occurrence once, however often it is delivered": async ({ store, read }) => {
    const delivery = messageDelivery({});

    for (const laterMs of [0, 10_000, 40_000]) await put(store, receivedLater(delivery, laterMs));

    expectKept(await read(), [delivery]);
  },

  "keeps an occurrence once that is delivered several times concurrently": async ({ store, read }) => {
    const delivery = messageDelivery({});

    await Promise.all(Array.from({ length: 10 }, () => put(store, delivery)));

    expectKept(await read(), [delivery]);
  },

  "remembers an occurrence when a process ends and another begins": async ({ store, read, reopen }) => {
    await put(store, messageDelivery({}));

    await put(await reopen(), receivedLater(messageDelivery({}), 10_000));

    expectKept(await read(), [messageDelivery({})]);
  },

  "keeps two occurrences of one key, an hour apart": async ({ store, read }) => {
    const [block, again] = [blockDelivery(), receivedLater(blockDelivery(), 3_600_000)];

    for (const delivery of [block, again]) await put(store, delivery);

    expectKept(await read(), [block, again]);
  },

  "keeps one message of two apps twice": async ({ store, read }) => {
    const both = [messageDelivery({ appId: "app-1" }), messageDelivery({ appId: "app-2" })];

    for (const delivery of both) await put(store, delivery);

    expectKept(await read(), both, true);
  },

  "keeps the order within a conversation, whatever comes between": async ({ store, read }) => {
    const inTurns = Array.from({ length: 30 }, (_, number) =>
      messageDelivery({ id: String(100 - number), conversation: `ann_user_${number % 3}` }),
    );

    for (const delivery of inTurns) await put(store, delivery);

    const kept = await read();
    for (const rest of [0, 1, 2]) {
      const isOfLane = (_: unknown, number: number) => number % 3 === rest;
      const lane = inTurns.filter(isOfLane);
      const ofLane = kept.filter(({ raw }) => lane.some((one) => isSame(one.raw, raw)));
      expectKept(ofLane, lane);
    }
  },

  "keeps all of a hundred deliveries that come at one time, each once": async ({ store, read }) => {
    const many = Array.from({ length: 100 }, (_, number) =>
      messageDelivery({ id: String(number), conversation: `ann_user_${number % 7}` }),
    );

    await Promise.all(many.map((delivery) => put(store, delivery)));

    expectKept(await read(), many, true);
  },

  "keeps the largest delivery whole, or refuses it for good": async ({ store, read }) => {
    const text = "ü".repeat((maxQueueBytes - 2_000) / 2);
    const large = messageDelivery({ text });

    const isRefused = await put(store, large).then(
      () => false,
      (error: unknown) => {
        if (error instanceof MessageTooLargeError) return true;
        throw new StoreCheckError(
          "It refused a large delivery with another error than MessageTooLargeError.",
        );
      },
    );

    expectKept(await read(), isRefused ? [] : [large]);
  },

  "rejects when it cannot keep a delivery": async ({ store, breakDown }) => {
    await breakDown();

    const isKept = await put(store, messageDelivery({})).then(
      () => true,
      () => false,
    );

    if (isKept) throw new StoreCheckError("It resolved although its file or server has failed.");
  },
};

function expectKept(
  kept: readonly KeptDelivery[],
  expected: readonly WebhookDelivery[],
  inAnyOrder = false,
): void {
  if (kept.length !== expected.length) {
    throw new StoreCheckError(`It has ${kept.length} deliveries where ${expected.length} were expected.`);
  }
  const left = [...kept];
  for (const [index, one] of expected.entries()) {
    const at = inAnyOrder ? left.findIndex((other) => isWhole(other, one)) : index;
    const found = left[at];
    if (found === undefined || !isWhole(found, one)) {
      throw new StoreCheckError(`Delivery ${index + 1} is missing, in another place, or not as it was put.`);
    }
    if (inAnyOrder) left.splice(at, 1);
  }
}

function isWhole(kept: KeptDelivery, { appId, raw, receivedAt, event }: WebhookDelivery): boolean {
  const isEqual = kept.appId === appId && kept.receivedAt === receivedAt;
  return isEqual && kept.isRead === (event !== undefined) && isSame(kept.raw, raw);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
