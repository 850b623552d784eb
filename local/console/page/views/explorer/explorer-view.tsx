import "../try/try.css";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ExplorerFamily, ExplorerOperation } from "../../../api/explorer.ts";
import type { StackFacts } from "../../../api/stack.ts";
import { noAnswer } from "../../parts/ask.ts";
import { Button, notifyFailed } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { EntryTree } from "../../parts/entry-tree.tsx";
import { useFacts } from "../../parts/facts.tsx";
import { isGroup, pickKnown, readable, write } from "../../parts/json/field-types.ts";
import { toHash, useRoute } from "../../parts/route.ts";
import { Empty, Trouble } from "../../parts/texts.tsx";
import { listen, useResource } from "../../parts/use-resource.ts";
import { type Answer, AnswerPane } from "./answer-pane.tsx";
import { type Form, OperationForm, useGiven } from "./operation-form.tsx";
import { addressOf, type Given, missingOf, takesBody, toRequest } from "./request.ts";

export function ExplorerView() {
  const { rest, query } = useRoute();
  const apps = useFacts()?.apps;
  const { value: families, error } = useResource<readonly ExplorerFamily[]>("/api/explorer", []);
  if (error !== undefined) return <Trouble error={error} />;
  if (families === undefined || apps === undefined) return <Empty title="Loading …" />;
  const operations = families.flatMap((family) => family.operations);
  const [id] = rest;
  const operation = operations.find((one) => one.id === id);
  return (
    <div class={operation === undefined ? "split" : "split has-detail"}>
      <EntryTree
        label="Operations"
        find="Find an operation"
        placeholder="ban, tool, /webhooks …"
        families={families.map(({ api, title, operations: own }) => ({
          group: api,
          title,
          entries: own.map(toEntry),
        }))}
        chosen={id}
        hrefOf={(own) => toHash("api", [own], Object.fromEntries(query))}
      />
      {operation === undefined ? (
        <div class="detail">
          <Empty title={id ? `“${id}” does not exist` : "Choose an operation"}>
            Lists are tables: open a row to change or delete it. Values of the path, such as a uid, are kept
            for the next operation.
          </Empty>
        </div>
      ) : (
        <OperationPane key={id} operation={operation} operations={operations} apps={apps} />
      )}
    </div>
  );
}

function toEntry({ id, verb, path, method, extension }: ExplorerOperation) {
  return { id, name: method.replace(/.*\./, ""), badge: extension, description: `${verb} ${path}` };
}

interface PaneProps {
  readonly operation: ExplorerOperation;
  readonly operations: readonly ExplorerOperation[];
  readonly apps: StackFacts["apps"];
}

function OperationPane({ operation, operations, apps }: PaneProps) {
  const form = useGiven(operation, apps);
  const { given, kept } = form;
  const { answer, send, fillIn } = useAnswer(operation, operations, form);
  const side = useRef<HTMLElement>(null);
  const press = async () => {
    const { status } = await send(given);
    if (status >= 200 && status < 300) form.forgetDraft();
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
              description="To be able to go back, save a snapshot first (Local stack, Snapshots)."
              done="Sent."
              act={press}
            />
          ) : (
            <Button kind="main" act={press}>
              Send
            </Button>
          )}
          {fillIn && <Button act={fillIn}>Load current values</Button>}
        </OperationForm>
      </section>
      <section ref={side} class="stack try-side is-answer" aria-label="Answer">
        {answer === undefined ? (
          <p class="soft">Nothing has been sent yet.</p>
        ) : (
          <AnswerPane
            operation={operation}
            operations={operations}
            answer={answer}
            kept={kept}
            onPage={(changes) => {
              const query = { ...given.query, ...changes };
              form.change({ query });
              send({ ...given, query }).catch(notifyFailed);
            }}
          />
        )}
      </section>
    </div>
  );
}

/** Sends reads automatically: at changes, and to fill a form. */
function useAnswer(operation: ExplorerOperation, operations: readonly ExplorerOperation[], form: Form) {
  const [answer, setAnswer] = useState<Answer>();
  const last = useRef<Given>(undefined);
  const latest = useRef(form);
  latest.current = form;
  const { given, kept, isNew } = form;
  const send = async (what: Given, asked = operation) => {
    const missing = missingOf(asked, what);
    if (missing !== undefined) throw new Error(`${missing} is required.`);
    last.current = what;
    const received = await request(asked, what);
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
    if (status >= 300 || latest.current.given.body !== given.body) return;
    const entity = isGroup(body) && "data" in body ? body.data : body;
    const typed = readable(given.body);
    latest.current.change({
      body: write({ ...(isGroup(typed) && typed), ...pickKnown(operation.body, entity) }),
    });
  };
  useEffect(() => {
    if (missingOf(operation, given) !== undefined || kept.call !== undefined) return;
    if (isRead) void send(given);
    else if (isNew) void fillIn();
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
    return isRead ? listen(["stack"], () => void refresh()) : undefined;
  }, [isRead]);
  return { answer, send, fillIn: reader && fillIn };
}

async function request(operation: ExplorerOperation, given: Given): Promise<Answer> {
  const from = performance.now();
  const { status, text } = await fetch(...toRequest(operation, given)).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => ({ status: 0, text: noAnswer }),
  );
  return { id: operation.id, status, body: readable(text), durationMs: performance.now() - from };
}
