/**
 * The errors that an operation can answer with, as responses made from the error table.
 * @module
 */
import { ERROR_CODES, type ErrorCode, type ErrorCodeRow } from "@scim/schemas";
import {
  refer,
  type Content,
  type Reference,
  type Responses,
  type Response,
  type Schema,
} from "./document-types.ts";

/** What happens at an address, as far as its errors are concerned. */
export type ErrorCase =
  | "query"
  | "search"
  | "create"
  | "read"
  | "replace"
  | "patch"
  | "delete"
  | "bulk"
  | "diagnostics"
  | "discoveryList"
  | "discoveryItem"
  | "createMe";

/** Every request may meet these. */
const ALWAYS: readonly ErrorCode[] = [
  "unauthorized",
  "forbidden",
  "tooManyRequests",
  "headersTooLarge",
  "internal",
  "unavailable",
];
/** Where the answer has a body. */
const ANSWERED: readonly ErrorCode[] = ["notAcceptable"];
/** Where the request has a body. */
const BODIED: readonly ErrorCode[] = [
  "invalidSyntax",
  "invalidValue",
  "payloadTooLarge",
  "unsupportedMediaType",
];
const QUERIED: readonly ErrorCode[] = [
  "invalidFilter",
  "tooMany",
  "invalidPath",
  "invalidValue",
  "invalidSyntax",
  "invalidCursor",
  "expiredCursor",
  "invalidCount",
];
/** Where a condition may stand that does not hold, or is malformed: what has no version is none that one names. */
const UNTAGGED: readonly ErrorCode[] = ["invalidSyntax", "versionMismatch"];
const CONDITIONAL: readonly ErrorCode[] = [...UNTAGGED, "notFound"];

/** Codes by case, beside those that every request may meet. */
const CODES: Readonly<Record<ErrorCase, readonly ErrorCode[]>> = {
  query: [...ANSWERED, ...QUERIED, ...UNTAGGED, "sensitive"],
  search: [...ANSWERED, ...BODIED, ...QUERIED, ...UNTAGGED],
  create: [...ANSWERED, ...BODIED, ...UNTAGGED, "mutability", "tooMany", "uniqueness"],
  read: [...ANSWERED, ...CONDITIONAL, "invalidValue"],
  replace: [...ANSWERED, ...BODIED, ...CONDITIONAL, "mutability", "tooMany", "uniqueness"],
  patch: [
    ...ANSWERED,
    ...BODIED,
    ...CONDITIONAL,
    "mutability",
    "invalidPath",
    "invalidFilter",
    "noTarget",
    "tooMany",
    "uniqueness",
  ],
  delete: [...CONDITIONAL, "invalidValue", "notAcceptable"],
  bulk: [...ANSWERED, ...BODIED, ...UNTAGGED, "tooMany"],
  diagnostics: [
    ...ANSWERED,
    ...UNTAGGED,
    "notFound",
    "invalidFilter",
    "invalidCursor",
    "expiredCursor",
    "invalidCount",
  ],
  discoveryList: [...ANSWERED, ...UNTAGGED],
  discoveryItem: [...ANSWERED, ...CONDITIONAL],
  createMe: ["notImplemented"],
};

/** Changes that a version may be asked for. */
const VERSIONED: ReadonlySet<ErrorCase> = new Set(["replace", "patch", "delete"]);

/** The component responses of a document, collected while its operations are described. */
export interface ErrorResponses {
  /** The errors of a case, by status. */
  of(errorCase: ErrorCase): Responses;
  /** The same at `/Me`, where errors tell the address of the resource too. */
  ofMe(errorCase: ErrorCase): Responses;
  /** Components that the responses refer to. */
  components(): Readonly<Record<string, Response>>;
}

/** Makes the error responses of a document. */
export function createErrorResponses(versionRequired: boolean): ErrorResponses {
  const components = new Map<string, Response>();
  /** By case: every resource type has the same ones. */
  const known = new Map<string, Responses>();
  const responsesOf = (errorCase: ErrorCase, prefix: "" | "Me"): Responses => {
    const key = `${prefix}${errorCase}`;
    const collected = known.get(key) ?? collect(errorCase, prefix);
    known.set(key, collected);
    return collected;
  };
  const collect = (errorCase: ErrorCase, prefix: "" | "Me"): Responses => {
    const required: readonly ErrorCode[] =
      versionRequired && VERSIONED.has(errorCase) ? ["versionRequired"] : [];
    const byStatus = groupByStatus([...ALWAYS, ...CODES[errorCase], ...required]);
    const responses: Record<string, Reference> = {};
    for (const [status, codes] of byStatus) {
      const name = `${prefix}${componentName(errorCase, status, codes)}`;
      components.set(name, errorResponse(codes, prefix === "Me" ? ["Location"] : []));
      responses[String(status)] = refer("responses", name);
    }
    return responses;
  };
  return {
    of: (errorCase) => responsesOf(errorCase, ""),
    ofMe: (errorCase) => responsesOf(errorCase, "Me"),
    components: () =>
      Object.fromEntries([...components].toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** Codes by status, both in the order of the table. */
function groupByStatus(wanted: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> {
  const known = new Set(wanted);
  // The keys of the table are the codes.
  const codes = (Object.keys(ERROR_CODES) as readonly ErrorCode[]).filter((code) => known.has(code));
  return Map.groupBy(codes, (code) => ERROR_CODES[code].status);
}

/** One code gives its own name; a set of them that of the operation: `NotFound`, `CreateBadRequest`. */
function componentName(errorCase: ErrorCase, status: number, codes: readonly ErrorCode[]): string {
  const [only, ...others] = codes;
  if (only !== undefined && others.length === 0) return capital(only);
  return `${capital(errorCase)}${status}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Headers by code, beyond the content. */
const HEADERS: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  unauthorized: ["WWW-Authenticate"],
  forbidden: ["WWW-Authenticate"],
  versionMismatch: ["ETag"],
  versionRequired: ["ETag"],
  tooManyRequests: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  unavailable: ["Retry-After"],
};

function errorResponse(codes: readonly ErrorCode[], more: readonly string[]): Response {
  const headers = [...new Set([...codes.flatMap((code) => HEADERS[code] ?? []), ...more])];
  return {
    description: codes.map(describe).join("\n\n"),
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers.map((name) => [name, refer("headers", name)])) }),
    content: errorContent(codes),
  };
}

function describe(code: ErrorCode): string {
  const { cause, remedy, section }: ErrorCodeRow = ERROR_CODES[code];
  return `\`${code}\`: ${cause} ${remedy} (${section})`;
}

/** The keywords that the codes have narrow `scimType`. */
function errorContent(codes: readonly ErrorCode[]): Content {
  const rows: readonly ErrorCodeRow[] = codes.map((code) => ERROR_CODES[code]);
  const keywords = [...new Set(rows.flatMap(({ scimType }) => scimType ?? []))];
  const base = refer("schemas", codes.some(isAboutVersions) ? "Scim.VersionError" : "Scim.Error");
  const schema: Schema =
    keywords.length === 0 ? base : { ...base, properties: { scimType: { enum: keywords } } };
  return { "application/scim+json": { schema } };
}

/** Their bodies tell the version too. */
function isAboutVersions(code: ErrorCode): boolean {
  return code === "versionMismatch" || code === "versionRequired";
}
