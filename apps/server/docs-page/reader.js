/**
 * The page: asks for a token, reads `openapi.json` with it and shows the document. The token is held by the
 * form alone: it stands in no address and in no storage.
 * @module
 */
import { element, paragraph } from "./element.js";
import { operationsOf, operationView } from "./operation-view.js";
import { schemaId, schemaTree } from "./schema-tree.js";

/** @import { OpenApiDocument } from "./document.d.ts" */

document.querySelector("#token-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = document.querySelector("#token");
  if (input instanceof HTMLInputElement) void load(input.value.trim());
});
addEventListener("hashchange", unfold);
// A link to where the address is already changes nothing that is told of.
document.addEventListener("click", ({ target }) => {
  if (target instanceof HTMLAnchorElement && target.hash === location.hash) unfold();
});

/**
 * What is being read. What is asked for with another token ends it, or it would be shown after all.
 * @type {AbortController | null}
 */
let reading = null;

/** @param {string} token */
async function load(token) {
  reading?.abort();
  reading = new AbortController();
  const { signal } = reading;
  tell("Reading …", false);
  // What one token was shown, another may not read.
  for (const part of ["#contents", "#reference"]) document.querySelector(part)?.replaceChildren();
  try {
    const answer = await fetch("openapi.json", { headers: { authorization: `Bearer ${token}` }, signal });
    if (answer.ok) show(await documentOf(answer));
    else tell(`${answer.status}: ${await detailOf(answer)}`, true);
  } catch (error) {
    if (!signal.aborted)
      tell(`The document cannot be read: ${error instanceof Error ? error.message : String(error)}`, true);
  }
}

/**
 * @param {Response} answer
 * @returns {Promise<OpenApiDocument>}
 */
async function documentOf(answer) {
  // The server makes nothing else at this address.
  return /** @type {OpenApiDocument} */ (await answer.json());
}

/**
 * What a SCIM Error tells. Proxies in front of the server answer in words of their own, or in none.
 * @param {Response} answer
 * @returns {Promise<string>}
 */
async function detailOf(answer) {
  const text = await answer.text();
  try {
    const { detail } = /** @type {{ readonly detail?: unknown }} */ (JSON.parse(text));
    if (typeof detail === "string") return detail;
  } catch {
    // Told below.
  }
  return "The answer does not say why. It may come from a proxy in front of the server.";
}

/**
 * @param {string} text
 * @param {boolean} isError
 */
function tell(text, isError) {
  const message = document.querySelector("#message");
  message?.replaceChildren(text);
  message?.classList.toggle("error", isError);
}

/** @param {OpenApiDocument} api */
function show(api) {
  const operations = operationsOf(api);
  const groups = api.tags.map((tag) => ({
    ...tag,
    placed: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const schemas = Object.entries(api.components.schemas);
  document.querySelector("#contents")?.replaceChildren(
    ...groups.map(({ name, placed }) =>
      contents(
        name,
        placed.map(({ operation }) => [operation.operationId, operation.summary]),
      ),
    ),
    contents(
      "Schemas",
      schemas.map(([name]) => [schemaId(name), name]),
    ),
  );
  document
    .querySelector("#reference")
    ?.replaceChildren(
      paragraph(api.info.description),
      paragraph(`Base address: \`${api.servers[0]?.url ?? ""}\``),
      ...groups.flatMap(({ name, description, placed }) => [
        element("h2", {}, [name]),
        paragraph(description),
        ...placed.map((each) => operationView(api, each)),
      ]),
      element("h2", {}, ["Schemas"]),
      ...schemas.map(([name, schema]) =>
        element("details", { id: schemaId(name) }, [element("summary", {}, [name]), schemaTree(schema)]),
      ),
    );
  tell(`${operations.length} operations, ${schemas.length} schemas.`, false);
  unfold();
}

/**
 * @param {string} title
 * @param {readonly (readonly [id: string, text: string])[]} links
 */
function contents(title, links) {
  return element("section", {}, [
    element("strong", {}, [title]),
    element(
      "ul",
      {},
      links.map(([id, text]) => element("li", {}, [element("a", { href: `#${id}` }, [text])])),
    ),
  ]);
}

/** Opens what the fragment of the address names, and goes there: a browser went when there was nothing yet. */
function unfold() {
  const place = document.getElementById(fragment());
  if (!(place instanceof HTMLDetailsElement)) return;
  place.open = true;
  place.scrollIntoView();
  place.querySelector("summary")?.focus({ preventScroll: true });
}

/** The fragment of the address; as it stands there where it is no encoded text, such as a single `%`. */
function fragment() {
  const written = location.hash.slice(1);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
