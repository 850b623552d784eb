import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { errorTable } from "../../local/platform/errors/error-table.ts";
import { documentedInputs } from "./catalogue.ts";
import { everyRequest, type RawAnswer, sendRaw } from "./every-request.ts";
import { unknownTargets, wrongInputs } from "./wrong-inputs.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform();
});
beforeEach(() => platform.reset());
afterAll(() => platform.close());

const inputs = new Map(documentedInputs().map((input) => [`${input.api} ${input.id}`, input]));

describe("an operation of the platform", () => {
  it.each(everyRequest())("%s takes what is right and refuses all else", async (id, operation, make) => {
    const right = await make(platform);
    const wrong = [
      ...wrongInputs(right, inputs.get(`${operation.api} ${id}`) ?? {}),
      ...unknownTargets(right, operation),
    ];

    const accepted: string[] = [];
    for (const one of wrong) {
      const answer = await sendRaw(one.request);
      if (!isRefusal(answer, one.isUnknown === true))
        accepted.push(`${one.wrong}: ${describeAnswer(answer)}`);
    }
    const taken = await sendRaw(right);

    expect(accepted).toEqual([]);
    expect(taken.status).toBe(operation.status ?? 200);
  });
});

/** A documented code in the platform's envelope, or in the entry of the one thing that a bulk request is about. */
function isRefusal({ status, json }: RawAnswer, isUnknown: boolean): boolean {
  const { error } = json ?? {};
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return (isUnknown ? status === 404 : status >= 400 && status < 500) && Object.hasOwn(errorTable, code);
}

function describeAnswer({ status, json }: RawAnswer): string {
  return `${status} ${JSON.stringify(json).slice(0, 120)}`;
}
