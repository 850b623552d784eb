import type { EffectTools } from "../../lib/effects/effect.ts";

/** For effects without other hosts and secrets. */
export const noOutside: Pick<EffectTools, "secret" | "outside"> = {
  secret: async () => {
    throw new Error("This app has no secrets of its own.");
  },
  outside: {
    rules: { allowedHosts: [] },
    send: async () => {
      throw new Error("There is nobody outside.");
    },
    watch: (_host, _method, send) => send({ deadlineMs: Number.MAX_SAFE_INTEGER }),
  },
};
