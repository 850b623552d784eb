import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { errorTable } from "../../local/platform/errors/error-table.ts";
import { documentedInputs } from "./catalogue.ts";
import { everyRequest, type RawAnswer, sendRaw } from "./every-request.ts";
import { unknownTargets, type WrongRequest, wrongInputs } from "./wrong-inputs.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform();
});
beforeEach(() => platform.reset());
afterAll(() => platform.close());

const inputs = new Map(documentedInputs().map((input) => [`${input.api} ${input.id}`, input]));

/** What is taken although a page seems to say otherwise, and why. */
const taken: Record<string, string> = {
  "list-all-messages: query mentionedUids is no boolean": "It names uids: the page's type is a slip.",
  "user-list-user-messages: query mentionedUids is no boolean": "It names uids: the page's type is a slip.",
  "user-list-group-messages: query mentionedUids is no boolean": "It names uids: the page's type is a slip.",
  "review-blocked-message: without reviewed": "It is another operation then, of the same method and path.",
  "create-rule-keyword: form without searchTerms": "The terms come from the file.",
};

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
      if (!isRefusal(answer, one)) accepted.push(`${id}: ${one.wrong}`);
    }
    // What is taken changes what is there, and the operation may have nothing left to do.
    if (accepted.length > 0) platform.reset();
    const last = await sendRaw(accepted.length > 0 ? await make(platform) : right);

    expect(accepted).toEqual(Object.keys(taken).filter((name) => name.startsWith(`${id}: `)));
    expect(last.status).toBe(operation.status ?? 200);
  });

  it("is tried with everything that can be wrong", async () => {
    const counts = { missing: 0, mistyped: 0, unknown: 0 };
    for (const [id, operation, make] of everyRequest()) {
      platform.reset();
      const right = await make(platform);
      const wrong = wrongInputs(right, inputs.get(`${operation.api} ${id}`) ?? {});
      const missing = wrong.filter((one) => one.wrong.includes("without")).length;
      counts.missing += missing;
      counts.mistyped += wrong.length - missing;
      counts.unknown += unknownTargets(right, operation).length;
    }

    expect(counts).toEqual({ missing: 0, mistyped: 0, unknown: 0 });
  });
});

/** A known code in the platform's envelope, or in the entry of the one thing that a bulk request is about. */
function isRefusal({ status, json = {} }: RawAnswer, { isUnknown, wrong }: WrongRequest): boolean {
  const [entry] = wrong.includes("*.") ? Object.values<RawAnswer["json"]>(json.data ?? {}) : [];
  const { error } = entry ?? json;
  if (!Object.hasOwn(errorTable, error?.code ?? "")) return false;
  if (entry !== undefined) return entry.success === false;
  return isUnknown && !withoutCode.test(wrong) ? status === 404 : status >= 400 && status < 500;
}

// No page has a code for what is not there of these: ERR_BAD_REQUEST (assumed).
const withoutCode = /^unknown (permission|providerId|pushToken)$/;
