import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { digestOfFiles } from "../../../tools/digest-of-files.ts";
import { makeOnce } from "../make-once.ts";

const root = join(import.meta.dirname, "../../..");
const sources = [
  "{build,config,functions,infrastructure,lib}/**/*",
  "{serverless.yml,package.json,package-lock.json,tsconfig.json,local/cloud/serverless-plugin.mjs}",
];

/** A service as it would be deployed. */
export interface PackagedService {
  readonly folder: string;
  readonly templateFile: string;
  /** The CloudFormation template, as JSON. */
  readonly template: string;
}

/**
 * Packages the service for the stage `dev`, without credentials, network or login, once for all tests.
 * @throws Error with serverless's messages
 */
export async function packageService(): Promise<PackagedService> {
  const folder = join(root, ".build/service", digestOfFiles(sources));
  await makeOnce(folder, async () => {
    const [making, temporary] = [mkdtempSync(`${folder}-`), mkdtempSync(`${folder}-temporary-`)];
    const serverless = join(root, "node_modules/serverless/bin/serverless.js");
    await promisify(execFile)(process.execPath, [serverless, "package", "--package", making], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: making, TMPDIR: temporary },
    }).catch(({ stdout, stderr }) => {
      throw new Error(`${stderr}${stdout}`); // serverless reports mistakes on its standard output
    });
    rmdirSync(temporary); // fails if packaging left files there
    renameSync(making, folder);
  });
  const templateFile = join(folder, "cloudformation-template-update-stack.json");
  return { folder, templateFile, template: readFileSync(templateFile, "utf8") };
}
