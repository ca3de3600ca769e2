import {
  basicCredentials,
  bearerToken,
  clientCredentials,
  createScimClient,
  isScimClientError,
  refreshingToken,
  type ClientOptions,
  type Transport,
  UsageError,
} from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { jumpingClock } from "./support/jumping-clock.ts";
import { aUser, scripted, scriptedTransport, type Step } from "./support/scripted.ts";
import { aService, listen, TOKEN } from "./support/service.ts";

const OK: Step = { body: aUser() };
const REFUSED: Step = { status: 401, body: { detail: "expired" } };

/** The header of each request. */
function sent({ requests }: Pick<ReturnType<typeof scripted>, "requests">) {
  return requests.map(({ headers }) => headers["authorization"]);
}

describe("credentials", () => {
  test("that never change are sent as they are, and none where there are none", async () => {
    for (const [auth, header] of [
      ["t-1", "Bearer t-1"],
      [bearerToken("t-2"), "Bearer t-2"],
      [
        basicCredentials("Jürgen", "päss:word"),
        `Basic ${Buffer.from("Jürgen:päss:word").toString("base64")}`,
      ],
      [null, undefined],
    ] as const) {
      const script = scripted([OK], { auth });
      await script.client.users.get("1");
      expect(sent(script)).toEqual([header]);
    }
    expect(() => bearerToken("two words")).toThrow(TypeError);
    expect(() => bearerToken("line\nbreak")).toThrow(TypeError);
    expect(() => bearerToken("Bearer t-2")).toThrow("without 'Bearer' in front");
    for (const auth of ["", "two words"])
      expect(() => scripted([OK], { auth })).toThrow(
        expect.objectContaining({ name: "UsageError", code: "invalidOption" }),
      );
  });

  test("that were refused are not sent again where no others can be had", async () => {
    const script = scripted([REFUSED]);
    await expect(script.client.users.get("1")).rejects.toMatchObject({ code: "unauthorized", status: 401 });
    expect(script.requests).toHaveLength(1);
  });

  test("are got once for all who wait, renewed before they expire, and once more when they are refused", async () => {
    let count = 0;
    const auth = refreshingToken(async () => {
      count += 1;
      return { token: `t-${count}`, expiresIn: 60 };
    });
    const steps: Step[] = [OK, OK, OK, REFUSED, OK, REFUSED, REFUSED];
    const clock = jumpingClock();
    const script = scripted(steps, { auth, clock, cache: false });
    const { users } = script.client;
    await Promise.all([users.get("1"), users.get("1")]);
    await new Promise<void>((resolve) => {
      clock.after(31_000, resolve);
    });
    await users.get("1");
    await users.get("1");
    await expect(users.get("1")).rejects.toMatchObject({ code: "unauthorized" });
    expect(sent(script)).toEqual(
      ["t-1", "t-1", "t-2", "t-2", "t-3", "t-3", "t-4"].map((token) => `Bearer ${token}`),
    );
  });

  test("that cannot be got are an error of their own, and the next request tries again", async () => {
    let fails = true;
    const auth = refreshingToken(async () => {
      if (fails) throw new Error("no vault");
      return { token: "t-1" };
    });
    const { client, requests } = scripted([OK], { auth });
    const error: unknown = await client.users.get("1").catch((thrown: unknown) => thrown);
    expect(isScimClientError(error)).toBe(true);
    expect(error).toMatchObject({ code: "tokenUnavailable", cause: { message: "no vault" } });
    expect(requests).toHaveLength(0);
    fails = false;
    await client.users.get("1");
  });

  test("that cannot be renewed do as long as they are valid", async () => {
    const clock = jumpingClock();
    let ahead = 0;
    let fails = false;
    const auth = refreshingToken(async () => {
      if (fails) throw new Error("no vault");
      return { token: "t-1", expiresIn: 100 };
    });
    const script = scripted([OK], { auth, clock: { ...clock, now: () => clock.now() + ahead } });
    await script.client.users.get("1");
    fails = true;
    ahead = 99_000;
    await script.client.users.get("1");
    expect(sent(script)).toEqual(["Bearer t-1", "Bearer t-1"]);
    ahead = 100_000;
    await expect(script.client.users.get("1")).rejects.toMatchObject({ code: "tokenUnavailable" });
  });

  test("that never come do not hold a request for ever", async () => {
    const auth = refreshingToken(() => new Promise(() => undefined));
    const { client } = scripted([OK], { auth });
    await expect(client.users.get("1")).rejects.toMatchObject({ code: "tokenUnavailable" });
  });
});

describe("client credentials", () => {
  /** A token endpoint and a service at one address; the token endpoint answers with what it is told. */
  async function served(token: { readonly status: number; readonly body: unknown }) {
    const asked: { readonly authorization: string | undefined; readonly form: string }[] = [];
    const baseUrl = await listen(async (request, response) => {
      if (request.url !== "/scim/v2/token") {
        response.writeHead(200, { "content-type": "application/scim+json" });
        response.end(JSON.stringify(aUser({ title: request.headers.authorization })));
        return;
      }
      let form = "";
      for await (const chunk of request) form += String(chunk);
      asked.push({ authorization: request.headers.authorization, form });
      response.writeHead(token.status, { "content-type": "application/json" });
      response.end(JSON.stringify(token.body));
    });
    return { baseUrl, tokenUrl: `${baseUrl}/token`, asked };
  }

  const PASSING: readonly Step[] = [
    { fails: "unsent" },
    { fails: "broken" },
    { fails: "cutOff" },
    { status: 502, body: {} },
    { status: 503, headers: { "retry-after": "2" }, body: {} },
  ];
  const FINAL: readonly Step[] = [
    { fails: "tooLarge" },
    { status: 400, body: { error: "invalid_client" } },
    { status: 503, headers: { "retry-after": "6" }, body: {} },
    { status: 200, body: {} },
  ];

  test.each([...PASSING.map((step) => [step, 3] as const), ...FINAL.map((step) => [step, 1] as const)])(
    "are asked for again while the authorization server is away for a moment: %j",
    async (step, attempts) => {
      for (const [last, isGot] of [
        [{ body: { access_token: "t" } }, attempts > 1],
        [step, false],
      ] as const) {
        const { transport, requests } = scriptedTransport([step, step, last]);
        const auth = clientCredentials({
          tokenUrl: "https://auth.example/token",
          clientId: "a",
          clientSecret: "s",
          transport,
        });
        const { client } = scripted([{ body: aUser() }], { auth });
        const read = client.users.get("1");
        if (isGot) expect(await read).toMatchObject({ id: "1" });
        else await expect(read).rejects.toMatchObject({ code: "tokenUnavailable" });
        expect(requests).toHaveLength(attempts);
      }
    },
  );

  test("get a token, in a header or in the body, and use it", async () => {
    const { baseUrl, tokenUrl, asked } = await served({
      status: 200,
      body: { access_token: "t", expires_in: "60" },
    });
    for (const secretIn of ["header", "body"] as const) {
      const auth = clientCredentials({
        tokenUrl,
        clientId: "a:b",
        clientSecret: "s&t",
        scope: "scim",
        secretIn,
      });
      const client = createScimClient({ baseUrl, auth });
      onTestFinished(() => client.close());
      expect((await client.users.get("1")).title).toBe("Bearer t");
      await client.users.get("2", {}).catch(() => undefined);
    }
    expect(asked).toEqual([
      {
        authorization: `Basic ${Buffer.from("a%3Ab:s%26t").toString("base64")}`,
        form: "grant_type=client_credentials&scope=scim",
      },
      {
        authorization: undefined,
        form: "grant_type=client_credentials&scope=scim&client_id=a%3Ab&client_secret=s%26t",
      },
    ]);
  });

  test.each([
    [400, { error: "invalid_client", error_description: "s3cret" }, "invalid_client"],
    [500, "<html>", null],
    [200, { token_type: "bearer" }, null],
    [302, {}, null],
  ])("that are refused with %s %j are an error without secrets", async (status, body, oauthError) => {
    const { baseUrl, tokenUrl } = await served({ status, body });
    const client = createScimClient({
      baseUrl,
      auth: clientCredentials({ tokenUrl, clientId: "a", clientSecret: "s3cret" }),
    });
    onTestFinished(() => client.close());
    const error: unknown = await client.users.get("1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "tokenUnavailable", status, oauthError });
    expect(everythingIn(error)).not.toContain("s3cret");
  });
});

/** Everything that a log could print of an error. */
function everythingIn(error: unknown): string {
  const seen: unknown[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    seen.push(each.message, each.stack, JSON.stringify(each), ...Object.values(each));
  }
  return seen.map(String).join("\n");
}

test("errors hold no secret, even where the service repeats it", async () => {
  const secret = "scim_default_s3cretS3cret";
  const { client } = scripted(
    [
      ({ headers }) => ({
        status: 400,
        body: { detail: `Cannot use ${headers["authorization"]}`, echo: [{ [secret]: secret }] },
      }),
      ({ headers }) => ({ status: 401, body: `<p>${headers["authorization"]}</p>` }),
      { fails: "broken" },
    ],
    { auth: secret, retries: { attempts: 1 } },
  );
  for (let n = 0; n < 3; n += 1) {
    const error: unknown = await client.users.get("1").catch((thrown: unknown) => thrown);
    expect(isScimClientError(error)).toBe(true);
    expect(everythingIn(error)).not.toContain(secret);
    expect(JSON.stringify((error as { scim?: unknown }).scim ?? "")).not.toContain(secret);
  }
});

test.each(["scim", "detail", "status", "uniqueness", "v2"])(
  "a token that reads as the protocol does, '%s', hides no word that programs compare",
  async (auth) => {
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:Error"];
    const told = { schemas, status: "409", scimType: "uniqueness", detail: `Not ${auth}.` };
    const moved = { schemas, status: "412", expectedVersion: "1", currentVersion: "2" };
    const { client } = scripted(
      [
        { status: 409, body: told },
        { status: 412, body: moved },
      ],
      { auth },
    );
    await expect(client.users.patch("1", [])).rejects.toMatchObject({
      code: "uniqueness",
      scimType: "uniqueness",
      detail: "Not [credentials].",
      scim: { schemas },
    });
    await expect(client.users.delete("1")).rejects.toMatchObject({
      code: "versionMismatch",
      currentVersion: "2",
    });
  },
);

describe("credentials over plain HTTP", () => {
  const sends = async (baseUrl: string, options: Partial<ClientOptions> = {}) => {
    const said = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => said.mockRestore());
    said.mockClear();
    const { client, requests } = scripted([OK], { ...options, baseUrl });
    await client.users.get("1");
    expect(requests).toHaveLength(1);
    return said.mock.calls.map(([text]) => String(text));
  };

  test("are warned of, once for each origin", async () => {
    const warning = [expect.stringContaining("http://a.example")];
    expect(await sends("http://a.example/scim/v2")).toEqual(warning);
    expect(await sends("http://a.example/scim")).toEqual([]);
    expect(await sends("http://a.example:81")).toEqual([expect.stringContaining("http://a.example:81")]);
  });

  test.each([
    "https://b.example",
    "http://localhost:8080",
    "http://x.localhost",
    "http://127.8.9.1",
    "http://[::1]:80",
  ])("are not meant by %s", async (baseUrl) => {
    expect(await sends(baseUrl)).toEqual([]);
    expect(await sends(baseUrl, { plainHttp: "refuse" })).toEqual([]);
  });

  test("are those too that a token is got by", () => {
    const said = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => said.mockRestore());
    const open = (tokenUrl: string, options: Partial<ClientOptions> = {}) => {
      said.mockClear();
      const auth = clientCredentials({ tokenUrl, clientId: "a", clientSecret: "s" });
      const transport = createInProcessTransport(aService());
      const carrier: Transport = { ...transport, isLocal: false };
      createScimClient({ baseUrl: "https://d.example", auth, transport: carrier, ...options });
      return said.mock.calls.map(([text]) => String(text));
    };
    expect(open("http://d.example/token")).toEqual([expect.stringContaining("http://d.example")]);
    expect(open("http://e.example/token", { plainHttp: "allow" })).toEqual([]);
    expect(open("https://e.example/token", { plainHttp: "refuse" })).toEqual([]);
    expect(() => open("http://e.example/token", { plainHttp: "refuse" })).toThrow(UsageError);
    const transport = createInProcessTransport(aService());
    expect(open("http://e.example/token", { plainHttp: "refuse", transport })).toEqual([]);
  });

  test("are allowed, refused, or none at all", async () => {
    expect(await sends("http://c.example", { plainHttp: "allow" })).toEqual([]);
    expect(await sends("http://c.example", { auth: null, plainHttp: "refuse" })).toEqual([]);
    for (const baseUrl of ["http://c.example", "http://127.0.0.1.example", "http://localhost.example"])
      await expect(sends(baseUrl, { plainHttp: "refuse" })).rejects.toMatchObject({ code: "plainHttp" });
    const transport = createInProcessTransport(aService());
    expect(() =>
      createScimClient({ baseUrl: "http://c.example", auth: TOKEN, transport, plainHttp: "refuse" }),
    ).not.toThrow();
  });
});
