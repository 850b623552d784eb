import { useState } from "preact/hooks";
import type { LogRow, WholeLine } from "../../../api/log.ts";
import { ask } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import type { Filters } from "../../parts/list.tsx";
import { Facts } from "../../parts/texts.tsx";
import { Time } from "../../parts/time.tsx";
import { DeliveryLinks } from "../journeys/journey-links.tsx";

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
          <Time ms={atMs} format="exact" /> <span class="toned">{level}</span>{" "}
          <span class="clip">{functionKey}</span>{" "}
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
  const choices = [
    ["key", deliveryKey, "this journey"],
    ["message", queueMessageId, "this queue message"],
    ["request", requestId, "this invocation"],
    ["function", functionKey, functionKey],
  ] as const;
  return (
    <div class="card">
      <p>{message}</p>
      {stack && <pre class="trace">{stack}</pre>}
      <Facts of={facts} />
      <p class="buttons">
        <DeliveryLinks of={deliveryKey} from="log" />
        {choices.map(
          ([name, value, words]) =>
            value !== undefined &&
            filters.get(name) !== value && (
              <Button key={name} kind="quiet" act={() => filters.set({ [name]: value })}>
                Only {words}
              </Button>
            ),
        )}
        <CopyButton text={async () => (await ask<WholeLine>(`/api/log/${id}`)).text}>
          Copy the line
        </CopyButton>
      </p>
    </div>
  );
}

const hidden = new Set(["stack", "lane", "laneId", "requestId", "queueMessageId", "deliveryKey"]);
const longest = 120;

export function factsOf({ kind, fields }: Pick<LogRow, "kind" | "fields">): string {
  if (kind === "lambda") return "";
  return Object.entries(fields)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => {
      if (name === "appId" || name === "trigger") return value;
      if (name.endsWith("Ms") && value !== "" && Number.isFinite(Number(value)))
        return `${name.slice(0, -2)}=${Math.round(Number(value))} ms`;
      const words = value.replaceAll(/\s+/g, " ");
      return `${name}=${words.length > longest ? `${words.slice(0, longest)}…` : words}`;
    })
    .join("  ");
}
