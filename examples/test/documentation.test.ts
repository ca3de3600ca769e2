import { globSync, readFileSync } from "node:fs";
import {
  createDefaultRegistry,
  GROUP_MEMBERSHIP_RESOURCE_TYPE,
  GROUP_MEMBERSHIP_SCHEMA,
} from "@scim/schemas";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../docs/custom-resource-types.md", import.meta.url), "utf8");

/** The JSON blocks of the page. */
function blocks(): readonly string[] {
  return [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = ""]) => text);
}

test("the documents of docs/custom-resource-types.md are loaded together, without a notice", () => {
  const documents = blocks().flatMap((text, index) => {
    const content: unknown = JSON.parse(text);
    const list: readonly unknown[] = Array.isArray(content) ? content : [content];
    return list.map((document) => ({ source: `block ${index + 1}`, document }));
  });
  const { schemas, resourceTypes, notices } = createDefaultRegistry().addDocuments(documents);
  expect(schemas).toHaveLength(5);
  expect(resourceTypes.map(({ name }) => name)).toEqual(["Department", "Project", "User", "Assignment"]);
  expect(notices).toEqual([]);
});

test("the page names the URN and the endpoint of memberships", () => {
  expect(page).toContain(GROUP_MEMBERSHIP_SCHEMA.id);
  expect(page).toContain(`\`${GROUP_MEMBERSHIP_RESOURCE_TYPE.endpoint}\``);
});

interface Attribute {
  readonly name: string;
  readonly description?: string;
  readonly subAttributes?: readonly Attribute[];
}

function undescribed({ name, description = "", subAttributes = [] }: Attribute): readonly string[] {
  const below = subAttributes.flatMap((each) => undescribed(each).map((path) => `${name}.${path}`));
  return description === "" ? [name, ...below] : below;
}

const folder = new URL("..", import.meta.url);

test.each(globSync("{departments,devices}/*.schema.json", { cwd: folder }))(
  "%s describes every attribute, as SCIM-SDK clients demand",
  (file) => {
    const { attributes } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
      attributes: readonly Attribute[];
    };
    expect(attributes.flatMap(undescribed)).toEqual([]);
  },
);
