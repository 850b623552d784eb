import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message, Span } from "../../../../local/console/page/views/chat/chat-api.ts";
import { type FeedState, MessageFeed } from "../../../../local/console/page/views/chat/message-feed.ts";
import { heldMessages } from "../../../../local/console/page/views/chat/message-window.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the feed of a conversation", () => {
  it("shows the newest page of a long conversation", async () => {
    const { feed, shown } = createStory(100_000);

    await feed.open();

    expect(ids(shown())).toEqual(range(99_951, 100_000));
    expect(shown().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  it("holds a limited number of messages while paging back and forth", async () => {
    const { feed, shown } = createStory(2_000);
    await feed.open();

    for (let page = 0; page < 10; page += 1) await feed.loadOlder();
    expect(ids(shown())).toEqual(range(1_451, 1_451 + heldMessages - 1));
    for (let page = 0; page < 10; page += 1) await feed.loadNewer();

    expect(ids(shown())).toEqual(range(2_000 - heldMessages + 1, 2_000));
    expect(shown().window).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  it("requests only messages after the newest one", async () => {
    const { feed, shown, write, asked } = createStory(60);
    await feed.open();
    write(2);
    asked.length = 0;

    await feed.onNews();

    expect(ids(shown()).slice(-2)).toEqual(range(61, 62));
    expect(asked[0]).toEqual({ affix: "append", id: "60", limit: 100 });
  });

  it("sends one more request for a flood of news during a request", async () => {
    const { feed, write, asked, shown } = createStory(60);
    await feed.open();
    asked.length = 0;

    const hearing = feed.onNews();
    for (let number = 0; number < 50; number += 1) {
      write(1);
      void feed.onNews();
    }
    await hearing;

    await vi.waitFor(() => expect(ids(shown()).at(-1)).toBe("110"));
    expect(asked.filter(({ affix, limit }) => affix === "append" && limit === 100)).toHaveLength(2);
  });

  it("jumps to the newest page after too many new messages", async () => {
    const { feed, write, shown } = createStory(60);
    await feed.open();
    write(1_000);

    await feed.onNews();

    expect(ids(shown())).toEqual(range(1_011, 1_060));
    expect(shown().window.hasNewer).toBe(false);
  });

  it("keeps the oldest messages while they are on the screen, even when one arrives", async () => {
    const { feed, write, shown, look } = createStory(heldMessages);
    await feed.open();
    for (let page = 0; page < 5; page += 1) await feed.loadOlder();
    look.isAtEnd = false;
    write(1);

    await feed.onNews();

    expect(ids(shown())).toEqual(range(1, heldMessages));
    expect(shown().window.hasNewer).toBe(true);
  });

  it("shows changed, removed and inserted messages, and keeps the other objects", async () => {
    const { feed, store, shown, look } = createStory(60);
    store.splice(54, 1); // 55 is not there yet
    await feed.open();
    Object.assign(look, { first: "50", last: "60" });
    const kept = held(shown(), "59");
    change(store, "52", { editedAt: 9 });
    store.splice(
      store.findIndex(({ id }) => id === "53"),
      1,
    );
    store.splice(
      store.findIndex(({ id }) => id === "56"),
      0,
      messageOf(55),
    );

    await feed.onNews();

    expect(held(shown(), "52")).toMatchObject({ editedAt: 9 });
    expect(ids(shown()).slice(-9)).toEqual(["51", "52", "54", "55", "56", "57", "58", "59", "60"]);
    expect(held(shown(), "59")).toBe(kept);
  });

  it("requests changes at most twice a second, and the last one afterwards", async () => {
    const { feed, store, shown, look } = createStory(60);
    await feed.open();
    Object.assign(look, { first: "50", last: "60" });
    await feed.onNews();
    change(store, "60", { readAt: 9 });

    await feed.onNews();
    expect(held(shown(), "60")?.readAt).toBeUndefined();
    await vi.advanceTimersByTimeAsync(500);

    expect(held(shown(), "60")?.readAt).toBe(9);
  });

  it("opens a message with its neighbours", async () => {
    const { feed, shown } = createStory(1_000);

    await feed.open("500");

    expect(ids(shown())).toEqual(range(476, 525));
    expect(shown().window).toMatchObject({ hasOlder: true, hasNewer: true });
  });

  it("keeps its messages when a request fails, and reports the error until one succeeds", async () => {
    const { feed, shown, failure } = createStory(60);
    await feed.open();
    failure.error = new Error("down");

    await feed.onNews();
    expect(shown()).toMatchObject({ error: failure.error, isLoading: false });
    expect(ids(shown())).toHaveLength(50);
    failure.error = undefined;
    await feed.onNews();

    expect(shown().error).toBeUndefined();
  });

  it("opens a message also during another request", async () => {
    const { feed, shown } = createStory(1_000);
    await feed.open();

    const hearing = feed.onNews();
    const opening = feed.open("500");
    await Promise.all([hearing, opening]);

    expect(ids(shown())).toEqual(range(476, 525));
  });
});

function createStory(count: number) {
  const store = Array.from({ length: count }, (_, index) => messageOf(index + 1));
  const asked: Span[] = [];
  const failure: { error: Error | undefined } = { error: undefined };
  const look: { first: string | undefined; last: string | undefined; isAtEnd: boolean } = {
    first: undefined,
    last: undefined,
    isAtEnd: true,
  };
  let state: FeedState = {
    window: { messages: [], hasOlder: false, hasNewer: false },
    isLoading: true,
    error: undefined,
  };
  const feed = new MessageFeed({
    async load(span) {
      asked.push(span);
      if (failure.error !== undefined) throw failure.error;
      const { affix, id, limit } = span;
      if (affix === "append")
        return store
          .filter((one) => Number(one.id) > Number(id ?? 0))
          .slice(0, limit)
          .map(copy);
      return store
        .filter((one) => id === undefined || Number(one.id) < Number(id))
        .slice(-limit)
        .map(copy);
    },
    notify(next) {
      state = next;
    },
    look: () => look,
  });
  const write = (more: number) => {
    for (let number = 0; number < more; number += 1) store.push(messageOf(Number(store.at(-1)?.id ?? 0) + 1));
  };
  return { feed, store, asked, failure, look, write, shown: () => state };
}

function change(store: Message[], id: string, fields: Partial<Message>) {
  const index = store.findIndex((message) => message.id === id);
  store[index] = { ...messageOf(Number(id)), ...fields };
}

// Each answer is a copy, as if it came over the network.
function copy(message: Message): Message {
  return { ...message };
}

function held({ window }: FeedState, id: string) {
  return window.messages.find((message) => message.id === id);
}

function ids({ window }: FeedState): string[] {
  return window.messages.map(({ id }) => id);
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

function messageOf(number: number): Message {
  return {
    id: String(number),
    conversationId: "alice_user_bob",
    sender: "alice",
    receiver: "bob",
    receiverType: "user",
    category: "message",
    type: "text",
    data: { text: `Message ${number}` },
    sentAt: number,
  };
}
