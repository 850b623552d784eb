import type { HintTools } from "../../lib/base/log.ts";

/** The services of hints, with a clock that the test moves; `namesOf` returns what some work counts. */
export function createHintTools() {
  const counted: string[] = [];
  const said: object[] = [];
  const clock = { ms: 0 };
  const ignore = () => undefined;
  const tools: HintTools = {
    log: { debug: ignore, info: ignore, error: ignore, warn: (_text, fields) => said.push(fields) },
    count: (name, dimensions) => counted.push(`${name} ${JSON.stringify(dimensions)}`),
    now: () => clock.ms,
  };
  const namesOf = (work: () => void) => {
    const before = counted.length;
    work();
    return counted.slice(before).map((line) => line.split(" ")[0]);
  };
  return { tools, counted, said, clock, namesOf };
}
