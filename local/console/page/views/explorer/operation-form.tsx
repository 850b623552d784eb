import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CallDetail } from "../../../api/calls.ts";
import type { ExplorerOperation, Fields } from "../../../api/explorer.ts";
import type { WorldFacts } from "../../../api/world.ts";
import { ask, send } from "../../parts/ask.ts";
import { CopyButton, notifyFailed } from "../../parts/button.tsx";
import { keepDraft, readDraft } from "../../parts/drafts.ts";
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
  readonly apps: WorldFacts["apps"];
  readonly form: Form;
}

export function OperationForm({ children, ...props }: FormProps & { readonly children: ComponentChildren }) {
  const { operation, form } = props;
  const { given, kept, keep, setQuery, setBody } = form;
  const names = pathNames(operation.path).filter((name) => name !== "appId");
  const keys = new Map(names.map((name) => [name, keyOfName(operation.path, name)]));
  return (
    <>
      <h2 class="code">{operation.method}</h2>
      <p class="row">
        <Badge>{operation.verb}</Badge> <code>{operation.path}</code>{" "}
        <a href={toHash("calls", [], { operation: operation.id })}>Calls</a>{" "}
        <a href={toHash("world", ["fidelity"], { search: operation.id })}>Fidelity</a>
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
      <Part title="Query" fields={operation.query} value={given.query} onChange={setQuery} />
      {takesBody(operation) && (
        <section class="stack" aria-label="Body">
          <h3>Body</h3>
          <JsonInput
            label="JSON"
            text={given.body}
            type={operation.body}
            onText={(text) => setBody(text, true)}
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

/** The app, and who asks it. */
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

/** Keys and tokens are masked; their values go to the clipboard only. */
export async function reveal(body: object): Promise<string> {
  return (await send<{ value: string }>("POST", "/api/reveal", body)).value;
}

export interface Form {
  readonly given: Given;
  /** The values of the address, which are kept for the next operation. */
  readonly kept: Readonly<Record<string, string>>;
  /** Whether the body is still the one to begin with. */
  readonly isNew: boolean;
  keep(changes: Readonly<Record<string, string>>): void;
  setQuery(query: Readonly<Record<string, unknown>>): void;
  /** `isTyped`: kept as a draft until it is sent. */
  setBody(text: string, isTyped?: boolean): void;
  forgetDraft(): void;
}

/** The input of an operation: the path and the caller in the address, query and body in the page. */
export function useGiven(operation: ExplorerOperation, apps: WorldFacts["apps"]): Form {
  const kept = Object.fromEntries(useRoute().query);
  const appId = kept.app ?? apps[0]?.appId ?? "";
  const path = pathNames(operation.path).map((name) =>
    name === "appId" ? appId : (kept[keyOfName(operation.path, name)] ?? ""),
  );
  const [draftKey] = useState(`api ${operation.id} ${path.join(" ")}`);
  const [query, setQuery] = useState<Readonly<Record<string, unknown>>>(() => sampleFields(operation.query));
  const sample = write(sampleFields(operation.body));
  const [body, setBody] = useState(() => readDraft(draftKey) ?? sample);
  const given: Given = {
    ...{ appId, path, query, body },
    region: apps.find((app) => app.appId === appId)?.region ?? "us",
    onBehalfOf: operation.onBehalfOf === "unsupported" ? "" : (kept.as ?? ""),
    scope: kept.key ?? "",
    engine: kept.engine ?? "",
  };
  const keep = (changes: Readonly<Record<string, string>>) =>
    go(toHash("api", [operation.id], { ...kept, ...changes }), { replace: true });
  useEffect(() => {
    if (kept.call !== undefined) ask<CallDetail>(`/api/calls/${kept.call}`).then(repeat, notifyFailed);
  }, []);
  const repeat = ({ path: address, sent }: CallDetail) => {
    const read = readAddress(operation, address);
    setQuery(read.query);
    const value = sent.kind === "text" ? readable(sent.text) : sample;
    setBody(typeof value === "string" ? value : write(value));
    const keys = pathNames(operation.path).map((name) =>
      name === "appId" ? "app" : keyOfName(operation.path, name),
    );
    keep({ ...Object.fromEntries(keys.map((key, place) => [key, read.path[place] ?? ""])), call: "" });
  };
  return {
    ...{ given, kept, keep, setQuery, isNew: body === sample },
    setBody(text, isTyped = false) {
      setBody(text);
      if (isTyped) keepDraft(draftKey, text);
    },
    forgetDraft: () => keepDraft(draftKey, undefined),
  };
}
