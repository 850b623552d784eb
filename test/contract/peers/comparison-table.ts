import { allOperations, ownOperations } from "../catalogue.ts";
import { cometBackendCalls } from "./comet-backend-calls.ts";
import { cometchatApiCalls } from "./cometchat-api-calls.ts";
import { clients, type PerClient, readUser, showsKey } from "./measure-behaviour.ts";
import { canBeRequired, countInstalled, countOwnInstalled, manifestOf, sizeOf } from "./measure-packages.ts";
import { operationsReached } from "./operations-reached.ts";
import type { PeerCall } from "./peer-call.ts";

type Row = readonly [what: string, cells: PerClient<string>];

/** Measures the three clients and writes what comes out as the table of docs/internals/comparison.md. */
export async function comparisonTable(): Promise<string> {
  const rows = [...(await operationRows()), ...(await behaviourRows()), ...(await packageRows())];
  return [
    "| Measured | this one | comet-backend | cometchat-api |",
    "|---|---|---|---|",
    ...rows.map(([what, cells]) => `| ${[what, ...clients.map((client) => cells[client])].join(" | ")} |`),
  ].join("\n");
}

async function operationRows(): Promise<readonly Row[]> {
  const reached = await operationsReached();
  const all = `of ${allOperations().length}`;
  return [
    [
      "operations of the platform carried out",
      {
        own: `${ownOperations().length} ${all} (the others are deprecated)`,
        cometBackend: `${reached.cometBackend.length} ${all}`,
        cometchatApi: `${reached.cometchatApi.length} ${all}`,
      },
    ],
    [
      "calls tried here that do what they say",
      {
        own: "every operation (`test/contract/operations.test.ts`)",
        cometBackend: kept(cometBackendCalls),
        cometchatApi: kept(cometchatApiCalls),
      },
    ],
  ];
}

function kept(calls: readonly Pick<PeerCall<never>, "fails">[]): string {
  return `${calls.filter(({ fails }) => fails === undefined).length} of ${calls.length}`;
}

async function behaviourRows(): Promise<readonly Row[]> {
  const refused = await readUser("nobody");
  const silent = await readUser("alice", { isDown: true });
  const broken = await readUser("alice", { faults: [{ on: "request", fault: "serverError", count: 1 }] });
  const busy = await readUser("alice", { faults: [{ on: "request", fault: "tooManyRequests", count: 1 }] });
  const path = await readUser("alice/auth_tokens");
  return [
    ["a refusal (404)", eachOf(refused, outcomeOf)],
    ["nobody answers", eachOf(silent, outcomeOf)],
    ["a read after one 500", eachOf(broken, triesOf)],
    ["a read after one 429", eachOf(busy, triesOf)],
    [
      "a uid with a slash, `alice/auth_tokens`",
      eachOf(path, ({ sent }) => (sent.length === 0 ? "refused, nothing is sent" : "lists her login tokens")),
    ],
    [
      "the API key shows where an error is printed",
      eachOf(refused, (course) => (showsKey(course) ? "yes" : "no")),
    ],
  ];
}

function outcomeOf({ answer, thrown }: { answer: unknown; thrown: unknown }): string {
  if (answer === null) return "`null`";
  if (answer !== undefined) return "a value: `{ error, status }`";
  return thrown instanceof Error ? `throws \`${thrown.name}\`` : "throws";
}

function triesOf({ answer, sent }: { answer: unknown; sent: readonly unknown[] }): string {
  const isRead = typeof answer === "object" && answer !== null && !("error" in answer);
  return isRead ? `${sent.length} tries, then the user` : `${sent.length} try, then no user`;
}

async function packageRows(): Promise<readonly Row[]> {
  const whole = await sizeOf('export { createChatClient } from "./package/chat.ts"');
  const small = await sizeOf('export { composeChatClient, messages, users } from "./package/chat.ts"');
  const comet = await sizeOf('export { CometBackend } from "comet-backend"');
  const api = await sizeOf('export { useCometchatApi } from "cometchat-api"');
  const [backend, cometchat] = [manifestOf("comet-backend"), manifestOf("cometchat-api")];
  return [
    [
      "bundled for Node, minified",
      {
        own: `under ${above(whole.minified)} kB; two families under ${above(small.minified)} kB`,
        cometBackend: `${kilobytes(comet.minified)} kB`,
        cometchatApi: `${kilobytes(api.minified)} kB`,
      },
    ],
    [
      "the same, gzipped",
      {
        own: `under ${above(whole.zipped)} kB; two families under ${above(small.zipped)} kB`,
        cometBackend: `${kilobytes(comet.zipped)} kB`,
        cometchatApi: `${kilobytes(api.zipped)} kB`,
      },
    ],
    [
      "packages that come along",
      {
        own: `${countOwnInstalled()}, of which the client loads ${whole.packages.join(", ")}`,
        cometBackend: String(countInstalled(["comet-backend"])),
        cometchatApi: String(countInstalled(["cometchat-api"])),
      },
    ],
    [
      "`import` and `require`",
      { own: "both", cometBackend: loadable("comet-backend"), cometchatApi: loadable("cometchat-api") },
    ],
    [
      "Node",
      {
        own: `${manifestOf("..").engines.node}`,
        cometBackend: `${backend.engines.node} (\`fetch\` came with 18)`,
        cometchatApi: cometchat.engines.node,
      },
    ],
    [
      "version, compiler it was made with",
      {
        own: "this repository's",
        cometBackend: `${backend.version}, TypeScript ${backend.devDependencies?.typescript}`,
        cometchatApi: `${cometchat.version}, TypeScript ${cometchat.devDependencies?.typescript}`,
      },
    ],
    ["licence", { own: "MIT", cometBackend: backend.license, cometchatApi: cometchat.license }],
  ];
}

function loadable(name: string): string {
  return canBeRequired(name) ? "both" : "`import` only";
}

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** The next multiple of 5 kB, so that the page does not change with every line of code. */
const above = (bytes: number): number => Math.ceil(bytes / 5_000) * 5;

function eachOf<T>(courses: PerClient<T>, tell: (course: T) => string): PerClient<string> {
  return {
    own: tell(courses.own),
    cometBackend: tell(courses.cometBackend),
    cometchatApi: tell(courses.cometchatApi),
  };
}
