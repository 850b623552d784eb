import { useState } from "preact/hooks";
import type { TryDone, TryDraft, TrySent } from "../../../api/try.ts";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { write } from "../../parts/json/values.ts";
import { notifyDone } from "../../parts/toasts.tsx";
import { Outlook, useExamination } from "./outlook.tsx";
import { Sendings, type ShownSending } from "./sendings.tsx";
import type { Tried } from "./use-body.ts";

const usual = { signer: "right", times: "1", isBurst: false, isFresh: true };

export function SendPanel({ entry, appId, text, setText, forgetDraft }: Tried) {
  const [manner, setManner] = useState(usual);
  const [sendings, setSendings] = useState<readonly ShownSending[]>([]);
  const examination = useExamination(entry.id, appId, text);
  const isQuestion = entry.kind === "question";
  const wasSent = sendings.some((one) => one.text === text);

  const deliver = async (body: string) => {
    const asked = { appId, entry: entry.id, text: body, ...manner, times: Number(manner.times) };
    const sent = await send<TrySent>("POST", "/api/try/send", asked);
    forgetDraft();
    setSendings((before) => [{ id: before.length, text: body, entry, ...sent }, ...before]);
  };
  const sendAsNew = async () => {
    const renewed = await send<TryDraft>("POST", "/api/try/renew", { appId, text });
    setText(write(renewed.body));
    await deliver(write(renewed.body));
  };
  const act = async (path: string) => {
    const { words } = await send<TryDone>("POST", `/api/try/${path}`, { appId, entry: entry.id, text });
    notifyDone(words);
    examination.reload();
  };
  return (
    <section class="stack try-side" aria-label="Send">
      <div class="card">
        <MannerFields manner={manner} onChange={(change) => setManner({ ...manner, ...change })} />
        <div class="buttons">
          <Button kind="main" act={() => deliver(text)}>
            {isQuestion ? "Ask" : wasSent ? "Send the same again" : "Send"}
          </Button>
          {wasSent && !isQuestion && (
            <Button act={sendAsNew}>
              Send with new ids
            </Button>
          )}
          {entry.deed && (
            <Button act={() => act("deed")} label={`Let the platform do it: ${entry.deed}`}>
              Let the platform do it
            </Button>
          )}
        </div>
        {entry.deed && (
          <p class="hint">The platform would {entry.deed} and send the event itself.</p>
        )}
      </div>
      {examination.value && (
        <Outlook entry={entry} appId={appId} {...examination.value} makeMissing={() => act("missing")} />
      )}
      <Sendings sendings={sendings} isQuestion={isQuestion} />
    </section>
  );
}

const signers = [
  ["right", "right credentials"],
  ["wrong", "a wrong password"],
  ["none", "no credentials"],
] as const;

interface MannerProps {
  readonly manner: typeof usual;
  readonly onChange: (change: Partial<typeof usual>) => void;
}

function MannerFields({ manner: { signer, times, isBurst, isFresh }, onChange }: MannerProps) {
  const change = (name: keyof typeof usual) => (value: string | boolean) => onChange({ [name]: value });
  return (
    <>
      <div class="tiles">
        <SelectField label="Signed with" value={signer} options={signers} onInput={change("signer")} />
        <TextField label="Times" type="number" value={times} onInput={change("times")} />
      </div>
      {Number(times) > 1 && (
        <div class="row">
          <CheckField label="concurrently" value={isBurst} onInput={change("isBurst")} />
          <CheckField label="each with new ids" value={isFresh} onInput={change("isFresh")} />
        </div>
      )}
    </>
  );
}
