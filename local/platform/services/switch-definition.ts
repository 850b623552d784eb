import type { Fidelity } from "../fidelity.ts";

export type SwitchDefinition = {
  initial: string | number | boolean;
  allowed?: readonly (string | number)[];
  level: Fidelity;
  source: string;
  says: string;
};

export function oneOf<const T extends string | number>(
  allowed: readonly [T, ...T[]],
  level: Fidelity,
  source: string,
  says: string,
) {
  return { initial: allowed[0], allowed, level, source, says };
}

export function open<T extends number | boolean>(initial: T, level: Fidelity, source: string, says: string) {
  return { initial, level, source, says };
}
