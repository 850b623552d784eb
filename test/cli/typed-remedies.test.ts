import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsFor } from "../../lib/operate/doctor/doctor-services.ts";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { tellWorld } from "../../local/stack/tell-world.ts";
import type { World } from "../../local/stack/world.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";

/** Util-linux's `script`, which gives a program a terminal. */
const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const remedies = remediesFor(commandsFor("--local"));

describe("a remedy that asks for a key", () => {
  let world: World;
  const folder = copyProject({});
  beforeAll(async () => {
    world = await startPatientWorld({});
    tellWorld(folder, world.cloud);
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
    const run = async (...more: readonly string[]) => {
      const remedy = `${remedies.replaceKey(world.app.appId)}${more.join("")}`;
      const child = spawn(process.execPath, asTyped(remedy), { cwd: folder });
      child.stdin.end(`${world.app.fullAccessKey}\n`);
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
      return { stderr, code };
    };

    const [asked, agreed] = [await run(), await run(" --yes")];

    expect(asked).toEqual({ stderr: expect.stringContaining("then add --yes"), code: 3 });
    expect(agreed).toMatchObject({ code: 0 });
  });
});

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
