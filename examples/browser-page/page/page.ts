/**
 * The page: users of a service, found by the beginning of their names, and switched on and off. The token stays in the
 * memory of the page.
 * @module
 */
import { createScimClient, field, isScimClientError, type ScimClient } from "@scim/client/fetch";

type User = Awaited<ReturnType<ScimClient["users"]["get"]>>;

const MOST_ROWS = 100;

const element = <Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`The page has no '${id}'.`);
  return found;
};
const token = element("token", HTMLInputElement);
const prefix = element("prefix", HTMLInputElement);
const message = element("message", HTMLParagraphElement);
const rows = element("users", HTMLTableSectionElement);

element("search", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  const client = createScimClient({ baseUrl: new URL("/scim/v2", location.href), auth: token.value });
  void show(client);
});

async function show(client: ScimClient): Promise<void> {
  rows.replaceChildren();
  await telling(async () => {
    const filter = prefix.value === "" ? field("userName").pr() : field("userName").sw(prefix.value);
    for await (const user of client.users.list({ filter, sortBy: "userName" })) {
      if (rows.childElementCount === MOST_ROWS) return "There are more: type a longer beginning.";
      rows.append(rowOf(client, user));
    }
    return `${rows.childElementCount} found.`;
  });
}

/** A row of the table. What a service tells is text, never markup. */
function rowOf(client: ScimClient, user: User): HTMLTableRowElement {
  const row = document.createElement("tr");
  for (const text of [user.userName, user.title ?? ""]) row.insertCell().textContent = text;
  const button = document.createElement("button");
  button.textContent = user.active === false ? "Activate" : "Deactivate";
  button.addEventListener("click", () => void toggle(client, user, row));
  row.insertCell().append(button);
  return row;
}

/** Changes the user that the row shows; where somebody else has changed them meanwhile, shows that instead. */
async function toggle(client: ScimClient, user: User, row: HTMLTableRowElement): Promise<void> {
  await telling(async () => {
    try {
      await client.users.patch(user, (p) => p.replace("active", user.active === false));
      return "Done.";
    } catch (error) {
      if (!isScimClientError(error) || error.code !== "versionMismatch") throw error;
      return "Somebody else has changed this user. The row shows how they are now: try again.";
    } finally {
      row.replaceWith(rowOf(client, await client.users.get(user.id)));
    }
  });
}

/** Shows what came of it, and the request id of what failed. */
async function telling(act: () => Promise<string>): Promise<void> {
  message.textContent = "…";
  try {
    message.textContent = await act();
  } catch (error) {
    if (!isScimClientError(error)) throw error;
    const { requestId = null } = error.request ?? {};
    message.textContent = `${error.message} ${error.remedy}${requestId === null ? "" : ` (request ${requestId})`}`;
  }
}
