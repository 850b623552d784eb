import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { agentsSubject } from "../../../../lib/operate/app-as-code/subjects/agents.ts";
import { codeBlocksOf } from "../../../docs/code-blocks.ts";
import { testFacts } from "../../../helpers/app-apis.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../../../..", file), "utf8");
const pages = ["docs/functions.md", "docs/configuration.md", "docs/recipes/order-status-tool.md"];
const blocks = pages.flatMap((page) => codeBlocksOf(read(page)));

/** The required parameters of each printed tool, by its name. */
const required = new Map(
  blocks.flatMap(({ text }) => {
    const [, name] = /onAgentTool\("([\w-]+)", parameters/.exec(text) ?? [];
    const [, shape] = /^const parameters = (z\.object\(.*\));$/m.exec(text) ?? [];
    if (name === undefined) return [];
    const schema: z.ZodMiniObject = new Function("z", `return ${shape}`)(z);
    return [[name, Object.keys(schema.shape)] as const];
  }),
);

const comment = read("config/app/agents.yml")
  .replace(/^# {3}/gm, "")
  .replace(/^agents: \[\]$/m, "");
const declared = [comment, ...blocks.flatMap(({ file, text }) => (file?.endsWith("agents.yml") ? text : []))];
const made = declared.flatMap((text) =>
  agentsSubject
    .declare(parse(text), testFacts)
    .wanted.filter(({ kind }) => kind === "API tool")
    .map(({ id, fields }) => [id, String(fields.bodyTemplate)] as const),
);
const typed = blocks.flatMap(({ kind, text }) => (kind === "json" && text.includes("{{") ? text : []));
const [, inTable = ""] = /`bodyTemplate` \| `(.*)` \|/.exec(read("docs/recipes/order-status-tool.md")) ?? [];
const templates = [...made, ["cancel-order", String(typed)] as const, ["order-status", inTable] as const];

describe("a tool in the documentation, and the template for it", () => {
  it("exist", () => {
    expect([...required.keys()].toSorted()).toEqual(["cancel-order", "order-status"]);
    expect(made.map(([name]) => name)).toEqual(["order-status", "cancel-order"]);
  });

  it.each(templates)("match: %s with %s", (name, template) => {
    const keys = Object.keys(JSON.parse(template));

    expect(keys).toEqual(expect.arrayContaining(required.get(name) ?? ["nothing"]));
    // The model must not be able to override it.
    expect(keys.at(-1)).toBe("uid");
  });
});
