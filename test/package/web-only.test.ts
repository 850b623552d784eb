import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { type BuildOptions, build } from "esbuild";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What hosts other than Node have, edge functions for instance (https://min-common-api.proposal.wintertc.org/). */
const ofTheWeb = {
  AbortController,
  AbortSignal,
  Blob,
  FormData,
  Headers,
  Response,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  setTimeout,
  structuredClone,
};

/** A host that has loaded an entry point as `door`. */
async function hostOf(door: string, options: BuildOptions = {}) {
  const { outputFiles: [file] = [] } = await build({
    entryPoints: [join(root, `package/${door}.ts`)],
    bundle: true,
    format: "iife",
    globalName: "door",
    platform: "neutral",
    write: false,
    ...options,
  });
  const host = createContext({ ...ofTheWeb }, { codeGeneration: { strings: false, wasm: false } });
  runInContext(file?.text ?? "", host);
  return host;
}

it("the receiver's entry point reports in one sentence what a host without Node's modules lacks", async () => {
  const host = await hostOf("webhook", { external: ["node:*"], logLevel: "silent" });

  const make = () => runInContext("door.createWebhookReceiver({ apps: {}, store: {} })", host);

  expect(make).toThrow(/needs Node's Buffer and node:crypto: on Cloudflare Workers, .* nodejs_compat\.$/);
});

it("the client's entry point runs without Node's modules and without code generation", async () => {
  const host = await hostOf("chat");

  const came = await runInContext(
    `(async () => {
        const agents = new Set();
        const answers = [
          new Response("", { status: 503 }),
          Response.json({ data: { uid: "alice" } }),
          Response.json({ data: { uid: "zoe" } }),
        ];
        const fetch = async (url, { headers }) => {
          agents.add(headers["user-agent"]);
          const refusal = { error: { code: "ERR_UID_NOT_FOUND", message: "no user for " + headers.apikey } };
          return answers.shift() ?? Response.json(refusal, { status: 404 });
        };
        const options = { appId: "app1", apiKey: "a-key-of-mine", fetch, hooks: { beforeRequest() {} } };
        const chat = door.createChatClient({ ...options, retry: { baseDelayMs: 1 } });
        const { signal } = new AbortController();
        const alice = await chat.users.get("alice", { signal });
        const zoe = await chat.users.create({ uid: "zoe", name: "Zoë", metadata: { at: "home" } });
        const refusal = await chat.users.get("nobody").catch((error) => error);
        const wrong = await chat.users.create({ uid: "zoe" }).catch((error) => error);
        return JSON.stringify([
          alice.uid, zoe.uid, door.isChatApiError(refusal), refusal.message, wrong.name, ...agents,
        ]);
      })()`,
    host,
  );

  expect(JSON.parse(came)).toEqual([
    ...["alice", "zoe", true],
    "get-user was refused with 404 ERR_UID_NOT_FOUND: no user for [redacted]",
    "InvalidInputError",
    expect.stringMatching(/^cometchat-functions\/\d+\.\d+\.\d+$/),
  ]);
});
