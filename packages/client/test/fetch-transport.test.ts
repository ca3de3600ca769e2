import {
  createFetchTransport,
  createScimClient,
  type FetchFunction,
  type FetchRequest,
} from "@scim/client/fetch";
import { fetch as undiciFetch, MockAgent } from "undici";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aUser } from "./support/scripted.ts";

describe("a fetch of one's own", () => {
  const asked: FetchRequest[] = [];
  const answering = (fetch: FetchFunction) =>
    createScimClient({ baseUrl: "https://id.example/scim/v2", transport: createFetchTransport({ fetch }) });
  const answer: FetchFunction = async (_address, init) => {
    asked.push(init);
    return new Response(JSON.stringify(aUser()), { headers: { "content-type": "application/scim+json" } });
  };

  test("may be that of any library, and is given what its platform has", async () => {
    // Of other types than the platform's, and with more options.
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    dispatcher
      .get("https://id.example")
      .intercept({ path: "/scim/v2/Users/1" })
      .reply(200, aUser(), { headers: { "content-type": "application/scim+json" } });
    const client = answering((address, init) => undiciFetch(address, { ...init, dispatcher }));
    expect(await client.users.get("1")).toMatchObject({ id: "1" });
    expect(createFetchTransport({ fetch: undiciFetch })).toBeTypeOf("object");

    await answering(answer).users.get("1");
    expect(asked.pop()).toMatchObject({ credentials: "omit", cache: "no-store" });
  });

  test("is given neither cookies nor a cache where the platform has none, as Cloudflare Workers", async () => {
    vi.stubGlobal("Request", { prototype: {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await answering(answer).users.get("1")).toMatchObject({ id: "1" });
    expect(Object.keys(asked.pop() ?? {}).toSorted()).toEqual([
      "body",
      "headers",
      "method",
      "redirect",
      "signal",
    ]);
  });
});
