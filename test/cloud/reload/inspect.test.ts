import { get } from "node:http";
import { SourceMap } from "node:module";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../../local/cloud/start-cloud.ts";
import { makeSmallService } from "./small-service.ts";

const service = makeSmallService();
let cloud: Cloud;
beforeAll(async () => {
  cloud = await startCloud({ serviceFolder: service.folder, reload: true, inspect: { word: 0 } });
});
afterAll(async () => {
  await cloud.close();
  service.remove();
});

interface Target {
  readonly webSocketDebuggerUrl: string;
}

interface Heard {
  readonly id?: number;
  readonly method?: string;
  readonly params: { readonly url?: string; readonly sourceMapURL?: string; readonly callFrames?: Frame[] };
  readonly result?: unknown;
}

interface Frame {
  readonly location: { readonly lineNumber: number };
}

/** A debugger, as far as a test needs one. */
async function attach(address: string) {
  const [target] = (await (await fetch(`http://${address}/json/list`)).json()) as Target[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  socket.addEventListener("message", ({ data }) => {
    heard.push(JSON.parse(String(data)));
    for (const look of waiting) look();
  });
  const until = <T>(find: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    id += 1;
    const mine = id;
    socket.send(JSON.stringify({ id, method, params }));
    return (await until(() => heard.find((one) => one.id === mine))).result;
  };
  const event = (method: string) => until(() => heard.find((one) => one.method === method)?.params);
  return { socket, heard, ask, event, until };
}

/** Finds where a line of a source begins in a bundle. */
function placeIn(sourceMapUrl: string, source: RegExp, line: number) {
  const [, data = ""] = sourceMapUrl.split("base64,");
  const payload = JSON.parse(Buffer.from(data, "base64").toString());
  const map = new SourceMap(payload);
  for (let row = 0; row < 100; row += 1) {
    for (let column = 0; column < 2_000; column += 1) {
      const found = map.findEntry(row, column);
      if (!("originalSource" in found) || !source.test(found.originalSource)) continue;
      if (found.originalLine === line - 1 && found.generatedLine === row) {
        return { line: found.generatedLine, column: found.generatedColumn, payload };
      }
    }
  }
  throw new Error(`Nothing of line ${line} of ${source} is in the bundle.`);
}

it("lets a debugger stop at a line of the source, and the function has one process", async () => {
  const address = cloud.inspectors.word ?? "";
  const { socket, ask, event, heard, until } = await attach(address);
  await ask("Debugger.enable");
  const isBundle = ({ url }: { url?: string }) => url?.endsWith("/functions/word.mjs") ?? false;
  const script = await until(
    () => heard.find(({ method, params }) => method === "Debugger.scriptParsed" && isBundle(params))?.params,
  );
  const place = placeIn(script.sourceMapURL ?? "", /functions\/word\.ts$/, 4);
  expect(place.payload.sources).toContain(`file://${service.at("functions/word.ts")}`);
  expect(place.payload.sourcesContent.join("\n")).toContain("export async function handler");
  await ask("Debugger.setBreakpointByUrl", {
    urlRegex: ".*/functions/word\\.mjs$",
    lineNumber: place.line,
    columnNumber: place.column,
  });

  const [first, second] = [cloud.invoke("word", {}), cloud.invoke("word", {})];
  const paused = await event("Debugger.paused");
  expect(paused.callFrames?.[0]?.location.lineNumber).toBe(place.line);
  await ask("Debugger.disable");

  expect((await first).payload).toMatchObject({ word: "first" });
  expect((await second).payload).toMatchObject({ word: "first" });
  socket.close();
});

it("leads to the new process after an edit, at the same address", async () => {
  service.say("edited");
  await expect.poll(async () => (await cloud.invoke("word", {})).payload).toMatchObject({ word: "edited" });

  const { socket, ask } = await attach(cloud.inspectors.word ?? "");
  const seen = await ask("Runtime.evaluate", { expression: "process.env.AWS_LAMBDA_FUNCTION_NAME" });
  socket.close();

  expect(seen).toMatchObject({ result: { value: "small-local-word" } });
});

it("is refused to pages of other hosts, and for a function that there is not", async () => {
  const [host, port] = cloud.inspectors.word?.split(":") ?? [];
  const status = await new Promise((resolve) => {
    const headers = { host: "evil.example" };
    get({ host, port, path: "/json/list", headers }, ({ statusCode }) => resolve(statusCode));
  });

  expect(status).toBe(400);
  await expect(startCloud({ serviceFolder: service.folder, inspect: { wrod: 0 } })).rejects.toThrow(
    "There is no function wrod to debug. serverless.yml has word, other.",
  );
});
