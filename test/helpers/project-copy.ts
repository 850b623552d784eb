import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { digestOfFiles } from "../../tools/digest-of-files.ts";
import { codeBlocksOf } from "../docs/code-blocks.ts";
import { makeOnce } from "./make-once.ts";
import { writeFiles } from "./write-files.ts";

const root = join(import.meta.dirname, "../..");

/** What a build, and a test within the copy, need of the project. */
export const copied = [
  "build",
  "cli",
  "config",
  "functions",
  "infrastructure",
  "lib",
  "local",
  "test/helpers",
  "test/platform/coverage", // which the helpers set up
  "package.json",
  "serverless.yml",
  "tsconfig.json",
  "vitest.config.ts",
];

/** A copy of the project with other files, deployed on this machine. */
export interface DeployedCopy {
  readonly cloud: Cloud;
  readonly platform: Platform;
  readonly app: (typeof defaultSeed)["apps"][0];
  /** The log of the functions. */
  readonly lines: string[];
  close(): Promise<void>;
}

/** Copies the project and writes files over it, by path. */
export function copyProject(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "project-copy-"));
  writeCopy(folder, files);
  return folder;
}

/** Returns such a copy that several test files share: its build is kept for the next one. */
export async function shareCopy(files: Readonly<Record<string, string>>): Promise<string> {
  const sources = copied.flatMap((name) => [name, `${name}/**/*`]);
  const folder = join(root, ".build/copies", digestOfFiles(sources, JSON.stringify(files)));
  await makeOnce(folder, () => {
    const making = mkdtempSync(`${folder}-`);
    writeCopy(making, files);
    renameSync(making, folder);
  });
  return folder;
}

/** Writes such a copy into a folder. */
export function writeCopy(folder: string, files: Readonly<Record<string, string>>): void {
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFiles(folder, files);
}

/** Builds a copy and runs it beside a platform, with the app's secret filled in. */
export async function deployCopy(
  folder: string,
  secret: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<DeployedCopy> {
  await using started = new AsyncDisposableStack();
  const [app] = defaultSeed.apps;
  const lines: string[] = [];
  const platform = started.adopt(
    await createPlatform({ port: 0, switches: { deliveryTimeoutMs: 60_000 } }),
    (one) => one.close(),
  );
  const cloud = started.adopt(
    await startCloud({
      serviceFolder: folder,
      log: (line) => lines.push(line),
      environment: { ...addressesOfChat(platform), ...environment },
    }),
    (one) => one.close(),
  );
  await cloud.putAppSecret({
    appId: app.appId,
    region: app.region,
    apiKey: app.fullAccessKey,
    webhookUsername: "platform",
    webhookPassword: "the-webhook-password",
    ...secret,
  });
  const everything = started.move();
  return { cloud, platform, app, lines, close: () => everything.disposeAsync() };
}

/** How functions reach a platform. */
export function addressesOfChat({ url, managementUrl }: Pick<Platform, "url" | "managementUrl">) {
  return {
    CHAT_BASE_URL_TEMPLATE: `${url}/{appId}.{service}-{region}/v3`,
    CHAT_MANAGEMENT_URL: managementUrl,
  };
}

/** Reads the complete files of a page: its blocks with `// path` or `# path` in the first line. */
export function blocksOf(page: string): Readonly<Record<string, string>> {
  const blocks = codeBlocksOf(readFileSync(join(root, page), "utf8"));
  return Object.fromEntries(
    blocks.flatMap(({ file, isFragment, text }) => (file === undefined || isFragment ? [] : [[file, text]])),
  );
}

/** Removes a copy. */
export function removeCopy(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
