import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../..");

/** A service as it would be deployed. */
export interface PackagedService {
  readonly folder: string;
  readonly templateFile: string;
  /** The CloudFormation template, parsed. */
  readonly template: unknown;
  remove(): void;
}

/** Packages the service for a stage, without credentials or network. @throws Error with what serverless says against it */
export async function packageService(stage: string): Promise<PackagedService> {
  const folder = mkdtempSync(join(tmpdir(), "package-test-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const serverless = join(root, "node_modules/serverless/bin/serverless.js");
  try {
    await promisify(execFile)(
      process.execPath,
      [serverless, "package", "--stage", stage, "--package", folder],
      {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: folder },
      },
    );
  } catch (error) {
    remove();
    const output = typeof error === "object" && error !== null && "stdout" in error ? error.stdout : error;
    throw new Error(`serverless package failed: ${output}`);
  }
  const templateFile = join(folder, "cloudformation-template-update-stack.json");
  return { folder, templateFile, template: JSON.parse(readFileSync(templateFile, "utf8")), remove };
}
