import type { Context, Hono } from "hono";
import type { BlankEnv } from "hono/types";
import type { LocalStack } from "../stack/local-stack.ts";
import type { KeptCall } from "./calls/call-store.ts";
import type { KeptJournal } from "./journeys/journal.ts";
import type { KeptLine, KeptList } from "./kept-list.ts";
import type { ConsoleOperator } from "./operate.ts";

export interface ConsoleContext {
  readonly on: JsonRoutes;
  readonly localStack: LocalStack;
  readonly operator: ConsoleOperator;
  readonly calls: KeptList<KeptCall>;
  readonly journal: KeptJournal;
  readonly lines: KeptList<KeptLine>;
}

type Handle<Path extends string> = (context: Context<BlankEnv, Path>) => unknown;

type JsonRoutes = ReturnType<typeof jsonRoutes>;

/** Registers routes that answer redacted JSON. A handler that returns a Response must redact it. */
export function jsonRoutes(app: Hono, redact: (value: unknown) => unknown) {
  const add =
    (method: string) =>
    <Path extends string>(path: Path, handle: Handle<Path>) => {
      app.on(method, path, async (context) => {
        const answer = await handle(context);
        return answer instanceof Response ? answer : context.json(redact(answer) ?? null);
      });
    };
  return { get: add("GET"), post: add("POST"), put: add("PUT"), delete: add("DELETE") };
}
