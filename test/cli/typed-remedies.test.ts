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
import { defaultSeed } from "../../local/platform/default-seed.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { isNight } from "../helpers/by-day.ts";
import { secretOf } from "../helpers/cloud-data.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { createRunChat, expectEnd, type RunChat } from "../helpers/run-chat.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";

/** Util-linux's `script`, which gives a program a terminal. */
const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const remedies = remediesFor("--local");
const alarms = z.parse(
  z.record(z.string(), z.looseObject({ type: z.string() })),
  parse(readFileSync(join(import.meta.dirname, "../../infrastructure/alarms.yml"), "utf8")),
);
const app = "local-app";
const key = defaultSeed.apps[0].fullAccessKey;

/** Nothing counts what is received here, and the webhook has not all triggers before `setup`. */
const exitCodes = new Map<string | undefined, number>([
  ["reconcile", 3],
  ["doctor", 1],
]);

/** The remedies that ask for nothing, of the doctor and the alarms, and what they end with. */
const { status, repair, logsOf, listDeadLetters, listQuarantine, listCause, rotationStatus, wake, logs } =
  remedies;
const plain = new Map([
  ...[status, listDeadLetters, listQuarantine, listCause("ERR_UID_NOT_FOUND-1f0c2a")].map(ending(0)),
  ...[rotationStatus(app), wake(app), logs(app), logsOf("webhook"), repair].map(ending(0)),
  ...[remedies.resume(`app:${app}`)].map(ending(6)), // nothing is paused
  ...Object.values(alarms).map(({ type }) =>
    ending(exitCodes.get(type.split(" ")[0]) ?? 0)(`npx cometchat-functions ${type} --local`),
  ),
]);

function ending(code: number) {
  return (line: string) => [line, code] as const;
}

describe("a remedy as it is printed", () => {
  let world: LocalStack;
  const folder = copyProject({});
  let chat: RunChat;
  beforeAll(async () => {
    world = await startPatientWorld({});
    chat = createRunChat(folder, world.cloud);
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

  it.each([...plain])("ends as it should: %s", async (remedy, expected) => {
    expectEnd(await chat(argumentsOf(remedy)), expected);
  });

  it("says that it sent no canary where none is turned on", async () => {
    const { json } = await chat("doctor --local --canary --json");

    expect(Object(json[0]).findings).toContainEqual(
      expect.objectContaining({ check: "canary", status: "unknown", remedy: remedies.deploy }),
    );
  });

  it.each([
    ["rotate api-key", remedies.replaceKey, withDeadKey, [key, true]],
    ["setup", remedies.setUpApp, withoutKey, [key, true, true, true]],
  ] as const)("asks for what it needs, and shows no key: %s", async (_name, remedy, prepare, answers) => {
    await prepare();

    const { exitCode, stdout, stderr } = await chat(argumentsOf(remedy(world.app.appId)), { answers });

    expect(exitCode, stderr).toBe(0);
    expect(stdout + stderr).not.toContain(world.app.fullAccessKey);
  });

  it.runIf(isNight && hasTerminals)("ends the same on a terminal and in a pipe", async () => {
    const [terminal, pipe] = await Promise.all([
      onTerminal(asTyped(remedies.status), folder, []),
      inPipe(asTyped(remedies.status), folder, ""),
    ]);

    expect({ ...terminal, pipe }).toEqual({
      code: 0,
      unasked: [],
      shown: expect.not.stringContaining("unsettled"),
      pipe: { code: 0, stderr: expect.not.stringContaining("unsettled") },
    });
  });

  it.skipIf(!hasTerminals)("is typed on a terminal as it is printed, and shows no key", async () => {
    await withoutKey();

    const { code, shown, unasked } = await onTerminal(asTyped(remedies.setUpApp(world.app.appId)), folder, [
      ["scope fullAccess", `${world.app.fullAccessKey}\r`],
      ["(y/N)", "y\r"],
    ]);

    expect({ shown, unasked, code }).toEqual({
      shown: expect.not.stringContaining(world.app.fullAccessKey),
      unasked: [],
      code: 0,
    });
    expect(shown).not.toContain("unsettled");
    // Ctrl-T would show the key.
    expect(shown).not.toContain("toggle visibility");
  });

  it.runIf(isNight && hasTerminals)("ends with Ctrl-D as with Ctrl-C, and changes nothing", async () => {
    const { code, shown } = await onTerminal(asTyped(remedies.replaceKey(world.app.appId)), folder, [
      ["from the dashboard:", "\u0004"],
    ]);

    expect({ shown, code }).toEqual({ shown: expect.stringContaining("Interrupted."), code: 130 });
    expect(shown).not.toContain("unsettled");
  });

  it.runIf(isNight)(
    "is typed with its key in a pipe, where --yes says what nobody can be asked",
    async () => {
      await withDeadKey();
      const remedy = `${remedies.replaceKey(world.app.appId)} --yes`;

      const { code, stderr } = await inPipe(asTyped(remedy), folder, `${world.app.fullAccessKey}\n`);

      expect(code, stderr).toBe(0);
    },
  );
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
  return { ...answered, code: child.killed ? "did not end" : code };
}

/** Types each answer once its question stands there, and the last one at each repetition of its question. */
async function answer(
  { stdin, stdout }: ChildProcess,
  answers: Answers,
): Promise<{ shown: string; unasked: readonly string[] }> {
  const left = [...answers];
  let shown = "";
  let answered = 0;
  for await (const chunk of stdout ?? []) {
    shown += String(chunk);
    const next = left[0] ?? answers.at(-1);
    if (next === undefined || !shown.includes(next[0], answered)) continue;
    answered = shown.length;
    left.shift();
    stdin?.write(next[1]);
  }
  return { shown, unasked: left.map(([question]) => question) };
}
