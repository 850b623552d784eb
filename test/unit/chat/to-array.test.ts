import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../helpers/property-runs.ts";
import { clientFor } from "./list-client.ts";

const userNamed = (n: number) => ({ uid: `user-${n}`, name: `User ${n}` });

/** A platform with so many users, in pages. */
const serve = (total: number) => (query: URLSearchParams) => {
  const perPage = Number(query.get("perPage") ?? 100);
  const page = Number(query.get("page") ?? 1);
  const all = Array.from({ length: total }, (_, n) => userNamed(n + 1));
  const total_pages = Math.ceil(total / perPage);
  return {
    data: all.slice((page - 1) * perPage, page * perPage),
    meta: { pagination: { current_page: page, total_pages } },
  };
};

/** A platform with so many messages, after a cursor. */
const serveMessages = (total: number) => (query: URLSearchParams) => {
  const limit = Number(query.get("limit") ?? 100);
  const after = Number(query.get("id") ?? 0);
  const left = Math.max(0, Math.min(limit, total - after));
  const data = Array.from({ length: left }, (_, n) => ({ id: String(after + n + 1) }));
  return { data, meta: data.length === limit ? { next: { affix: "append", id: data.at(-1)?.id } } : {} };
};

describe("toArray", () => {
  it("gives the first items, as reading them one by one would", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 50 }),
        fc.option(fc.integer({ min: 1, max: 17 }), { nil: undefined }),
        async (total, limit, perPage) => {
          const { chat } = clientFor(serve(total));
          const first = await chat.users.list({ perPage }).toArray({ limit });
          expect(first.map(({ uid }) => uid)).toEqual(
            Array.from({ length: Math.min(total, limit) }, (_, n) => `user-${n + 1}`),
          );
        },
      ),
      runs(),
    );
  });

  it.each([
    ["a page no larger than needed", {}, 3, ["?perPage=3"]],
    ["no larger pages than the caller's own", { perPage: 2 }, 3, ["?perPage=2", "?page=2&perPage=2"]],
    ["the caller's pages, smaller", { perPage: 50 }, 3, ["?perPage=3"]],
    ["usual pages where several are needed", {}, 101, ["", "?page=2"]],
    ["the pages that the caller counts by", { page: 2, perPage: 50 }, 3, ["?page=2&perPage=50"]],
    ["nothing where nothing is wanted", {}, 0, []],
    ["no page after the one that has enough", { perPage: 4 }, 4, ["?perPage=4"]],
  ])("asks for %s", async (_, query, limit, urls) => {
    const { chat, asked } = clientFor(serve(1_000));

    await chat.users.list(query).toArray({ limit });

    expect(asked.map(sorted)).toEqual(urls);
  });

  it("makes pages by cursor small, too", async () => {
    const { chat, asked } = clientFor(serveMessages(1_000));

    const messages = await chat.messages.list().toArray({ limit: 5 });

    expect(messages.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
    expect(asked).toEqual(["?limit=5"]);
  });

  it("sends no field that an operation does not know", async () => {
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
    [null, /"limit" is missing/],
    [{}, /"limit" is missing/],
    [5, /"limit" is missing/],
    [{ limit: "5" }, /"limit" must be a whole number/],
    [{ limit: 1.5 }, /must be a whole number/],
    [{ limit: -1 }, /must be a whole number/],
    [{ limit: Number.NaN }, /must be a whole number/],
  ])("refuses %j, and asks nothing", async (options, rule) => {
    const { chat, asked } = clientFor(serve(3));

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

function sorted(query: string): string {
  const fields = new URLSearchParams(query);
  fields.sort();
  return fields.size === 0 ? "" : `?${fields}`;
}
