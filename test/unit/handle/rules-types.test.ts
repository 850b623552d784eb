import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod/mini";
import { escalationRulesSchema } from "../../../lib/behaviours/escalation/escalation-rules.ts";
import { forwardRulesSchema } from "../../../lib/behaviours/forwarding/forward-rules.ts";
import {
  type ReplyRules,
  replyRulesFileSchema,
  replyRulesSchema,
} from "../../../lib/behaviours/replies/reply-rules.ts";
import { welcomeRulesSchema } from "../../../lib/behaviours/welcome/welcome-rules.ts";
import { requestRulesSchema } from "../../../lib/effects/http/allowed-hosts.ts";
import { allFields, type DeclaredShape, readShapes } from "../../docs/event-shapes.ts";
import type { IsSameWithin } from "../../helpers/is-same-within.ts";

const files = [
  "lib/behaviours/escalation/escalation-rules.ts",
  "lib/behaviours/forwarding/forward-rules.ts",
  "lib/effects/http/allowed-hosts.ts",
  "lib/behaviours/replies/reply-rules.ts",
  "lib/behaviours/welcome/welcome-rules.ts",
];
const shapes = readShapes(files);

describe("the types of the shipped triggers' settings", () => {
  it("match the schema of replies, checked by the compiler (npm run types)", () => {
    expectTypeOf<IsSameWithin<z.output<typeof replyRulesFileSchema>, ReplyRules>>().toEqualTypeOf<true>();
    expect(fieldsOf(replyRulesSchema)).toEqual(fieldsOf(replyRulesFileSchema));
  });

  it.each([
    ["EscalationRules", escalationRulesSchema],
    ["ForwardRules", forwardRulesSchema],
    ["ReplyRules", replyRulesSchema],
    ["RequestRules", requestRulesSchema],
    ["WelcomeRules", welcomeRulesSchema],
  ])("name every field of the schema in %s, and whether it is optional", (name, schema) => {
    expect(declaredFields(name)).toEqual(fieldsOf(schema));
  });

  it("name every field of a group's welcome", () => {
    const { groups } = propertiesOf(welcomeRulesSchema);
    expect(declaredFields("GroupWelcome")).toEqual(fieldsOfObject(Object(groups).items));
  });

  it("document each field", () => {
    const fields = [...shapes.values()].flatMap(({ name, fields }) =>
      fields.map((field) => ({ of: name, ...field })),
    );

    expect(fields.filter(({ doc }) => doc === "").map(({ of, name }) => `${of}.${name}`)).toEqual([]);
    expect(fields.length).toBeGreaterThan(20);
  });
});

/** As an interface declares them: `name?` for optional ones. */
function declaredFields(name: string): readonly string[] {
  const shape: DeclaredShape | undefined = shapes.get(name);
  if (shape === undefined) throw new Error(`There is no ${name}.`);
  return allFields(shape, shapes).map((field) => `${field.name}${field.mayBeMissing ? "?" : ""}`);
}

function fieldsOf(schema: z.ZodMiniType): readonly string[] {
  return fieldsOfObject(z.toJSONSchema(schema, { unrepresentable: "any" }));
}

function fieldsOfObject({
  properties = {},
  required = [],
}: {
  properties?: object;
  required?: readonly string[];
}) {
  return Object.keys(properties).map((name) => `${name}${required.includes(name) ? "" : "?"}`);
}

function propertiesOf(schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(schema, { unrepresentable: "any" }).properties };
}
