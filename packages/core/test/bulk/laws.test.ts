import fc from "fast-check";
import { ENTERPRISE_USER_URN, type JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import { enterprise, group, user } from "../support/bodies.ts";
import { jobRunner, madeId, outcomes, post } from "../support/bulk.ts";
import { testService, type TestService } from "../support/service.ts";

/** A resource of a job: a User with a manager or none, or a Group with members; each names places in the job. */
type Wish =
  | { readonly kind: "user"; readonly manager: number | null }
  | { readonly kind: "group"; readonly members: readonly number[] };

/** Jobs whose resources refer to any others, to later ones and in circles, and to themselves. */
const jobs: fc.Arbitrary<readonly Wish[]> = fc.integer({ min: 1, max: 14 }).chain((size) => {
  const place = fc.nat(size - 1);
  const wish: fc.Arbitrary<Wish> = fc.oneof(
    fc.record({ kind: fc.constant("user" as const), manager: fc.option(place) }),
    fc.record({ kind: fc.constant("group" as const), members: fc.uniqueArray(place, { maxLength: 4 }) }),
  );
  return fc.array(wish, { minLength: size, maxLength: size });
});

const nameOf = (place: number): string => `n${String(place)}`;

function operationOf(wish: Wish, place: number): JsonObject {
  const name = nameOf(place);
  const to = (other: number): JsonObject => ({ value: `bulkId:${nameOf(other)}` });
  if (wish.kind === "group")
    return post("/Groups", name, group({ displayName: name, members: wish.members.map(to) }));
  const manager = wish.manager === null ? {} : enterprise({ manager: to(wish.manager) });
  return post("/Users", name, user({ userName: name, ...manager }));
}

/** What a resource refers to, as places in the job. */
async function heldBy(tested: TestService, wish: Wish, ids: readonly string[], place: number): Promise<Wish> {
  const placeOf = (reference: JsonObject | undefined): number => ids.indexOf(String(reference?.["value"]));
  const resource = await tested.as().resource(wish.kind === "user" ? "User" : "Group", ids[place] ?? "");
  if (wish.kind === "group") {
    const { members = [] } = resource;
    return { kind: "group", members: (members as readonly JsonObject[]).map(placeOf) };
  }
  const { [ENTERPRISE_USER_URN]: extension = {} } = resource;
  const { manager } = extension as { readonly manager?: JsonObject };
  return { kind: "user", manager: manager === undefined ? null : placeOf(manager) };
}

function inOrder(wish: Wish): Wish {
  return wish.kind === "user" ? wish : { ...wish, members: wish.members.toSorted((a, b) => a - b) };
}

test("R7644-3.7.2-01 R7644-3.7.1-01 a job ends in the state that its references say, whatever their order", async () => {
  await fc.assert(
    fc.asyncProperty(jobs, fc.boolean(), async (wishes, isStrictlyInOrder) => {
      const tested = testService();
      const answers = await jobRunner(tested.service, tested.context())(wishes.map(operationOf), {
        members: isStrictlyInOrder ? { failOnErrors: 1 } : {},
      });
      expect(outcomes(answers)).toEqual(wishes.map(() => "201"));
      expect(answers.map(({ bulkId }) => bulkId)).toEqual(wishes.map((_, place) => nameOf(place)));
      const ids = answers.map(madeId);
      for (const [place, wish] of wishes.entries()) {
        expect(inOrder(await heldBy(tested, wish, ids, place))).toEqual(inOrder(wish));
      }
    }),
  );
});

test("a job in which some resources are bad makes all others, and nothing that refers to a bad one", async () => {
  await fc.assert(
    fc.asyncProperty(jobs, fc.nat(13), async (wishes, chosen) => {
      const bad = chosen % wishes.length;
      const tested = testService();
      const operations = wishes.map((wish, place) =>
        place === bad ? post("/Users", nameOf(place), user({ userName: 1 })) : operationOf(wish, place),
      );
      const answers = await jobRunner(tested.service, tested.context())(operations);
      const doomed = reaching(wishes, bad);
      const made = answers.map(({ status }) => status === 201);
      expect(made).toEqual(wishes.map((_, place) => !doomed.has(place)));
      const [users, groups] = [await tested.as().list("User"), await tested.as().list("Group")];
      expect(users.resources.length + groups.resources.length).toBe(wishes.length - doomed.size);
    }),
  );
});

/** The places from which references lead to a place, and the place itself. */
function reaching(wishes: readonly Wish[], goal: number): ReadonlySet<number> {
  const doomed = new Set([goal]);
  const targets = (wish: Wish): readonly number[] =>
    wish.kind === "group" ? wish.members : wish.manager === null ? [] : [wish.manager];
  for (let before = 0; before < doomed.size;) {
    before = doomed.size;
    for (const [place, wish] of wishes.entries())
      if (targets(wish).some((target) => doomed.has(target))) doomed.add(place);
  }
  return doomed;
}
