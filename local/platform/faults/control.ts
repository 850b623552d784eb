import type {
  DeliveryFacts,
  DeliveryFault,
  FaultRule,
  FaultSettings,
  RequestFacts,
  RequestFault,
} from "./rules.ts";

export type FaultControl = ReturnType<typeof createFaultControl>;

type Strikes = { matches: number; faults: number };

export const noFaults: FaultSettings = { seed: 1, clockSkewMs: 0, rules: [] };

/** Keeps an expired rule, with its counts. */
export function isOver({ untilMs = Number.POSITIVE_INFINITY }: FaultRule, nowMs: number): boolean {
  return untilMs <= nowMs;
}

/**
 * The seed, the rule's place and n alone decide whether the n-th match fails. The first rule that fires wins.
 */
export function createFaultControl(initial: FaultSettings, now: () => number) {
  let settings = initial;
  const listeners: (() => void)[] = [];
  let counters: Strikes[] = settings.rules.map(() => ({ matches: 0, faults: 0 }));

  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };

  function pick<K extends FaultRule["on"]>(on: K, matches: (rule: Extract<FaultRule, { on: K }>) => boolean) {
    for (const [index, rule] of settings.rules.entries()) {
      const counter = counters[index];
      if (counter === undefined || !isOn(rule, on) || isOver(rule, now()) || !matches(rule)) continue;
      counter.matches += 1;
      const turn = counter.matches - (rule.skip ?? 0);
      if (turn <= 0 || counter.faults >= (rule.count ?? Number.POSITIVE_INFINITY)) continue;
      if (chance(settings.seed, index, counter.matches) >= (rule.probability ?? 1)) continue;
      counter.faults += 1;
      return { rule, ruleId: rule.id ?? `rule-${index + 1}` };
    }
    return undefined;
  }

  return {
    settings: () => settings,
    /** Counts since the settings were set, by rule. */
    strikes: () => counters.map((counter) => ({ ...counter })),
    /** Appends the rule; other counts continue. Returns its counts. */
    add(rule: FaultRule): Readonly<Strikes> {
      const counter = { matches: 0, faults: 0 };
      settings = { ...settings, rules: [...settings.rules, rule] };
      counters = [...counters, counter];
      notifyListeners();
      return counter;
    },
    /** Restarts counting: the same requests meet the same faults. */
    set(next: FaultSettings) {
      settings = next;
      counters = settings.rules.map(() => ({ matches: 0, faults: 0 }));
      notifyListeners();
    },
    onChange(listener: () => void) {
      listeners.push(listener);
    },
    onRequest(request: RequestFacts): RequestFault | undefined {
      const hit = pick("request", (rule) => matchesRequest(rule, request));
      return hit === undefined ? undefined : { ruleId: hit.ruleId, ...toRequestFault(hit.rule) };
    },
    onDelivery(event: DeliveryFacts): DeliveryFault | undefined {
      const hit = pick("delivery", (rule) => matchesDelivery(rule, event));
      return hit === undefined ? undefined : { ruleId: hit.ruleId, ...toDeliveryFault(hit.rule) };
    },
  };
}

type RequestRule = Extract<FaultRule, { on: "request" }>;
type DeliveryRule = Extract<FaultRule, { on: "delivery" }>;

function isOn<K extends FaultRule["on"]>(rule: FaultRule, on: K): rule is Extract<FaultRule, { on: K }> {
  return rule.on === on;
}

function matchesRequest(rule: RequestRule, { caller, appId, operationId, method, path }: RequestFacts) {
  return (
    caller !== "console" &&
    (rule.callers === undefined || caller === "function") &&
    allows(rule.appId, appId) &&
    allows(rule.operationId, operationId) &&
    allows(rule.method?.toUpperCase(), method) &&
    (rule.path === undefined || toPattern(rule.path).test(path))
  );
}

function matchesDelivery(rule: DeliveryRule, { appId, webhookId, trigger }: DeliveryFacts) {
  return allows(rule.appId, appId) && allows(rule.webhookId, webhookId) && allows(rule.trigger, trigger);
}

function allows(asked: string | undefined, value: string | undefined) {
  return asked === undefined || asked === value;
}

function toRequestFault(rule: RequestRule): RequestFault {
  switch (rule.fault) {
    case "latency":
      return { delayMs: rule.delayMs ?? 1_000 };
    case "tooManyRequests":
      return { code: "ERR_TOO_MANY_REQUESTS", retryAfterSeconds: rule.retryAfterSeconds ?? 1 };
    case "serverError":
      return { code: "ERR_EXCEPTION", status: rule.status ?? 500 };
    case "refusedInOk":
      return { answer: rule.body ?? '{"data":{"success":false}}' };
    case "timeoutAfterExecuting":
      return { connection: "hang" };
    default:
      return { connection: rule.fault };
  }
}

function toDeliveryFault(rule: DeliveryRule): DeliveryFault {
  switch (rule.fault) {
    case "drop":
      return { drop: true };
    case "duplicate":
      return { copies: rule.copies ?? 2 };
    case "delay":
      return { delayMs: rule.delayMs ?? 5_000 };
    case "reorder":
      return { overtakenWithinMs: rule.delayMs ?? 5_000 };
  }
}

function toPattern(path: string) {
  const escaped = path.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`);
}

// Returns 0 to 1: two rounds of the murmur3 finaliser.
function chance(seed: number, rule: number, match: number) {
  return mix(mix(seed ^ Math.imul(rule + 1, 0x9e3779b1)) ^ Math.imul(match, 0x85ebca6b)) / 0x1_0000_0000;
}

function mix(value: number) {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
