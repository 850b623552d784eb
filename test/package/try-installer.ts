import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { runWithin } from "./run-within.ts";

interface Installer {
  /** Its name, and its folder's. */
  readonly name: string;
  /** The command that installs, tests, packages and starts. */
  readonly command: readonly string[];
  /** Files of a project of which the app is a part. */
  readonly above: Readonly<Record<string, string>>;
}

const pnpm = ["npx", "--yes", "pnpm@10"];
const buildable = ["esbuild", "node"];

/** All installers that put packages into an app's folder, or above it. */
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
 * Makes an app of the packed file, has an installer fetch its packages from a registry, and follows its
 * README.
 * @throws Error for the first step that fails
 */
export async function tryInstaller(
  what: Installer & { readonly tarball: string; readonly node: string; readonly folder: string },
): Promise<void> {
  const { name, command, above, tarball, node, folder } = what;
  const place = join(folder, name);
  const app = join(place, "shop");
  mkdirSync(place);
  for (const [file, text] of Object.entries(above)) writeFileSync(join(place, file), text);
  const env = environmentBy(node);
  const run = (words: readonly string[], cwd = app) => runWithin(words, { cwd, env, seconds: mostSeconds });

  await run(["npx", "--yes", "--package", tarball, "cometchat-functions", "init", "shop"], place);
  await run([...command, "install"]);
  assert.match(await run([...command, "test"]), /Tests\s+5 passed/, name);
  await run([...command, "run", "package"]);
  // npm reads options for itself that do not follow two dashes; pnpm passes those on, too.
  const options = command === pnpm ? ["--port", "0"] : ["--", "--port", "0"];
  await startApp([...command, "start", ...options], { cwd: app, env });
  process.stdout.write(`An app by ${name}\n`);
}

/** Installers may fetch hundreds of packages; an app is tested and packaged with fewer. */
const mostSeconds = 900;

/** Starts an app until the first message has its reply. */
async function startApp(
  words: readonly string[],
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
) {
  const output = await runWithin(words, {
    ...where,
    seconds: mostSeconds,
    onLine: (line, end) => {
      if (line.includes("Ctrl-C ends everything")) end();
    },
  });
  assert(output.includes("the reply appears"), `The first message had no reply:\n${output}`);
}

/** The settings for a registry: proxies, certificates, settings of npm. */
const leadsOut = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|npm_config_\w+)$/i;

/**
 * A machine's variables, with another Node first. npm looks for the machine's own settings beside the Node
 * that runs it, where another Node has none: without their certificate or proxy, each package would be
 * requested three times over 71 seconds, silently, before npm used its cache.
 */
export function environmentBy(node: string): NodeJS.ProcessEnv {
  const { PATH = "", HOME, TMPDIR } = process.env;
  const settings = execFileSync("npm", ["config", "get", "globalconfig"], { encoding: "utf8" }).trim();
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => leadsOut.test(name))),
    PATH: [dirname(node), PATH].join(delimiter),
    npm_config_globalconfig: settings,
    HOME,
    NO_COLOR: "1",
    ...(TMPDIR !== undefined && { TMPDIR }),
  };
}
