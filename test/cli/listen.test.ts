import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { createWitness } from "../../local/stack/witness.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

const root = join(import.meta.dirname, "../..");
/** For bundling, whoever looks after a lease every five seconds, and a busy machine. */
const timeoutMs = 120_000;

describe("listen", () => {
  let onStage = createWitness<string>();
  const project = useChat({ log: (line) => onStage.note(line) });
  for (const name of ["functions", "lib", "build", "node_modules"]) {
    symlinkSync(join(root, name), join(project.folder, name));
  }

  beforeEach(async () => {
    await world.reset();
    onStage = createWitness();
  });

  /** Starts listening; gives what it prints, line by line, and what ends it. */
  function start(...args: string[]) {
    const here = createWitness<string>();
    const ending = new AbortController();
    const print = (text: string) => {
      for (const line of text.split("\n")) here.note(line);
    };
    const ran = chat(["listen --local --yes", ...args], {
      edges: {
        signal: ending.signal,
        sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
        stdout: { write: print, isTerminal: false },
        stderr: { write: print, isTerminal: false },
      },
    });
    ran.then(({ exitCode }) => here.note(`ended with ${exitCode}`), print);
    const says = (text: string) => here.first((line) => (line.includes(text) ? line : undefined), timeoutMs);
    return { ran, says, end: () => ending.abort() };
  }

  const stageSays = (text: string) =>
    onStage.first((line) => (line.includes(text) ? line : undefined), timeoutMs);

  it("runs the stage's events here and not there, and gives them back at its end", async () => {
    const { ran, says, end } = start();
    await says("Listening for app local-app");

    await deliver(world, messageSent({ id: "801", sender: "alice" }));
    const answered = await says("answered a message");
    await deliver(world, messageSent({ id: "802", sender: "alice" }));
    await says("messageId=802");
    const listed = await chat("status --local");
    const second = await chat("listen --local --yes");
    end();
    const { exitCode } = await ran;
    await deliver(world, messageSent({ id: "803", sender: "alice" }));
    const later = await stageSays("answered a message");

    expect(answered).toContain("messageId=801");
    expect(listed.stdout).toContain("A listener acts for app local-app in the deployment's place since");
    expect(second).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("Another machine already listens for app local-app"),
    });
    expect(exitCode).toBe(0);
    expect(later).toContain('"803"');
  });

  it.each(["listen", "trigger message_sent"])("is refused on production stages, as is %s", async (typed) => {
    writeFileSync(join(project.folder, "config/stages.yml"), "local:\nprod: { production: true }\n");
    const { AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL_CLOUDFORMATION } = world.cloud.endpoints;
    const env = {
      AWS_ACCESS_KEY_ID: "somebody",
      AWS_SECRET_ACCESS_KEY: "of-a-test",
      AWS_ENDPOINT_URL_STS,
      AWS_ENDPOINT_URL_CLOUDFORMATION,
    };

    expectEnd(
      await chat([...typed.split(" "), "--stage", "prod", "--yes"], {
        edges: { env },
      }),
      3,
      "is marked as production",
    );
  });
});
