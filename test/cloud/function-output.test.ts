import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readFunctionOutput } from "../../local/cloud/lambda/function-output.ts";

function open() {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const lines: string[] = [];
  const output = readFunctionOutput([stdout, stderr], (line) => lines.push(line));
  let isRead = false;
  const read = output.readUntilAnswer("r1").then(() => {
    isRead = true;
  });
  const isDone = async () => {
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    return isRead;
  };
  return { stdout, stderr, lines, read, isDone };
}

describe("readFunctionOutput", () => {
  it("waits for the end of both streams' output before an answer counts", async () => {
    const { stdout, stderr, lines, read, isDone } = open();

    stdout.write("one\n\0answered r1\n");
    expect(await isDone()).toBe(false);
    stderr.write("two\n\0answered r1\n");
    await read;

    expect(lines).toEqual(["one", "two"]);
  });

  it("does not take an earlier answer's end for this one's", async () => {
    const { stdout, stderr, isDone } = open();

    for (const stream of [stdout, stderr]) stream.write("\0answered r0\n");

    expect(await isDone()).toBe(false);
  });

  it("gives a line without an end before the answer, and an empty one as it is", async () => {
    const { stdout, stderr, lines, read } = open();

    stderr.end();
    stdout.write("\nunfinished\0answered r1\n");
    await read;

    expect(lines).toEqual(["", "unfinished"]);
  });

  it("waits for nobody once the process has ended", async () => {
    const { stdout, stderr, lines, read } = open();

    stdout.end("last words");
    stderr.end();
    await read;

    expect(lines).toEqual(["last words"]);
  });
});
