import { useMemo, useState } from "preact/hooks";
import type { TryDraft, TryEntry } from "../../../api/try.ts";
import { ask } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { SelectField, TextArea } from "../../parts/field.tsx";
import { go, toHash } from "../../parts/route.ts";
import { notifyDone, notifyFailed } from "../../parts/toasts.tsx";
import { FormSwitch } from "./form-switch.tsx";
import { roundedIn, wordsOfMistake } from "./json-edit.ts";
import { JsonForm } from "./json-form.tsx";
import { deliveryCurl, pack, toCommand } from "./share.ts";
import { type Draft, write } from "./use-draft.ts";

interface EditorProps {
  readonly entry: TryEntry;
  readonly sample: string;
  readonly appId: string;
  readonly apps: readonly { readonly appId: string; readonly name: string }[];
  readonly url: string;
  readonly draft: Draft;
  readonly onChoose: (choice: { readonly app?: string; readonly sample?: string }) => void;
}

export function Editor(props: EditorProps) {
  const { entry, appId, draft } = props;
  const [isForm, setForm] = useState(true);
  const { text, value, mistake, base } = draft;
  const change = async (path: string, body: object) => {
    const changed = await ask<TryDraft>(`/api/try/${path}`, { method: "POST", body });
    draft.setText(write(changed.body));
  };
  return (
    <section class="stack" aria-label="Editor">
      <header>
        <div>
          <h2 class="code">{entry.trigger}</h2>
          <p class="soft">{entry.says}</p>
        </div>
      </header>
      <Choices {...props} onVary={(variation) => change("vary", { text, variation }).catch(notifyFailed)} />
      <div class="row is-apart">
        <FormSwitch isForm={isForm} onChange={setForm} />
        <div class="buttons">
          <Button act={() => change("renew", { appId, text })} isDisabled={mistake !== undefined}>
            New ids
          </Button>
          <Button act={draft.startOver}>Start over</Button>
        </div>
      </div>
      <Problems draft={draft} isForm={isForm} />
      <div class="card">
        {isForm ? (
          <JsonForm value={value} base={base} onChange={draft.setValue} />
        ) : (
          <TextArea
            label="Body"
            isCode
            rows={26}
            value={text}
            onInput={draft.setText}
            {...(mistake !== undefined && { error: wordsOfMistake(mistake) })}
          />
        )}
      </div>
      <Copies {...props} />
    </section>
  );
}

function Choices({
  entry,
  sample,
  appId,
  apps,
  onChoose,
  onVary,
}: EditorProps & { onVary: (variation: string) => void }) {
  return (
    <div class="tiles">
      <SelectField
        label="App"
        value={appId}
        options={apps.map(
          (app) => [app.appId, app.appId === app.name ? app.appId : `${app.name} (${app.appId})`] as const,
        )}
        onInput={(app) => onChoose({ app })}
      />
      <SelectField
        label="Sample"
        value={sample}
        options={entry.samples.map(({ name, words }) => [name, words] as const)}
        onInput={(name) => onChoose({ sample: name })}
      />
      <SelectField
        label="Variation"
        value=""
        options={[["", "Change it to …"], ...entry.variations.map(({ id, words }) => [id, words] as const)]}
        onInput={(variation) => {
          if (variation !== "") onVary(variation);
        }}
      />
    </div>
  );
}

function Problems({ draft: { text, mistake }, isForm }: { draft: Draft; isForm: boolean }) {
  const rounded = useMemo(() => roundedIn(text), [text]);
  return (
    <>
      {mistake !== undefined && (
        <p class="trouble" role="alert">
          {wordsOfMistake(mistake)}{" "}
          {isForm && "The form shows the last valid JSON. Fix the text in the JSON editor."}
        </p>
      )}
      {rounded !== undefined && (
        <p class="trouble" role="status">
          {rounded.slice(0, 40)} keeps its digits only in the JSON editor. The form, New ids and variations
          round it to {Number(rounded)}. Store ids as texts.
        </p>
      )}
    </>
  );
}

function Copies({ entry, sample, appId, url, draft: { text, value, base } }: EditorProps) {
  const share = async () => {
    const packed = await pack(text);
    const hash = toHash("try", [entry.id], { app: appId, sample, body: packed });
    await navigator.clipboard.writeText(`${location.origin}/${hash}`);
    notifyDone("Copied a link to this body.");
  };
  const command = () => {
    const { line, lost } = toCommand({ trigger: entry.trigger, sample, appId }, base, value);
    if (lost.length === 0) return line;
    return `${line}\n# The command cannot leave out: ${lost.join(", ")}`;
  };
  return (
    <footer class="row">
      <span class="soft">Copy as</span>
      <Button kind="quiet" act={share}>
        Link
      </Button>
      <CopyButton text={() => deliveryCurl(url, text, true)}>curl</CopyButton>
      {entry.id !== "custom_moderation" && <CopyButton text={command}>Command</CopyButton>}
      <CopyButton text={() => `${write(value)}\n`}>Fixture</CopyButton>
      {location.hash.includes("body=") && (
        <Button kind="quiet" act={() => go(toHash("try", [entry.id], { app: appId, sample }))}>
          Discard the link
        </Button>
      )}
    </footer>
  );
}
