import { expect, it } from "vitest";
import { getOutside } from "../../../../lib/effects/http/get-outside.ts";

it("contacts no host if the caller aborted before", async () => {
  const url = new URL("https://127.0.0.1:1/file"); // a closed address, if it is connected to

  await expect(getOutside(url, AbortSignal.abort())).rejects.toThrow("aborted");
});
