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

/** Another search ends the one before, or the rows of both would stand side by side. */
let searching: AbortController | null = null;

element("search", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  searching?.abort();
  searching = new AbortController();
  void show(searching.signal);
});

async function show(signal: AbortSignal): Promise<void> {
  rows.replaceChildren();
  await telling(async () => {
    // Refuses a token that is none.
    const client = createScimClient({
      baseUrl: new URL("/scim/v2", location.href),
      auth: token.value.trim(),
    });
    const filter = prefix.value === "" ? field("userName").pr() : field("userName").sw(prefix.value);
    for await (const user of client.users.list({ filter, sortBy: "userName", signal })) {
      if (rows.childElementCount === MOST_ROWS) return "There are more: type a longer beginning.";
      rows.append(rowOf(client, user));
    }
    return `${rows.childElementCount} found.`;
  });
}

/** A row of the table, which stays the same when the user changes, so that the keyboard stays at its button. */
function rowOf(client: ScimClient, user: User): HTMLTableRowElement {
  const row = document.createElement("tr");
  const [name, title] = [row.insertCell(), row.insertCell()];
  const button = document.createElement("button");
  row.insertCell().append(button);
  const fill = (shown: User): void => {
    // What a service tells is text, never markup.
    name.textContent = shown.userName;
    title.textContent = shown.title ?? "";
    button.textContent = shown.active === false ? "Activate" : "Deactivate";
    // Once: who presses twice means one change.
    button.addEventListener("click", () => void toggle(client, shown).then(fill), { once: true });
  };
  fill(user);
  return row;
}

/** Changes a user and tells how they are now; where somebody else has changed them meanwhile, only that. */
async function toggle(client: ScimClient, user: User): Promise<User> {
  let now = user;
  await telling(async () => {
    try {
      await client.users.patch(user, (p) => p.replace("active", user.active === false));
      return "Done.";
    } catch (error) {
      if (!isScimClientError(error) || error.code !== "versionMismatch") throw error;
      return "Somebody else has changed this user. The row shows how they are now: try again.";
    } finally {
      now = await client.users.get(user.id);
    }
  });
  return now;
}

/** Shows what came of it, and the request id of what failed. */
async function telling(act: () => Promise<string>): Promise<void> {
  message.textContent = "…";
  try {
    message.textContent = await act();
  } catch (error) {
    if (!isScimClientError(error)) throw error;
    if (error.code === "aborted") return;
    const { requestId = null } = error.request ?? {};
    message.textContent = `${error.message} ${error.remedy}${requestId === null ? "" : ` (request ${requestId})`}`;
  }
}
