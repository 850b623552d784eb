import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { writeCurl } from "../../../local/console/page/parts/curl.ts";

/** Lets a shell read the command, with a curl that prints its words. */
function wordsOf(...request: Parameters<typeof writeCurl>): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nAPI_KEY=the-key\n${writeCurl(...request)}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

it("writes a command in which a shell expands only the key's variable", () => {
  const json = '{"text":"it\'s $HOME `id` \\\\"}';
  const headers = { onBehalfOf: "o'brien" };
  const url = "http://127.0.0.1:4001/shop.api-us/v3/messages?a=$(id)";

  expect(wordsOf({ method: "POST", url, keys: "app", headers, json, form: [["file", "@a b.png"]] })).toEqual([
    ...["-sS", "-X", "POST", url, "-H", "apikey: the-key", "-H", "onBehalfOf: o'brien"],
    ...["-H", "content-type: application/json", "--data-raw", json, "-F", "file=@a b.png"],
  ]);
});

it("takes a webhook's password from a variable of the shell", () => {
  expect(writeCurl({ method: "POST", url: "/", keys: "webhook" })).toContain('"platform:$WEBHOOK_PASSWORD"');
});
