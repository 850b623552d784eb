import { readPlainly } from "../../lib/chat/read-plainly.ts";
import { type FaultControl, noFaults } from "../platform/faults/control.ts";
import { type FaultRule, readFaultRule } from "../platform/faults/rules.ts";
import { appRoutes, managementRoutes } from "../platform/routes.ts";

/** What goes wrong on purpose. */
export interface PlatformFaults {
  /**
   * Adds a rule; it holds for what comes from now on, and the first rule that fires wins. What clients do through `user` and
   * `simulate` no fault strikes.
   * @throws TypeError naming the first field that is wrong, and for an operation that there is not
   * @example const fault = platform.faults.add({ on: "request", operationId: "send-message", fault: "tooManyRequests", count: 2 });
   */
  add(rule: FaultRule): PlatformFault;
  /** Removes all rules. Never throws. */
  clear(): void;
}

/** A rule that was added. */
export interface PlatformFault {
  /** How often it struck so far. A test of what a fault does asserts it: one that never struck proves nothing. */
  readonly strikes: number;
}

/** Gives a test its hold on the faults. */
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

/** A rule for an operation whose name is mistyped would never strike. */
function requireOperation(rule: FaultRule): void {
  if (rule.on !== "request" || rule.operationId === undefined) return;
  const { operationId } = rule;
  if ([...appRoutes, ...managementRoutes].some((route) => route.operationId === operationId)) return;
  throw new TypeError(`rule.operationId: the platform has no operation ${operationId}.`);
}
