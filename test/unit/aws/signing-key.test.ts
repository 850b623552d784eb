import crypto from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { createAwsSigner } from "../../../lib/aws/sign-aws-request.ts";

describe("createAwsSigner", () => {
  it("derives a service's key once a day, as that takes four of a signature's five HMACs", () => {
    const createHmac = vi.spyOn(crypto, "createHmac");
    const signer = { region: "r", accessKeyId: "id", secretAccessKey: "key", sessionToken: undefined };
    const sign = createAwsSigner(signer, () => 0);
    const request = { headers: { host: "h" }, body: "" };
    const hmacsOf = (service: string) => {
      createHmac.mockClear();
      sign({ ...request, service });
      return createHmac.mock.calls.length;
    };

    expect(["sqs", "events", "sqs", "events"].map(hmacsOf)).toEqual([5, 5, 1, 1]);
  });
});
