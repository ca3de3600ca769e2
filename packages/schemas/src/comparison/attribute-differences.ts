/**
 * How an attribute may change: for each characteristic, which changes break clients or stored values.
 * @module
 */
import type { Attribute } from "../attribute.ts";
import type { Mutability, Returned } from "../characteristics.ts";
import { isReferenceCollection, referencedTypes } from "../reference-attributes.ts";
import type { SchemaDifference, SchemaDifferenceKind } from "./difference.ts";

/** The verdict on a change: what it is, and why it breaks something. Null where it breaks nothing. */
interface Verdict {
  readonly what: string;
  readonly breaks: string | null;
}

type Compare = (before: Attribute, after: Attribute) => Verdict | null;

/** The differences of one attribute or sub-attribute; what it holds is compared apart. */
export function attributeDifferences(
  path: string,
  before: Attribute,
  after: Attribute,
): readonly SchemaDifference[] {
  return RULES.flatMap(([kind, compare]) => {
    const verdict = compare(before, after);
    if (verdict === null) return [];
    const { what, breaks } = verdict;
    const message = breaks === null ? what : `${what}: ${breaks}`;
    return [{ path, kind, breaking: breaks !== null, message }];
  });
}

/** A new attribute: it breaks something where clients must give it. */
export function additionOf(path: string, attribute: Attribute): SchemaDifference {
  const isDemanded = attribute.required && attribute.mutability !== "readOnly";
  return {
    path,
    kind: "added",
    breaking: isDemanded,
    message: isDemanded
      ? "is new and required: clients do not send it, and stored resources lack it"
      : "is new",
  };
}

/** An attribute that is gone. */
export function removalOf(path: string): SchemaDifference {
  return {
    path,
    kind: "removed",
    breaking: true,
    message: "is removed: clients that read or write it fail, and its stored values are lost",
  };
}

const RULES: readonly (readonly [SchemaDifferenceKind, Compare])[] = [
  [
    "name",
    (before, after) =>
      before.name === after.name
        ? null
        : {
            what: `is spelled "${after.name}", was "${before.name}"`,
            breaks: "values are stored and answered under the old spelling",
          },
  ],
  [
    "type",
    (before, after) =>
      before.type === after.type
        ? null
        : { what: changed("type", before.type, after.type), breaks: "values of the old type no longer fit" },
  ],
  [
    "multiValued",
    ({ multiValued: was }, { multiValued: is }) =>
      was === is
        ? null
        : {
            what: is ? "holds a list, held one value" : "holds one value, held a list",
            breaks: "clients and stored values have the old form",
          },
  ],
  ["required", compareRequired],
  ["canonicalValues", compareCanonicalValues],
  [
    "caseExact",
    ({ caseExact: was, type }, { caseExact: is }) =>
      was === is || type !== "string"
        ? null
        : {
            what: is ? "tells letter case apart, did not" : "no longer tells letter case apart",
            breaks: "filters find other values, and unique values may clash",
          },
  ],
  ["mutability", compareMutability],
  ["returned", compareReturned],
  ["uniqueness", compareUniqueness],
  ["referenceTypes", compareReferenceTypes],
  ["references", compareReferences],
  [
    "description",
    (before, after) =>
      before.description === after.description ? null : { what: "has another description", breaks: null },
  ],
];

function changed(characteristic: string, was: string, is: string): string {
  return `has ${characteristic} ${is}, was ${was}`;
}

function compareRequired(before: Attribute, after: Attribute): Verdict | null {
  if (before.required === after.required) return null;
  if (!after.required) return { what: "is no longer required", breaks: null };
  const isDemanded = after.mutability !== "readOnly";
  return {
    what: "is required, was optional",
    breaks: isDemanded ? "clients that leave it out are refused, and stored resources may lack it" : null,
  };
}

function compareCanonicalValues(before: Attribute, after: Attribute): Verdict | null {
  const key = (value: string): string => (after.caseExact ? value : value.toLowerCase());
  const [was, is] = [new Set(before.canonicalValues.map(key)), new Set(after.canonicalValues.map(key))];
  const gone = before.canonicalValues.filter((value) => !is.has(key(value)));
  const come = after.canonicalValues.filter((value) => !was.has(key(value)));
  if (gone.length === 0 && come.length === 0) return null;
  if (is.size === 0) return { what: "no longer has canonical values", breaks: null };
  if (was.size === 0) {
    return {
      what: "has canonical values, had none",
      breaks: "values beside them are refused where canonical values are enforced",
    };
  }
  if (gone.length === 0) return { what: `has the new canonical values ${come.join(", ")}`, breaks: null };
  return {
    what: `no longer has the canonical values ${gone.join(", ")}`,
    breaks: "they are refused where canonical values are enforced",
  };
}

/** What clients may do with a value grows from left to right. */
const FREEDOM: readonly Mutability[] = ["readOnly", "immutable", "readWrite"];

function compareMutability({ mutability: was }: Attribute, { mutability: is }: Attribute): Verdict | null {
  if (was === is) return null;
  return { what: changed("mutability", was, is), breaks: mutabilityBreaks(was, is) };
}

function mutabilityBreaks(was: Mutability, is: Mutability): string | null {
  if (is === "writeOnly") return "clients can no longer read it";
  if (was === "writeOnly") return "values given in confidence would be shown";
  return FREEDOM.indexOf(is) < FREEDOM.indexOf(was) ? "clients that write it are refused" : null;
}

/** How readily a value is shown grows from left to right. */
const READINESS: readonly Returned[] = ["never", "request", "default", "always"];

function compareReturned(before: Attribute, after: Attribute): Verdict | null {
  const { returned: was } = before;
  const { returned: is } = after;
  // That a writeOnly value is never returned is no change of its own.
  if (was === is || (before.mutability === "writeOnly") !== (after.mutability === "writeOnly")) return null;
  const isLess = READINESS.indexOf(is) < READINESS.indexOf(was);
  const breaks = was === "never" ? "values given in confidence would be shown" : null;
  return {
    what: changed("returned", was, is),
    breaks: isLess ? "clients that rely on it in answers no longer find it" : breaks,
  };
}

function compareUniqueness({ uniqueness: was }: Attribute, { uniqueness: is }: Attribute): Verdict | null {
  if (was === is) return null;
  return {
    what: changed("uniqueness", was, is),
    breaks: is === "none" ? null : "stored values were not kept unique in this way",
  };
}

function compareReferenceTypes(before: Attribute, after: Attribute): Verdict | null {
  const { referenceTypes: was } = before;
  const { referenceTypes: is } = after;
  const gone = was.filter((type) => !is.includes(type));
  const come = is.filter((type) => !was.includes(type));
  if (gone.length === 0 && come.length === 0) return null;
  if (is.length === 0) return { what: "may refer to anything", breaks: null };
  if (was.length === 0) {
    return {
      what: `may refer to ${is.join(", ")} only`,
      breaks: "references to anything else no longer fit",
    };
  }
  if (gone.length === 0) return { what: `may refer to ${come.join(", ")} too`, breaks: null };
  return { what: `may no longer refer to ${gone.join(", ")}`, breaks: "such references no longer fit" };
}

/** What an attribute refers to, and whether clients write the references, decides how they are kept. */
function compareReferences(before: Attribute, after: Attribute): Verdict | null {
  if (before.type !== after.type) return null;
  const [was, is] = [referencedTypes(before).length > 0, referencedTypes(after).length > 0];
  const breaks = "its values are kept in another way";
  if (was !== is)
    return { what: is ? "refers to resources, did not" : "no longer refers to resources", breaks };
  if (isReferenceCollection(before) === isReferenceCollection(after)) return null;
  const isWritten = isReferenceCollection(after);
  const list = "a list of references that clients write";
  return { what: isWritten ? `is ${list}, was none` : `is no longer ${list}`, breaks };
}
