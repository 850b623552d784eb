import { describe, expect, it } from "vitest";
import {
  OutOfTimeError,
  type ProcessEventServices,
  processEvent,
} from "../../../lib/triggers/process-event.ts";

/** Services of which only those may be used that a test names. */
function createServices(services: Partial<ProcessEventServices>) {
  const lines: string[] = [];
  const note = (message: string, fields: object) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const all = {
    log: { info: note, warn: note, error: note },
    now: () => 1000,
    deadlineMs: 2000,
    ...services,
  };
  return { services: all as ProcessEventServices, lines };
}

const handedOut = { messageId: "m-1", messageBody: "hello my secret text", lane: "l", attempt: 1 };

describe("processEvent", () => {
  it("does not begin when the function's time is up, nor bury what it did not try", async () => {
    const { services, lines } = createServices({ now: () => 2000 });

    await expect(processEvent({ ...handedOut, attempt: 5 }, services)).rejects.toThrow(OutOfTimeError);

    expect(lines).toEqual([]);
  });

  it("keeps the text of a message that is not ours out of the log and out of the cause", async () => {
    const buried: unknown[] = [];
    const { services, lines } = createServices({ bury: async (message) => void buried.push(message.cause) });

    await expect(processEvent(handedOut, services)).rejects.toThrow();
    await processEvent({ ...handedOut, attempt: 5 }, services);

    expect(buried).toHaveLength(1);
    expect(`${lines.join()} ${buried.join()}`).not.toContain("secret text");
  });
});
