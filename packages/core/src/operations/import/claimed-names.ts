/**
 * Tells records apart that could only mean one resource by a name that is not unique, such as the `displayName` of a
 * Group: of these the first counts. What they mean follows from the source alone, so that each run, each batch and each
 * trial finds the same.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { ImportRules } from "./import-request.ts";
import { isName, type Identity, type ReadItem } from "./read-item.ts";

/**
 * Keeps the name of an item.
 * @returns the item, which knows of a record before that has nothing but the same name
 * @throws ScimError `uniqueness` where the item itself has nothing but a name that a record before has
 */
export function claimName(read: ReadItem, { seen }: Pick<ImportRules, "seen">): ReadItem {
  const { item, model, id, identities } = read;
  const name = identities.at(-1);
  if (name === undefined || !isName(name)) return read;
  const text = `${name.node.path} of ${model.name} ${name.key}`;
  const first = seen.add(`name ${text}`, item.record) ?? item.record;
  if (identities.length === 1) {
    if (id === null && first < item.record) throw namesake(read, { ...name, claimedBy: first });
    seen.add(`name alone ${text}`, item.record);
    return read;
  }
  const alone = seen.find(`name alone ${text}`) ?? item.record;
  if (alone >= item.record) return read;
  return { ...read, identities: [...identities.slice(0, -1), { ...name, claimedBy: alone }] };
}

/** A record before means what an item means by its name. */
export function namesake({ model }: Pick<ReadItem, "model">, { node, claimedBy }: Identity): ScimError {
  return new ScimError(
    "uniqueness",
    `Record ${claimedBy} means the same ${model.name} by attribute '${node.path}': give both an externalId where they are two.`,
  );
}
