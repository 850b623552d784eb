import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../helpers/property-runs.ts";
import { clientFor } from "./list-client.ts";

const count = fc.integer({ min: 0, max: 60 });
const size = fc.integer({ min: 1, max: 17 });

const userNamed = (n: number) => ({ uid: `user-${n}`, name: `User ${n}` });
const messageOf = (n: number) => ({ id: String(n), sentAt: Math.floor(n / 3) });

describe("lists by page", () => {
  const serve = (total: number, fallback: number) => (query: URLSearchParams) => {
    const perPage = Number(query.get("perPage") ?? fallback);
    const page = Number(query.get("page") ?? 1);
    const all = Array.from({ length: total }, (_, n) => userNamed(n));
    const data = all.slice((page - 1) * perPage, page * perPage);
    const total_pages = Math.ceil(total / perPage);
    return {
      data,
      meta: { pagination: { total, count: data.length, per_page: perPage, current_page: page, total_pages } },
    };
  };

  it("yield every item once, whatever the page size", async () => {
    await fc.assert(
      fc.asyncProperty(count, size, async (total, perPage) => {
        const { chat } = clientFor(serve(total, 100));
        const users = await Array.fromAsync(chat.users.list({ perPage }));
        expect(users.map((user) => user.uid)).toEqual(Array.from({ length: total }, (_, n) => `user-${n}`));
      }),
      runs(),
    );
  });

  it("end when the platform ignores the page asked for", async () => {
    const { chat, asked } = clientFor(() => ({ data: [userNamed(1), userNamed(2)] }));

    const users = await Array.fromAsync(chat.users.list());

    expect(users).toHaveLength(2);
    expect(asked).toHaveLength(2);
  });

  it("read a list that comes as a map", async () => {
    const { chat } = clientFor(() => ({
      data: { "0": { guid: "lobby" } },
      meta: { pagination: { total_pages: 1 } },
    }));

    expect(await Array.fromAsync(chat.groups.list())).toEqual([{ guid: "lobby" }]);
  });
});

describe("lists by cursor", () => {
  const serve = (total: number, options: { lastNext: boolean }) => (query: URLSearchParams) => {
    const limit = Number(query.get("limit") ?? 10);
    const after = Number(query.get("id") ?? 0);
    const all = Array.from({ length: total }, (_, n) => messageOf(n + 1));
    const data = all.filter((message) => Number(message.id) > after).slice(0, limit);
    const last = data.at(-1);
    const isLast = after + data.length >= total;
    const next =
      last && (options.lastNext || !isLast)
        ? { affix: "append", sentAt: last.sentAt, id: last.id }
        : undefined;
    return { data, meta: { current: { limit, count: data.length }, ...(next ? { next } : {}) } };
  };

  it("yield every message once, with and without a next cursor on the last page", async () => {
    await fc.assert(
      fc.asyncProperty(count, size, fc.boolean(), async (total, limit, lastNext) => {
        const { chat } = clientFor(serve(total, { lastNext }));
        const messages = await Array.fromAsync(chat.messages.list({ limit }));
        expect(messages.map((message) => message.id)).toEqual(
          Array.from({ length: total }, (_, n) => String(n + 1)),
        );
      }),
      runs(),
    );
  });

  it("ask for the next messages by id alone, because sentAt would lose those of the same second", async () => {
    const { chat, asked } = clientFor(serve(4, { lastNext: false }));

    await Array.fromAsync(chat.messages.list({ limit: 2 }));

    expect(asked).toEqual(["?limit=2", "?limit=2&affix=append&id=2"]);
  });

  it("yield an item once when the cursor includes it again", async () => {
    const { chat } = clientFor((query) => {
      const from = Number(query.get("id") ?? 1);
      const data = [from, from + 1].filter((n) => n <= 4).map(messageOf);
      return { data, meta: { next: { affix: "append", id: data.at(-1)?.id } } };
    });

    const messages = await Array.fromAsync(chat.messages.list());

    expect(messages.map((message) => message.id)).toEqual(["1", "2", "3", "4"]);
  });

  it("end when the cursors lead round in a circle", async () => {
    const { chat, asked } = clientFor((query) => {
      const from = Number(query.get("id") ?? 0);
      return { data: [messageOf(from + 1)], meta: { next: { affix: "append", id: (from + 1) % 3 } } };
    });

    const messages = await chat.messages.list().toArray({ limit: Number.POSITIVE_INFINITY });

    expect(asked).toHaveLength(4);
    expect(messages.map((message) => message.id)).toEqual(["1", "2", "3", "1"]);
  });
});
