import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command, ListedCommand } from "../../../cli/command.ts";
import { commands } from "../../../cli/commands.ts";
import { closedPipe } from "../../../cli/run-cli.ts";
import { createRunChat, type RunChatOptions } from "../../helpers/run-chat.ts";

/** Runs a command line at a terminal; `signal` may close its output. */
const run = (
  args: readonly string[],
  { listed = commands, ...edges }: { listed?: readonly ListedCommand[] } & RunChatOptions["edges"] = {},
) => createRunChat("/nowhere")(args, { commands: listed, isTerminal: true, edges });

function listedAs(command: Command): readonly ListedCommand[] {
  return [{ name: "one", summary: "", subject: "", load: async () => ({ command }) }];
}

/** A command that acts on nothing, so that it needs no target. */
function apart(perform: Command["perform"], changes = false): Command {
  return { examples: "", changes, isApart: true, perform };
}

describe("a command line", () => {
  it.each(["confirm", "record"] as const)(
    "ends before the first change with --dry-run: %s",
    async (first) => {
      const changed: string[] = [];
      const changes = async (_typed: unknown, ground: Parameters<Command["perform"]>[1]) => {
        await (first === "confirm" ? ground.confirm("Stop the bus?") : ground.record());
        changed.push(first);
        return 0 as const;
      };
      const command: Command = { examples: "", changes: true, perform: changes };

      const { exitCode, stdout, stderr } = await run(["one", "--local", "--dry-run", "--yes"], {
        listed: listedAs(command),
      });

      expect([exitCode, changed]).toEqual([0, []]);
      expect(stdout).toContain(first === "confirm" ? "Stop the bus?" : "does not ask");
      expect(stderr).toContain("Nothing was changed.");
    },
  );

  it("suggests --dry-run without a terminal", async () => {
    const command: Command = {
      examples: "",
      changes: true,
      perform: async (_typed, { confirm }) => {
        await confirm("Stop the bus?");
        return 0 as const;
      },
    };

    const { stderr } = await run(["one", "--local", "--json"], { listed: listedAs(command) });

    expect(stderr).toContain("See with --dry-run what would be changed, then add --yes.");
  });

  it("refuses to move the clock back", async () => {
    const { exitCode, stderr } = await run(["clock", "-2h", "--local"]);

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("The clock only moves forward.")]);
  });

  it.each(["--local", "--stage=local"])(
    "refuses to roll back with %s before it looks for a stack",
    async (target) => {
      const { exitCode, stderr } = await run(["rollback", target]);

      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining("rollback acts on deployed stages only."),
      ]);
    },
  );

  it("describes the package's other programs in the help", async () => {
    const bin = readFileSync(join(import.meta.dirname, "../../../cli/bin.mjs"), "utf8");
    const programs = [...bin.matchAll(/^ {2}(\w+): new URL/gm)].map(([, name]) => name);

    const { stdout } = await run(["--help"]);

    expect(programs).toHaveLength(5);
    expect(programs.filter((name) => !new RegExp(`^  ${name} +[a-z].{20}`, "m").test(stdout))).toEqual([]);
  });

  it.each([
    ["clock", ["--local", "--world"]],
    ["rollback", ["--stage", "--region"]],
    ["remove", ["--local", "--world", "--stage", "--region"]],
  ])("shows in the help of %s only the targets that it accepts: %j", async (name, accepted) => {
    const { stdout } = await run([name, "--help"]);

    expect(stdout.match(/^ {2}--(local|world|stage|region)\b/gm)?.map((line) => line.trim())).toEqual(
      accepted,
    );
    expect(stdout).not.toContain("stage (default");
  });

  it("loads no command for the help, and only the named one for its own help", async () => {
    const loaded: string[] = [];
    const listed = commands.map((one) => ({
      ...one,
      load: () => {
        loaded.push(one.name);
        return one.load();
      },
    }));

    await run(["--help"], { listed });
    const { stdout } = await run(["help", "dead-letters", "list"], { listed });

    expect(loaded).toEqual(["dead-letters list"]);
    expect(stdout).toContain("--conversation <id>");
  });

  it.each([
    [false, 0, ""],
    [true, 130, "Interrupted. It can be run again.\n"],
  ])(
    "ends quietly if its output is closed, unless it changes something: %s",
    async (changes, code, error) => {
      const reading = new AbortController();
      const command = apart(async () => {
        reading.abort(closedPipe);
        throw new Error("aborted");
      }, changes);

      const ran = await run(["one"], { listed: listedAs(command), signal: reading.signal });

      expect([ran.exitCode, ran.stderr]).toEqual([code, error]);
    },
  );

  it.each([
    [{}, "\u001b[31m✗\u001b[39m\n"],
    [{ NO_COLOR: "1" }, "✗\n"],
    [{ TERM: "dumb" }, "✗\n"],
    [{ NO_COLOR: "" }, "\u001b[31m✗\u001b[39m\n"],
  ])("has the colours that %j allows", async (env, stdout) => {
    const command = apart(async (_, ground) => {
      ground.out.line(ground.out.style("red", "✗"));
      return 0;
    });

    expect((await run(["one"], { listed: listedAs(command), env })).stdout).toBe(stdout);
  });
});

describe("completion", () => {
  it("completes commands, options and stages in bash", async () => {
    const { stdout: program } = await run(["completion", "bash"]);
    const complete = (...words: readonly string[]) => {
      const script = `${program}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _cometchat_functions; echo "\${COMPREPLY[*]}"`;
      const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", "cometchat-functions", ...words], {
        cwd: new URL("../../..", import.meta.url),
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      return stdout.trim();
    };

    expect(complete("de")).toBe("demo deploy dead-letters");
    expect(complete("completion", "")).toBe("bash zsh fish --help");
    expect(complete("dead-letters", "re")).toBe("replay");
    expect(complete("dead-letters", "replay", "--yes", "--d")).toBe("--dry-run");
    expect(complete("status", "--stage", "")).toBe("dev prod");
    expect(complete("rotate", "w")).toBe("webhook-password");
  });

  it.runIf(hasShell("fish"))("completes commands, options and stages in fish", async () => {
    const complete = async (typed: string) =>
      runIn("fish", "--no-config", `complete -C 'cometchat-functions ${typed}'`);

    expect(await complete("de")).toBe("dead-letters\ndemo\ndeploy\n");
    expect(await complete("deploy --st")).toBe("--stage\n");
    expect(await complete("dead-letters replay --yes --dry")).toBe("--dry-run\n");
    expect(await complete("status --stage ")).toBe("dev\nprod\n");
    expect(await complete("rotate w")).toBe("webhook-password\n");
  });

  it.runIf(hasShell("zsh"))("is loaded by a plain zsh", async () => {
    expect(await runIn("zsh", "-f", "print $_comps[cometchat-functions]")).toBe("_cometchat_functions\n");
  });

  it("protects options in fish's own commands, and refuses other shells", async () => {
    expect((await run(["completion", "fish"])).stdout).not.toMatch(/string split (?!-- )/);
    expect((await run(["completion", "csh"])).exitCode).toBe(2);
  });

  /** Runs a line without the user's files. */
  async function runIn(shell: "fish" | "zsh", plain: string, line: string) {
    const { stdout: program } = await run(["completion", shell]);
    const cwd = new URL("../../..", import.meta.url);
    const { stdout, stderr } = spawnSync(shell, [plain, "-c", `${program}\n${line}`], {
      cwd,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    return stdout;
  }

  function hasShell(name: string) {
    return spawnSync(name, ["--version"]).status === 0;
  }
});
