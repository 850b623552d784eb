import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packageService } from "../helpers/template/package-service.ts";

it("the CloudFormation template passes cfn-lint, where that is installed", async ({ skip }) => {
  const { templateFile } = await packageService();

  const said = await lint(templateFile);

  if (said === undefined) {
    const hint =
      "cfn-lint is not installed (pip install cfn-lint): the template was compared with AWS's types alone";
    process.stderr.write(`\n${hint}\n`);
    skip(hint);
  }
  expect(said).toEqual([]);
});

/** What cfn-lint says against a template; undefined without cfn-lint. */
async function lint(file: string): Promise<readonly string[] | undefined> {
  const printed = await promisify(execFile)("cfn-lint", ["--format", "parseable", ...unasked, file]).then(
    ({ stdout }) => stdout,
    (error: { code?: unknown; stdout?: string }) =>
      typeof error.code === "number" ? error.stdout : undefined,
  );
  return printed?.split("\n").filter((line) => line !== "");
}

/** W3005: serverless says on what a resource waits where a reference says it, too. */
const unasked = ["--ignore-checks", "W3005", "--"];
