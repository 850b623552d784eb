import { useState } from "preact/hooks";
import type { LogRow, WholeLine } from "../../../api/log.ts";
import { ask } from "../../parts/ask.ts";
import { CopyButton } from "../../parts/button.tsx";
import type { Filters } from "../../parts/filters.tsx";
import { toHash } from "../../parts/route.ts";
import { Time } from "../../parts/time.tsx";
import { factsOf } from "./line-words.ts";

export function LogLine({ line, filters, onOpen }: { line: LogRow; filters: Filters; onOpen: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { atMs, functionKey, level, message, fields } = line;
  return (
    <li class={`log-line is-${level}`}>
      <details
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
          if (!currentTarget.open) return;
          onOpen();
          requestAnimationFrame(() => currentTarget.scrollIntoView({ block: "nearest" }));
        }}
      >
        <summary>
          <Time ms={atMs} withMs /> <span class="toned">{level}</span> <span class="clip">{functionKey}</span>{" "}
          <span class="clamp">
            {message} <span class="soft">{factsOf(line)}</span>
          </span>
        </summary>
        {isOpen && <Opened line={line} filters={filters} />}
      </details>
      {!isOpen && level === "error" && fields.stack !== undefined && (
        <pre class="trace">{fields.stack.split("\n").slice(0, 3).join("\n")}</pre>
      )}
    </li>
  );
}

function Opened({ line, filters }: { line: LogRow; filters: Filters }) {
  const { id, functionKey, message, fields } = line;
  const { stack, ...facts } = fields;
  const { deliveryKey, queueMessageId, requestId } = facts;
  const whole = async () => (await ask<WholeLine>(`/api/log/${id}`)).text;
  return (
    <div class="card">
      <p>{message}</p>
      {stack !== undefined && <pre class="trace">{stack}</pre>}
      <dl class="facts">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="buttons">
        {deliveryKey !== undefined && (
          <>
            <a href={toHash("journeys", [], { key: deliveryKey })}>Its journey</a>
            <a href={toHash("calls", [], { key: deliveryKey })}>Its calls</a>
            <Only filters={filters} name="key" value={deliveryKey} words="this journey" />
          </>
        )}
        <Only filters={filters} name="message" value={queueMessageId} words="this queue message" />
        <Only filters={filters} name="request" value={requestId} words="this invocation" />
        <Only filters={filters} name="function" value={functionKey} words={functionKey} />
        <CopyButton text={whole}>Copy the line</CopyButton>
      </p>
    </div>
  );
}

function Only({
  filters,
  name,
  value,
  words,
}: {
  filters: Filters;
  name: string;
  value: string | undefined;
  words: string;
}) {
  if (value === undefined || filters.get(name) === value) return null;
  return (
    <button type="button" class="quiet" onClick={() => filters.set({ [name]: value })}>
      Only {words}
    </button>
  );
}
