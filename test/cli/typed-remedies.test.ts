import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { publishAddresses } from "../../local/stack/publish-addresses.ts";
import type { World } from "../../local/stack/world.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";

/** Util-linux's `script`, which gives a program a terminal. */
const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const remedies = remediesFor("--local");
const alarms = z.parse(
  z.record(z.string(), z.looseObject({ type: z.string() })),
  parse(readFileSync(join(import.meta.dirname, "../../infrastructure/alarms.yml"), "utf8")),
);
const app = "local-app";

/** Nothing counts what is received here, and the webhook has not all triggers before `setup`. */
const exitCodes = new Map<string | undefined, number>([
  ["reconcile", 3],
  ["doctor", 1],
]);

/** The remedies that ask for nothing, of the doctor and the alarms, and what they end with. */
const plain = new Map([
  ...[remedies.status, remedies.listDeadLetters, remedies.listQuarantine].map((line) => [line, 0] as const),
  ...[remedies.listCause("ERR_UID_NOT_FOUND-1f0c2a"), remedies.rotationStatus(app)].map(
    (line) => [line, 0] as const,
  ),
  ...[remedies.wake(app), remedies.logs(app)].map((line) => [line, 0] as const),
  [remedies.resume(`app:${app}`), 6] as const, // nothing is paused
  ...Object.values(alarms).map(
    ({ type }) =>
      [`npx cometchat-functions ${type} --local`, exitCodes.get(type.split(" ")[0]) ?? 0] as const,
  ),
]);
const asking = ["replaceKey", "addApp", "setUpApp", "setRegion"];

describe("a remedy as it is printed", () => {
  let world: World;
  const folder = copyProject({});
  beforeAll(async () => {
    world = await startPatientWorld({});
    publishAddresses(folder, world.cloud);
  });
  afterAll(async () => {
    await world.close();
    removeCopy(folder);
  });

  const secretId = () => `${world.cloud.outputs.SecretPrefix}/${world.app.appId}`;
  const withDeadKey = () => world.cloud.putSecret(secretId(), { ...secretOf(world), apiKey: "0".repeat(40) });
  const withoutKey = () => world.cloud.putSecret(secretId(), { ...secretOf(world), apiKey: "" });
  const argumentsOf = (remedy: string) => remedy.replace("npx cometchat-functions ", "").split(" ");
  const asTyped = (remedy: string) => [
    "--disable-warning=ExperimentalWarning",
    join(folder, "cli/main.ts"),
    ...argumentsOf(remedy),
  ];

  it("is run below, whoever prints it", () => {
    const others = Object.entries(remedies).flatMap(([name, remedy]) =>
      asking.includes(name) || typeof remedy !== "string" ? [] : [remedy],
    );

    expect([...plain.keys()]).toEqual(expect.arrayContaining(others.filter((line) => line !== "npm start")));
    expect(Object.keys(remedies)).toHaveLength(13);
  });

  it.skipIf(!hasTerminals).each([...plain])(
    "ends the same on a terminal and in a pipe: %s",
    async (remedy, expected) => {
      await world.cloud.putSecret(secretId(), secretOf(world));

      const [terminal, pipe] = await Promise.all([
        onTerminal(asTyped(remedy), folder, []),
        inPipe(asTyped(remedy), folder, ""),
      ]);

      expect({ ...terminal, pipe }).toEqual({
        ...{ code: expected, unasked: [], shown: expect.not.stringContaining("unsettled") },
        pipe: { code: expected, stderr: expect.not.stringContaining("unsettled") },
      });
    },
  );

  it.skipIf(!hasTerminals).each([
    ["rotate api-key", remedies.replaceKey, withDeadKey, ["from the dashboard:", "(y/N)"]],
    ["apps add", remedies.addApp, withoutKey, ["us, eu or in", "scope fullAccess", "(y/N)"]],
    ["setup", remedies.setUpApp, withoutKey, ["scope fullAccess", "(y/N)", "(y/N)"]],
  ] as const)(
    "is typed on a terminal as it is printed, and shows no key: %s",
    async (_name, remedy, prepare, questions) => {
      await prepare();

      const { code, shown, unasked } = await onTerminal(
        asTyped(remedy(world.app.appId)),
        folder,
        questions.map((question) => [question, typedFor[question] ?? `${world.app.fullAccessKey}\r`]),
      );

      expect({ shown, unasked, code }).toEqual({
        shown: expect.not.stringContaining(world.app.fullAccessKey),
        unasked: [],
        code: 0,
      });
      expect(shown).not.toContain("unsettled");
      // Ctrl-T would show the key.
      expect(shown).not.toContain("toggle visibility");
    },
  );

  it.skipIf(!hasTerminals)("ends with Ctrl-D as with Ctrl-C, and changes nothing", async () => {
    await withDeadKey();

    const { code, shown } = await onTerminal(asTyped(remedies.replaceKey(world.app.appId)), folder, [
      ["from the dashboard:", "\u0004"],
    ]);

    expect({ shown, code }).toEqual({ shown: expect.stringContaining("Ended by Ctrl-C."), code: 130 });
    expect(shown).not.toContain("unsettled");
  });

  it("is typed with its key in a pipe, where --yes says what nobody can be asked", async () => {
    await withDeadKey();
    const run = (more = "") =>
      inPipe(
        asTyped(`${remedies.replaceKey(world.app.appId)}${more}`),
        folder,
        `${world.app.fullAccessKey}\n`,
      );

    const [asked, agreed] = [await run(), await run(" --yes")];

    expect(asked).toEqual({ stderr: expect.stringContaining("then add --yes"), code: 3 });
    expect(agreed).toMatchObject({ code: 0 });
  });
});

/** Runs a program whose standard streams are pipes. */
async function inPipe(args: readonly string[], cwd: string, stdin: string) {
  const child = spawn(process.execPath, args, { cwd });
  child.stdin.end(stdin);
  child.stdout.resume();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { stderr, code };
}

/** What a question says, and what is typed then. */
type Answers = readonly (readonly [question: string, typed: string])[];

/** Runs a program on a terminal of its own, and answers its questions once they stand there. */
async function onTerminal(args: readonly string[], cwd: string, answers: Answers) {
  const line = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env: { ...process.env, TERM: "xterm" },
    timeout: 30_000,
  });
  const [answered, [code]] = await Promise.all([answer(child, answers), once(child, "close")]);
  return { ...answered, code };
}

/** Types each answer once its question stands there; what is typed may be shown once more, so each counts once. */
async function answer(
  { stdin, stdout }: ChildProcess,
  answers: Answers,
): Promise<{ shown: string; unasked: readonly string[] }> {
  const left = [...answers];
  let shown = "";
  let answered = 0;
  for await (const chunk of stdout ?? []) {
    shown += String(chunk);
    const [next] = left;
    if (next === undefined || !shown.includes(next[0], answered)) continue;
    answered = shown.length;
    left.shift();
    stdin?.write(next[1]);
  }
  return { shown, unasked: left.map(([question]) => question) };
}

/** What is typed at a question; at the others, the key. */
const typedFor: Readonly<Record<string, string>> = { "(y/N)": "y\r", "us, eu or in": "\r" };

function secretOf({ app, webhook }: World) {
  return {
    appId: app.appId,
    region: app.region,
    apiKey: app.fullAccessKey,
    webhookUsername: webhook.username,
    webhookPassword: webhook.password,
  };
}
