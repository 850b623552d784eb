import { describe, expect, it } from "vitest";
import { keepShippedRights, statementsOf } from "../../build/function-roles.ts";
import type { Right } from "../../build/serverless.ts";

const rights: Readonly<Record<string, Right>> = {
  readSecrets: { Action: "secretsmanager:GetSecretValue", Resource: "arn:of:all" },
  readMost: [
    { Action: "secretsmanager:GetSecretValue", Resource: "arn:of:all" },
    { Effect: "Deny", Action: "secretsmanager:GetSecretValue", Resource: "arn:of:one" },
  ],
  forwardEvents: { Action: "events:PutEvents", Resource: { "Fn::GetAtt": ["EventBus", "Arn"] } },
};

describe("statementsOf", () => {
  it("lets a function write its own log and use its rights, and nothing else", () => {
    expect(statementsOf("greet", ["readSecrets"], rights, "GreetLogGroup")).toEqual([
      {
        Effect: "Allow",
        Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
        Resource: { "Fn::GetAtt": ["GreetLogGroup", "Arn"] },
      },
      { Effect: "Allow", Action: "secretsmanager:GetSecretValue", Resource: "arn:of:all" },
    ]);
  });

  it("keeps statements that a function lists itself, and denials", () => {
    const own = { Action: "dynamodb:Query", Resource: { "Fn::GetAtt": ["ReportsTable", "Arn"] } };

    expect(statementsOf("greet", ["readMost", own], rights, "GreetLogGroup").slice(1)).toEqual([
      { Effect: "Allow", Action: "secretsmanager:GetSecretValue", Resource: "arn:of:all" },
      { Effect: "Deny", Action: "secretsmanager:GetSecretValue", Resource: "arn:of:one" },
      { Effect: "Allow", ...own },
    ]);
  });

  it.each([
    [["readSecrets", "readAppsAndWebhooks"], ["readAppsAndWebhooks"]],
    [
      ["readWebhookSecrets", "forwardEvents", "readAppsAndWebhooks"],
      ["forwardEvents", "readAppsAndWebhooks"],
    ],
    [["readManagementToo", "readAppsAndWebhooks", "readSecrets"], ["readManagementToo"]],
  ])("keeps of %j only the widest right to read secrets: a Deny of another would win", (listed, kept) => {
    const declared = Object.fromEntries(listed.map((name) => [name, { Action: name, Resource: "*" }]));

    const statements = statementsOf("greet", listed, declared, "GreetLogGroup").slice(1);

    expect(statements.map(({ Action }) => Action)).toEqual(kept);
  });

  it("refuses two rights if one denies what the other allows", () => {
    expect(() => statementsOf("webhook", ["readWebhookSecrets", "readSecrets"], rights, "Group")).toThrow(
      "The function webhook lists readSecrets and readWebhookSecrets, and the first denies what the second " +
        "allows. To read both, add readAppsAndWebhooks.",
    );
  });

  it("reports what to add where if a function was added without rights", () => {
    expect(() => statementsOf("greet", undefined, rights, "GreetLogGroup")).toThrow(
      "The function greet lists no rights. Add `rights: […]` to it in serverless.yml, with names from " +
        "infrastructure/rights.yml, or `rights: []` if it only logs; see docs/functions.md.",
    );
  });

  it("names the existing rights if a function lists an unknown one", () => {
    expect(() => statementsOf("greet", ["readSecret"], rights, "GreetLogGroup")).toThrow(
      'The function greet lists the right "readSecret", which infrastructure/rights.yml does not declare. ' +
        "Take one of these, or write { Action, Resource } in its place: readSecrets, readMost, forwardEvents.",
    );
  });
});

describe("keepShippedRights", () => {
  it("adds rights to those of the previous function, which the framework would replace one by one", () => {
    const query = { Action: "dynamodb:Query", Resource: "arn:of:reports" };
    const own = {
      webhook: { rights: [query, "readMost"] },
      seed: { environment: { A: 1 } },
      mine: { rights: ["forwardEvents"] },
    };

    keepShippedRights([
      { webhook: { rights: ["readMost", "forwardEvents"] }, seed: { rights: ["readMost"] } },
      null,
      own,
    ]);

    expect(own).toEqual({
      webhook: { rights: ["readMost", "forwardEvents", query] },
      seed: { environment: { A: 1 } },
      mine: { rights: ["forwardEvents"] },
    });
  });
});
