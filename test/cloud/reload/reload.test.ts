import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReloadState } from "../../../local/cloud/reload/reload-state.ts";
import { type Cloud, startCloud } from "../../../local/cloud/start-cloud.ts";
import { isNight } from "../../helpers/by-day.ts";
import { makeSmallService } from "./small-service.ts";

describe("an edit", () => {
  const service = makeSmallService();
  const lines: string[] = [];
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await startCloud({
      serviceFolder: service.folder,
      reload: true,
      log: (line) => lines.push(line),
    });
  });
  afterAll(async () => {
    await cloud.close();
    service.remove();
  });

  const answerOf = async (key = "word", event: object = {}) => (await cloud.invoke(key, event)).payload;
  /** Makes an edit and returns every state until one that matches. */
  const edit = async (
    act: () => void,
    isMeant: (state: ReloadState) => boolean = ({ state }) => state !== "building",
  ) => {
    const states: ReloadState[] = [];
    let isDone = false;
    const stop = cloud.reload.subscribe((state) => {
      states.push(state);
      isDone ||= isMeant(state);
    });
    act();
    await vi.waitFor(() => expect(isDone, JSON.stringify([states, cloud.reload.state()])).toBe(true));
    stop();
    return { states, last: cloud.reload.state() };
  };
  beforeEach(async () => {
    const says = `said ${Math.random()}`;
    await edit(() => service.say(says));
  });

  it("of an indirect import runs in the next invocation, and replaces only processes with that file", async () => {
    const pid = await answerOf("other");

    const { last } = await edit(() => service.say("deep"));

    expect(await answerOf()).toEqual({ word: "deep", greeting: "hello" });
    expect(await answerOf("other")).toBe(pid);
    expect(last).toMatchObject({ state: "live", changedFiles: ["lib/deep/word.ts"], problems: [] });
  });

  it("lets running invocations end", async () => {
    await edit(() => service.say("before"));
    const running = answerOf("word", { waitMs: 1_000 });
    await answerOf("word");

    await edit(() => service.say("after"));

    expect(await answerOf()).toMatchObject({ word: "after" });
    expect(await running).toMatchObject({ word: "before" });
  });

  it("with a mistake is reported with its place and line, and the previous code continues", async () => {
    const { word } = (await answerOf()) as { word: string };

    const lineText = "export const word = 'čaj 你好' +;";
    const { last } = await edit(() => service.write("lib/deep/word.ts", `${lineText}\n`));

    expect(last.state).toBe("broken");
    expect(last.problems).toMatchObject([
      { file: "lib/deep/word.ts", line: 1, column: lineText.length, lineText }, // in characters, not bytes
    ]);
    expect(await answerOf()).toMatchObject({ word });
    expect(lines.join("\n")).toContain(`lib/deep/word.ts:1:${lineText.length}: Unexpected ";"`);
    await edit(() => service.say(word));
    expect(lines.join("\n")).toContain("lib/deep/word.ts: no errors; the running code is up to date.");
    const { last: mended } = await edit(() => service.say("mended"));
    expect(mended).toMatchObject({ state: "live", problems: [] });
    expect(await answerOf()).toMatchObject({ word: "mended" });
  });

  it("that imports a missing file runs as soon as the file exists", async () => {
    const { last } = await edit(() =>
      service.write("lib/deep/word.ts", 'export { word } from "./new/word.ts";\n'),
    );
    expect(last.problems).toMatchObject([{ file: "lib/deep/word.ts", line: 1, column: 22 }]);

    await edit(
      () => service.write("lib/deep/new/word.ts", 'export const word = "from a new folder";\n'),
      ({ state }) => state === "live",
    );

    expect(await answerOf()).toMatchObject({ word: "from a new folder" });
    await edit(() => service.write("lib/deep/new/word.ts", 'export const word = "again";\n'));
    expect(await answerOf()).toMatchObject({ word: "again" });
  });

  it("that cannot be loaded is reported with its stack in the source, and the previous code continues", async () => {
    const { word } = (await answerOf()) as { word: string };

    const { last } = await edit(() =>
      service.write(
        "lib/deep/word.ts",
        'export const word = ""; console.log("is loading");\nfunction fail() {\n  throw new RangeError("no");\n}\nfail();\n',
      ),
    );

    expect(last.problems).toMatchObject([
      {
        file: "lib/deep/word.ts",
        line: 3,
        lineText: '  throw new RangeError("no");',
        text: "RangeError: no",
        functionKeys: ["word"],
      },
    ]);
    expect(last.problems[0]?.stack?.[0]).toMatch(/lib\/deep\/word\.ts:3:\d+$/);
    expect(lines).toContainEqual(expect.stringContaining("is loading"));
    expect(lines.filter((line) => line.includes("RangeError"))).toEqual([
      expect.stringMatching(/^lib\/deep\/word\.ts: the previous code continues to run\./),
    ]);
    expect(await answerOf()).toMatchObject({ word });
  });

  it.each<[string, (service: ReturnType<typeof makeSmallService>, text: string) => void]>([
    [
      "renames a new file over the old one",
      ({ at, write }, text) => {
        write("lib/deep/word.ts.tmp", text);
        renameSync(at("lib/deep/word.ts.tmp"), at("lib/deep/word.ts"));
      },
    ],
    [
      "exchanges the folder",
      ({ at, write }, text) => {
        renameSync(at("lib/deep"), at("lib/old"));
        write("lib/deep/word.ts", text);
        rmSync(at("lib/old"), { recursive: true });
      },
    ],
  ])("is noticed if an editor %s", async (_, act) => {
    const { revision } = cloud.reload.state();

    await edit(
      () => act(service, 'export const word = "written";\n'),
      ({ state }) => state === "live",
    );

    expect(await answerOf()).toMatchObject({ word: "written" });
    expect(cloud.reload.state().revision).toBe(revision + 1);
  });

  it("is ignored if the content does not change", async () => {
    const before = cloud.reload.state();
    const { word } = (await answerOf()) as { word: string };

    utimesSync(service.at("lib/deep/word.ts"), new Date(), new Date());
    service.say(word);
    await edit(() => service.write("functions/other.ts", "export const handler = async () => -1;\n"));

    expect(cloud.reload.state().revision).toBe(before.revision + 1);
    expect(cloud.reload.state().changedFiles).toEqual(["functions/other.ts"]);
    expect(await answerOf("other")).toBe(-1);
  });

  it("made during another one's build wins", async () => {
    await edit(
      () => {
        service.say("one");
        const stop = cloud.reload.subscribe(({ state }) => {
          if (state !== "building") return;
          stop();
          service.say("two");
        });
      },
      ({ state }) => state === "live" && cloud.reload.state().changedFiles.length > 0,
    );
    await expect.poll(async () => await answerOf()).toMatchObject({ word: "two" });
  });

  it("is live with its own files if an unused file is written meanwhile", async () => {
    const beside = "functions/.word.ts.swp";
    const stop = cloud.reload.subscribe(({ state }) => {
      if (state === "building") service.write(beside, `an editor's own ${Math.random()}`);
    });

    const { last } = await edit(() => service.say("beside"));
    stop();
    await edit(() => service.say("after it"));

    expect(last).toMatchObject({ state: "live", changedFiles: ["lib/deep/word.ts"] });
    rmSync(service.at(beside));
  });

  it("of serverless.yml changes the environment, reports what needs a restart, and does not delay code", async () => {
    const path = "serverless.yml";
    const text = readFileSync(service.at(path), "utf8");
    const limits = "{ ThrottlingRateLimit: 0.01, ThrottlingBurstLimit: 1 }";
    const more = `  Outputs: { A: { Value: a } }\n  extensions: { HttpApiStage: { Properties: { DefaultRouteSettings: ${limits} } } }\n`;
    const stop = cloud.reload.subscribe(({ state }) => {
      if (state === "building") service.say("quick");
    });

    service.hold();
    await edit(() =>
      service.write(
        path,
        `${text}resources:\n  Resources:\n    Added: { Type: AWS::SQS::Queue }\n${more}`
          .replace("'hello'", "'good day'")
          .replace("GET /word", "GET /words")
          .replace("  other:", "  third: { handler: functions/other.handler }\n  other:"),
      ),
    );
    stop();
    expect(await answerOf()).toMatchObject({ word: "quick", greeting: "hello" });
    expect(cloud.reload.state()).toMatchObject({ state: "live", isPartial: true });
    expect(lines.at(-1)).toMatch(/^Reloaded word .* Wait for the next line: /);
    service.letGo();
    await expect.poll(async () => await answerOf()).toMatchObject({ greeting: "good day" });
    await expect.poll(() => cloud.reload.state()).toMatchObject({ state: "live", isPartial: false });
    await expect
      .poll(() => cloud.reload.state())
      .toMatchObject({ state: "live", needsRestart: ["the new function third", "the outputs"] });
    expect((await fetch(`${cloud.httpUrl}/words`)).status).toBe(200);
    expect((await fetch(`${cloud.httpUrl}/words`)).status).toBe(429);
    expect((await fetch(`${cloud.httpUrl}/word`)).status).toBe(404);

    const { last: wrong } = await edit(() => service.write(path, `${text}  - :\n`));
    expect(wrong).toMatchObject({ state: "broken", problems: [{ file: path }] });
    expect(await answerOf()).toMatchObject({ greeting: "good day" });

    const { last: mended } = await edit(() => service.restore(path));
    expect(mended).toMatchObject({ state: "live", problems: [], needsRestart: [] });
    expect(await answerOf()).toMatchObject({ greeting: "hello" });
    const unlimited = [1, 2].map(async () => (await fetch(`${cloud.httpUrl}/word`)).status);
    expect(await Promise.all(unlimited)).toEqual([200, 200]);
  });

  it("that fixes serverless.yml while serverless still reads its mistake is accepted", async () => {
    const text = readFileSync(service.at("serverless.yml"), "utf8");
    const missing = "GREETING: { Fn::GetAtt: [Nothing, Arn] }";

    service.hold();
    service.write("serverless.yml", text.replace(/GREETING: .*/, missing));
    await expect.poll(() => service.isHeld()).toBe(true);
    service.restore("serverless.yml");
    await edit(
      () => service.say("beside the mend"),
      ({ isPartial }) => isPartial,
    );
    service.letGo();

    await expect.poll(() => cloud.reload.state().isPartial).toBe(false);
    expect(cloud.reload.state()).toMatchObject({ state: "live", problems: [] });
  });

  it("that adds a function answers its route with 404 until the requested restart", async () => {
    const text = readFileSync(service.at("serverless.yml"), "utf8");
    const added =
      "  third: { handler: functions/other.handler, events: [{ httpApi: GET /third }] }\n  other:";

    service.hold();
    await edit(
      () => {
        service.write("serverless.yml", text.replace("  other:", added));
        service.say("beside a new function");
      },
      ({ isPartial }) => isPartial,
    );
    service.letGo();

    await expect.poll(() => cloud.reload.state()).toMatchObject({ state: "live", isPartial: false });
    expect((await fetch(`${cloud.httpUrl}/third`)).status).toBe(404);
    expect(lines.slice(-2)).toEqual([
      "Restart the local stack to apply the new function third.",
      "The rest of what serverless.yml and config/ set is live.",
    ]);
    await edit(
      () => service.restore("serverless.yml"),
      ({ needsRestart }) => needsRestart.length === 0,
    );
  });

  it.runIf(isNight)("of code and the environment that it needs runs with both", async () => {
    const path = "serverless.yml";
    const text = readFileSync(service.at(path), "utf8");
    const codeFor = (greeting: string) =>
      `if (process.env.GREETING !== "${greeting}") throw new Error(process.env.GREETING);\n`;

    // The second time, the previous code does not load with the new environment either.
    for (const greeting of ["good day", "good evening"]) {
      await edit(
        () => {
          service.write(path, text.replace("'hello'", `'${greeting}'`));
          service.write("lib/deep/word.ts", `${codeFor(greeting)}export const word = "${greeting}";\n`);
        },
        ({ state }) => state === "live",
      );

      expect(cloud.reload.state()).toMatchObject({ state: "live", problems: [] });
      expect(await answerOf()).toEqual({ word: greeting, greeting });
    }
  });

  it.runIf(isNight)(
    "does not follow from packaging the service beside it, which produces the same bundles",
    async () => {
      await edit(() => service.restore("lib/deep/word.ts"));
      const serverless = ["node_modules/serverless/bin/serverless.js", "package", "--stage", "local"];
      execFileSync(process.execPath, [...serverless, "--package", service.at("package")], {
        cwd: service.folder,
        stdio: "ignore",
        env: { PATH: process.env.PATH, HOME: service.folder },
      });
      const packaged = firstFileOf(readFileSync(service.at("package/word.zip")));
      const built = readFileSync(join(cloud.buildFolder, ".build/functions/word.mjs"), "utf8");
      cloud.kill("word");

      expect(packaged).toBe(built);
      expect((await cloud.invoke("word", {})).functionError).toBeUndefined();
      // What packaging wrote here may be noticed as an edit, too, and be live before this one.
      service.say("after packaging");
      await expect.poll(async () => await answerOf()).toMatchObject({ word: "after packaging" });
    },
  );
});

/** The content of an archive's first file; APPNOTE.TXT of the ZIP format, section 4.3.7. */
function firstFileOf(archive: Buffer) {
  const content = 30 + archive.readUInt16LE(26) + archive.readUInt16LE(28);
  return inflateRawSync(archive.subarray(content)).toString("utf8");
}
