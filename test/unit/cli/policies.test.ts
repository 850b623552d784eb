import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keptTypes, watchedTypes } from "../../../cli/doctor/check-aws.ts";
import { readsOfDrift } from "../../helpers/account/iam-actions.ts";

describe.each(["deployer", "operator"])("the policy of the %s", (name) => {
  it("allows to write the audit trail, and not to delete it", () => {
    const actions = statementsOf(name)
      .filter(({ Resource }) => Resource.some((one) => one.includes(":/cometchat-functions/")))
      .flatMap(({ Action }) => Action);
    expect(actions).toContain("logs:PutLogEvents");
    expect(actions.filter((action) => /Delete|KmsKey/.test(action))).toEqual([]);
  });

  it.each([...watchedTypes, ...keptTypes])("allows what CloudFormation reads to compare a %s", (type) => {
    const allowed = statementsOf(name).flatMap(({ Action }) => Action);
    const reads = readsOfDrift[type] ?? ["unknown"];
    expect(reads.filter((action) => !allowed.includes(action))).toEqual([]);
  });
});

describe("the policy of the operator", () => {
  const Statement = statementsOf("operator");

  it("fits into a managed policy, beside the deployer's in the role's inline ones", () => {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    expect(JSON.stringify({ Version: "2012-10-17", Statement }).length).toBeLessThan(5_400); // 6,144
  });

  it("allows neither to shorten what logs keep nor to write functions' logs", () => {
    const ofLogs = Statement.filter(({ Resource }) => Resource.some((one) => /log-group:\/aws\//.test(one)));
    const actions = ofLogs.flatMap(({ Action }) => Action);
    expect(actions).toContain("logs:FilterLogEvents");
    expect(actions.filter((action) => !/^logs:(Describe|Filter|Get|List)/.test(action))).toEqual([]);
    expect(Statement.flatMap(({ Action }) => Action)).not.toContain("logs:PutRetentionPolicy");
  });

  it("reaches the key of the marks of its own stage alone, whose name AWS generates", () => {
    const ofKey = Statement.filter(({ Resource }) =>
      Resource.some((one) => one.includes(":LoopGuardSecret-")),
    );
    const ofStage = {
      StringEquals: { "aws:ResourceTag/aws:cloudformation:stack-name": "<service>-<stage>" },
    };
    expect(ofKey.map(({ Condition }) => Condition)).toEqual([ofStage]);
  });
});

function statementsOf(name: string): { Action: string[]; Resource: string[]; Condition?: object }[] {
  const file = join(import.meta.dirname, `../../../infrastructure/policies/${name}.json`);
  return JSON.parse(readFileSync(file, "utf8")).Statement;
}
