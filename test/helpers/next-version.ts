import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpack } from "./made-app.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A version after every existing one. */
export const nextVersion = "0.99.0";

/** Makes a later version, with one more function, file of functions/own/, configuration, and queue. */
export async function packNext(packedFile: string): Promise<string> {
  const folder = temporaryFolder();
  const dist = join(folder, "dist");
  unpack(packedFile, dist);
  const change = (file: string, how: (text: string) => string) =>
    writeFileSync(join(dist, file), how(readFileSync(join(dist, file), "utf8")));
  change("package.json", (text) => text.replace(/"version": "[^"]+"/, `"version": "${nextVersion}"`));
  change(
    "app/functions.yml",
    (text) =>
      `${text}newFunction:\n  handler: node_modules/cometchat-functions/functions/new-function.handler\n  rights: []\n  package:\n    patterns: [node_modules/cometchat-functions/functions/new-function.mjs*]\n`,
  );
  change("app/resources.yml", (text) =>
    text.replace(/^Resources:\n/m, "Resources:\n  NewQueue:\n    Type: AWS::SQS::Queue\n"),
  );
  writeFileSync(join(dist, "functions/own/additions.js"), "export const ownAdditions = [];\n");
  writeFileSync(
    join(dist, "functions/new-function.js"),
    'import welcomeFile from "../config/welcome.yml";\nimport { ownAdditions } from "./own/additions.js";\nexport const handler = async () => ({ welcomeFile, ownAdditions });\n',
  );
  execFileSync("npm", ["pack", "./dist", "--pack-destination", ".", "--offline", "--loglevel=error"], {
    cwd: folder,
  });
  return join(folder, `cometchat-functions-${nextVersion}.tgz`);
}
