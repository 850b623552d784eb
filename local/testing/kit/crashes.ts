import type { Blow } from "../simulated/process.ts";
import type { CrashPoint, EdgeCrash } from "../story-options.ts";

/** The test would prove nothing. */
export class MissedCrashError extends Error {
  override readonly name = "MissedCrashError";
}

export function createCrashes(points: readonly (CrashPoint | EdgeCrash)[]) {
  const ahead = points.map(readPoint);
  const edges: string[] = [];
  const struck: string[] = [];
  return {
    edges,
    struck,
    strikeAt: (operation: string): Blow => {
      if (operation === "sleep") return "none";
      const place = edges.push(operation) - 1;
      const [crash] = ahead;
      if (crash === undefined || !crash.isAt(operation, place)) return "none";
      ahead.shift();
      struck.push(`${crash.when} ${operation}`);
      return crash.when === "before" ? "killed before" : "killed after";
    },
    /** @throws MissedCrashError if a planned crash did not happen */
    assertStruck: () => {
      const [crash] = ahead;
      if (crash === undefined) return;
      const list = [...new Set(edges)].join(", ");
      throw new MissedCrashError(
        `The crash "${crash.name}" did not happen. The edges of this run: ${list === "" ? "none" : list}.`,
      );
    },
  };
}

const words: Readonly<Record<string, RegExp>> = {
  send: /^POST \/messages$/,
  request: /^[A-Z]+ [^/]/,
  start: /^lambda\.Invoke$/,
  checkpoint: /^lambda\.Checkpoint/,
  wake: /^lambda\.SendDurableExecutionCallbackSuccess$/,
  remember: /^dynamodb\.(Put|Update|Delete)/,
};

interface PlannedCrash {
  readonly name: string;
  readonly when: "before" | "after";
  readonly isAt: (operation: string, place: number) => boolean;
}

function readPoint(point: CrashPoint | EdgeCrash): PlannedCrash {
  if (typeof point === "object") {
    const { when, edge } = point;
    return { name: `${when} edge ${edge}`, when, isAt: (_operation, place) => place === edge };
  }
  const [, when, what = ""] = /^(before|after) (.+)$/.exec(point) ?? [];
  if (when !== "before" && when !== "after") {
    throw new Error(`"${point}" is no crash: it is "before …" or "after …", such as "after send".`);
  }
  return { name: point, when, isAt: (operation) => words[what]?.test(operation) ?? what === operation };
}
