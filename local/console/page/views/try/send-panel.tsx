import { useState } from "preact/hooks";
import type { JourneyList } from "../../../api/journeys.ts";
import type { TryDone, TryDraft, TryEntry, TryOutcome, TrySent } from "../../../api/try.ts";
import { send } from "../../parts/ask.ts";
import { Button, notifyDone } from "../../parts/button.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { readable, write } from "../../parts/json/field-types.ts";
import { JsonView } from "../../parts/json/json-input.tsx";
import { toHash } from "../../parts/route.ts";
import { Badge, Empty, spanOf, Time, VerdictBadge } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Outlook, useExamination } from "./outlook.tsx";
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
          {wasSent && !isQuestion && <Button act={sendAsNew}>Send with new ids</Button>}
          {entry.action && (
            <Button act={() => act("action")} label={`Let the platform do it: ${entry.action}`}>
              Let the platform do it
            </Button>
          )}
        </div>
        {entry.action && <p class="hint">The platform would {entry.action} and send the event itself.</p>}
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

interface ShownSending extends TrySent {
  readonly id: number;
  readonly text: string;
  readonly entry: TryEntry;
}

interface SendingsProps {
  readonly sendings: readonly ShownSending[];
  readonly isQuestion: boolean;
}

function Sendings({ sendings, isQuestion }: SendingsProps) {
  if (sendings.length === 0) {
    return (
      <Empty title="Nothing was sent yet">
        {isQuestion
          ? "Ask to see the answer and what the platform does with it."
          : "Send it to see the receiver's answer and the journey."}
      </Empty>
    );
  }
  return (
    <ol class="stack" aria-label="Results" aria-live="polite">
      {sendings.map((sending) => (
        <Sending key={sending.id} {...sending} />
      ))}
    </ol>
  );
}

function Sending({ sent, verdict, entry }: ShownSending) {
  const [first] = sent;
  if (first === undefined) return null;
  const isQuestion = entry.kind === "question";
  const isFine = first.status === 200;
  return (
    <li class="card">
      <div class="row">
        <Statuses sent={sent} />
        <span class="soft">{entry.trigger}</span>
        <Time ms={first.atMs} />
      </div>
      {first.error !== undefined && !isFine && <p class="toned is-bad">{first.error}</p>}
      {verdict && (
        <p>
          <Badge tone={verdict.tone}>{verdict.tone === "waiting" ? "no answer" : "answer"}</Badge>{" "}
          {verdict.words}
        </p>
      )}
      {(isQuestion || !isFine) && first.answer !== "" && (
        <JsonView label="Answer" value={readable(first.answer)} />
      )}
      {!isQuestion && first.key && (
        <JourneyOf sentKey={first.key} sentMs={first.atMs} isOne={sent.length === 1} />
      )}
    </li>
  );
}

interface JourneyOfProps {
  readonly sentKey: string;
  readonly sentMs: number;
  readonly isOne: boolean;
}

function JourneyOf({ sentKey, sentMs, isOne }: JourneyOfProps) {
  const query = new URLSearchParams({ key: sentKey });
  const { value } = useResource<JourneyList>(isOne ? `/api/journeys?${query}` : undefined, ["journeys"]);
  // The newest come first, and a repetition has the same key.
  const row = value?.rows.findLast(({ atMs }) => atMs >= sentMs);
  if (!isOne) return <a href={toHash("journeys")}>Their journeys</a>;
  return (
    <div class="row">
      {row && (
        <p>
          <VerdictBadge of={row} /> {row.why}
          {row.tookMs !== undefined && <span class="soft"> after {spanOf(row.tookMs)}</span>}
        </p>
      )}
      <a href={row ? toHash("journeys", [row.id]) : toHash("journeys", [], { key: sentKey })}>Its journey</a>
      <code class="soft clip" title={`Delivery key: ${sentKey}`}>
        {sentKey}
      </code>
    </div>
  );
}

function Statuses({ sent }: { sent: readonly TryOutcome[] }) {
  const byStatus = Map.groupBy(sent, ({ status }) => status ?? "no answer");
  return (
    <>
      {[...byStatus].map(([status, { length }]) => (
        <Badge key={status} tone={status === 200 ? "good" : "bad"}>
          {length > 1 ? `${length} × ` : ""}
          {status}
        </Badge>
      ))}
      {sent[0] && sent.length === 1 && <span class="number">{spanOf(sent[0].durationMs)}</span>}
    </>
  );
}
