import { readFileSync } from "node:fs";
import { PROFILES } from "@scim/core";
import { createInProcessTransport } from "@scim/client/in-process";
import { TransportFailure, type Transport } from "@scim/client";
import { expect, test, vi } from "vitest";
import { aService, serve, TOKEN } from "../../../client/test/support/service.ts";
import {
  IDENTITY_PROVIDERS,
  simulate,
  type IdentityProviderName,
  type SimulateOptions,
  type SimulationReport,
} from "../../src/index.ts";
import { answers, faulty, spoilt, type Fault } from "./faulty.ts";

const TARGET = "https://id.example/scim/v2";
// The keys of a record typed by these names are these names.
const NAMES = Object.keys(IDENTITY_PROVIDERS) as readonly IdentityProviderName[];

function aTransport(profile = PROFILES.tolerant): Transport {
  return createInProcessTransport(aService({ profile }));
}

function run(
  name: IdentityProviderName,
  transport: Transport,
  options: Partial<SimulateOptions> = {},
): Promise<SimulationReport> {
  return simulate(IDENTITY_PROVIDERS[name], { target: TARGET, auth: TOKEN, transport, ...options });
}

/** What was found, as `step: fault`. */
function found({ steps }: SimulationReport): readonly string[] {
  return steps.flatMap(({ id, findings }) => findings.map(({ fault }) => `${id}: ${fault}`));
}

/** Everything that is there, as its names. */
async function everything(transport: Transport): Promise<readonly unknown[]> {
  const lists = await Promise.all(
    ["/Users", "/Groups"].map((path) =>
      transport.send({
        method: "GET",
        origin: "https://id.example",
        basePath: "/scim/v2",
        path: `/scim/v2${path}`,
        headers: { authorization: `Bearer ${TOKEN}` },
        body: null,
        signal: new AbortController().signal,
        maxAnswerBytes: 1_000_000,
      }),
    ),
  );
  return lists.flatMap(({ body }) =>
    JSON.parse(body).Resources.map(
      (resource: Record<string, unknown>) => resource["userName"] ?? resource["displayName"],
    ),
  );
}

test.each([
  ...NAMES.map((name) => [name, "tolerant"] as const),
  ["entra", "entra"] as const,
  ["okta", "okta"] as const,
])(
  "%s finds nothing wrong with our service by the profile %s, and leaves nothing behind",
  async (name, profile) => {
    const transport = aTransport(PROFILES[profile]);
    const report = await run(name, transport);
    expect(found(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "passed", leftBehind: [], identityProvider: name });
    expect(report.steps.map(({ outcome }) => outcome)).toEqual(report.steps.map(() => "passed"));
    expect(await everything(transport)).toEqual([]);
  },
);

test("scenarios name each step once, and need nothing that no step made before", () => {
  for (const { steps } of Object.values(IDENTITY_PROVIDERS)) {
    const ids = steps.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(["run"]);
    for (const { path, body = {}, makes, afterwards, gone = "", id } of steps) {
      const needed = (texts: unknown) =>
        [...JSON.stringify(texts).matchAll(/\{([a-z]+(?:\.id)?)\}/g)].map(([, name]) => name);
      expect(
        needed([path, body]).filter((name = "") => !known.has(name)),
        id,
      ).toEqual([]);
      if (makes !== undefined) known.add(`${makes}.id`);
      expect(
        needed([afterwards, gone]).filter((name = "") => !known.has(name)),
        id,
      ).toEqual([]);
    }
  }
});

const LISTS = /\/(?:Users|Groups)(?:\?|$)/;

/** What is wrong with a service, and what is found for it, in part, by an identity provider. */
const WRONG: readonly (readonly [string, IdentityProviderName, Fault, readonly string[]])[] = [
  [
    "numbers as texts",
    "okta",
    ({ path }, pass) =>
      LISTS.test(path)
        ? spoilt(pass, (body) => ({ ...body, totalResults: String(body["totalResults"]), startIndex: "1" }))
        : pass(),
    ["test-credentials: totalResults is no number", "import-users: startIndex is no number"],
  ],
  [
    "no Resources in an empty list",
    "okta",
    (_request, pass) =>
      spoilt(pass, ({ Resources, ...body }) =>
        Array.isArray(Resources) && Resources.length === 0 ? body : { ...body, Resources },
      ),
    ["test-credentials: Resources is missing"],
  ],
  [
    "404 where nothing matches",
    "entra",
    async (request, pass) => {
      const answer = await pass();
      return request.path.includes("filter=") && answer.body.includes('"totalResults":0')
        ? answers(404, { detail: `Nobody for ${TOKEN}\u001B[2J` })
        : answer;
    },
    [
      "test-connection: answered 404 Not Found ('Nobody for [credentials] [2J'); Microsoft Entra ID goes on from 200",
    ],
  ],
  [
    "a creation that is answered without a body",
    "jumpcloud",
    async ({ method }, pass) => {
      const answer = await pass();
      return method === "POST" && answer.status === 201 ? { ...answer, body: "" } : answer;
    },
    ["create-test-user: the answer to the creation has no id"],
  ],
  [
    "op in lower case alone",
    "entra",
    async ({ body }, pass) =>
      body !== null && /"op":"[A-Z]/.test(body) ? answers(400, { detail: "op" }) : pass(),
    ["update-user: answered 400 Bad Request ('op'); Microsoft Entra ID goes on from 200 or 204"],
  ],
  [
    '"False" that is taken and forgotten',
    "entra",
    async ({ body }, pass) => (body?.includes('"False"') === true ? answers(204) : pass()),
    ["disable-user: the user is still active", "soft-delete-user: the user is still active"],
  ],
  [
    "inactive users that are hidden",
    "google",
    async ({ method }, pass) => {
      const answer = await pass();
      return method === "GET" && answer.body.includes('"active":false') ? answers(404) : answer;
    },
    ["suspend-user: the resource cannot be read afterwards (404)"],
  ],
  [
    "members that cannot be excluded",
    "entra",
    (request, pass) => pass({ ...request, path: request.path.replace("excludedAttributes=members", "x=y") }),
    ["read-group-without-members: members are there though they are excluded"],
  ],
  [
    "a userName that two may have",
    "onelogin",
    (request, pass) => {
      let count = 0;
      const body = request.body?.replace(/"userName":"/, () => `"userName":"${(count += 1)}${Math.random()}`);
      return request.method === "POST" && request.path.endsWith("/Users")
        ? pass({ ...request, body: body ?? null })
        : pass();
    },
    ["create-user-again: answered 201 Created; OneLogin goes on from 409"],
  ],
  [
    "names that are compared by letter case",
    "entra",
    (request, pass) => pass({ ...request, path: request.path.replace("INES", "nobody") }),
    ["match-user: does not find what is there"],
  ],
  [
    "a removal that empties the group",
    "jumpcloud",
    (request, pass) =>
      request.body?.includes('"op":"remove"') === true
        ? pass({ ...request, body: request.body.replace(/,"value":\[.*?\]/, "") })
        : pass(),
    ["remove-member: the group has not the members that it should have"],
  ],
  [
    "operations without path that are refused",
    "okta",
    async ({ body, method }, pass) =>
      method === "PATCH" && body?.includes('"path"') !== true ? answers(400, "<html>") : pass(),
    ["deactivate-user: answered 400 Bad Request; Okta goes on from 200 or 204", "rename-group: answered 400"],
  ],
  [
    "silence",
    "google",
    async () => {
      throw new Error("connect ECONNREFUSED");
    },
    ["read-attributes: no answer: connect ECONNREFUSED", "look-up-user: no answer: connect ECONNREFUSED"],
  ],
];

test.each(WRONG)("%s: %s finds it, and nothing is left behind", async (_what, name, fault, expected) => {
  const transport = aTransport();
  const report = await run(name, faulty(transport, fault));
  const all = found(report);
  for (const each of expected)
    expect(
      all.some((line) => line.startsWith(each)),
      `${each} in\n${all.join("\n")}`,
    ).toBe(true);
  const findings = report.steps.flatMap((step) => step.findings);
  expect(report.outcome).toBe(findings.some(({ weight }) => weight === "fails") ? "failed" : "passed");
  for (const { means, mend } of findings)
    expect([means, mend].every((text) => text.endsWith(".") || text.endsWith('"'))).toBe(true);
  expect(JSON.stringify(report)).not.toContain(TOKEN);
  expect(await everything(transport)).toEqual([]);
});

test("what cannot be deleted is told", async () => {
  const transport = aTransport();
  const report = await run(
    "google",
    faulty(transport, async ({ method }, pass) => (method === "DELETE" ? answers(403) : pass())),
  );
  expect(found(report)).toEqual(["delete-user: answered 403 Forbidden; Google Workspace goes on from 204"]);
  expect(report.leftBehind).toEqual([expect.stringMatching(/^\/Users\/[\w-]+$/)]);
});

test("a DELETE without effect is found", async () => {
  const report = await run(
    "okta",
    faulty(aTransport(), async ({ method }, pass) => (method === "DELETE" ? answers(204) : pass())),
  );
  expect(found(report)).toEqual(["delete-group: what was deleted can still be read (200)"]);
});

test.each([
  ["somebody else's account", false],
  ["what it was sent, and the id of somebody else's account", true],
])("a service that answers a creation with %s keeps that account as it was", async (_what, isEcho) => {
  const transport = aTransport();
  const made = await transport.send({
    method: "POST",
    origin: "https://id.example",
    basePath: "/scim/v2",
    path: "/scim/v2/Users",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/scim+json" },
    body: JSON.stringify({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      userName: "boss",
      active: true,
    }),
    signal: new AbortController().signal,
    maxAnswerBytes: 1_000_000,
  });
  const touched: string[] = [];
  const boss = JSON.parse(made.body).id;
  const report = await run(
    "entra",
    faulty(transport, async (request, pass) => {
      if (request.method !== "GET" && request.method !== "POST") touched.push(request.path);
      if (request.method !== "POST" || !request.path.endsWith("/Users")) return pass();
      return isEcho ? answers(201, { ...JSON.parse(request.body ?? ""), id: boss }) : made;
    }),
  );
  expect(found(report)).toContain("create-user: the answer to a creation names another resource");
  expect(touched.filter((path) => path.includes(boss))).toEqual([]);
  expect(await everything(transport)).toEqual(["boss"]);
});

test("a run that is stopped takes away what it made, also what was made without an answer", async () => {
  const transport = aTransport();
  const stop = new AbortController();
  const report = await run(
    "entra",
    faulty(transport, async (request, pass) => {
      const answer = await pass();
      if (request.method !== "POST" || !request.path.endsWith("/Groups")) return answer;
      // The group is made, and nobody hears of it.
      stop.abort();
      throw new Error("aborted");
    }),
    { signal: stop.signal },
  );
  expect(report).toMatchObject({ outcome: "interrupted", leftBehind: [] });
  const outcomes = Object.fromEntries(report.steps.map(({ id, outcome }) => [id, outcome]));
  expect(outcomes).toMatchObject({
    "create-user": "passed",
    "create-group": "skipped",
    "delete-group": "skipped",
  });
  expect(await everything(transport)).toEqual([]);
});

test("a service that nobody reaches is no service that fails", async () => {
  const send = async (): Promise<never> => {
    throw new TransportFailure("unsent", "No connection came about (ECONNREFUSED).");
  };
  const unreachable: Transport = { send, close: async () => undefined };
  const reached = run("entra", unreachable);
  await expect(reached).rejects.toMatchObject({
    code: "connectionFailed",
    message: expect.stringContaining(
      "no connection to https://id.example: No connection came about (ECONNREFUSED)",
    ),
  });
});

test("credentials that are refused from the beginning end the run, and later ones do not", async () => {
  const transport = aTransport();
  for (const name of NAMES) {
    const refused = await run(name, transport, { auth: "wrong" });
    expect(refused.outcome).toBe("failed");
    const [first, ...others] = refused.steps;
    expect(first).toMatchObject({
      outcome: "failed",
      findings: [
        { fault: expect.stringContaining("401"), mend: expect.stringContaining("Give credentials") },
      ],
    });
    expect(new Set(others.map(({ outcome }) => outcome))).toEqual(new Set(["skipped"]));
  }

  const isGroups = (path: string) => path.includes("/Groups");
  const closed: Transport = {
    ...transport,
    send: (sent) =>
      transport.send(isGroups(sent.path) ? { ...sent, headers: { authorization: "Bearer wrong" } } : sent),
  };
  const partly = await run("okta", closed);
  expect(partly.steps.filter(({ path }) => !isGroups(path)).map(({ outcome }) => outcome)).not.toContain(
    "skipped",
  );
});

test("it waits as long as Retry-After says, and tells where nothing is said", async () => {
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    after: (ms: number, later: () => void) => {
      if (ms !== 30_000) waits.push(ms);
      const timer = ms === 30_000 ? undefined : setImmediate(later);
      return () => clearImmediate(timer);
    },
  };
  let count = 0;
  const report = await run(
    "google",
    faulty(aTransport(), async (_request, pass) => {
      count += 1;
      if (count === 1) return { status: 429, headers: { "retry-after": "7" }, body: "" };
      return count === 3 ? answers(503) : pass();
    }),
    { clock },
  );
  expect(waits).toEqual([7000, 1000]);
  expect(found(report)).toEqual(["probe: a request is throttled without a number of seconds in Retry-After"]);
  expect(report.steps.slice(0, 2)).toMatchObject([
    { outcome: "passed", attempts: 2, status: 200 },
    { outcome: "hindered", attempts: 2, status: 200 },
  ]);
  expect(report.outcome).toBe("passed");
});

test.each(["61", "9999999"])("it does not come back before 'Retry-After: %s' is over", async (seconds) => {
  const report = await run(
    "google",
    faulty(aTransport(), async () => ({ status: 429, headers: { "retry-after": seconds }, body: "" })),
  );
  const tried = report.steps.filter(({ status }) => status !== null);
  expect(new Set(tried.map(({ status, attempts }) => `${status} ${attempts}`))).toEqual(new Set(["429 1"]));
  expect(found(report).filter((fault) => fault.includes("Retry-After"))).toEqual([]);
});

test.each([
  [{ target: "ftp://id.example" }, /base address/],
  [{ target: "https://id.example/?a=b" }, /base address/],
  [{ run: "a" }, /small letters/],
])("%j is refused", async (options, message) => {
  await expect(run("google", aTransport(), options)).rejects.toThrow(message);
});

test("the program of docs/simulate.md runs over HTTP", async () => {
  const page = readFileSync(new URL("../../../../docs/simulate.md", import.meta.url), "utf8");
  const program = readFileSync(new URL("program.ts", import.meta.url), "utf8");
  expect(page).toContain(`\`\`\`ts\n${program}\`\`\``);
  vi.stubEnv("SCIM_BASE_URL", await serve(aService()));
  vi.stubEnv("SCIM_TOKEN", TOKEN);
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  try {
    await import("./program.ts");
    expect(log.mock.calls).toEqual(IDENTITY_PROVIDERS.okta.steps.map(({ id }) => [id, 0]));
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
});
