import { describe, expect, it } from "vitest";
import { noteChangedSettings } from "../../../cli/deploy/changed-settings.ts";

type Variables = Readonly<Record<string, unknown>>;

describe("noteChangedSettings", () => {
  it("groups functions with the same change, and shows an absent value as none", () => {
    const before = {
      A: { LOG_LEVEL: "INFO", REQUEST_PRIVATE_NETWORKS: "10.1.0.0/16" },
      B: { LOG_LEVEL: "INFO" },
    };
    const after = {
      A: { LOG_LEVEL: "DEBUG", REQUEST_PRIVATE_NETWORKS: "" },
      B: { LOG_LEVEL: "DEBUG", ANSWER_LIMIT: 20 },
    };

    const notes = notesOf(before, after);

    expect(notes).toEqual([
      "all functions: LOG_LEVEL INFO -> DEBUG",
      "A: REQUEST_PRIVATE_NETWORKS 10.1.0.0/16 -> none",
      "B: ANSWER_LIMIT none -> 20",
    ]);
  });

  it.each([
    ["a token", { SHOP_TOKEN: "a" }, { SHOP_TOKEN: "b" }, "SHOP_TOKEN changes"],
    ["anything", { DB_PASS: "a" }, { DB_PASS: "" }, "DB_PASS changes"],
  ])("shows no value of a team's own variable, which may hold %s", (_case, before, after, change) => {
    const notes = notesOf({ A: before }, { A: after });

    expect(notes).toEqual([`all functions: ${change}`]);
  });

  it.each([
    ["it is a new function", {}, { A: { LEVEL: "INFO" } }],
    ["a value is an address of CloudFormation", { A: { URL: { Ref: "Queue" } } }, { A: { URL: "x" } }],
    [
      "CloudFormation returns question marks for a value",
      { A: { GREETING: "Gr?? Gott ?" } },
      { A: { GREETING: "Grüß Gott 👋" } },
    ],
    ["a number was a text", { A: { LIMIT: "20" } }, { A: { LIMIT: 20 } }],
  ])("prints nothing if %s", (_case, before, after) => {
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
