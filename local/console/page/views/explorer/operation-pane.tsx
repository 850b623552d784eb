import { useEffect, useRef, useState } from "preact/hooks";
import type { ExplorerOperation } from "../../../api/explorer.ts";
import type { WorldFacts } from "../../../api/world.ts";
import { messageOf } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { listen } from "../../parts/notices.ts";
import { toHash } from "../../parts/route.ts";
import { notifyFailed } from "../../parts/toasts.tsx";
import { pickKnown } from "../try/field-types.ts";
import { isGroup } from "../try/json-edit.ts";
import { write } from "../try/use-draft.ts";
import { ConfirmButton } from "../world/confirm.tsx";
import { type Answer, AnswerPane } from "./answer-pane.tsx";
import { OperationForm } from "./operation-form.tsx";
import { addressOf, type Given, missingOf, takesBody, toRequest } from "./request.ts";
import { type Form, useGiven } from "./use-given.ts";

/** The form of an operation, and its last answer. */
export function OperationPane({
  operation,
  operations,
  apps,
}: {
  readonly operation: ExplorerOperation;
  readonly operations: readonly ExplorerOperation[];
  readonly apps: WorldFacts["apps"];
}) {
  const form = useGiven(operation, apps);
  const { given, kept } = form;
  const { answer, send, fillIn } = useAnswer(operation, operations, form);
  const side = useRef<HTMLElement>(null);
  const press = async () => {
    await send(given);
    side.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div class="detail try-chosen">
      <a class="back" href={toHash("api", [], kept)}>
        ‹ All operations
      </a>
      <section class="stack" aria-label="Request">
        <OperationForm operation={operation} apps={apps} form={form}>
          {operation.verb === "DELETE" ? (
            <ConfirmButton
              label="Send"
              title={`DELETE ${addressOf(operation, given)}?`}
              says="To be able to go back, save a snapshot first (World, Snapshots)."
              done="Sent."
              act={press}
            />
          ) : (
            <Button kind="main" act={press}>
              Send
            </Button>
          )}
          {fillIn !== undefined && <Button act={fillIn}>Load current values</Button>}
        </OperationForm>
      </section>
      <section ref={side} class="stack try-side is-answer" aria-label="Answer">
        {answer === undefined ? (
          <p class="soft">Nothing has been sent yet.</p>
        ) : (
          <AnswerPane
            {...{ operation, operations, answer, kept }}
            onPage={(changes) => {
              const query = { ...given.query, ...changes };
              form.setQuery(query);
              send({ ...given, query }).catch(notifyFailed);
            }}
          />
        )}
      </section>
    </div>
  );
}

/** Sends reads by itself: again when something changes, and to fill the form of a change. */
function useAnswer(operation: ExplorerOperation, operations: readonly ExplorerOperation[], form: Form) {
  const [answer, setAnswer] = useState<Answer>();
  const last = useRef<Given>(undefined);
  const { given, value } = form;
  const send = async (what: Given, asked = operation) => {
    const missing = missingOf(asked, what);
    if (missing !== undefined) throw new Error(`${missing} is required.`);
    last.current = what;
    const received = await ask(asked, what);
    if (last.current === what) setAnswer(received);
    return received;
  };
  const isRead = operation.verb === "GET";
  const isChange =
    !isRead && operation.verb !== "DELETE" && operation.path.endsWith("}") && takesBody(operation);
  const reader = operations.find((one) => isChange && one.verb === "GET" && one.path === operation.path);
  const fillIn = async () => {
    if (reader === undefined) return;
    const { body, status } = await send({ ...given, query: {} }, reader);
    if (status >= 300) return;
    const entity = isGroup(body) && "data" in body ? body.data : body;
    const filled = write({ ...(isGroup(value) && value), ...pickKnown(operation.body, entity) });
    // What was typed meanwhile stays.
    form.setBody((text) => (text === given.body ? filled : text));
  };
  useEffect(() => {
    if (missingOf(operation, given) !== undefined || form.kept.call !== undefined) return;
    if (isRead) void send(given);
    else void fillIn();
  }, []);
  useEffect(() => {
    let isBusy = false;
    let isStale = false;
    const refresh = async () => {
      isStale = isBusy;
      if (isBusy || last.current === undefined) return;
      isBusy = true;
      await send(last.current);
      isBusy = false;
      if (isStale) void refresh();
    };
    return isRead ? listen(["world"], () => void refresh()) : undefined;
  }, [isRead]);
  return { answer, send, fillIn: reader && fillIn };
}

async function ask(operation: ExplorerOperation, given: Given): Promise<Answer> {
  const from = performance.now();
  try {
    const response = await fetch(...toRequest(operation, given));
    const text = await response.text();
    return {
      id: operation.id,
      status: response.status,
      text,
      body: parse(text),
      durationMs: performance.now() - from,
    };
  } catch (error) {
    const text = messageOf(error);
    return { id: operation.id, status: 0, text, body: undefined, durationMs: performance.now() - from };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
