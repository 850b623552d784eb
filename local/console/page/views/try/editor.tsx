import type { TryDraft } from "../../../api/try.ts";
import { send } from "../../parts/ask.ts";
import { Button, CopyButton, notifyFailed } from "../../parts/button.tsx";
import { writeCurl } from "../../parts/curl.ts";
import { appOptions } from "../../parts/facts.tsx";
import { SelectField } from "../../parts/field.tsx";
import { write } from "../../parts/json/field-types.ts";
import { JsonInput } from "../../parts/json/json-input.tsx";
import { go, toHash } from "../../parts/route.ts";
import { pack, toCommand } from "./share.ts";
import type { Tried } from "./use-body.ts";

export function Editor(tried: Tried) {
  const { entry, appId, sample, facts, text, base, setText, startOver } = tried;
  const change = async (path: string, body: object) =>
    setText(write((await send<TryDraft>("POST", `/api/try/${path}`, body)).body));
  const choose = (choice: { readonly app?: string; readonly sample?: string }) =>
    go(toHash("try", [entry.id], { app: appId, sample, ...choice }));
  return (
    <section class="stack" aria-label="Editor">
      <h2 class="code">{entry.trigger}</h2>
      <p class="soft">{entry.description}</p>
      <div class="tiles">
        <SelectField
          label="App"
          value={appId}
          options={appOptions(facts.apps, appId)}
          onInput={(app) => choose({ app })}
        />
        <SelectField
          label="Sample"
          value={sample}
          options={entry.samples.map(({ name, words }) => [name, words])}
          onInput={(name) => choose({ sample: name })}
        />
        <SelectField
          label="Variation"
          value=""
          options={[["", "Change it to …"], ...entry.variations.map(({ id, words }) => [id, words] as const)]}
          onInput={(variation) => change("vary", { text, variation }).catch(notifyFailed)}
        />
      </div>
      <JsonInput label="Body" text={text} base={base} onText={setText}>
        <Button act={() => change("renew", { appId, text })}>New ids</Button>
        <Button act={startOver}>Start over</Button>
      </JsonInput>
      <Copies {...tried} />
    </section>
  );
}

const paths: Readonly<Record<string, string>> = {
  custom_moderation: "moderation",
  before_message: "before-message",
};

function Copies({ entry, sample, appId, facts, text, base }: Tried) {
  const url = `${facts.addresses.functions}/${paths[entry.id] ?? "webhooks"}/${encodeURIComponent(appId)}`;
  const link = async () =>
    `${location.origin}/${toHash("try", [entry.id], { app: appId, sample, body: await pack(text) })}`;
  const command = () => toCommand({ trigger: entry.trigger, sample, appId }, base, JSON.parse(text));
  return (
    <footer class="row">
      <span class="soft">Copy as</span>
      <CopyButton text={link}>Link</CopyButton>
      <CopyButton text={() => writeCurl({ method: "POST", url, keys: "webhook", json: text })}>
        curl
      </CopyButton>
      {entry.id !== "custom_moderation" && <CopyButton text={command}>Command</CopyButton>}
      <CopyButton text={() => `${write(JSON.parse(text))}\n`}>Fixture</CopyButton>
    </footer>
  );
}
