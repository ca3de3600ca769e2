import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const URIS = [
  "https://people.example/bjensen?tab=1#top",
  "https://[2001:db8::7]:8443/a/b",
  "urn:example:profile:7",
  "mailto:bjensen@people.example",
  "data:image/png;base64,iVBORw0KGgo=",
  "//people.example/bjensen",
  "/people/bjensen",
  "../Users/1",
  "Users/1",
  "?id=1",
  "#top",
  "a%20b",
  "HJKLMNBV",
];
const NO_URIS = [
  "not a uri",
  "https://people.example/bjensen?name=b jensen",
  "C:\\people\\bjensen",
  "<https://people.example>",
  "{profile}",
  "50%",
  "a%zz",
  "a#b#c",
  "/people/[1]",
  "https://people.example/jürgen",
  "a|b",
];

describe("R7643-2.3.7-01 a reference is a URI (RFC 3986), absolute or relative", () => {
  test.each(URIS)("%j is one in every profile", async (profileUrl) => {
    for (const profile of ["strict", "tolerant"] as const) {
      const tested = testService();
      const { resource } = await tested.as(profile).post("User", user({ profileUrl }));
      expect(resource["profileUrl"]).toBe(profileUrl);
      expect(tested.fired).toEqual([]);
    }
  });

  test.each(NO_URIS)(
    "%j is none: refused in strict, kept as sent and told in tolerant",
    async (profileUrl) => {
      const refused = await refusal(testService().as("strict").post("User", user({ profileUrl })));
      expect(refused.answer).toBe("400 invalidValue");
      expect(refused.detail).toBe(
        "Attribute 'profileUrl' must be a URI, absolute or relative to the base URL.",
      );
      const tested = testService();
      const { resource } = await tested.as("tolerant").post("User", user({ profileUrl }));
      expect(resource["profileUrl"]).toBe(profileUrl);
      expect(tested.fired).toEqual(["malformed-references profileUrl"]);
    },
  );

  test("a picture as an address of data may be longer than a text", async () => {
    const value = `data:image/jpeg;base64,${"/9j4".repeat(30_000)}`;
    const { resource } = await testService()
      .as("strict")
      .post("User", user({ photos: [{ value, type: "photo" }] }));
    expect(resource["photos"]).toEqual([{ value, type: "photo" }]);
  });

  test.each(["\u0000", "\n", "\u001f", "\u007f"])(
    "the control character %j is refused in every profile",
    async (character) => {
      for (const profile of ["strict", "tolerant"] as const) {
        const sent = user({ profileUrl: `a${character}b` });
        const refused = await refusal(testService().as(profile).post("User", sent));
        expect(refused.answer).toBe("400 invalidValue");
      }
    },
  );

  test("names the value of a list", async () => {
    const photos = [{ value: "https://people.example/1.png" }, { value: "1 .png" }];
    const refused = await refusal(testService().as("strict").post("User", user({ photos })));
    expect(refused.detail).toContain("'photos[1].value'");
  });

  test("a long text that is none is looked at once", async () => {
    for (const text of ["//a".repeat(100_000), `https://${"a".repeat(300_000)}`, "a:".repeat(150_000)]) {
      const refused = await refusal(
        testService()
          .as("strict")
          .post("User", user({ profileUrl: `${text} ` })),
      );
      expect(refused.answer).toBe("400 invalidValue");
    }
  });
});
