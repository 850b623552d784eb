import type { LogLine } from "./log-line.ts";

/** By time, reading ahead as little as possible. */
export async function* mergeLogs(logs: readonly AsyncGenerator<LogLine>[]): AsyncGenerator<LogLine> {
  const heads = await Promise.all(logs.map(async (log) => ({ log, next: await log.next() })));
  for (;;) {
    const open = heads.flatMap((head) => (head.next.done === true ? [] : [{ head, line: head.next.value }]));
    const [first, ...others] = open;
    if (first === undefined) return;
    const earliest = others.reduce((one, other) => (other.line.atMs < one.line.atMs ? other : one), first);
    yield earliest.line;
    earliest.head.next = await earliest.head.log.next();
  }
}
