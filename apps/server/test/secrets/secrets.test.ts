import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadTestExtension } from "@scim/fixtures";
import { clientOf, ENTERPRISE, USER, type Client } from "../over-http/client.ts";
import { userExtendedBy, writeDocuments, type Documents } from "../over-http/documents.ts";
import { startServer, type RunningServer } from "../over-http/server.ts";
import { useInProcess } from "../over-http/use-server.ts";

const TEST = "urn:example:params:scim:schemas:extension:test:2.0:User";

/** One secret for each way in, so that a find tells where it leaked. */
const SECRETS = {
  POST: "t1me-for-POST-tea",
  PUT: "t1me-for-PUT-tea",
  PATCH: "t1me-for-PATCH-tea",
  "PATCH without path": "t1me-for-PATHLESS-tea",
  "POST that is refused": "t1me-for-REFUSED-tea",
  "PATCH that is refused": "t1me-for-UNDONE-tea",
  "POST in an extension": "t1me-for-EXTENSION-tea",
  "POST with a name in other letter case": "t1me-for-CAPITAL-tea",
  filter: "t1me-for-FILTER-tea",
} as const;

describe.each(["tolerant", "strict"])("secrets, in profile %s", (profile) => {
  let server: RunningServer;
  let documents: Documents;
  let client: Client;
  const answers: string[] = [];

  beforeAll(async () => {
    documents = await writeDocuments(userExtendedBy([loadTestExtension()]));
    server = await startServer({ SCIM_PROFILE: profile, SCIM_SCHEMAS: documents.directory });
    client = clientOf(server);
    await sendEverySecret();
  });
  afterAll(async () => {
    await server.stop();
    await documents.remove();
  });

  async function sendEverySecret(): Promise<void> {
    const call: Client["call"] = async (...parameters) => {
      const answer = await client.call(...parameters);
      answers.push(answer.text);
      return answer;
    };
    const user = await client.user({ userName: "secretive" });
    const body = { schemas: [USER], userName: "secretive" };
    const posted = await call("POST", "/Users", {
      body: { ...body, userName: "posted", password: SECRETS.POST },
    });
    expect(posted.status).toBe(201);
    const put = await call("PUT", user.path, { body: { ...body, password: SECRETS.PUT } });
    expect(put.status).toBe(200);
    const patched = await client.patch(user.path, [
      { op: "replace", path: "password", value: SECRETS.PATCH },
    ]);
    expect(patched.status).toBe(200);
    const pathless = await client.patch(user.path, [
      { op: "replace", value: { password: SECRETS["PATCH without path"], nickName: "Sec" } },
    ]);
    expect(pathless.status).toBe(200);
    const refused = await call("POST", "/Users", {
      body: { ...body, password: SECRETS["POST that is refused"] },
    });
    expect(refused.status).toBe(409);
    const undone = await client.patch(user.path, [
      { op: "replace", path: "password", value: SECRETS["PATCH that is refused"] },
      { op: "replace", path: "active", value: "perhaps" },
    ]);
    expect(undone.status).toBe(400);
    const extended = await call("POST", "/Users", {
      body: { ...body, userName: "extended", [TEST]: { pin: SECRETS["POST in an extension"] } },
    });
    expect(extended.status).toBe(201);
    const capital = await call("POST", "/Users", {
      body: { ...body, userName: "capital", PASSWORD: SECRETS["POST with a name in other letter case"] },
    });
    expect(capital.status).toBe(201);
    const filtered = await call(
      "GET",
      `/Users?filter=${encodeURIComponent(`password eq "${SECRETS.filter}"`)}`,
    );
    expect(filtered.status).toBe(400);
    answers.push(patched.text, pathless.text, undone.text);
    for (const query of ["", "?attributes=password", `?attributes=${TEST}:pin`]) {
      answers.push((await call("GET", `/Users${query}`)).text);
    }
  }

  test.each(Object.entries(SECRETS))("%s: no file and no line of the log holds it", async (_, secret) => {
    const forms = [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)];
    const files = await server.files();
    expect(files.map(({ name }) => name).join()).toMatch(/scim\.db/);
    for (const form of forms) {
      const holders = files.filter(({ content }) => content.includes(form)).map(({ name }) => name);
      expect(holders).toEqual([]);
      expect(server.log()).not.toContain(form);
    }
  });

  test.each(Object.entries(SECRETS))("%s: no answer holds it", (_, secret) => {
    expect(answers.filter((text) => text.includes(secret))).toEqual([]);
  });

  test("the search would find what is stored", async () => {
    await client.user({ userName: "needle-in-the-haystack" });
    const files = await server.files();
    expect(files.some(({ content }) => content.includes("needle-in-the-haystack"))).toBe(true);
  });

  test("tokens stand in no file of the database and in no line of the log", async () => {
    const files = await server.files();
    const database = files.filter(({ name }) => name.includes("scim.db"));
    expect(database.length).toBeGreaterThan(0);
    expect(database.filter(({ content }) => content.includes(server.token))).toEqual([]);
    expect(server.log()).not.toContain(server.token);
  });

  test("the service does not claim to keep passwords", async () => {
    const { body } = await client.call("GET", "/ServiceProviderConfig");
    expect(body["changePassword"]).toEqual({ supported: false });
    const schema = await client.call("GET", `/Schemas/${USER}`);
    expect(JSON.stringify(schema.body["attributes"])).toContain('"password"');
  });

  test("a password is never returned", async () => {
    const { text } = await client.call("GET", "/Users?attributes=password,userName");
    expect(text).not.toMatch(/"password"/i);
  });
});

describe("names that JavaScript objects inherit are harmless", () => {
  const client = useInProcess();

  const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

  test.each(NAMES)("%s as a path is an unknown attribute", async (name) => {
    const user = await client.user({ userName: `path-${name}` });
    for (const path of [name, `name.${name}`, `emails[${name} eq "x"].value`, `${ENTERPRISE}:${name}`]) {
      const answer = await client.patch(user.path, [{ op: "add", path, value: "polluted" }]);
      expect([answer.status, path], answer.text).toEqual([400, path]);
    }
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });

  test.each(NAMES)("%s as a member of a body is dropped as unknown", async (name) => {
    const text = `{"schemas":["${USER}"],"userName":"member-${name}","${name}":{"polluted":true},"name":{"givenName":"G","${name}":{"polluted":true}}}`;
    const answer = await client.call("POST", "/Users", { body: text });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.text).not.toContain("polluted");
    expect(answer.body["name"]).toEqual({ givenName: "G" });
  });

  test.each(NAMES)("%s in filter, sortBy and attributes answers like any unknown name", async (name) => {
    const filter = await client.call("GET", `/Users?filter=${encodeURIComponent(`${name} pr`)}`);
    expect(filter.body["scimType"]).toBe("invalidFilter");
    expect((await client.call("GET", `/Users?sortBy=${name}`)).status).toBe(400);
    expect((await client.call("GET", `/Users?attributes=${name}`)).status).toBe(200);
  });

  test.each(NAMES)("%s as an id or an address is not found", async (name) => {
    expect((await client.call("GET", `/Users/${name}`)).status).toBe(404);
    expect((await client.call("GET", `/${name}`)).status).toBe(404);
    expect((await client.call("GET", `/Schemas/${name}`)).status).toBe(404);
    expect((await client.call("GET", `/ResourceTypes/${name}`)).status).toBe(404);
  });

  test("and a plain user is what it was", async () => {
    const user = await client.user({ userName: "unpolluted" });
    expect(Object.keys(user.body).toSorted()).toEqual(["id", "meta", "schemas", "userName"]);
  });
});
