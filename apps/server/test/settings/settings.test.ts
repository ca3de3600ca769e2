import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { CommandFailure } from "../../src/failure.ts";
import { requireDeclaredExposure } from "../../src/http/exposure.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { flagOf, variableOf } from "../../src/settings/setting.ts";
import { SETTING_KEYS, SETTINGS } from "../../src/settings/table.ts";
import { settingsPage } from "../../../../scripts/settings-doc.ts";
import { newFolder } from "../command-line/program.ts";

const KEY = Buffer.alloc(32, 1).toString("base64url");

function valueOf(name: string, text: string): unknown {
  const { values } = resolveSettings({ flags: {}, environment: { [name]: text } });
  const key = SETTING_KEYS.find((candidate) => variableOf(candidate) === name);
  return key === undefined ? undefined : values[key];
}

function failureOf(environment: Readonly<Record<string, string>>): CommandFailure {
  try {
    resolveSettings({ flags: {}, environment });
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
  throw new TypeError("The settings were taken.");
}

describe("names", () => {
  test.each([
    ["port", "--port", "SCIM_PORT"],
    ["databaseUrl", "--database-url", "SCIM_DATABASE_URL"],
    ["filter.maxResults", "--filter-max-results", "SCIM_FILTER_MAX_RESULTS"],
    ["retention.deleted", "--retention-deleted", "SCIM_RETENTION_DELETED"],
  ])("%s is %s and %s", (key, flag, variable) => {
    expect([flagOf(key), variableOf(key)]).toEqual([flag, variable]);
  });

  test("are unlike each other", () => {
    expect(new Set(SETTING_KEYS.map(flagOf)).size).toBe(SETTING_KEYS.length);
  });
});

describe("values", () => {
  test("every default is within its bounds", () => {
    const { values, effective } = resolveSettings({ flags: {}, environment: {} });
    expect(values).toMatchObject({
      port: 8080,
      host: "127.0.0.1",
      databaseUrl: { kind: "sqlite", path: "./data/scim.db" },
    });
    expect(values).toMatchObject({
      profile: "tolerant",
      token: null,
      "filter.maxResults": 1000,
      groups: "direct",
    });
    expect(effective.every((setting) => setting.origin === "default")).toBe(true);
  });

  test.each([
    ["SCIM_PORT", "0", 0],
    ["SCIM_DATABASE_URL", "sqlite::memory:", { kind: "sqlite", path: ":memory:" }],
    ["SCIM_DATABASE_URL", "sqlite:/var/lib/scim.db", { kind: "sqlite", path: "/var/lib/scim.db" }],
    ["SCIM_DATABASE_URL", "sqlite:///var/lib/scim.db", { kind: "sqlite", path: "/var/lib/scim.db" }],
    ["SCIM_DATABASE_URL", "sqlite:scim.db", { kind: "sqlite", path: "scim.db" }],
    [
      "SCIM_DATABASE_URL",
      "postgres://u:p@h:5432/d?sslmode=require",
      { kind: "postgres", url: "postgres://u:p@h:5432/d?sslmode=require" },
    ],
    ["SCIM_DATABASE_URL", "postgresql://h/d", { kind: "postgres", url: "postgresql://h/d" }],
    ["SCIM_DATABASE_URL", "sqlite:./~/scim.db", { kind: "sqlite", path: "./~/scim.db" }],
    ["SCIM_DATABASE_URL", "sqlite:~scim.db", { kind: "sqlite", path: "~scim.db" }],
    ["SCIM_MIGRATIONS", "manual", "manual"],
    ["SCIM_MIGRATIONS", "", null],
    ["SCIM_WORKERS", "4", 4],
    ["SCIM_BASE_URL", "https://id.example/", "https://id.example"],
    ["SCIM_BASE_URL", "https://id.example/a/b/", "https://id.example/a/b"],
    ["SCIM_TOKEN", `scim_default_${"a".repeat(43)}`, `scim_default_${"a".repeat(43)}`],
    [
      "SCIM_SECRET_KEYS",
      `new:${KEY}, old:${KEY}`,
      [
        { id: "new", secret: Buffer.alloc(32, 1) },
        { id: "old", secret: Buffer.alloc(32, 1) },
      ],
    ],
    [
      "SCIM_SECRET_KEYS",
      `1:${KEY.slice(0, 20)}\n${KEY.slice(20)}\n`,
      [{ id: "1", secret: Buffer.alloc(32, 1) }],
    ],
    ["SCIM_LOG_LEVEL", "", "info"],
    ["SCIM_ME", "off", "off"],
    [
      "SCIM_FILTER_SENSITIVE_ATTRIBUTES",
      "userName, urn:example:2.0:User:badge.code",
      ["userName", "urn:example:2.0:User:badge.code"],
    ],
    ["SCIM_CURSOR_TIMEOUT", "10", 10],
    ["SCIM_BULK_MAX_OPERATIONS", "5", 5],
    ["SCIM_BULK_MAX_PAYLOAD_SIZE", "65536", 65_536],
    ["SCIM_SWITCHES", "require-version", [{ name: "require-version", on: true }]],
    [
      "SCIM_SWITCHES",
      " -bare-token , require-version",
      [
        { name: "bare-token", on: false },
        { name: "require-version", on: true },
      ],
    ],
  ])("%s=%s reads as %j", (name, text, value) => {
    expect(valueOf(name, text)).toEqual(value);
  });

  test.each([
    ["10.0.0.0/8", "10.1.2.3", true],
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["10.0.0.0/8", "11.1.2.3", false],
    ["::1, 192.0.2.7", "::1", true],
    ["::1, 192.0.2.7", "192.0.2.7", true],
    ["::1, 192.0.2.7", "192.0.2.8", false],
  ])("proxies %s trust %s: %s", (text, address, trusted) => {
    const { values } = resolveSettings({ flags: { "trust-proxy": text }, environment: {} });
    expect(values.trustProxy?.(address)).toBe(trusted);
  });

  test.each([
    ["SCIM_PORT", "65536"],
    ["SCIM_PORT", "-1"],
    ["SCIM_PORT", "80.5"],
    ["SCIM_PORT", "0x50"],
    ["SCIM_PROFILE", "lenient"],
    ["SCIM_PROFILE", "constructor"],
    ["SCIM_SWITCHES", "constructor"],
    ["SCIM_SWITCHES", "bare-token,,require-version"],
    ["SCIM_SWITCHES", "--bare-token"],
    ["SCIM_SWITCHES", "bare-token require-version"],
    ["SCIM_SWITCHES", "bare-token,-bare-token"],
    ["SCIM_ME", "true"],
    ["SCIM_FILTER_SENSITIVE_ATTRIBUTES", "userName,"],
    ["SCIM_FILTER_SENSITIVE_ATTRIBUTES", 'emails[type eq "work"]'],
    ["SCIM_CURSOR_TIMEOUT", "9"],
    ["SCIM_SORT_MAX_RESULTS", "999"],
    ["SCIM_BULK_MAX_OPERATIONS", "0"],
    ["SCIM_BULK_MAX_PAYLOAD_SIZE", "67108865"],
    ["SCIM_DATABASE_URL", "scim.db"],
    ["SCIM_DATABASE_URL", "sqlite:"],
    ["SCIM_DATABASE_URL", "sqlite: "],
    ["SCIM_DATABASE_URL", "sqlite:file:./scim.db"],
    ["SCIM_DATABASE_URL", "sqlite:file:scim.db?mode=memory"],
    ["SCIM_DATABASE_URL", "sqlite://host/scim.db"],
    ["SCIM_DATABASE_URL", "sqlite:~/scim.db"],
    ["SCIM_DATABASE_URL", "sqlite:~scim/scim.db"],
    ["SCIM_DATA_DIR", "~/scim"],
    ["SCIM_SCHEMAS", "~"],
    ["SCIM_ERASURE_LIST", "~scim/erasures.jsonl"],
    ["SCIM_DATABASE_URL", "mysql://u:p@h/d"],
    ["SCIM_DATABASE_URL", "postgresql://u:p@h"],
    ["SCIM_DATABASE_URL", "postgresql://u:p@h/"],
    ["SCIM_DATABASE_URL", "postgres:u:p@h/d/e"],
    ["SCIM_MIGRATIONS", "sometimes"],
    ["SCIM_WORKERS", "0"],
    ["SCIM_POSTGRES_POOL_SIZE", "1"],
    ["SCIM_POSTGRES_PREPARED_STATEMENTS", "maybe"],
    ["SCIM_BASE_URL", "id.example"],
    ["SCIM_BASE_URL", "ftp://id.example"],
    ["SCIM_BASE_URL", "https://user:pw@id.example"],
    ["SCIM_BASE_URL", "https://id.example?x=1"],
    ["SCIM_BASE_URL", "https://id.example/scim/v2/"],
    ["SCIM_TRUST_PROXY", "true"],
    ["SCIM_TRUST_PROXY", "10.0.0.0/33"],
    ["SCIM_TRUST_PROXY", "10.0.0.0/"],
    ["SCIM_TRUST_PROXY", "10.0.0.0/8/24"],
    ["SCIM_TRUST_PROXY", "10.0.0.0/0x8"],
    ["SCIM_METRICS_TENANTS", "acme,other"],
    ["SCIM_METRICS_TENANTS", "none, acme"],
    ["SCIM_SECRET_KEYS", "short:abc"],
    ["SCIM_SECRET_KEYS", KEY],
    ["SCIM_SECRET_KEYS", `1:${KEY};2:${KEY}`],
    ["SCIM_SECRET_KEYS", `1:${KEY} 2:${KEY}`],
    ["SCIM_SECRET_KEYS", `1:${KEY}\n2:${KEY}`],
    ["SCIM_SECRET_KEYS", `1:${Buffer.alloc(32, 2).toString("base64url")},1:${KEY}`],
    ["SCIM_ADMIN_TOKEN", `scim_default_${"a".repeat(43)}`],
  ])("%s=%s is refused by name, and not repeated", (name, text) => {
    const failure = failureOf({ [name]: text });
    expect(failure.exitCode).toBe(2);
    expect(failure.message).toMatch(new RegExp(`^${name} (must|names)`));
    if (text.includes("@") || name.includes("TOKEN") || name.includes("KEYS")) {
      expect(failure.message).not.toContain(text);
    }
  });
});

describe("variables that are no setting", () => {
  const told = (variable: string): readonly string[] =>
    resolveSettings({ flags: {}, environment: { [variable]: "1" } }).mistyped;

  test.each([
    ["SCIM_FILTER_MAXRESULTS", "SCIM_FILTER_MAX_RESULTS"],
    ["SCIM_PROT", "SCIM_PORT"],
    ["SCIM_TOKENS_FILE", "SCIM_TOKEN_FILE"],
  ])("%s: %s was meant", (variable, meant) => {
    expect(told(variable)).toEqual([`${variable} is no setting; did you mean ${meant}?`]);
  });

  test.each([
    "SCIM_PORT",
    "SCIM_CONFIG",
    "SCIM_WORKER",
    "SCIM_TOKEN_KEY",
    "SCIM_SOURCE_TOKEN",
    "SCIM_PLAIN_HTTP",
    "SCIM_SERVICE_HOST",
    "SCIM_PORT_8080_TCP_ADDR",
    "PORT",
  ])("%s is passed over", (variable) => {
    const environment = { [variable]: variable === "SCIM_PORT" ? "1" : "" };
    expect(resolveSettings({ flags: {}, environment }).mistyped).toEqual([]);
  });
});

describe("the configuration file", () => {
  test.each([
    ["[]", "must hold a JSON object"],
    ["", "is empty"],
    ["{", "scim.json is not valid JSON: expected a member name in double quotes or '}' at line 1, column 2."],
    ['{"port": 1,\n "port": 2}', 'member "port" occurs twice in one object at line 2, column 2'],
    ['{"prot": 1}', "unknown key 'prot'; did you mean 'port'? 'scim config' lists the keys."],
    ['{"fly": 1}', "unknown key 'fly'; 'scim config' lists the keys."],
    ['{"port": true}', "'port' must be a string or a number: 0 to 65535."],
    ['{"me": false}', "'me' must be a string or a number: on, off."],
    ['{"mounts": ["/old=acme"]}', "string or a number: path=tenant or path=tenant/connection, separated by"],
    ['{"port": 70000}', "Setting 'port' (file"],
  ])("%s is refused", (text, message) => {
    const path = join(newFolder(), "scim.json");
    writeFileSync(path, text);
    const failure = failureOf({ SCIM_CONFIG: path });
    expect(failure.message).toContain(message);
    expect(failure.exitCode).toBe(2);
  });

  test("a piece of it is never told", () => {
    const path = join(newFolder(), "scim.json");
    writeFileSync(path, '{"secretKeys": 1:hush-hush}');
    const { message } = failureOf({ SCIM_CONFIG: path });
    expect(message).toContain("at line 1, column ");
    expect(message).not.toContain("hush");
  });

  test("a missing one is refused", () => {
    expect(failureOf({ SCIM_CONFIG: "/nothing/scim.json" }).message).toContain(
      "/nothing/scim.json cannot be read: ENOENT",
    );
  });

  test("flags go before the environment, the environment before the file", () => {
    const path = join(newFolder(), "scim.json");
    writeFileSync(path, JSON.stringify({ port: 1, host: "file", profile: "okta" }));
    const { values } = resolveSettings({
      flags: { config: path, port: "3" },
      environment: { SCIM_PORT: "2", SCIM_HOST: "environment", SCIM_CONFIG: "/nothing" },
    });
    expect(values).toMatchObject({ port: 3, host: "environment", profile: "okta" });
  });
});

describe("secrets in files", () => {
  const token = `scim_default_${"a".repeat(43)}`;

  test.each([
    ["SCIM_TOKEN", token, token],
    ["SCIM_ADMIN_TOKEN", `scim_admin_${"b".repeat(43)}`, `scim_admin_${"b".repeat(43)}`],
    ["SCIM_DATABASE_URL", "sqlite:./x.db", { kind: "sqlite", path: "./x.db" }],
    ["SCIM_SECRET_KEYS", `1:${KEY}`, [{ id: "1", secret: Buffer.alloc(32, 1) }]],
  ])("%s may stand in the file that %s_FILE names", (name, text, value) => {
    const path = join(newFolder(), "secret");
    writeFileSync(path, `${text}\n`);
    const { values, effective } = resolveSettings({ flags: {}, environment: { [`${name}_FILE`]: path } });
    const key = SETTING_KEYS.find((candidate) => variableOf(candidate) === name);
    expect(key === undefined ? undefined : values[key]).toEqual(value);
    expect(effective.find((each) => each.key === key)?.origin).toBe(`environment ${name}_FILE`);
  });

  test("every secret setting has such a variable, and no other", () => {
    const path = join(newFolder(), "secret");
    writeFileSync(path, "not a value");
    const refused = SETTING_KEYS.filter((key) => {
      const environment = { [`${variableOf(key)}_FILE`]: path };
      try {
        resolveSettings({ flags: {}, environment });
        return false;
      } catch {
        return true;
      }
    });
    const secret = SETTING_KEYS.filter((key) => SETTINGS[key].secret);
    expect(refused.toSorted()).toEqual([...secret, "databaseUrl"].toSorted());
  });

  test("a file that holds no value, or is not there, or stands beside the value is refused and not shown", () => {
    const path = join(newFolder(), "secret");
    writeFileSync(path, "hunter2");
    const failure = failureOf({ SCIM_TOKEN_FILE: path });
    expect(failure.message).toMatch(/^SCIM_TOKEN_FILE must have the form/);
    expect(failure.message).not.toContain("hunter2");
    expect(failureOf({ SCIM_TOKEN_FILE: `${path}.none` }).message).toContain("cannot be read");
    expect(failureOf({ SCIM_TOKEN_FILE: path, SCIM_TOKEN: token }).message).toContain("not both");
  });
});

describe("exposure", () => {
  test.each([
    ["127.0.0.1", "none", true],
    ["127.8.8.8", "none", true],
    ["::1", "none", true],
    ["localhost", "none", true],
    ["0.0.0.0", "none", false],
    ["::", "none", false],
    ["10.0.0.1", "none", false],
    ["localhost.example", "none", false],
    ["::ffff:127.0.0.1", "none", true],
    ["0.0.0.0", "behind-tls", true],
  ] as const)("listening on %s, declared %s, is allowed: %j", (host, exposed, allowed) => {
    const listen = (): void => requireDeclaredExposure({ host, exposed });
    if (allowed) expect(listen).not.toThrow();
    else expect(listen).toThrow(CommandFailure);
  });

  test("scim serve refuses before it opens anything", async () => {
    const path = join(newFolder(), "scim.db");
    const environment = { SCIM_HOST: "0.0.0.0", SCIM_DATABASE_URL: `sqlite:${path}` };
    await expect(runCommand(["serve"], environment)).rejects.toThrow("--exposed behind-tls");
    expect(existsSync(path)).toBe(false);
  });
});

describe("documentation", () => {
  test("docs/configuration.md is what scripts/settings-doc.ts makes of the table", () => {
    const page = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8");
    expect(page).toBe(settingsPage());
  });

  test("every setting is told in a sentence", () => {
    for (const key of SETTING_KEYS)
      expect([key, SETTINGS[key].doc]).toEqual([key, expect.stringMatching(/^[A-Z].*\.$/)]);
  });
});
