import { readPlainly } from "../../lib/chat/check-plain.ts";
import { type FaultControl, noFaults } from "../platform/faults/control.ts";
import { type FaultRule, readFaultRule } from "../platform/faults/rules.ts";
import { appRoutes, managementRoutes } from "../platform/routes.ts";

/** The platform's deliberate faults. */
export interface PlatformFaults {
  /**
   * Adds a rule for later requests; the first rule that fires wins. Ignores `user` and `simulate`.
   * @throws TypeError naming the first invalid field, and for an unknown operation
   * @example const fault = platform.faults.add({ on: "request", operationId: "send-message", fault:
   * "tooManyRequests", count: 2 });
   */
  add(rule: FaultRule): PlatformFault;
  /** Removes all rules. Never throws. */
  clear(): void;
}

/** An added rule. */
export interface PlatformFault {
  /** How often it struck. Assert it: a fault that never struck proves nothing. */
  readonly strikes: number;
}

export function createTestFaults(faults: FaultControl): PlatformFaults {
  return {
    add(rule) {
      const read = readFaultRule(
        readPlainly("faults.add", "rule", () => ({ ...rule })),
        "rule",
      );
      requireOperation(read);
      const counted = faults.add(read);
      return {
        get strikes() {
          return counted.faults;
        },
      };
    },
    clear: () => faults.set({ ...noFaults, clockSkewMs: faults.settings().clockSkewMs }),
  };
}

/** A rule for a misspelt operation would never strike. */
function requireOperation(rule: FaultRule) {
  if (rule.on !== "request" || rule.operationId === undefined) return;
  const { operationId } = rule;
  if ([...appRoutes, ...managementRoutes].some((route) => route.operationId === operationId)) return;
  throw new TypeError(`rule.operationId: the platform has no operation ${operationId}.`);
}
