import { globSync, readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { catalogue } from "../../../../lib/events/catalogue.ts";
import type { CatalogueEvent, EventCatalogue } from "../../../../lib/events/chat-event.ts";
import type { EventReader } from "../../../../lib/events/define-event.ts";
import type { EventFamily } from "../../../../lib/events/identity.ts";
import { eventReaders } from "../../../../lib/events/parse-event.ts";
import { readEventShapes } from "../../../docs/event-shapes.ts";
import { allImports } from "../../../helpers/all-imports.ts";
import type { IsSameWithin } from "../../../helpers/is-same-within.ts";

/** The events that the schemas and normalisers return, as the compiler infers them, and the named events. */
type EventIn<Reader> = Reader extends EventReader<infer Event> ? Event : never;
type NamedEvent<Family, Trigger> = Extract<CatalogueEvent, { family: Family; trigger: Trigger }>;

/** Events whose named type differs from their reader's. */
type Misfits<Readers> = {
  [Family in keyof Readers]: {
    [Trigger in keyof Readers[Family]]: IsSameWithin<
      EventIn<Readers[Family][Trigger]>,
      NamedEvent<Family, Trigger>
    > extends true
      ? never
      : Trigger;
  }[keyof Readers[Family]];
}[keyof Readers];

const written = globSync("lib/events/types/*.ts")
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

// The compiler checks expectTypeOf (npm run types).
describe("the named events", () => {
  it("match the readers' results field by field", () => {
    expectTypeOf<Misfits<typeof eventReaders>>().toEqualTypeOf<never>();
    expect(Object.values(eventReaders).flatMap((readers) => Object.keys(readers))).toHaveLength(65);
  });

  it("are in the catalogue under their names", () => {
    type Misnamed = {
      [Name in keyof EventCatalogue]: EventCatalogue[Name]["trigger"] extends Name ? never : Name;
    }[keyof EventCatalogue];
    expectTypeOf<Misnamed>().toEqualTypeOf<never>();
    expectTypeOf<CatalogueEvent["family"]>().toEqualTypeOf<EventFamily>();
    const table = readFileSync("lib/events/chat-event.ts", "utf8");
    const named = [...table.matchAll(/^ {2}readonly "?([\w-]+)"?:/gm)].map(([, name]) => name);

    expect(named.toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });

  it("are named after their triggers, with the family if a trigger has two", () => {
    const names = [
      ...written.matchAll(/^export interface (\w+Event)\s+extends KnownEvent<"(\w+)", "([^"]+)">/gm),
    ];
    const misnamed = names.filter(([, name = "", family = "", trigger = ""]) => {
      const called = `${capitals(trigger)}Event`;
      return name !== called && name !== `${capitals(family)}${called}`;
    });

    expect(names.length).toBe(65);
    expect(misnamed.map(([, name]) => name)).toEqual([]);
  });

  it("document themselves and each of their fields, as the derived events do", () => {
    const shapes = [...readEventShapes().values()];

    const undocumented = shapes.flatMap(({ name, doc, fields }) => [
      ...(doc === "" ? [name] : []),
      ...fields.filter((field) => field.doc === "").map((field) => `${name}.${field.name}`),
    ]);
    expect(undocumented).toEqual([]);
    expect(shapes.length).toBeGreaterThan(100);
  });

  it("name the page of the platform that each event is known from", () => {
    const events = [...readEventShapes().values()].filter(({ bases }) =>
      bases.some((base) => base.startsWith("Known")),
    );

    expect(
      events.filter(({ see }) => !see?.startsWith("docs/internals/platform/")).map(({ name }) => name),
    ).toEqual([]);
    expect(events).toHaveLength(65);
  });

  it("do not import zod, directly or indirectly, and the entry points' reports do not mention it", () => {
    const imports = allImports(["lib/events/chat-event.ts"]);
    const reports = ["events", "testing", "webhook"].map((door) =>
      readFileSync(`package/api/${door}.api.md`, "utf8"),
    );

    expect(imports).toContain("./types/message-events.ts");
    expect(imports.filter((name) => name.startsWith("zod"))).toEqual([]);
    expect(reports.join("\n").match(/.*(?:\bz\.|Zod).*/g)).toBeNull();
  });
});

function capitals(trigger: string) {
  return trigger.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
