import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const ends = {
  "a rejected error": "void Promise.reject(new TypeError('Ann wrote: ' + secret))",
  "a rejected text": "void Promise.reject('Ann wrote: ' + secret)",
  "a thrown error": "setImmediate(() => { throw new TypeError('Ann wrote: ' + secret) })",
  "a thrown text": "setImmediate(() => { throw 'Ann wrote: ' + secret })",
};

describe("what ends a function's process", () => {
  it.each(Object.entries(ends))("is logged without its message: %s", (_, end) => {
    const { stdout, stderr, status } = run(end, { AWS_LAMBDA_RUNTIME_API: "127.0.0.1:1" });

    expect(JSON.parse(stdout)).toMatchObject({
      ...{ level: "ERROR", message: "nothing caught an error: the process ends", function: "shop" },
      cause: expect.stringMatching(/^(TypeError|a thrown string)/),
    });
    expect(stdout + stderr).not.toMatch(/Ann|correct/);
    expect(status).toBe(1);
  });

  it("is left to other programs than functions", () => {
    expect(run(ends["a thrown error"], {})).toMatchObject({ stdout: "", status: 1 });
  });
});

/** As Lambda's runtime, the program listens before it loads the function. */
function run(end: string, env: NodeJS.ProcessEnv) {
  const program = `
    for (const event of ["uncaughtException", "unhandledRejection"])
      if (process.env.AWS_LAMBDA_RUNTIME_API) process.on(event, (error) => { console.error(error); process.exit(2); });
    const { createProcessLog } = await import("./lib/base/process-log.ts");
    createProcessLog("shop");
    createProcessLog("shop");
    const secret = "correct horse";
    ${end};
  `;
  const options = {
    env: { ...process.env, LOG_FOREIGN_MESSAGES: "false", ...env },
    encoding: "utf8",
  } as const;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", program], options);
}
