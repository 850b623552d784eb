import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillPolicy } from "../../../cli/deploy/check-before.ts";
import { keptTypes, watchedTypes } from "../../../cli/doctor/check-aws.ts";
import { readsOfDrift } from "../../helpers/account/iam-actions.ts";
import { composeName } from "../../helpers/account/stack-model.ts";

describe.each(["deployer", "operator"])("the policy of the %s", (name) => {
  it("allows writing the audit trail, but not deleting it", () => {
    const actions = statementsOf(name)
      .filter(({ Resource }) => Resource.some((one) => one.includes(":/cometchat-functions/")))
      .flatMap(({ Action }) => Action);
    expect(actions).toContain("logs:PutLogEvents");
    expect(actions.filter((action) => /Delete|KmsKey/.test(action))).toEqual([]);
  });

  it.each(["dev", "prod", "staging", "prod-eu", "production"])(
    "covers the names that CloudFormation generates in the stage %s",
    (stage) => {
      const { Statement } = JSON.parse(
        fillPolicy(readPolicy(name), {
          partition: "aws",
          accountId: "1",
          region: "r",
          stage,
          service,
        }),
      );
      const patterns: string[] = Statement.flatMap(({ Resource }: { Resource: string[] }) =>
        Resource.filter((one) => one !== "*"),
      );
      const ofPackages = name === "deployer" ? [["AWS::S3::Bucket", "arn:aws:s3:::"] as const] : [];
      const kinds = [
        ...ofPackages,
        ["AWS::IAM::Role", "arn:aws:iam::1:role/"] as const,
        ["AWS::Events::Rule", "arn:aws:events:r:1:rule/"] as const,
      ];
      const ids = ["ServerlessDeploymentBucket", "WebhookRole", "SeedUsersEventsRuleSchedule1"];
      const made = kinds.flatMap(([type, arn]) =>
        ids.map((id) => arn + composeName(`${service}-${stage}`, id, type, "0123456789ab")),
      );
      const unfit = made.filter((arn) => !patterns.some((pattern) => matchesGlob(arn, pattern)));
      expect(unfit).toEqual([]);
    },
  );

  it.each([...watchedTypes, ...keptTypes])("allows what CloudFormation reads to compare a %s", (type) => {
    const allowed = statementsOf(name).flatMap(({ Action }) => Action);
    const reads = readsOfDrift[type] ?? ["unknown"];
    expect(reads.filter((action) => !allowed.includes(action))).toEqual([]);
  });
});

describe("the policy of the operator", () => {
  const Statement = statementsOf("operator");

  it("fits into a managed policy", () => {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    expect(JSON.stringify({ Version: "2012-10-17", Statement }).length).toBeLessThan(5_400); // 6,144
  });

  it("allows neither shortening log retention nor writing functions' logs", () => {
    const ofLogs = Statement.filter(({ Resource }) => Resource.some((one) => /log-group:\/aws\//.test(one)));
    const actions = ofLogs.flatMap(({ Action }) => Action);
    expect(actions).toContain("logs:FilterLogEvents");
    expect(actions.filter((action) => !/^logs:(Describe|Filter|Get|List)/.test(action))).toEqual([]);
    expect(Statement.flatMap(({ Action }) => Action)).not.toContain("logs:PutRetentionPolicy");
  });

  it("reaches only the loop guard secret of its own stage", () => {
    const ofKey = Statement.filter(({ Resource }) =>
      Resource.some((one) => one.includes(":LoopGuardSecret-")),
    );
    const ofStage = {
      StringEquals: { "aws:ResourceTag/aws:cloudformation:stack-name": "<service>-<stage>" },
    };
    expect(ofKey.map(({ Condition }) => Condition)).toEqual([ofStage]);
  });
});

const service = "cometchat-functions";

function statementsOf(name: string): { Action: string[]; Resource: string[]; Condition?: object }[] {
  return JSON.parse(readPolicy(name)).Statement;
}

function readPolicy(name: string) {
  return readFileSync(join(import.meta.dirname, `../../../infrastructure/policies/${name}.json`), "utf8");
}

/** As IAM compares: `*` also stands for `/` and `:`. */
function matchesGlob(arn: string, pattern: string) {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.\\/$^+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(arn);
}
