import { bindFilter, evaluateFilter, parseFilter } from "@scim/filter";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resolverOf } from "../resolver.ts";

/** Every filter of this file is about attributes of this extension. */
const URN = "urn:example:params:scim:schemas:extension:test:2.0:User";

type Plain = string | number | boolean;
/** A resource's extension, or one value of its list `items`. */
type Holder = Readonly<Record<string, unknown>>;

/** A filter as text, and what RFC 7644 §3.4.2.2 says that it means, in plain words. */
interface Meant {
  readonly text: string;
  readonly means: (holder: Holder) => boolean;
}

/** What may be compared, and as what. */
interface Type {
  readonly values: readonly Plain[];
  readonly operators: readonly Operator[];
  readonly as: (value: Plain) => Plain;
}

const OPERATORS = {
  eq: (left: Plain, right: Plain) => left === right,
  ne: (left: Plain, right: Plain) => left !== right,
  gt: (left: Plain, right: Plain) => left > right,
  ge: (left: Plain, right: Plain) => left >= right,
  lt: (left: Plain, right: Plain) => left < right,
  le: (left: Plain, right: Plain) => left <= right,
  co: (left: Plain, right: Plain) => String(left).includes(String(right)),
  sw: (left: Plain, right: Plain) => String(left).startsWith(String(right)),
  ew: (left: Plain, right: Plain) => String(left).endsWith(String(right)),
};
type Operator = keyof typeof OPERATORS;

const EQUALITY: readonly Operator[] = ["eq", "ne"];
const ORDER: readonly Operator[] = [...EQUALITY, "gt", "ge", "lt", "le"];
const ANY: readonly Operator[] = [...ORDER, "co", "sw", "ew"];
const WORDS = ["a", "A", "ab", "b", "É", "é", ""];
/** Seconds behind the first of them. */
const INSTANTS = new Map<Plain, number>([
  ["2020-01-01T00:00:00Z", 0],
  ["2020-01-01T01:00:00+01:00", 0],
  ["2020-01-01T00:00:00", 0],
  ["2020-01-01T00:00:00.50Z", 0.5],
  ["2019-12-31T23:59:59Z", -1],
]);

const asItIs = (value: Plain): Plain => value;
const TEXT: Type = { values: WORDS, operators: ANY, as: (value) => String(value).toLowerCase() };
const EXACT: Type = { values: WORDS, operators: ANY, as: asItIs };
const INTEGER: Type = { values: [-1, 0, 1, 10], operators: ORDER, as: asItIs };
const DECIMAL: Type = { values: [-1.5, 0, 0.5, 10], operators: ORDER, as: asItIs };
const BOOLEAN: Type = { values: [true, false], operators: EQUALITY, as: asItIs };
const INSTANT: Type = {
  values: [...INSTANTS.keys()],
  operators: ORDER,
  as: (value) => INSTANTS.get(value) ?? NaN,
};

const ATTRIBUTES = { age: INTEGER, score: DECIMAL, flag: BOOLEAN, joined: INSTANT, code: EXACT } as const;
const LISTS = { tags: TEXT, codes: EXACT, nums: INTEGER } as const;
const PARTS = {
  value: TEXT,
  kind: EXACT,
  qty: INTEGER,
  active: BOOLEAN,
  since: INSTANT,
} as const;

/** A test of the values that a holder has: any of them may meet it, and `ne` holds where there is none. */
function comparisons(
  name: string,
  type: Type,
  valuesOf: (holder: Holder) => readonly Plain[],
): fc.Arbitrary<Meant> {
  const isPresent = (holder: Holder): boolean => valuesOf(holder).some((value) => value !== "");
  const presence: readonly Meant[] = [
    { text: `${name} pr`, means: isPresent },
    { text: `${name} ne null`, means: isPresent },
    { text: `${name} eq null`, means: (holder) => !isPresent(holder) },
  ];
  const comparison = fc
    .tuple(fc.constantFrom(...type.operators), fc.constantFrom(...type.values))
    .map(([operator, literal]): Meant => {
      const holds = OPERATORS[operator];
      return {
        text: `${name} ${operator} ${JSON.stringify(literal)}`,
        means: (holder) => {
          const values = valuesOf(holder);
          return values.length === 0
            ? operator === "ne"
            : values.some((value) => holds(type.as(value), type.as(literal)));
        },
      };
    });
  return fc.oneof(
    { arbitrary: comparison, weight: 5 },
    { arbitrary: fc.constantFrom(...presence), weight: 1 },
  );
}

/** Terms joined by `and`, joined by `or`, as the grammar has them: a term in brackets is a filter again. */
function combined(term: fc.Arbitrary<Meant>): fc.Arbitrary<Meant> {
  const { filter } = fc.letrec<{ filter: Meant; term: Meant }>((tie) => ({
    filter: fc
      .array(fc.array(tie("term"), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
      .map((either) => ({
        text: either.map((all) => all.map(({ text }) => text).join(" and ")).join(" or "),
        means: (holder) => either.some((all) => all.every(({ means }) => means(holder))),
      })),
    term: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      term,
      tie("filter").map(({ text, means }) => ({ text: `(${text})`, means })),
      tie("filter").map(({ text, means }) => ({
        text: `not (${text})`,
        means: (holder: Holder) => !means(holder),
      })),
    ),
  }));
  return filter;
}

function held(holder: Holder, name: string): readonly Plain[] {
  return [holder[name] ?? []].flat() as Plain[];
}

function itemsOf(holder: Holder): readonly Holder[] {
  return (holder["items"] ?? []) as readonly Holder[];
}

/** A missing `primary` is false (RFC 7643 §2.4). */
const PRIMARY: readonly Meant[] = [
  { text: "primary eq true", means: (item) => item["primary"] === true },
  { text: "primary ne true", means: (item) => item["primary"] !== true },
  { text: "primary pr", means: (item) => item["primary"] !== undefined },
];

const inBrackets = combined(
  fc.oneof(
    ...Object.entries(PARTS).map(([name, type]) => comparisons(name, type, (item) => held(item, name))),
    fc.constantFrom(...PRIMARY),
  ),
);

const filters = combined(
  fc.oneof(
    ...Object.entries({ ...ATTRIBUTES, ...LISTS }).map(([name, type]) =>
      comparisons(`${URN}:${name}`, type, (holder) => held(holder, name)),
    ),
    ...Object.entries(PARTS).map(([name, type]) =>
      comparisons(`${URN}:items.${name}`, type, (holder) =>
        itemsOf(holder).flatMap((item) => held(item, name)),
      ),
    ),
    inBrackets.map(({ text, means }) => ({
      text: `${URN}:items[${text}]`,
      means: (holder: Holder) => itemsOf(holder).some(means),
    })),
  ),
);

function some(
  types: Readonly<Record<string, Type>>,
  lists: Readonly<Record<string, Type>>,
): fc.Arbitrary<Holder> {
  const members = [
    ...Object.entries(types).map(([name, { values }]) => [name, fc.constantFrom(...values)] as const),
    ...Object.entries(lists).map(
      ([name, { values }]) => [name, fc.array(fc.constantFrom(...values), { maxLength: 2 })] as const,
    ),
  ];
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

const holders = fc
  .tuple(some(ATTRIBUTES, LISTS), fc.array(some({ ...PARTS, primary: BOOLEAN }, {}), { maxLength: 3 }))
  .map(([values, items]): Holder => ({ ...values, items }));

test("R7644-3.4.2.2-02, R7644-3.4.2.2-05, R7644-F-10, R7644-F-12 a filter of any shape over attributes of any type finds what it says", () => {
  fc.assert(
    fc.property(filters, fc.array(holders, { minLength: 4, maxLength: 4 }), ({ text, means }, samples) => {
      const bound = bindFilter(parseFilter(text), resolverOf("User"));
      expect(samples.map((sample) => evaluateFilter(bound, { [URN]: sample }))).toEqual(samples.map(means));
    }),
    { numRuns: 200 },
  );
});
