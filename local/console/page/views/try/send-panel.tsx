import { useState } from "preact/hooks";
import type { TryActors, TryDone, TryDraft, TryEntry, TrySent, TrySigner } from "../../../api/try.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { tellDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Sendings, type ShownSending } from "./sendings.tsx";
import { type Draft, useExamination, write } from "./use-draft.ts";

export function SendPanel({
  entry,
  sample,
  appId,
  draft,
  onTried,
}: {
  readonly entry: TryEntry;
  readonly sample: string;
  readonly appId: string;
  readonly draft: Draft;
  readonly onTried: (tried: { text: string; sample: string; came: string; isGood: boolean }) => void;
}) {
  const [signer, setSigner] = useState<TrySigner>("right");
  const [times, setTimes] = useState("1");
  const [isBurst, setBurst] = useState(false);
  const [isFresh, setFresh] = useState(true);
  const [sendings, setSendings] = useState<readonly ShownSending[]>([]);
  const [turn, setTurn] = useState(0);
  const { text, mistake } = draft;
  const isQuestion = entry.kind === "question";
  const count = Number(times);
  const isCount = Number.isInteger(count) && count >= 1 && count <= 100;
  const wasSent = sendings.some((one) => one.text === text);

  const send = async (body: string) => {
    try {
      const sent = await ask<TrySent>("/api/try/send", {
        method: "POST",
        body: { appId, entry: entry.id, text: body, signer, times: count, isBurst, isFresh },
      });
      const [first] = sent.sent;
      const isGood = sent.sent.every(({ status }) => status === 200);
      setSendings((before) =>
        [{ id: (before[0]?.id ?? 0) + 1, text: body, entry, appId, ...sent }, ...before].slice(0, 20),
      );
      onTried({
        text: body,
        sample,
        came: first?.status === undefined ? "no answer" : String(first.status),
        isGood,
      });
    } catch (error) {
      onTried({ text: body, sample, came: "not sent", isGood: false });
      throw error;
    }
  };
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
    tellDone(words);
    setTurn(turn + 1);
  };

  return (
    <section class="try-send" aria-label="Send">
      <div class="try-sending card">
        <div class="try-choices">
          <SelectField
            label="Signed with"
            value={signer}
            options={[
              ["right", "right credentials"],
              ["wrong", "a wrong password"],
              ["none", "no credentials"],
            ]}
            onInput={(value) => setSigner(value === "wrong" || value === "none" ? value : "right")}
          />
          <TextField
            label="Times"
            type="number"
            value={times}
            onInput={setTimes}
            {...(!isCount && { error: "1 to 100" })}
          />
        </div>
        {count > 1 && (
          <div class="try-checks">
            <CheckField label="all at once" value={isBurst} onInput={setBurst} />
            <CheckField label="each with new ids" value={isFresh} onInput={setFresh} />
          </div>
        )}
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

function Outlook({
  entry,
  appId,
  text,
  turn,
  makeMissing,
}: {
  entry: TryEntry;
  appId: string;
  text: string;
  turn: number;
  makeMissing: () => Promise<void>;
}) {
  const examination = useExamination(entry.id, appId, text, turn);
  const trigger = examination?.trigger;
  const actors = useResource<TryActors>(
    trigger === undefined
      ? undefined
      : `/api/try/actors/${encodeURIComponent(appId)}/${encodeURIComponent(trigger)}`,
    ["reload"],
  );
  if (examination === undefined) return null;
  const { problems, oddities, missing } = examination;
  const isRefused = problems.length > 0;
  return (
    <section class="try-outlook" aria-label="What would happen">
      {isRefused && (
        <div class="trouble">
          <p>{entry.kind === "question" ? "It could not be parsed:" : "It would be quarantined:"}</p>
          <ul>
            {problems.map(({ path, words }) => (
              <li key={path}>
                {path !== "" && <code>{path}</code>} {words}
              </li>
            ))}
          </ul>
        </div>
      )}
      {entry.kind === "event" && !isRefused && actors.value !== undefined && (
        <p class="try-actors">
          {actors.value.acts.length === 0 ? (
            <span class="soft">No trigger that handles it is on.</span>
          ) : (
            <>
              <span class="soft">Handled by</span>
              {actors.value.acts.map((name) => (
                <Badge key={name}>{name}</Badge>
              ))}
            </>
          )}
        </p>
      )}
      {actors.error !== undefined && <p class="soft">{actors.error}</p>}
      {oddities.length > 0 && (
        <details>
          <summary class="soft">{oddities.length} unexpected fields are read</summary>
          <ul class="try-oddities">
            {oddities.map(({ path, words }) => (
              <li key={path}>
                <code>{path}</code> {words}
              </li>
            ))}
          </ul>
        </details>
      )}
      {missing.length > 0 && (
        <div class="try-missing">
          <p class="soft">The platform does not have {listOf(missing)}.</p>
          <Button act={makeMissing}>Create what it refers to</Button>
        </div>
      )}
    </section>
  );
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 6).join(", ");
  return names.length > 6 ? `${shown} and ${names.length - 6} more` : shown;
}
