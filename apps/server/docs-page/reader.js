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

/** @param {string} token */
async function load(token) {
  tell("Reading …", false);
  // What one token was shown, another may not read.
  for (const part of ["#contents", "#reference"]) document.querySelector(part)?.replaceChildren();
  try {
    const answer = await fetch("openapi.json", { headers: { authorization: `Bearer ${token}` } });
    if (answer.ok) show(await documentOf(answer));
    else tell(`${answer.status}: ${await detailOf(answer)}`, true);
  } catch (error) {
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
 * What a SCIM Error tells.
 * @param {Response} answer
 * @returns {Promise<string>}
 */
async function detailOf(answer) {
  const error = /** @type {{ readonly detail?: string }} */ (await answer.json());
  return error.detail ?? answer.statusText;
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

/** Opens what the fragment of the address names. */
function unfold() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (place instanceof HTMLDetailsElement) place.open = true;
}
