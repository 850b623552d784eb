import type { HeldMessage, HeldQueue } from "./held-queue.ts";
import { isSelected, type Selection, type SetAside } from "./set-aside.ts";
import { type WorkOptions, type WorkOutcome, workOff } from "./work-off.ts";

export interface Found<Facts extends SetAside> extends Pick<WorkOutcome, "unseen"> {
  /** In the order of arrival here. */
  readonly found: readonly Facts[];
}

export type LookOptions = Omit<WorkOptions, "rehearse">;

/**
 * Changes nothing: returns all messages, even if it throws.
 * @throws AwsCallError
 */
export async function lookThrough<Facts extends SetAside>(
  queue: HeldQueue,
  read: (message: HeldMessage) => Facts,
  selection: Selection,
  options: LookOptions = {},
): Promise<Found<Facts>> {
  const found: Facts[] = [];
  const select = (message: HeldMessage) => {
    const facts = read(message);
    if (isSelected(facts, selection, message.body)) found.push(facts);
    return undefined;
  };
  const { unseen } = await workOff(queue, select, { ...options, rehearse: true }, () => 0);
  return { found: found.toSorted((one, other) => one.setAsideAt - other.setAsideAt), unseen };
}
