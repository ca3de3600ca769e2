import {
  ENTERPRISE_USER_URN,
  ScimError,
  type JsonObject,
  type JsonValue,
  type SchemaRegistry,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createProfile, type ResourceStore, type WritePlan } from "../../src/index.ts";
import { enterprise, group, user } from "../support/bodies.ts";
import { jobRunner, madeId, outcomes, post } from "../support/bulk.ts";
import { testService, type TestService, type TestServiceOptions } from "../support/service.ts";
import { interceptingStore } from "../support/store-wrappers.ts";

/** URN of a type that must have a holder, and may have friends. */
const PART_URN = "urn:example:params:scim:schemas:core:2.0:Part";

const reference = (name: string, characteristics: JsonObject): JsonObject => ({
  name,
  type: "complex",
  ...characteristics,
  subAttributes: [
    { name: "value", type: "string", caseExact: true, required: true },
    { name: "$ref", type: "reference", referenceTypes: ["Part"], caseExact: true },
  ],
});

function addParts(registry: SchemaRegistry): void {
  registry.addSchema({
    id: PART_URN,
    name: "Part",
    attributes: [
      { name: "displayName", type: "string", uniqueness: "server" },
      reference("holder", { required: true }),
      reference("friends", { multiValued: true }),
      reference("needs", { multiValued: true }),
      reference("origin", { mutability: "immutable" }),
    ],
  });
  registry.addResourceType({ name: "Part", endpoint: "/Parts", schema: PART_URN });
}

const part = (name: string, members: JsonObject): JsonObject =>
  post("/Parts", name, { schemas: [PART_URN], displayName: name, ...members });

const to = (name: string): JsonObject => ({ value: `bulkId:${name}` });

const named = (name: string, ...members: readonly string[]): JsonObject =>
  post("/Groups", name, group({ displayName: name, members: members.map(to) }));

/** A service whose store lets something happen before a write. */
function intercepted(before: (plan: WritePlan, tested: TestService) => Promise<void> | void): TestService {
  const options: TestServiceOptions = {
    wrap: (store: ResourceStore) =>
      interceptingStore(store, async (plan) => {
        await before(plan, tested);
        return null;
      }),
  };
  const tested = testService(addParts, options);
  return tested;
}

async function membersOf(tested: TestService, id: string): Promise<readonly string[]> {
  const { members = [] } = await tested.as().resource("Group", id);
  return (members as readonly JsonObject[]).map(({ value }) => String(value)).toSorted();
}

describe("R7644-3.7.1-01 resources that refer to each other are made without the references, then get them", () => {
  test("two groups, members of each other: both 201, with the version that they have now", async () => {
    const tested = testService();
    const answers = await jobRunner(tested.service, tested.context())([named("a", "b"), named("b", "a")]);
    expect(outcomes(answers)).toEqual(["201", "201"]);
    const [a = "", b = ""] = answers.map(madeId);
    expect([await membersOf(tested, a), await membersOf(tested, b)]).toEqual([[b], [a]]);
    for (const [index, id] of [a, b].entries()) {
      expect((await tested.as().get("Group", id)).version).toBe(answers[index]?.version);
    }
  });

  test("users who are each other's manager, in an extension", async () => {
    const tested = testService();
    const managed = (name: string, manager: string): JsonObject =>
      post(
        "/Users",
        name,
        user({ userName: name, ...enterprise({ manager: to(manager), department: "x" }) }),
      );
    const answers = await jobRunner(tested.service, tested.context())([managed("a", "b"), managed("b", "a")]);
    expect(outcomes(answers)).toEqual(["201", "201"]);
    const [a = "", b = ""] = answers.map(madeId);
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { [ENTERPRISE_USER_URN]: values } = await tested.as().resource("User", one);
      expect(values).toMatchObject({ department: "x", manager: { value: other } });
    }
  });

  test("R7644-3.7.1-02 a resource that refers to itself", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([post("/Users", "u", user(enterprise({ manager: to("u") }))), named("g", "g")]);
    expect(outcomes(answers)).toEqual(["201", "201"]);
    expect(await tested.as().resource("User", "id-1")).toMatchObject({
      [ENTERPRISE_USER_URN]: { manager: { value: "id-1" } },
    });
    expect(await membersOf(tested, "id-2")).toEqual(["id-2"]);
  });

  test("R7644-3.7.1-03 a circle of 50 groups, others beside it; membership is computed to its end", async () => {
    const tested = testService(undefined, { limits: { groups: "transitive" } });
    const size = 50;
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/Groups", "outside", group({ displayName: "outside", members: [to("g7")] })),
      ...Array.from({ length: size }, (_, index) =>
        named(`g${String(index)}`, `g${String((index + 1) % size)}`, "u"),
      ),
      post("/Users", "u", user()),
    ]);
    expect(new Set(outcomes(answers))).toEqual(new Set(["201"]));
    const ids = answers.map(madeId);
    const person = ids.at(-1) ?? "";
    for (let index = 0; index < size; index += 1) {
      const next = ids[1 + ((index + 1) % size)] ?? "";
      expect(await membersOf(tested, ids[1 + index] ?? "")).toEqual([next, person].toSorted());
    }
    expect(await membersOf(tested, ids[0] ?? "")).toEqual([ids[8]]);
    const { groups } = await tested.as().resource("User", person);
    expect(groups).toHaveLength(size + 1);
  });

  test("one that must refer to another is made after it, whatever their order", async () => {
    const tested = testService(addParts);
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      part("a", { holder: to("b"), friends: [to("c")] }),
      part("b", { holder: to("c"), friends: [to("b")] }),
      part("c", { holder: { value: "x" }, friends: [to("a"), to("b"), { value: "y" }] }),
    ]);
    expect(outcomes(answers)).toEqual(["201", "201", "201"]);
    const [a = "", b = "", c = ""] = answers.map(madeId);
    expect(await tested.as().resource("Part", a)).toMatchObject({
      holder: { value: b },
      friends: [{ value: c }],
    });
    expect(await tested.as().resource("Part", b)).toMatchObject({
      holder: { value: c },
      friends: [{ value: b }],
    });
    const { friends } = await tested.as().resource("Part", c);
    const held = new Set((friends as readonly JsonObject[]).map(({ value }) => value));
    expect(held).toEqual(new Set([a, b, "y"]));
  });

  test("an immutable reference that closes the circle is set once", async () => {
    const tested = testService(addParts);
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([part("a", { holder: { value: "x" }, origin: to("b") }), part("b", { holder: to("a") })]);
    expect(outcomes(answers)).toEqual(["201", "201"]);
    const [a = "", b = ""] = answers.map(madeId);
    expect(await tested.as().resource("Part", a)).toMatchObject({ origin: { value: b } });
  });

  test("under require-version too, and with tolerances told once", async () => {
    const tested = testService();
    const careful = createProfile("careful", ["require-version", "string-booleans"]);
    const answers = await jobRunner(
      tested.service,
      tested.context(careful),
    )([post("/Users", "u", user({ active: "True", ...enterprise({ manager: to("u") }) }))]);
    expect(outcomes(answers)).toEqual(["201"]);
    expect(tested.fired).toEqual(["string-booleans active"]);
  });
});

describe("R7644-3.7.1-01 a circle that cannot be closed is no resource at all", () => {
  const nothingLeft = async (tested: TestService): Promise<void> => {
    for (const type of ["User", "Group", "Part"]) expect((await tested.as().list(type)).totalResults).toBe(0);
  };

  test.each<readonly [string, readonly JsonValue[], readonly string[]]>([
    ["itself, in a required place", [part("a", { holder: to("a") })], ["409"]],
    [
      "each other, in required places",
      [part("a", { holder: to("b") }), part("b", { holder: to("a") })],
      ["409", "409"],
    ],
    [
      "a required place, by a $ref",
      [part("a", { holder: { $ref: "../Parts/bulkId:a", value: "bulkId:a" } })],
      ["409"],
    ],
    [
      "what failed: a bad value",
      [
        named("a", "b"),
        named("b", "c"),
        post("/Groups", "c", { ...group({ members: [to("a")] }), displayName: 1 }),
      ],
      ["409", "409", "400 invalidValue"],
    ],
    [
      "what failed, in a required place",
      [part("a", { holder: to("c") }), { method: "POST", path: "/Robots", bulkId: "c", data: {} }],
      ["409", "404"],
    ],
    ["nobody", [named("a", "b"), named("b", "a", "nobody")], ["409", "400 invalidValue"]],
    [
      "values of one unique name",
      [
        part("a", { holder: { value: "x" }, friends: [to("b")] }),
        { ...part("a", { holder: to("a") }), bulkId: "b" },
      ],
      ["409", "409 uniqueness"],
    ],
  ])("%s", async (_name, operations, expected) => {
    const tested = testService(addParts);
    const answers = await jobRunner(tested.service, tested.context())(operations);
    expect(outcomes(answers)).toEqual(expected);
    expect(answers.map(({ location }) => location)).toEqual(answers.map(() => null));
    await nothingLeft(tested);
  });

  test("the error names the required attribute", async () => {
    const tested = testService(addParts);
    const [answer] = await jobRunner(tested.service, tested.context())([part("a", { holder: to("a") })]);
    expect(answer?.error?.detail).toContain("'holder'");
  });

  test("what can never be made is not begun: no resource of the circle is written", async () => {
    const written: WritePlan[] = [];
    const tested = intercepted((plan) => {
      written.push(plan);
    });
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([named("a", "b"), named("b", "c"), part("c", { holder: to("c"), friends: [to("a")] })]);
    expect(outcomes(answers)).toEqual(["409", "409", "409"]);
    expect(written).toEqual([]);
  });

  test("what refers to the circle fails with it; what does not is done", async () => {
    const tested = testService(addParts);
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([named("g", "a"), part("a", { holder: to("a") }), named("free")]);
    expect(outcomes(answers)).toEqual(["409", "409", "201"]);
  });

  test("a caller who may not make one of them makes none", async () => {
    const tested = testService(addParts);
    const answers = await jobRunner(tested.service, tested.context())(
      [named("a", "u"), post("/Users", "u", user(enterprise({ manager: to("a") })))],
      {
        authorize: (type) => {
          if (type === "Group") throw new ScimError("forbidden", "No groups.");
        },
      },
    );
    expect(outcomes(answers)).toEqual(["403", "409"]);
    await nothingLeft(tested);
  });

  test("somebody changes one before its references are set: 412, and all go", async () => {
    const tested = intercepted(async (plan, { as }) => {
      if (plan.kind !== "create" || plan.id !== "id-2") return;
      await as().patch("Group", "id-1", [{ op: "replace", path: "displayName", value: "mine" }]);
    });
    const answers = await jobRunner(tested.service, tested.context())([named("a", "b"), named("b", "a")]);
    expect(outcomes(answers)).toEqual(["412", "409"]);
    await nothingLeft(tested);
  });

  test("what is made and deleted again is told of who asked for it", async () => {
    const told: WritePlan["event"][] = [];
    const tested = intercepted((plan) => {
      told.push(plan.event);
      if (plan.kind === "update") throw new TypeError("no disk");
    });
    const origin = { request: "req-7", credential: "token-3" };
    const job = jobRunner(tested.service, tested.context("strict", { subject: "who", origin }));
    await job([named("a", "b"), named("b", "a")]);
    expect(told.map(({ kind }) => kind)).toEqual(["created", "created", "replaced", "deleted", "deleted"]);
    for (const event of told) expect(event).toMatchObject({ subject: "who", origin });
  });

  test("a fault of the store in the second step: 500 for that one, with its cause", async () => {
    const cause = new TypeError("no disk");
    const tested = intercepted((plan) => {
      if (plan.kind === "update") throw cause;
    });
    const answers = await jobRunner(tested.service, tested.context())([named("a", "b"), named("b", "a")]);
    expect(outcomes(answers)).toEqual(["500", "409"]);
    expect(answers[0]?.error?.cause).toBe(cause);
    await nothingLeft(tested);
  });

  test("what cannot even be deleted again is told as a fault of the service", async () => {
    const tested = intercepted((plan) => {
      if (plan.kind !== "create") throw new TypeError("no disk");
    });
    const answers = await jobRunner(tested.service, tested.context())([named("a", "b"), named("b", "a")]);
    expect(outcomes(answers)).toEqual(["500", "500"]);
    expect(answers[1]?.error?.cause).toMatchObject({ message: expect.stringContaining("deleted again") });
  });

  test("a client that goes away in between leaves nothing half-made", async () => {
    const controller = new AbortController();
    const tested = intercepted((plan) => {
      if (plan.kind === "create" && plan.id === "id-2") controller.abort(new Error("gone"));
    });
    const job = jobRunner(tested.service, tested.context("strict", { signal: controller.signal }));
    await expect(job([named("a", "b"), named("b", "a")])).rejects.toThrow("gone");
    await nothingLeft(tested);
  });

  test.each([
    [1, ["409"]],
    [2, ["409", "409"]],
    [3, ["409", "409", "201"]],
  ])("R7644-3.7-08 failOnErrors %i is not exceeded by them: %j", async (failOnErrors, expected) => {
    const tested = testService(addParts);
    const operations = [part("a", { holder: to("b") }), part("b", { holder: to("a") }), named("g")];
    const answers = await jobRunner(tested.service, tested.context())(operations, {
      members: { failOnErrors },
    });
    expect(outcomes(answers)).toEqual(expected);
  });
});
