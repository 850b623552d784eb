import { describe, expect, it } from "vitest";
import { catalogue } from "../../../lib/events/catalogue.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { documentedSamples } from "../../helpers/catalogue.ts";
import { type Path, pathsOf, withField } from "../../helpers/events/change-field.ts";
import { loadFixtures } from "../../helpers/events/fixtures.ts";
import { requiredFields, triggersOnPage } from "../../helpers/events/required-fields.ts";

const oddForms: readonly unknown[] = [
  "",
  "text",
  "7",
  "9".repeat(400),
  "2026-11-20T12:00:00Z",
  "2026-11-20 12:00",
  7,
  -1.5,
  1_795_176_000_000,
  1e300,
  true,
  [],
  [null],
  ["text", { uid: "" }],
  {},
  { entity: null, x: 1 },
];

const samples = [...loadFixtures(), ...Object.entries(documentedSamples())];

describe("a delivery with a field of an unexpected form", () => {
  it.each(samples)("is understood, with its required fields: %s", (_, body) => {
    const required = requiredFields(body);
    const facts = requiredFacts(body, factsOf(body) ?? {});
    const isRequired = (path: Path) => required.some((one) => isWithin(one, path));
    const optional = pathsOf(body).filter((path) => !isRequired(path) && !isEnvelope(path));

    for (const path of optional) {
      for (const odd of [...oddForms, null]) {
        const read = factsOf(withField(body, path, odd));

        const found = read && facts.map(({ place }) => valueAt(read, place));
        const name = `${path.join(".")} = ${JSON.stringify(odd)}`;
        expect(found, name).toEqual(facts.map(({ value }) => value));
      }
    }
  });

  it.each(samples)("is refused without its trigger's required fields: %s", (_, body) => {
    for (const path of requiredFields(body)) {
      for (const wrong of [undefined, null, "", true]) {
        const result = parseEvent(withField(body, path, wrong));

        const problems = result.ok ? [] : result.problems.map((problem) => problem.path);
        expect(problems, `${path.join(".")} = ${wrong}`).toContainEqual(path.join("."));
        expect(result).toMatchObject({ problems: [{ expected: expect.stringMatching(/\w/) }] });
      }
    }
  });

  it.each(samples)("has the time of one of its own fields, or none: %s", (_, body) => {
    const result = parseEvent(body);

    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { occurredAt, occurredAtField } = result.event.head;
    const written = occurredAtField && Number(valueAt(body, occurredAtField.split(".")));
    expect([written, written && Number(written) * 1000]).toContain(occurredAt?.getTime());
  });
});

describe("docs/internals/reading.md", () => {
  it("has the required fields of every trigger", () => {
    expect(new Set(triggersOnPage())).toEqual(new Set(Object.keys(catalogue)));
  });

  it("names all required fields: a body with only these is understood", () => {
    for (const [name, body] of samples) {
      const bare = requiredFields(body).reduce<unknown>(
        (made, path) => withPlace(made, path, valueAt(body, path)),
        {
          ...(body.trigger === undefined ? {} : { trigger: body.trigger }),
          ...(body.bot === undefined ? {} : { bot: body.bot }),
        },
      );

      expect(parseEvent(bare), name).toMatchObject({ ok: true, oddities: [] });
    }
  });
});

/** What handlers get, without the delivery as it was received; undefined for a delivery that is refused. */
function factsOf(body: unknown): Record<string, unknown> | undefined {
  const result = parseEvent(body);
  if (!result.ok) return undefined;
  const { data: _, head: __, ...facts } = result.event;
  return facts;
}

/** Where a handler finds the required fields. */
function requiredFacts(body: Record<string, unknown>, facts: object) {
  return requiredFields(body).flatMap((path) => {
    const value = valueAt(body, path);
    if (typeof value === "object") return [];
    const places = pathsOf(facts).filter(
      (place) => place.at(-1) === path.at(-1) && String(valueAt(facts, place)) === String(value),
    );
    const [place] = places.toSorted((one, other) => one.length - other.length);
    expect(place, `${path.join(".")} is among the facts`).toBeDefined();
    return place === undefined ? [] : [{ place, value: valueAt(facts, place) }];
  });
}

/** The fields that identify the event; a change makes another one. */
function isEnvelope([first = "", ...rest]: Path) {
  return rest.length === 0 && ["trigger", "data", "to", "body", "bot", "webhook"].includes(first);
}

/** True for a path and for every field around it; `body` identifies a receipt of the other engine. */
function isWithin(inner: Path, outer: Path) {
  return outer.every((name, index) => inner[index] === name);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], value);
}

function withPlace(value: unknown, [name = "", ...rest]: Path, leaf: unknown): unknown {
  const isList = /^\d+$/.test(name);
  const copy: Record<string, unknown> = isList ? Object.assign([], value) : { ...Object(value) };
  copy[name] = rest.length === 0 ? leaf : withPlace(copy[name], rest, leaf);
  return copy;
}
