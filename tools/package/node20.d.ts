// Names of a newer Node that the entry points of tsconfig.node20.json use: a call checks for them
// (lib/base/check-node.ts).
/// <reference path="../../node_modules/@types/node/sqlite.d.ts" />

declare namespace NodeJS {
  interface Process {
    getBuiltinModule(id: "node:sqlite"): typeof import("node:sqlite");
  }
}
