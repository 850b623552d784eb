import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";

interface Installer {
  /** What it is known by, and its folder's name. */
  readonly name: string;
  /** The command that installs, tests, packages and starts. */
  readonly command: readonly string[];
  /** Files of a project of which the app is a part. */
  readonly above: Readonly<Record<string, string>>;
}

const pnpm = ["npx", "--yes", "pnpm@10"];
const buildable = ["@parcel/watcher", "es5-ext", "esbuild", "node"];

/** Everybody who puts packages into an app's folder, or above it. */
export const installers: readonly Installer[] = [
  { name: "npm", command: ["npm"], above: {} },
  {
    name: "npm-workspace",
    command: ["npm"],
    above: { "package.json": '{ "private": true, "workspaces": ["*"] }' },
  },
  { name: "pnpm", command: pnpm, above: {} },
  {
    name: "pnpm-workspace",
    command: pnpm,
    above: {
      "package.json": '{ "private": true }',
      "pnpm-workspace.yaml": JSON.stringify({ packages: ["*"], onlyBuiltDependencies: buildable }),
    },
  },
];

/**
 * Makes an app of the packed file, has an installer fetch its packages from a registry, and does with it what its README says.
 * @throws Error for the first thing that does not work
 */
export async function tryInstaller(
  what: Installer & { readonly tarball: string; readonly node: string; readonly folder: string },
): Promise<void> {
  const { name, command, above, tarball, node, folder } = what;
  const place = join(folder, name);
  const app = join(place, "shop");
  mkdirSync(place);
  for (const [file, text] of Object.entries(above)) writeFileSync(join(place, file), text);
  const { PATH = "", HOME } = process.env;
  const env = { PATH: [dirname(node), PATH].join(delimiter), HOME, NO_COLOR: "1" };
  const run = ([program = "", ...args]: readonly string[], cwd = app): string =>
    execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

  run(["npx", "--yes", "--package", tarball, "cometchat-functions", "init", "shop"], place);
  run([...command, "install"]);
  assert.match(run([...command, "test"]), /Tests\s+5 passed/, name);
  assert.match(run([...command, "run", "package"]), /webhook +\d/, name);
  // npm takes options for itself that do not stand behind two dashes, pnpm hands those on, too.
  const options = command === pnpm ? ["--port", "0"] : ["--", "--port", "0"];
  await startApp([...command, "start", ...options], { cwd: app, env });
  process.stdout.write(`An app by ${name}\n`);
}

/** Starts an app until the first message has its reply. */
async function startApp(
  [program = "", ...args]: readonly string[],
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(program, args, { ...where, stdio: ["ignore", "pipe", "inherit"], detached: true });
  const closed = once(child, "close");
  let isReplied = false;
  for await (const line of createInterface({ input: child.stdout })) {
    isReplied ||= line.includes("the reply appears");
    // The installer's own process hands no signal on.
    if (line.includes("Ctrl-C ends everything")) process.kill(-(child.pid ?? 0), "SIGTERM");
  }
  await closed;
  assert(isReplied, "The first message had no reply.");
}
