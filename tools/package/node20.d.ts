// What the doors of tsconfig.node20.json name of a newer Node: it is asked for at a call, which says so (lib/base/check-node.ts).
/// <reference path="../../node_modules/@types/node/sqlite.d.ts" />

declare namespace NodeJS {
  interface Process {
    getBuiltinModule(id: "node:sqlite"): typeof import("node:sqlite");
  }
}
