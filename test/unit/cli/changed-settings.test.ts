import { describe, expect, it } from "vitest";
import { noteChangedSettings } from "../../../cli/deploy/changed-settings.ts";

type Variables = Readonly<Record<string, unknown>>;

describe("noteChangedSettings", () => {
  it("groups functions with the same change, and shows an absent value as none", () => {
    const before = { A: { LEVEL: "INFO", NETWORKS: "10.1.0.0/16" }, B: { LEVEL: "INFO" } };
    const after = { A: { LEVEL: "DEBUG", NETWORKS: "" }, B: { LEVEL: "DEBUG", LIMIT: 20 } };

    const notes = notesOf(before, after);

    expect(notes).toEqual([
      "all functions: LEVEL INFO -> DEBUG",
      "A: NETWORKS 10.1.0.0/16 -> none",
      "B: LIMIT none -> 20",
    ]);
  });

  it.each([
    ["a name", { SHOP_TOKEN: "a" }, { SHOP_TOKEN: "b" }, "SHOP_TOKEN changes"],
    ["an address", { STORE: "postgres://me:pw@a" }, { STORE: "" }, "STORE changes"],
  ])("shows no value where %s may hold a secret", (_case, before, after, change) => {
    const notes = notesOf({ A: before }, { A: after });

    expect(notes).toEqual([`all functions: ${change}`]);
  });

  it.each([
    ["it is a new function", {}, { A: { LEVEL: "INFO" } }],
    ["a value is an address of CloudFormation", { A: { URL: { Ref: "Queue" } } }, { A: { URL: "x" } }],
    ["a number was a text", { A: { LIMIT: "20" } }, { A: { LIMIT: 20 } }],
  ])("is silent if %s", (_case, before, after) => {
    const notes = notesOf(before, after);

    expect(notes).toEqual([]);
  });
});

function notesOf(before: Readonly<Record<string, Variables>>, after: Readonly<Record<string, Variables>>) {
  const notes: string[] = [];
  noteChangedSettings(toTemplate(before), toTemplate(after), { note: (text) => notes.push(text) });
  return notes;
}

function toTemplate(functions: Readonly<Record<string, Variables>>) {
  const resources = Object.entries(functions).map(([name, Variables]) => [
    `${name}LambdaFunction`,
    { Type: "AWS::Lambda::Function", Properties: { Environment: { Variables } } },
  ]);
  return JSON.stringify({ Resources: Object.fromEntries(resources) });
}
