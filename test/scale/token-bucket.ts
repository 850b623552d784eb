/** A limit on how often something may happen, which fills up again evenly. */
export interface TokenBucket {
  /** Takes some if they are there at that moment; in milliseconds, never going back. */
  take(nowMs: number, count?: number): boolean;
  /** Takes some that may come only later; gives how long to wait for them, in milliseconds. */
  reserve(nowMs: number, count: number): number;
}

/** Makes a full bucket of a second's tokens, unless it is said how many it holds. */
export function createTokenBucket(perSecond: number, size = perSecond): TokenBucket {
  let tokens = size;
  let atMs = 0;
  const fill = (nowMs: number) => {
    tokens = Math.min(size, tokens + ((nowMs - atMs) / 1000) * perSecond);
    atMs = nowMs;
  };
  return {
    take: (nowMs, count = 1) => {
      fill(nowMs);
      if (tokens < count) return false;
      tokens -= count;
      return true;
    },
    reserve: (nowMs, count) => {
      fill(nowMs);
      tokens -= count;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
  };
}
