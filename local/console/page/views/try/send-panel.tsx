import { useState } from "preact/hooks";
import type { TryDone, TryDraft, TryEntry, TrySent, TrySigner } from "../../../api/try.ts";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { Outlook } from "./outlook.tsx";
import { Sendings, type ShownSending } from "./sendings.tsx";
import { type Draft, write } from "./use-draft.ts";

interface SendProps {
  readonly entry: TryEntry;
  readonly sample: string;
  readonly appId: string;
  readonly draft: Draft;
  readonly onTried: (tried: { text: string; sample: string; came: string; isGood: boolean }) => void;
}

interface Manner {
  readonly signer: TrySigner;
  readonly times: string;
  readonly isBurst: boolean;
  readonly isFresh: boolean;
}

const usualManner: Manner = { signer: "right", times: "1", isBurst: false, isFresh: true };

export function SendPanel(props: SendProps) {
  const { entry, appId, draft } = props;
  const [manner, setManner] = useState<Manner>(usualManner);
  const [turn, setTurn] = useState(0);
  const { sendings, send } = useSending(props, manner);
  const { text, mistake } = draft;
  const isQuestion = entry.kind === "question";
  const isCount = isValid(manner.times);
  const wasSent = sendings.some((one) => one.text === text);

  const sendAsNew = async () => {
    const { body } = await ask<TryDraft>("/api/try/renew", { method: "POST", body: { appId, text } });
    draft.setText(write(body));
    await send(write(body));
  };
  const act = async (path: string) => {
    const { words } = await ask<TryDone>(`/api/try/${path}`, {
      method: "POST",
      body: { appId, entry: entry.id, text },
    });
    notifyDone(words);
    setTurn(turn + 1);
  };

  return (
    <section class="stack" aria-label="Send">
      <div class="card">
        <MannerFields manner={manner} onChange={(change) => setManner({ ...manner, ...change })} />
        <div class="buttons">
          <Button kind="main" act={() => send(text)} isDisabled={!isCount || draft.isLoading}>
            {isQuestion ? "Ask" : wasSent ? "Send the same again" : "Send"}
          </Button>
          {wasSent && !isQuestion && (
            <Button act={sendAsNew} isDisabled={!isCount || mistake !== undefined}>
              Send with new ids
            </Button>
          )}
          {entry.deed !== undefined && (
            <Button
              act={() => act("deed")}
              isDisabled={mistake !== undefined}
              label={`Let the platform do it: ${entry.deed}`}
            >
              Let the platform do it
            </Button>
          )}
        </div>
        {entry.deed !== undefined && (
          <p class="hint">The platform would {entry.deed} and send the event itself.</p>
        )}
      </div>
      <Outlook entry={entry} appId={appId} text={text} turn={turn} makeMissing={() => act("missing")} />
      <Sendings sendings={sendings} isQuestion={isQuestion} />
    </section>
  );
}

function isValid(times: string): boolean {
  const count = Number(times);
  return Number.isInteger(count) && count >= 1 && count <= 100;
}

function useSending({ entry, sample, appId, onTried }: SendProps, { times, ...manner }: Manner) {
  const [sendings, setSendings] = useState<readonly ShownSending[]>([]);
  const send = async (text: string) => {
    try {
      const sent = await ask<TrySent>("/api/try/send", {
        method: "POST",
        body: { appId, entry: entry.id, text, ...manner, times: Number(times) },
      });
      const [first] = sent.sent;
      const isGood = sent.sent.every(({ status }) => status === 200);
      setSendings((before) =>
        [{ id: (before[0]?.id ?? 0) + 1, text, entry, appId, ...sent }, ...before].slice(0, 20),
      );
      const came = first?.status === undefined ? "no answer" : String(first.status);
      onTried({ text, sample, came, isGood });
    } catch (error) {
      onTried({ text, sample, came: "not sent", isGood: false });
      throw error;
    }
  };
  return { sendings, send };
}

function MannerFields({
  manner: { signer, times, isBurst, isFresh },
  onChange,
}: {
  manner: Manner;
  onChange: (change: Partial<Manner>) => void;
}) {
  return (
    <>
      <div class="tiles">
        <SelectField
          label="Signed with"
          value={signer}
          options={[
            ["right", "right credentials"],
            ["wrong", "a wrong password"],
            ["none", "no credentials"],
          ]}
          onInput={(value) => onChange({ signer: value === "wrong" || value === "none" ? value : "right" })}
        />
        <TextField
          label="Times"
          type="number"
          value={times}
          onInput={(value) => onChange({ times: value })}
          {...(!isValid(times) && { error: "1 to 100" })}
        />
      </div>
      {Number(times) > 1 && (
        <div class="row">
          <CheckField
            label="concurrently"
            value={isBurst}
            onInput={(value) => onChange({ isBurst: value })}
          />
          <CheckField
            label="each with new ids"
            value={isFresh}
            onInput={(value) => onChange({ isFresh: value })}
          />
        </div>
      )}
    </>
  );
}
