/** Reads may work while writes fail. */
export function destinationOf(host: string, method: string): string {
  return `${host} ${method === "GET" ? "read" : "write"}`;
}

/** A trigger that hangs or crashes counts as a host that does not answer. */
export function destinationOfTrigger(name: string): string {
  return `trigger ${name}`;
}

const heldBack = "held-back ";

/** For a trigger whose events are held back from the dead-letter queue. */
export function heldBackOf(trigger: string): string {
  return heldBack + destinationOfTrigger(trigger);
}

export function isHeldBack(destination: string): boolean {
  return triggerOf(destination) !== undefined && destination.startsWith(heldBack);
}

/** @returns undefined for a host */
export function triggerOf(destination: string): string | undefined {
  return /^(?:held-back )?trigger (.+)$/s.exec(destination)?.[1];
}

/** Not a host: stands for dead-lettering. */
export const deadLettering = "burials";
