import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { pathsOf, withField } from "../../helpers/events/change-field.ts";
import { loadFixtures } from "../../helpers/events/fixtures.ts";

/** Wrong values, one per kind; each field gets those that differ from its own kind. */
const wrongValues: unknown[] = [null, true, 7, "text", "", [], ["x"], {}, { x: 1 }, 1e300, "9".repeat(400)];

describe("parseEvent", () => {
  it.each(loadFixtures())("reads the fields of %s a few times each", (_, body) => {
    const { counted, reads } = countReads(body);

    parseEvent(counted);

    expect(reads()).toBeGreaterThan(0);
    expect(reads()).toBeLessThan(10 * pathsOf(body).length);
  });

  it.each(loadFixtures())(
    "understands %s with any field removed, retyped or null, or names a path",
    (_, body) => {
      for (const path of pathsOf(body)) {
        for (const wrong of [undefined, ...wrongValues]) {
          const changed = withField(body, path, wrong);
          const result = parseEvent(changed);

          // What is wrong is the field that was changed, one inside it or one around it.
          const isBlamed = (problem: { path: string }) =>
            problem.path === "" || sharesLine(problem.path, path.join("."));
          const trouble = result.ok ? [] : result.problems.filter((problem) => !isBlamed(problem));
          expect(trouble, `${path.join(".")} = ${JSON.stringify(wrong)}`).toEqual([]);
        }
      }
    },
  );

  it.each([100, 1_000, 10_000, 500_000])("refuses a body whose data is nested %i deep", (depth) => {
    const deep = JSON.parse(`{"trigger":"novelty","data":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    const nested = { path: "", expected: "at most 100 objects and lists inside each other", found: "more" };

    const results = [deep, { ...deep, trigger: "message_sent" }].map((body) => parseEvent(body));

    expect(results).toEqual(results.map(() => ({ ok: false, problems: [nested] })));
  });

  it("understands a body nested as deeply as is allowed", () => {
    const deep = JSON.parse(`{"trigger":"novelty","data":${'{"a":'.repeat(99)}1${"}".repeat(99)}}`);

    const result = parseEvent(deep);

    expect(result).toMatchObject({ ok: true, event: { kind: "unknown" } });
    expect(JSON.stringify(result)).toContain('{"a":1}');
  });
});

/** Counts how often something is asked of a value or of what is in it. */
function countReads(value: unknown) {
  let count = 0;
  // What is read twice is the same object both times, as without proxies.
  const proxies = new WeakMap<object, object>();
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const proxy = proxies.get(inner) ?? new Proxy(inner, counting);
    proxies.set(inner, proxy);
    return proxy;
  };
  const counting: ProxyHandler<object> = {
    get: (target, name) => {
      count += 1;
      return wrap(Reflect.get(target, name));
    },
    ownKeys: (target) => {
      count += 1;
      return Reflect.ownKeys(target);
    },
  };
  return { counted: wrap(value), reads: () => count };
}

function sharesLine(left: string, right: string): boolean {
  return `${left}.`.startsWith(`${right}.`) || `${right}.`.startsWith(`${left}.`);
}
