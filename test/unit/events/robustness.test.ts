import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../lib/events/catalogue.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { events } from "../../helpers/events/events.ts";
import { loadFixtures } from "../../helpers/events/fixtures.ts";

const seed = 20261120;
const randomBodies = 100_000;
/** Wrong values, one per kind; each field gets those that differ from its own kind. */
const wrongValues: unknown[] = [null, true, 7, "text", "", [], ["x"], {}, { x: 1 }, 1e300, "9".repeat(400)];

describe("parseEvent", () => {
  it(`survives ${randomBodies} random bodies`, () => {
    const trigger = fc.constantFrom(...Object.keys(catalogue), "novelty", "__proto__", "constructor");
    const body = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 2, arbitrary: fc.record({ trigger, data: fc.jsonValue(), appId: fc.jsonValue() }) },
      { weight: 2, arbitrary: mutatedEvent() },
    );

    fc.assert(
      fc.property(body, (value) => {
        const result = parseEvent(value);
        if (!result.ok && result.problems.length === 0) throw new Error("refused without a reason");
      }),
      { seed, numRuns: randomBodies },
    );
  });

  it.each(loadFixtures())("reads the fields of %s a few times each", (_, body) => {
    const { counted, reads } = countReads(body);

    parseEvent(counted);

    expect(reads()).toBeGreaterThan(0);
    expect(reads()).toBeLessThan(5 * pathsOf(body).length);
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

  it("survives a body that is nested too deeply to be written down", () => {
    const deep = JSON.parse(`{"trigger":"novelty","data":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);

    expect(parseEvent(deep)).toMatchObject({ ok: true, event: { kind: "unknown" } });
    expect(parseEvent({ ...deep, trigger: "message_sent" })).toMatchObject({ ok: false });
  });

  it("survives a map with very many names", () => {
    const uids = Array.from({ length: 200_000 }, (_, index) => `user-${index}`);

    expect(parseEvent(events.userBlocked({ uids }))).toMatchObject({ ok: true });
  });
});

function mutatedEvent() {
  const bodies = fc.constantFrom(...loadFixtures().map(([, body]) => body));
  return fc.tuple(bodies, fc.nat(), fc.jsonValue()).map(([body, choice, value]) => {
    const paths = pathsOf(body);
    return withField(body, paths[choice % paths.length] ?? [], value);
  });
}

/** Counts how often something is asked of a value or of what is in it. */
function countReads(value: unknown) {
  let count = 0;
  const wrap = (inner: unknown): unknown =>
    typeof inner !== "object" || inner === null
      ? inner
      : new Proxy(inner, {
          get: (target, name) => {
            count += 1;
            return wrap(Reflect.get(target, name));
          },
          ownKeys: (target) => {
            count += 1;
            return Reflect.ownKeys(target);
          },
        });
  return { counted: wrap(value), reads: () => count };
}

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...pathsOf(inner, [...path, name]),
  ]);
}

function withField(body: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const parent = path.slice(0, -1).reduce((inner, name) => inner[name] as Record<string, unknown>, copy);
  const name = path.at(-1) ?? "";
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (value === undefined) delete parent[name];
  else parent[name] = value;
  return copy;
}

function sharesLine(left: string, right: string): boolean {
  return `${left}.`.startsWith(`${right}.`) || `${right}.`.startsWith(`${left}.`);
}
