import type { QueueMessage, QueueName } from "../../../api/queues.ts";
import { Badge } from "../../parts/badge.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Fact } from "../../parts/fact.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { toHash } from "../../parts/route.ts";
import { Time } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { stateOf } from "./queue-words.ts";

export function MessagePane({ queue, id }: { queue: QueueName; id: string }) {
  const { value, error } = useResource<QueueMessage>(`/api/queues/${queue}/${encodeURIComponent(id)}`, [
    "queues",
  ]);
  if (error !== undefined) {
    return <Empty title="The message cannot be shown">{error}</Empty>;
  }
  if (value === undefined) return null;
  return <Message message={value} />;
}

function Message({ message }: { message: QueueMessage }) {
  const { id, trigger, appId, deliveryKey, reason, cause, tries, stack, content, finished } = message;
  const { sentAtMs, receivedAtMs, received, lane } = message;
  return (
    <>
      <h2>{trigger || "Unparsable delivery"}</h2>
      {reason !== undefined && (
        <p>
          <Badge tone="bad">{reason}</Badge> {cause}
        </p>
      )}
      {stack !== undefined && <pre class="trace">{stack}</pre>}
      <dl class="facts">
        {reason === undefined && <Fact name="State">{stateOf(message, 0)}</Fact>}
        <Fact name={reason === undefined ? "Sent" : "Added"}>
          <Time ms={sentAtMs} withDate />
        </Fact>
        {receivedAtMs !== undefined && (
          <Fact name="Delivered">
            {" "}
            <Time ms={receivedAtMs} withDate />
          </Fact>
        )}
        {appId !== "" && <Fact name="App">{appId}</Fact>}
        {deliveryKey !== undefined && (
          <Fact name="Event">
            <code>{deliveryKey}</code>
          </Fact>
        )}
        <Fact name="Received">{received === 1 ? "once" : `${received} times`}</Fact>
        {tries !== undefined && <Fact name="Attempts">{tries}</Fact>}
        {finished.length > 0 && <Fact name="Finished">{finished.join(", ")}</Fact>}
        {reason === undefined && lane !== "" && (
          <Fact name="Lane">
            <code>{lane}</code>
          </Fact>
        )}
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
      </dl>
      {deliveryKey !== undefined && (
        <p class="buttons">
          <a href={toHash("journeys", [], { key: deliveryKey })}>Its journey</a>
          <a href={toHash("log", [], { key: deliveryKey, level: "debug" })}>Its log lines</a>
          <a href={toHash("calls", [], { key: deliveryKey })}>Its calls</a>
        </p>
      )}
      <h3>Content</h3>
      <JsonView value={parsed(content)} label="Content" />
    </>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
