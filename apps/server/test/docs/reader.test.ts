import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Window } from "happy-dom";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "../eventually.ts";
import { schemaDocument, writeDocuments, type Documents } from "../over-http/documents.ts";
import { exchange } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

const PAGE = new URL("../../docs-page/", import.meta.url);
const MARKUP = "<img src=x onerror=alert(1)>";

let server: OwnServer;
let documents: Documents;
let window: Window;
/** What the page says when it has shown the document, which it does once for all. */
let message: string;

beforeAll(async () => {
  const urn = "urn:example:params:scim:schemas:acme:1.0:Device";
  documents = await writeDocuments([
    schemaDocument({ id: urn, attributes: [{ name: "serial", type: "string", description: MARKUP }] }),
    {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
      name: "Device",
      description: MARKUP,
      endpoint: "/Devices",
      schema: urn,
    },
  ]);
  server = await startOwnServer({ SCIM_SCHEMAS: documents.directory });
  window = new Window({ url: `${server.origin}/docs` });
  window.document.write(await readFile(new URL("index.html", PAGE), "utf8"));
  vi.stubGlobal("document", window.document);
  vi.stubGlobal("location", window.location);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("HTMLInputElement", window.HTMLInputElement);
  vi.stubGlobal("HTMLDetailsElement", window.HTMLDetailsElement);
  vi.stubGlobal("HTMLAnchorElement", window.HTMLAnchorElement);
  vi.stubGlobal("fetch", fetchLikeThePage);
  await import(new URL("reader.js", PAGE).href);
  message = await showWith(server.token);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await window.happyDOM.close();
  await server.stop();
  await documents.remove();
});

/** Addresses that the page asked for. */
const asked: string[] = [];

/** The document as a token reads it. */
async function readAs(token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, text } = await exchange(server.origin, { method: "GET", path: "/openapi.json", headers });
  return new Response(text, { status });
}

/** What answers instead of the server, once. */
let inFront: (() => Promise<Response>) | null = null;

async function fetchLikeThePage(
  address: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<Response> {
  const url = new URL(address, window.location.href);
  asked.push(url.href);
  if (inFront !== null) {
    const answer = inFront();
    inFront = null;
    const ended = once(init.signal, "abort").then(() => Promise.reject(new Error("Ended by the page")));
    return Promise.race([answer, ended]);
  }
  const { status, text } = await exchange(url.origin, {
    method: "GET",
    path: url.pathname + url.search,
    headers: init.headers,
  });
  return new Response(text, { status });
}

/** Gives a token to the form. */
function submit(token: string): void {
  const input = window.document.querySelector("#token");
  const form = window.document.querySelector("#token-form");
  if (!(input instanceof window.HTMLInputElement)) throw new TypeError("The page has no field for a token.");
  input.value = token;
  form?.dispatchEvent(new window.Event("submit", { cancelable: true }));
}

/** Gives a token to the form and waits for what the page says of it. */
async function showWith(token: string): Promise<string> {
  const said = window.document.querySelector("#message");
  submit(token);
  await eventually(() => expect(said?.textContent).not.toMatch(/Reading|tenant of a token/));
  return said?.textContent ?? "";
}

const textsOf = (selector: string): readonly string[] =>
  [...window.document.querySelectorAll(selector)].map((element) => element.textContent);

describe("the page of /docs", () => {
  test("shows every operation and schema of the document, with types of one's own", () => {
    expect(message).toMatch(/^\d+ operations, \d+ schemas\.$/);
    const shown = textsOf("#reference details .path");
    expect(shown).toContain("/Devices/{id}");
    expect(message.startsWith(`${shown.length} operations`)).toBe(true);
    expect(textsOf("#schema-Device dt code")).toContain("serial");
    expect(textsOf("#createUser > p.note")[0]).toBe("Scope: scim:write");
    expect(textsOf("#createUser pre")).toEqual([
      expect.stringContaining(`curl -X POST "${server.origin}/scim/v2/Users"`),
    ]);
  });

  test("links lead to what they name", () => {
    const links = [...window.document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");
    expect(links.length).toBeGreaterThan(50);
    const lost = links.filter((link) => window.document.getElementById(link.slice(1)) === null);
    expect(lost).toEqual([]);
  });

  test("what a document says stays text", () => {
    expect(window.document.querySelectorAll("#reference img").length).toBe(0);
    expect(window.document.querySelector("#reference")?.textContent).toContain(MARKUP);
  });

  test("the token stands in no address, no storage and no text", () => {
    expect(asked).toEqual([`${server.origin}/openapi.json`]);
    expect(window.location.href).toBe(`${server.origin}/docs`);
    expect([window.sessionStorage.length, window.localStorage.length]).toEqual([0, 0]);
    expect(window.document.body.textContent).not.toContain(server.token);
  });

  test("tells the parts of a summary apart, and names every error that a status stands for", () => {
    expect(textsOf("#createUser > summary")).toEqual(["POST /Users Create a User"]);
    expect(textsOf("#createUser > details > summary")).toContain(
      "400 tooMany, mutability, invalidSyntax, invalidValue",
    );
  });

  test("tells the values that are usual, and how many there may be", () => {
    expect(textsOf('[id="schema-User.Input"] dt')).toEqual(
      expect.arrayContaining([
        "emails list of object · at most 1000 values",
        expect.stringMatching(/^type string, .* · such as "work", "home", "other"$/),
      ]),
    );
  });

  test("what the address names is opened and gone to when the document is there, and again by its link", async () => {
    const gone: string[] = [];
    const seen = vi.spyOn(window.Element.prototype, "scrollIntoView").mockImplementation(function (this: {
      readonly id: string;
    }) {
      gone.push(this.id);
    });
    const opened = (): readonly unknown[] => [
      window.document.querySelector("#createUser")?.hasAttribute("open"),
      window.document.activeElement?.parentElement?.id,
    ];
    try {
      window.location.hash = "#createUser";
      await showWith(server.token);
      expect([gone, opened()]).toEqual([["createUser"], [true, "createUser"]]);
      window.document.querySelector("#createUser")?.removeAttribute("open");
      const link = window.document.querySelector('#contents a[href="#createUser"]');
      if (!(link instanceof window.HTMLAnchorElement)) throw new TypeError("There is no such link.");
      link.click();
      expect(opened()).toEqual([true, "createUser"]);
    } finally {
      seen.mockRestore();
      window.location.hash = "";
    }
  });

  test("an address whose fragment is no encoded text shows the document like any other", async () => {
    try {
      window.location.hash = "#%";
      expect(await showWith(server.token)).toBe(message);
    } finally {
      window.location.hash = "";
    }
  });

  // The ones from here on take away what the others look at.
  test("says why a token is refused, and shows nothing, nor what it showed before", async () => {
    expect(textsOf("#reference details")).not.toEqual([]);
    expect(await showWith(newToken())).toMatch(/^401: The token is not valid/);
    expect([textsOf("#reference"), textsOf("#contents")]).toEqual([[""], [""]]);
  });

  test.each([
    ["a page of a proxy", new Response("<html>Bad gateway</html>", { status: 502 })],
    ["nothing", new Response(null, { status: 502 })],
    ["JSON of something else", new Response("null", { status: 502 })],
  ])("tells the status where %s comes instead of an answer", async (_what, answer) => {
    inFront = () => Promise.resolve(answer);
    expect(await showWith(server.token)).toBe(
      "502: The answer does not say why. It may come from a proxy in front of the server.",
    );
  });

  test("an answer to one token is not shown where another was given meanwhile", async () => {
    const late = Promise.withResolvers<Response>();
    inFront = () => late.promise;
    submit(server.token);
    expect(await showWith(newToken())).toMatch(/^401: /);
    late.resolve(await readAs(server.token));
    await late.promise;
    await window.happyDOM.waitUntilComplete();
    expect([textsOf("#message"), textsOf("#reference")]).toEqual([[expect.stringMatching(/^401: /)], [""]]);
  });
});
