import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../helpers/property-runs.ts";
import { clientFor } from "./list-client.ts";

const count = fc.integer({ min: 0, max: 60 });
const size = fc.integer({ min: 1, max: 17 });

const userNamed = (n: number) => ({ uid: `user-${n}`, name: `User ${n}` });
const messageOf = (n: number) => ({ id: String(n), sentAt: Math.floor(n / 3) });

/** A platform with `total` users, in pages. */
const serveUsers = (total: number) => (query: URLSearchParams) => {
  const perPage = Number(query.get("perPage") ?? 100);
  const page = Number(query.get("page") ?? 1);
  const data = Array.from({ length: total }, (_, n) => userNamed(n)).slice(
    (page - 1) * perPage,
    page * perPage,
  );
  const total_pages = Math.ceil(total / perPage);
  return { data, meta: { pagination: { total, count: data.length, current_page: page, total_pages } } };
};

/** A platform with `total` messages, after a cursor. */
const serveMessages =
  (total: number, { lastNext = false } = {}) =>
  (query: URLSearchParams) => {
    const limit = Number(query.get("limit") ?? 10);
    const after = Number(query.get("id") ?? 0);
    const data = Array.from({ length: total }, (_, n) => messageOf(n + 1)).slice(after, after + limit);
    const last = data.at(-1);
    const next = last && (lastNext || after + data.length < total) && { affix: "append", ...last };
    return { data, meta: { current: { limit, count: data.length }, ...(next && { next }) } };
  };

describe("lists by page", () => {
  it("yield every item once for any page size; toArray returns the first ones", async () => {
    const someSize = fc.option(size, { nil: undefined });
    await fc.assert(
      fc.asyncProperty(count, someSize, count, async (total, perPage, limit) => {
        const { chat } = clientFor(serveUsers(total));
        const list = chat.users.list({ perPage });
        const all = Array.from({ length: total }, (_, n) => userNamed(n));
        expect(await Array.fromAsync(list)).toEqual(all);
        expect(await list.toArray({ limit })).toEqual(all.slice(0, limit));
      }),
      runs(),
    );
  });

  it("end if the platform ignores the requested page", async () => {
    const { chat, asked } = clientFor(() => ({ data: [userNamed(1), userNamed(2)] }));

    const users = await Array.fromAsync(chat.users.list());

    expect(users).toHaveLength(2);
    expect(asked).toHaveLength(2);
  });

  it.each<[string, (pageContent: object[]) => object, object]>([
    [
      "within an object",
      (pageContent) => ({ data: { sourceDetails: {}, pageContent } }),
      { sourceDetails: {} },
    ],
    ["without a wrapper", (pageContent) => ({ data: pageContent }), {}],
  ])("read a list %s to its end", async (_, answer, meta) => {
    const { chat, asked } = clientFor((query) => {
      const page = Number(query.get("page") ?? 1);
      return answer(page > 2 ? [] : [{ content: `${page}a` }, { content: `${page}b` }]);
    });
    const pages = chat.agentKnowledge.pages("text", "t", { limit: 2 });

    expect(await pages.toArray({ limit: Infinity })).toEqual(
      ["1a", "1b", "2a", "2b"].map((content) => ({ content })),
    );
    expect(asked).toEqual(["?limit=2", "?limit=2&page=2", "?limit=2&page=3"]);
    expect((await pages.page()).meta).toEqual(meta);
  });

  it("end at the last page of a knowledge source, because a further one may not be found", async () => {
    const { chat, asked } = clientFor(() => ({
      data: { sourceDetails: { totalPages: 1 }, pageContent: [{ content: "a" }] },
    }));

    expect(await Array.fromAsync(chat.agentKnowledge.pages("text", "t"))).toEqual([{ content: "a" }]);
    expect(asked).toHaveLength(1);
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
  it("yield items without an id once if the cursor includes the last one", async () => {
    const agents = [3, 2, 1].map((createdAt) => ({ uid: `agent-${createdAt}`, createdAt }));
    const { chat } = clientFor((query) => {
      const from = agents.findIndex(({ createdAt }) => createdAt <= Number(query.get("createdAt") ?? 9));
      const data = agents.slice(from, from + 2);
      return { data, meta: { next: { affix: "append", createdAt: data.at(-1)?.createdAt } } };
    });

    expect(await Array.fromAsync(chat.agents.list())).toEqual(agents);
  });

  it("yield every message once, with and without a next cursor on the last page", async () => {
    await fc.assert(
      fc.asyncProperty(count, size, fc.boolean(), async (total, limit, lastNext) => {
        const { chat } = clientFor(serveMessages(total, { lastNext }));
        const messages = await Array.fromAsync(chat.messages.list({ limit }));
        expect(messages.map((message) => message.id)).toEqual(
          Array.from({ length: total }, (_, n) => String(n + 1)),
        );
      }),
      runs(),
    );
  });

  it("request the next messages only by id, because sentAt would skip those of the same second", async () => {
    const { chat, asked } = clientFor(serveMessages(4));

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

  it("end if the cursors form a cycle", async () => {
    const { chat, asked } = clientFor((query) => {
      const from = Number(query.get("id") ?? 0);
      return { data: [messageOf(from + 1)], meta: { next: { affix: "append", id: (from + 1) % 3 } } };
    });

    const messages = await chat.messages.list().toArray({ limit: Number.POSITIVE_INFINITY });

    expect(asked).toHaveLength(4);
    expect(messages.map((message) => message.id)).toEqual(["1", "2", "3", "1"]);
  });
});

describe("lists read backwards", () => {
  /** Messages before a cursor, pages oldest or newest first, with or without a cursor of that direction. */
  const serveBackwards =
    (total: number, { isNewestFirst = false, affix = "prepend" } = {}) =>
    (query: URLSearchParams) => {
      const limit = Number(query.get("limit") ?? 10);
      const before = Number(query.get("id") ?? total + 1);
      const all = Array.from({ length: before - 1 }, (_, n) => messageOf(n + 1)).slice(-limit);
      const edge = affix === "prepend" ? all.at(0) : all.at(-1);
      return {
        data: isNewestFirst ? all.toReversed() : all,
        meta: { current: { limit }, ...(edge && { next: { affix, ...edge } }) },
      };
    };

  it("yield items newest first without gaps, for any order and cursor of the platform's pages", async () => {
    await fc.assert(
      fc.asyncProperty(
        count,
        size,
        fc.integer({ min: 0, max: 70 }),
        fc.record({ isNewestFirst: fc.boolean(), affix: fc.constantFrom("append", "prepend") }),
        async (total, limit, most, form) => {
          const { chat } = clientFor(serveBackwards(total, form));
          const list = chat.messages.list({ affix: "prepend", limit });
          const ids = Array.from({ length: total }, (_, n) => String(total - n));

          const all = await Array.fromAsync(list);
          const some = await list.toArray({ limit: most });

          expect(all.map(({ id }) => id)).toEqual(ids);
          expect(some.map(({ id }) => id)).toEqual(ids.slice(0, most));
        },
      ),
      runs(),
    );
  });

  it("return a single page in the platform's order, with the cursor of the previous page", async () => {
    const { chat } = clientFor(serveBackwards(9));

    const page = await chat.messages.listForGroup("lobby", { affix: "prepend", limit: 3 }).page();

    expect(page.items.map(({ id }) => id)).toEqual(["7", "8", "9"]);
    expect(page.next).toEqual({ affix: "prepend", limit: 3, id: "7" });
  });

  it("are refused with a second cursor, which would conflict with the next page's", async () => {
    const { chat, asked } = clientFor(serveBackwards(9));

    const reading = chat.messages.list({ affix: "prepend", sentAt: 1_790_000_000 }).toArray({ limit: 5 });

    await expect(reading).rejects.toMatchObject({ name: "InvalidInputError", field: "sentAt" });
    expect(asked).toEqual([]);
  });

  const { chat: backwards } = clientFor(() => ({ data: [] }));

  it.each([
    ["threads", backwards.threads.list({ affix: "prepend" })],
    ["groups", backwards.groups.list({ affix: "prepend" })],
  ])("are refused beyond one page if their order is undocumented: %s", async (_, list) => {
    const refusal = { name: "InvalidInputError", field: "affix" };

    await expect(list.toArray({ limit: 1 })).rejects.toMatchObject(refusal);
    await expect(Array.fromAsync<unknown>(list)).rejects.toMatchObject(refusal);
    expect((await list.page()).items).toEqual([]);
  });
});

describe("toArray", () => {
  it.each([
    ["a page no larger than needed", {}, 3, ["?perPage=3"]],
    ["pages no larger than the caller's", { perPage: 2 }, 3, ["?perPage=2", "?page=2&perPage=2"]],
    ["smaller pages than the caller's", { perPage: 50 }, 3, ["?perPage=3"]],
    ["default pages if several are needed", {}, 101, ["", "?page=2"]],
    ["the caller's page number unchanged", { page: 2, perPage: 50 }, 3, ["?page=2&perPage=50"]],
    ["no page for a limit of 0", {}, 0, []],
    ["no page after the limit is reached", { perPage: 4 }, 4, ["?perPage=4"]],
  ])("requests %s", async (_, query, limit, urls) => {
    const { chat, asked } = clientFor(serveUsers(1_000));

    await chat.users.list(query).toArray({ limit });

    expect(asked.map(sorted)).toEqual(urls);
  });

  it("requests small pages by cursor", async () => {
    const { chat, asked } = clientFor(serveMessages(1_000));

    const messages = await chat.messages.list().toArray({ limit: 5 });

    expect(messages.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
    expect(asked).toEqual(["?limit=5"]);
  });

  it("sends no field that the operation does not have", async () => {
    const { chat, asked } = clientFor(() => ({
      data: [
        { id: "a", name: "A" },
        { id: "b", name: "B" },
      ],
    }));

    expect(await chat.reasons.list().toArray({ limit: 1 })).toHaveLength(1);
    expect(asked).toEqual([""]);
  });

  it.each([
    [undefined, /"limit" is missing; it must be a whole number, or Infinity/],
    [{ limit: "5" }, /"limit" must be a whole number/],
    [{ limit: 1.5 }, /must be a whole number/],
    [{ limit: -1 }, /must be a whole number/],
    [{ limit: Number.NaN }, /must be a whole number/],
  ])("refuses %j before it sends a request", async (options, rule) => {
    const { chat, asked } = clientFor(serveUsers(3));

    const reading = chat.users.list().toArray(options as { limit: number });

    await expect(reading).rejects.toMatchObject({
      name: "InvalidInputError",
      operation: "list-users",
      field: "limit",
    });
    await expect(reading).rejects.toThrow(rule);
    expect(asked).toEqual([]);
  });
});

function sorted(query: string) {
  const fields = new URLSearchParams(query);
  fields.sort();
  return fields.size === 0 ? "" : `?${fields}`;
}
