import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CallDetail } from "../../../api/calls.ts";
import type { ExplorerOperation, Fields } from "../../../api/explorer.ts";
import type { StackFacts } from "../../../api/stack.ts";
import { ask, send } from "../../parts/ask.ts";
import { CopyButton, notifyFailed } from "../../parts/button.tsx";
import { keepDraft, readDraft, withoutSecrets } from "../../parts/drafts.ts";
import { appOptions, useFacts } from "../../parts/facts.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { isGroup, readable, sampleFields, write } from "../../parts/json/field-types.ts";
import { JsonForm } from "../../parts/json/json-form.tsx";
import { JsonInput, JsonView } from "../../parts/json/json-input.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { Badge } from "../../parts/texts.tsx";
import { type Given, keyOfName, pathNames, readAddress, takesBody, toCode, toCurl } from "./request.ts";

interface FormProps {
  readonly operation: ExplorerOperation;
  readonly apps: StackFacts["apps"];
  readonly form: Form;
}

const mask = "[redacted]";
const addressMask = /(?:\[|%5B)redacted(?:\]|%5D)/gi;

export function OperationForm({ children, ...props }: FormProps & { readonly children: ComponentChildren }) {
  const { operation, form } = props;
  const { given, kept, keep, change } = form;
  const names = pathNames(operation.path).filter((name) => name !== "appId");
  const keys = new Map(names.map((name) => [name, keyOfName(operation.path, name)]));
  return (
    <>
      <h2 class="code">{operation.method}</h2>
      <p class="row">
        <Badge>{operation.verb}</Badge> <code>{operation.path}</code>{" "}
        <a href={toHash("calls", [], { operation: operation.id })}>Calls</a>{" "}
        <a href={toHash("stack", ["fidelity"], { search: operation.id })}>Fidelity</a>
      </p>
      <Caller {...props} />
      <Part
        title="Path"
        fields={Object.fromEntries(names.map((name) => [`${name}!`, "string"]))}
        value={Object.fromEntries([...keys].map(([name, key]) => [name, kept[key] ?? ""]))}
        onChange={(value) =>
          keep(Object.fromEntries([...keys].map(([name, key]) => [key, String(value[name])])))
        }
      />
      <Part
        title="Query"
        fields={operation.query}
        value={given.query}
        onChange={(query) => change({ query }, true)}
      />
      {takesBody(operation) && (
        <section class="stack" aria-label="Body">
          <h3>Body</h3>
          <JsonInput
            label="JSON"
            text={given.body}
            type={operation.body}
            onText={(body) => change({ body }, true)}
          />
        </section>
      )}
      <div class="buttons">{children}</div>
      <Copies {...props} />
    </>
  );
}

const engines = [["", "current (version 2)"], "legacy"] as const;
const scopes = [["", "fullAccess"], "authOnly"] as const;

function Caller({ operation: { service, onBehalfOf }, apps, form: { given, keep } }: FormProps) {
  const options = appOptions(apps, given.appId);
  const isOfApp = service === "chat" || service === "call";
  return (
    <div class="tiles">
      {options.length > 1 && (
        <SelectField label="App" value={given.appId} options={options} onInput={(app) => keep({ app })} />
      )}
      {service === "management" && (
        <SelectField
          label="Webhook engine"
          value={given.engine}
          options={engines}
          onInput={(engine) => keep({ engine })}
        />
      )}
      {isOfApp && (
        <SelectField label="API key" value={given.scope} options={scopes} onInput={(key) => keep({ key })} />
      )}
      {onBehalfOf !== "unsupported" && (
        <TextField
          label={onBehalfOf === "required" ? "onBehalfOf *" : "onBehalfOf"}
          placeholder="uid"
          value={given.onBehalfOf}
          onInput={(as) => keep({ as })}
        />
      )}
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly fields: Fields;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
}

function Part({ title, fields, value, onChange }: PartProps) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <JsonForm value={value} type={fields} onChange={(next) => onChange(isGroup(next) ? next : {})} />
    </section>
  );
}

function Copies({ operation, form: { given } }: FormProps) {
  const platformUrl = useFacts()?.addresses.platform ?? "";
  const code = toCode(operation, given);
  const curl = toCurl(operation, given, platformUrl);
  const { appId, scope } = given;
  return (
    <>
      {code && <JsonView value={code} label="Client code" />}
      <JsonView value={curl} label="curl" />
      <p class="buttons">
        {[...new Set(curl.match(/(?<=\$)(API_KEY|MANAGEMENT_KEY|MANAGEMENT_SECRET)(?=")/g))].map((name) => (
          <CopyButton key={name} text={() => reveal({ name, appId, scope })}>
            Copy ${name}
          </CopyButton>
        ))}
      </p>
    </>
  );
}

/** Copies a masked key or token. */
export async function reveal(body: object): Promise<string> {
  return (await send<{ value: string }>("POST", "/api/reveal", body)).value;
}

type Input = Pick<Given, "query" | "body">;

export interface Form {
  readonly given: Given;
  /** Values of the address, kept for the next operation. */
  readonly kept: Readonly<Record<string, string>>;
  /** Whether the body is unchanged. */
  readonly isNew: boolean;
  keep(changes: Readonly<Record<string, string>>): void;
  /** `isTyped`: kept as a draft until it is sent. */
  change(input: Partial<Input>, isTyped?: boolean): void;
  forgetDraft(): void;
}

/** Keeps path and caller in the address, query and body in the page. */
export function useGiven(operation: ExplorerOperation, apps: StackFacts["apps"]): Form {
  const kept = Object.fromEntries(useRoute().query);
  const appId = kept.app ?? apps[0]?.appId ?? "";
  const keys = pathNames(operation.path).map((name) =>
    name === "appId" ? "app" : keyOfName(operation.path, name),
  );
  const path = keys.map((key) => (key === "app" ? appId : (kept[key] ?? "")));
  const sample = { query: sampleFields(operation.query), body: write(sampleFields(operation.body)) };
  const draft = useDraft(`explorer ${operation.id} ${path.join(" ")}`);
  const [input, setInput] = useState<Input>(() => ({ ...sample, ...Object(readable(draft.text ?? "")) }));
  const change = (part: Partial<Input>, isTyped = false) => {
    setInput({ ...input, ...part });
    const { query, body } = { ...input, ...part };
    if (isTyped)
      draft.keep(write({ query: readable(withoutSecrets(write(query))), body: withoutSecrets(body) }));
  };
  const keep = (changes: Readonly<Record<string, string>>) =>
    go(toHash("api", [operation.id], { ...kept, ...changes }), { replace: true });
  const repeat = ({ path: address, sent }: CallDetail) => {
    const known = address.replaceAll(addressMask, "");
    const read = readAddress(operation, known);
    const text = sent.kind === "text" ? sent.text : sample.body;
    const value = readable(text.replaceAll(mask, ""));
    change({ query: read.query, body: typeof value === "string" ? value : write(value) });
    if (sent.kind === "text" && sent.isCut) notifyFailed("The end of the body is not kept. Complete it.");
    else if (text.includes(mask) || known !== address)
      notifyFailed("Secrets of the call are not kept. Fill in the empty texts.");
    keep({ ...Object.fromEntries(keys.map((key, place) => [key, read.path[place] ?? ""])), call: "" });
  };
  useEffect(() => {
    if (kept.call !== undefined) ask<CallDetail>(`/api/calls/${kept.call}`).then(repeat, notifyFailed);
  }, []);
  return {
    given: {
      appId,
      path,
      ...input,
      region: apps.find((app) => app.appId === appId)?.region ?? "us",
      onBehalfOf: operation.onBehalfOf === "unsupported" ? "" : (kept.as ?? ""),
      scope: kept.key ?? "",
      engine: kept.engine ?? "",
    },
    kept,
    keep,
    change,
    isNew: input.body === sample.body,
    forgetDraft: () => draft.keep(undefined),
  };
}

/** Moves the draft with its key: the path's values are typed. */
function useDraft(key: string) {
  const [text, keep] = useState(() => readDraft(key));
  const last = useRef(key);
  useEffect(() => {
    if (last.current !== key) keepDraft(last.current);
    last.current = key;
    keepDraft(key, text);
  }, [key, text]);
  return { text, keep };
}
