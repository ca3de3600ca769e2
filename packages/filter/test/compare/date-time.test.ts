import { compareKeys, parseDateTime, utcInstant } from "@scim/filter";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";

describe("R7643-2.3.5-01 xsd:dateTime", () => {
  test.for([
    ["2011-05-13T04:42:34Z", "2011-05-13T04:42:34.000000000"],
    ["2011-05-13T04:42:34", "2011-05-13T04:42:34.000000000"],
    ["2011-05-13T06:42:34.5+02:00", "2011-05-13T04:42:34.500000000"],
    ["2011-05-12T23:42:34-05:00", "2011-05-13T04:42:34.000000000"],
    ["2020-01-01T00:00:00.123+01:00", "2019-12-31T23:00:00.123000000"],
    ["2020-02-29T00:00:00Z", "2020-02-29T00:00:00.000000000"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000000"],
    ["2020-12-31T24:00:00Z", "2021-01-01T00:00:00.000000000"],
    ["2020-12-31T24:00:00.000+01:00", "2020-12-31T23:00:00.000000000"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000000"],
    ["0050-03-01T00:30:00+01:00", "0050-02-28T23:30:00.000000000"],
    ["2020-01-01T00:00:00+14:00", "2019-12-31T10:00:00.000000000"],
    ["2020-01-01T00:00:00-00:00", "2020-01-01T00:00:00.000000000"],
    ["2020-01-01T00:00:00.1234567891Z", "2020-01-01T00:00:00.1234567891"],
    ["2020-01-01T00:00:00.12345678900Z", "2020-01-01T00:00:00.123456789"],
  ] as const)("%s is the instant %s", ([text, key]) => {
    expect(parseDateTime(text)).toBe(key);
  });

  test.for([
    "",
    "2020-01-01",
    "2020-01-01T00:00Z",
    "2020-02-30T00:00:00Z",
    "2019-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2020-04-31T00:00:00Z",
    "2020-13-01T00:00:00Z",
    "2020-00-01T00:00:00Z",
    "2020-01-00T00:00:00Z",
    "2020-01-01T25:00:00Z",
    "2020-01-01T24:00:01Z",
    "2020-01-01T24:00:00.1Z",
    "2020-01-01T00:60:00Z",
    "2020-01-01T00:00:60Z",
    "2020-01-01T00:00:00.Z",
    "2020-01-01T00:00:00+14:01",
    "2020-01-01T00:00:00+01:60",
    "2020-01-01T00:00:00+0100",
    "2020-01-01t00:00:00z",
    "2020-01-01 00:00:00Z",
    " 2020-01-01T00:00:00Z",
    "2020-01-01T00:00:00Z\n",
    "20200-01-01T00:00:00Z",
    "-2020-01-01T00:00:00Z",
    "9999-12-31T23:59:59-14:00",
    "0000-01-01T00:00:00+01:00",
    "२०२०-01-01T00:00:00Z",
  ])("%j is none", (text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });
});

test.for([
  ["2011-05-13T04:42:34", "2011-05-13T04:42:34.000Z"],
  ["2011-05-13T06:42:34.5+02:00", "2011-05-13T04:42:34.500Z"],
  ["2011-05-13T04:42:34.9999999999Z", "2011-05-13T04:42:34.999Z"],
  ["2020-12-31T24:00:00Z", "2021-01-01T00:00:00.000Z"],
  ["2020-02-30T00:00:00Z", undefined],
  ["2020-01-01", undefined],
] as const)("R7643-2.3.5-02 %s is written %s, on a machine in any zone", ([text, instant]) => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(utcInstant(text)).toBe(instant);
});

test("R7644-F-07 the order of keys is that of instants", () => {
  const instants = fc.date({
    noInvalidDate: true,
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("9999-12-30T00:00:00Z"),
  });
  fc.assert(
    fc.property(instants, instants, fc.integer({ min: -840, max: 840 }), (a, b, offset) => {
      const left = parseDateTime(a.toISOString());
      const right = parseDateTime(withOffset(b, offset));
      expect(left).toBeDefined();
      expect(Math.sign(compareKeys(left ?? "", right ?? ""))).toBe(Math.sign(a.getTime() - b.getTime()));
    }),
  );
});

test("fractions compare exactly, whatever their length", () => {
  const fraction = fc.stringMatching(/^[0-9]{1,15}$/);
  fc.assert(
    fc.property(fraction, fraction, (a, b) => {
      const key = (digits: string): string => parseDateTime(`2020-01-01T00:00:00.${digits}Z`) ?? "";
      const value = (digits: string): bigint => BigInt(digits.padEnd(15, "0"));
      expect(Math.sign(compareKeys(key(a), key(b)))).toBe(
        Number(value(a) > value(b)) - Number(value(a) < value(b)),
      );
    }),
  );
});

function withOffset(date: Date, minutes: number): string {
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0");
  const rest = String(Math.abs(minutes) % 60).padStart(2, "0");
  return `${local}${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}
