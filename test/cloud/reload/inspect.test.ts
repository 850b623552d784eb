import { get } from "node:http";
import { SourceMap } from "node:module";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Cloud, startCloud } from "../../../local/cloud/start-cloud.ts";
import { makeSmallService } from "./small-service.ts";

const service = makeSmallService();
service.write(
  "functions/word.ts",
  `import { word } from "../lib/deep/word.ts";
export async function handler() {
  debugger;
  return { word };
}
`,
);
let cloud: Cloud;
beforeAll(async () => {
  cloud = await startCloud({ serviceFolder: service.folder, reload: true, inspect: { word: 0 } });
});
afterAll(async () => {
  await cloud.close();
  service.remove();
});

interface Heard {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly url?: string;
    readonly sourceMapURL?: string;
    readonly callFrames?: {
      readonly location: { readonly lineNumber: number; readonly columnNumber: number };
    }[];
  };
  readonly result?: unknown;
}

/** A debugger, as far as a test needs one. */
async function attach(address: string) {
  const listed = await (await fetch(`http://${address}/json/list`)).text();
  const [target]: { webSocketDebuggerUrl: string }[] = JSON.parse(listed);
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const heard: Heard[] = [];
  socket.addEventListener("message", ({ data }) => heard.push(JSON.parse(String(data))));
  const first = (isMeant: (one: Heard) => boolean) =>
    vi.waitFor(() => heard.find(isMeant) ?? expect.unreachable(), { interval: 5 });
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    id += 1;
    const mine = id;
    socket.send(JSON.stringify({ id, method, params }));
    return (await first((one) => one.id === mine)).result;
  };
  return { socket, ask, first };
}

it("lets a debugger stop at a line of the source, and runs the function in one process", async () => {
  const { socket, ask, first } = await attach(cloud.inspectors.word ?? "");
  await ask("Debugger.enable");
  const { params: script } = await first(
    ({ params }) => params?.url?.endsWith("/functions/word.mjs") ?? false,
  );
  const [, data = ""] = script?.sourceMapURL?.split("base64,") ?? [];
  const map = new SourceMap(JSON.parse(Buffer.from(data, "base64").toString()));

  const [one, other] = [cloud.invoke("word", {}), cloud.invoke("word", {})];
  const { params: paused } = await first(({ method }) => method === "Debugger.paused");
  const { lineNumber = 0, columnNumber = 0 } = paused?.callFrames?.[0]?.location ?? {};
  await ask("Debugger.disable");

  expect(map.findEntry(lineNumber, columnNumber)).toMatchObject({
    originalSource: `file://${service.at("functions/word.ts")}`,
    originalLine: 2, // counted from 0
  });
  expect(map.payload.sourcesContent.join("\n")).toContain("export async function handler");
  for (const invoked of [one, other]) expect((await invoked).payload).toMatchObject({ word: "first" });
  socket.close();
});

it("connects to the new process after an edit, at the same address", async () => {
  service.say("edited");
  await expect.poll(async () => (await cloud.invoke("word", {})).payload).toMatchObject({ word: "edited" });

  const { socket, ask } = await attach(cloud.inspectors.word ?? "");
  const seen = await ask("Runtime.evaluate", { expression: "process.env.AWS_LAMBDA_FUNCTION_NAME" });
  socket.close();

  expect(seen).toMatchObject({ result: { value: "small-local-word" } });
});

it("is refused to pages of other hosts, and for an unknown function", async () => {
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
