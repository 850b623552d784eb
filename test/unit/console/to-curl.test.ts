import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { CallDetail } from "../../../local/console/api/calls.ts";
import { callCurl } from "../../../local/console/page/parts/curl.ts";
import { commandOf } from "../../../local/console/page/views/queues/command-of.ts";

const call: CallDetail = {
  ...{ id: 1, atMs: 0, kind: "request", surface: "chat", method: "POST", path: "/messages" },
  ...{ operation: undefined, appId: "shop", onBehalfOf: "o'brien", who: "other", status: 200 },
  ...{ code: undefined, fault: undefined, fidelity: undefined, durationMs: 1 },
  ...{ address: "/shop.api-us/v3/messages?a=$(id)", userAgent: undefined, trace: undefined },
  ...{ error: undefined, answer: { kind: "none" }, behaviour: undefined },
  ...{ requestId: 1, journeyId: undefined, caused: 0 },
  sent: { kind: "text", text: '{"text":"it\'s $HOME `id` \\\\"}', bytes: 1, isCut: false },
};

/** Lets a shell read the command, with a curl that prints its words. */
function wordsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nAPI_KEY=the-key\n${command}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("callCurl", () => {
  it("writes a command of which a shell reads nothing but the key's variable", () => {
    expect(wordsOf(callCurl(call, "http://127.0.0.1:4001"))).toEqual([
      "-sS",
      "-X",
      "POST",
      "http://127.0.0.1:4001/shop.api-us/v3/messages?a=$(id)",
      "-H",
      "apikey: the-key",
      "-H",
      "onBehalfOf: o'brien",
      "-H",
      "content-type: application/json",
      "--data-raw",
      call.sent.kind === "text" ? call.sent.text : "",
    ]);
  });

  it("names a form's files by their names", () => {
    const parts = [
      { name: "receiver", fileName: undefined, type: undefined, bytes: 3, text: "bob" },
      { name: "file", fileName: "a b.png", type: "image/png", bytes: 3, text: undefined },
    ];
    const words = wordsOf(callCurl({ ...call, sent: { kind: "form", parts, bytes: 9 } }, ""));

    expect(words.slice(-4)).toEqual(["-F", "receiver=bob", "-F", "file=@a b.png"]);
  });
});

describe("commandOf", () => {
  it("writes what an operator would type, and nothing for too many ids", () => {
    const picked = { app: "shop", text: "it's" };

    expect(commandOf("dead-letters", "replay", { picked, count: 2 })).toBe(
      "npx cometchat-functions dead-letters replay --stage <stage> --app shop --text 'it'\\''s'",
    );
    expect(commandOf("dead-letters", "drop", { picked: {}, count: 101 })).toContain("--all --expect 101");
    expect(
      commandOf("quarantine", "drop", { picked: { ids: Array(21).fill("id") }, count: 21 }),
    ).toBeUndefined();
  });
});
