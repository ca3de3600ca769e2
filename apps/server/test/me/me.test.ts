import { describe, expect, test } from "vitest";
import { clientOf, PATCH_OP, SEARCH_REQUEST, USER, type Client, type Made } from "../over-http/client.ts";
import { startOwnServer } from "../over-http/in-process.ts";
import { useInProcess } from "../over-http/use-server.ts";

const admin = useInProcess();

let made = 0;

/** A user, and a client that is this user. */
async function newcomer(
  options: { readonly scope?: string } = {},
): Promise<{ readonly user: Made; readonly self: Client; readonly address: string }> {
  made += 1;
  const user = await admin.user({ userName: `self-${made}`, nickName: "Nick" });
  const scope = options.scope === undefined ? [] : ["--scope", options.scope];
  const token = await admin.server.createToken("--subject", user.id, ...scope);
  const self = clientOf({ ...admin.server, token });
  return { user, self, address: `${admin.server.origin}${admin.server.base}${user.path}` };
}

/** Bodies that no change can be read from. */
const HOSTILE = [
  "",
  "{",
  "[]",
  "null",
  '"text"',
  `{"a":${"[".repeat(10_000)}`,
  '{"userName":"a","userName":"b"}',
  '{"schemas":{"__proto__":[]}}',
  " ".repeat(2_000_000),
];

const rename = { schemas: [PATCH_OP], Operations: [{ op: "replace", path: "nickName", value: "Nico" }] };

describe("/Me of a token with a subject", () => {
  test("R7644-3.11-03 R7644-3.11-06 GET and HEAD are those of the resource, at its permanent address", async () => {
    const { user, self, address } = await newcomer();
    const me = await self.call("GET", "/Me");
    expect(me.status).toBe(200);
    expect(me.body).toEqual(user.body);
    expect(me.body["meta"]).toMatchObject({ location: address });
    expect(me.headers).toMatchObject({ location: address, etag: user.tag });
    const head = await self.call("HEAD", "/Me");
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers).toMatchObject({ location: address, etag: user.tag });
    expect(head.headers["content-length"]).toBe(me.headers["content-length"]);
  });

  test("R7644-3.11-06 attributes and versions work as usual", async () => {
    const { user, self, address } = await newcomer();
    const projected = await self.call("GET", "/Me?attributes=userName");
    expect(projected.body).not.toHaveProperty("nickName");
    const current = await self.call("GET", "/Me", { headers: { "If-None-Match": user.tag } });
    expect(current).toMatchObject({ status: 304, text: "", headers: { location: address, etag: user.tag } });
    const stale = await self.call("PATCH", "/Me", { headers: { "If-Match": 'W/"stale"' }, body: rename });
    expect(stale).toMatchObject({ status: 412, headers: { location: address, etag: user.tag } });
    expect((await admin.call("GET", user.path)).body).toEqual(user.body);
  });

  test("R7644-3.11-03 PUT, PATCH and DELETE change the resource", async () => {
    const { user, self, address } = await newcomer();
    const patched = await self.call("PATCH", "/Me", { headers: { "If-Match": user.tag }, body: rename });
    expect(patched).toMatchObject({ status: 200, headers: { location: address } });
    expect(patched.body["nickName"]).toBe("Nico");
    const minimal = await self.call("PATCH", "/Me", { headers: { Prefer: "return=minimal" }, body: rename });
    expect(minimal).toMatchObject({ status: 204, headers: { location: address } });
    const put = await self.call("PUT", "/Me", { body: { schemas: [USER], userName: `self-${made}-new` } });
    expect(put).toMatchObject({ status: 200, headers: { location: address } });
    expect((await admin.call("GET", user.path)).body).toEqual(put.body);
    const deleted = await self.call("DELETE", "/Me");
    expect(deleted).toMatchObject({ status: 204, text: "", headers: { location: address } });
    expect((await admin.call("GET", user.path)).status).toBe(404);
    // The token outlives its resource, and is nobody from then on.
    expect((await self.call("GET", "/Me")).status).toBe(404);
  });

  test("R7644-3.11-04 POST is 501", async () => {
    const { self } = await newcomer();
    const answer = await self.call("POST", "/Me", { body: { schemas: [USER], userName: "another" } });
    expect(answer).toMatchObject({ status: 501, body: { status: "501" } });
  });

  test("hostile bodies are refused as at the resource", async () => {
    const { user, self } = await newcomer();
    for (const body of HOSTILE) {
      for (const method of ["PUT", "PATCH"]) {
        const atMe = await self.call(method, "/Me", { body });
        const atResource = await self.call(method, user.path, { body });
        expect(atMe.status).toBeGreaterThanOrEqual(400);
        expect(atMe.body).toEqual(atResource.body);
      }
    }
    expect((await admin.call("GET", user.path)).body).toEqual(user.body);
  });

  test("OPTIONS tells what is offered", async () => {
    const { self } = await newcomer();
    const answer = await self.call("OPTIONS", "/Me");
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers.allow).toBe("GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
  });

  test("R7644-3.11-06 a filter is ignored, and there is no /Me/.search", async () => {
    const { user, self } = await newcomer();
    expect((await self.call("GET", "/Me?filter=userName%20eq%20%22x%22")).body).toEqual(user.body);
    const search = { body: { schemas: [SEARCH_REQUEST] } };
    expect((await self.call("POST", "/Me/.search", search)).status).toBe(404);
  });

  test.each([
    ["scim:read", 200],
    ["scim:read:User", 200],
    ["scim:read:Group", 403],
  ])(
    "R7644-7-04 asks for the scopes that the resource asks for: %s is answered %i",
    async (scope, status) => {
      const { user, self } = await newcomer({ scope });
      for (const path of ["/Me", user.path]) {
        expect((await self.call("GET", path)).status, path).toBe(status);
        for (const method of ["PUT", "PATCH", "DELETE"])
          expect((await self.call(method, path, { body: rename })).status, path).toBe(403);
      }
    },
  );
});

describe("/Me of other tokens", () => {
  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE"])(
    "R7644-3.11-05 %s without a subject is 404",
    async (method) => {
      const answer = await admin.call(method, "/Me", { body: rename });
      expect(answer.status).toBe(404);
      expect(answer.headers).not.toHaveProperty("location");
      if (method !== "HEAD")
        expect(answer.body["detail"]).toMatch(
          /A token is given one by its 'subject', the id of the resource/,
        );
    },
  );

  test("a subject of another tenant is nobody", async () => {
    const { user } = await newcomer();
    const token = await admin.server.createToken("--tenant", "globex", "--subject", user.id);
    const stranger = clientOf({ ...admin.server, token });
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const body = method === "PUT" ? { schemas: [USER], userName: "taken-over" } : rename;
      expect((await stranger.call(method, "/Me", { body })).status).toBe(404);
    }
    expect((await admin.call("GET", user.path)).body).toEqual(user.body);
  });

  test("without a token it is 401", async () => {
    expect((await admin.call("GET", "/Me", { headers: { Authorization: "" } })).status).toBe(401);
  });
});

describe("/Me switched off", () => {
  test("R7644-3.11-01 is 501 with every method", async () => {
    const off = await startOwnServer({ SCIM_ME: "off" });
    try {
      const token = await off.createToken("--subject", "somebody");
      const self = clientOf({ ...off, token });
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await self.call(method, "/Me", { body: rename });
        expect(answer).toMatchObject({ status: 501, body: { status: "501" } });
      }
    } finally {
      await off.stop();
    }
  });
});
