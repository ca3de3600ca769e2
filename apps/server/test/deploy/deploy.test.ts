import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, inject, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { flagOf, variableOf, type Setting } from "../../src/settings/setting.ts";
import { SETTING_KEYS, SETTINGS } from "../../src/settings/table.ts";
import { newFolder } from "../command-line/program.ts";
import { samplesOf } from "../observing/metric-text.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { admin, ADMIN_TOKEN } from "../requests/admin.ts";
import { at, deployFile, deployFiles, yamlOf } from "./files.ts";
import { promqlFault } from "./promql.ts";

const CONTAINER = "spec.template.spec.containers.0";

function only(path: string): unknown {
  const [document, ...more] = yamlOf(deployFile(path));
  expect(more).toEqual([]);
  return document;
}

const deployment = () => only("kubernetes/deployment.yaml");
const config = () => only("kubernetes/configmap.yaml");

/** Variables that the server reads: those of the settings, files of secrets, and that of the configuration file. */
function knownVariables(): ReadonlySet<string> {
  const names = SETTING_KEYS.flatMap((key) => {
    const { secret, show }: Setting<unknown> = SETTINGS[key];
    const variable = variableOf(key);
    return secret || show !== undefined ? [variable, `${variable}_FILE`] : [variable];
  });
  return new Set([...names, variableOf("config")]);
}

describe("files in deploy/", () => {
  test.each(deployFiles().filter(({ path }) => path.endsWith(".yaml")))(
    "$path is well-formed",
    ({ text }) => {
      expect(yamlOf(text).length).toBeGreaterThan(0);
    },
  );

  test.each(deployFiles())("$path names no variable that the server does not read", ({ text }) => {
    const named = [...new Set(text.match(/\bSCIM_[A-Z_]+/g))];
    expect(named.filter((name) => !knownVariables().has(name))).toEqual([]);
  });

  test("the port is the same in all of them, and that of the settings", () => {
    const [port] = [at(config(), "data.SCIM_PORT")];
    expect(port).toBe(SETTINGS.port.fallback);
    const named = at(deployment(), `${CONTAINER}.ports.0`);
    expect(named).toEqual({ name: "http", containerPort: Number(port) });
    expect(at(only("kubernetes/service.yaml"), "spec.ports.0.targetPort")).toBe("http");
    expect(at(only("kubernetes/networkpolicy.yaml"), "spec.ingress.0.ports.0.port")).toBe(Number(port));
    expect(deployFile("docker/Dockerfile")).toContain(`EXPOSE ${String(port)}\n`);
    expect(deployFile("docker/Dockerfile")).toContain(`SCIM_PORT=${String(port)} `);
  });
});

describe("the manifests of Kubernetes", () => {
  test("choose the same pods", () => {
    const labels = at(deployment(), "spec.template.metadata.labels");
    for (const [path, selector] of [
      ["deployment", "spec.selector.matchLabels"],
      ["service", "spec.selector"],
      ["pdb", "spec.selector.matchLabels"],
      ["networkpolicy", "spec.podSelector.matchLabels"],
    ] as const)
      expect(labels).toMatchObject(at(only(`kubernetes/${path}.yaml`), selector) as object);
  });

  test("let the server do nothing that it need not, and write nowhere but to memory", () => {
    for (const path of ["kubernetes/deployment.yaml", "kubernetes/migrate.yaml"]) {
      const pod = at(only(path), "spec.template.spec");
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(at(pod, "containers.0.securityContext")).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(at(pod, "containers.0.resources.limits.memory")).toBeDefined();
    }
  });

  test("hand the server settings that it starts with", () => {
    // A config map holds texts.
    const data = at(config(), "data") as Record<string, string>;
    const { values } = resolveSettings({ flags: {}, environment: data });
    expect(values).toMatchObject({ host: "0.0.0.0", exposed: "behind-tls", metrics: "admin" });
    const grace = Number(at(deployment(), "spec.template.spec.terminationGracePeriodSeconds"));
    expect(grace).toBeGreaterThan(values["stop.delay"] + values["stop.timeout"]);
  });

  test("name every entry of the secret that they mount", () => {
    const mounted = deployFile("kubernetes/deployment.yaml").match(/(?<=\/run\/secrets\/scim\/)[\w-]+/g);
    const entries = Object.keys(at(only("kubernetes/secret.example.yaml"), "stringData") as object);
    expect(new Set(mounted)).toEqual(new Set(entries));
  });

  test("probe addresses that answer", async () => {
    const [sqlite] = ENGINES;
    const database = await sqlite?.make();
    const { origin } = await startInProcess({ ...database?.environment });
    const probes = ["startupProbe", "livenessProbe", "readinessProbe"].map((probe) =>
      at(deployment(), `${CONTAINER}.${probe}.httpGet.path`),
    );
    expect(probes).toEqual(["/healthz", "/healthz", "/readyz"]);
    for (const path of probes)
      expect((await exchange(origin, { method: "GET", path: String(path) })).status).toBe(200);
  });
});

describe("the image", () => {
  const dockerfile = deployFile("docker/Dockerfile");

  test("runs as a user without rights, asks for its health, and holds nothing of the build", () => {
    const [, final = ""] = dockerfile.split(/^FROM .*\n/m).slice(1);
    expect(final).toMatch(/^USER (?!0)\d+:(?!0)\d+$/m);
    expect(final).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", /m);
    expect(final).not.toMatch(/^RUN /m);
    // A syntax of its own would be fetched from Docker Hub, also where its images come from elsewhere.
    expect(dockerfile).not.toMatch(/^#\s*syntax\s*=/m);
    expect(final).toMatch(/^ENTRYPOINT \["node", "\/app\/dist\/cli\.js"\]$/m);
    expect(at(only("docker/compose.yaml"), "services.scim.read_only")).toBe(true);
  });

  test("is built without the secrets that stand beside it, which are not for the repository either", () => {
    expect(deployFile("docker/Dockerfile.dockerignore").split("\n")).toContain("deploy");
    const ignored = deployFile("../.gitignore").split("\n");
    const secrets = Object.keys(at(only("docker/compose.yaml"), "secrets") as object);
    expect(secrets.filter((name) => !ignored.includes(`/deploy/docker/${name}`))).toEqual([]);
  });

  test("its check of health succeeds on a server that runs, and fails where none does", async () => {
    const [sqlite] = ENGINES;
    const database = await sqlite?.make();
    const server = await startInProcess({ ...database?.environment });
    const command: readonly string[] = JSON.parse(
      /HEALTHCHECK[^[]*(?<command>\[.*\])/.exec(dockerfile)?.groups?.["command"] ?? "",
    );
    const { spawn } = await import("node:child_process");
    const check = (port: string): Promise<number | null> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, command.slice(1), {
          env: { SCIM_PORT: port },
          stdio: "ignore",
        });
        child.once("exit", resolve);
      });
    expect(await check(new URL(server.origin).port)).toBe(0);
    await server.stop();
    expect(await check(new URL(server.origin).port)).toBe(1);
  });
});

describe("the program", () => {
  test("is a command by a link to it, as the image has one and operators make one", () => {
    const folder = newFolder();
    symlinkSync(String(inject("program")), join(folder, "scim"));
    const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const { status, stderr } = spawnSync("scim", ["--version"], { env: { PATH }, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(deployFile("docker/Dockerfile")).toContain("ln -s ../dist/cli.js /app/bin/scim\n");
  });
});

describe("the unit of systemd", () => {
  const unit = deployFile("systemd/scim.service");

  test("starts the server as a user of its own, which may write to its state alone", () => {
    for (const line of [
      "ExecStart=/usr/bin/node /opt/scim/dist/cli.js serve",
      "DynamicUser=yes",
      "ProtectSystem=strict",
      "NoNewPrivileges=yes",
      "CapabilityBoundingSet=",
      "StateDirectory=scim",
      `RestartPreventExitStatus=${EXIT.usage}`,
    ])
      expect(unit.split("\n")).toContain(line);
    const { values } = resolveSettings({ flags: {}, environment: {} });
    const limit = Number(/^TimeoutStopSec=(?<seconds>\d+)s$/m.exec(unit)?.groups?.["seconds"]);
    expect(limit).toBeGreaterThan(values["stop.delay"] + values["stop.timeout"]);
  });

  test("opens the families of sockets of a server that listens on all addresses, which it tells one by one", () => {
    const [, families = ""] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
    // The addresses of a machine are asked of the kernel by netlink.
    expect(families.split(" ").toSorted()).toEqual(["AF_INET", "AF_INET6", "AF_NETLINK", "AF_UNIX"]);
  });

  test("is one that systemd takes, where there is systemd", () => {
    const path = join(newFolder(), "scim.service");
    // What it starts need not be installed where this is tested.
    writeFileSync(path, unit.replace("/usr/bin/node", process.execPath));
    const { error, status, stderr } = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
    // A machine without systemd has nothing to say of it.
    expect(error === undefined ? { status, stderr } : { status: 0, stderr: "" }).toEqual({
      status: 0,
      stderr: "",
    });
  });
});

describe("the reverse proxies", () => {
  const { values } = resolveSettings({ flags: {}, environment: {} });
  const files: readonly (readonly [name: string, kept: RegExp | null, bounds: readonly string[]])[] = [
    [
      "nginx.conf",
      /keepalive_timeout (?<seconds>\d+)s;/,
      // A proxy that refuses a body itself does not do so in the form of SCIM.
      ["client_max_body_size 0;", "large_client_header_buffers 4 64k;"],
    ],
    ["Caddyfile", /keepalive (?<seconds>\d+)s$/m, ["max_header_size 64KiB\n"]],
    [
      "apache.conf",
      / ttl=(?<seconds>\d+) /,
      [
        "LimitRequestLine 65536",
        "LimitRequestFieldSize 65536",
        " nocanon\n",
        "StrictHostCheck On\n",
        "DeflateAlterETag NoChange\n",
        'RequestHeader edit* Connection (?i)x-forwarded-proto "" early\n',
      ],
    ],
    // It gives idle connections up after some seconds by itself.
    ["haproxy.cfg", null, ["tune.bufsize 131072\n", "set-header X-Forwarded-Host scim.example.com\n"]],
    [
      "envoy.yaml",
      /idle_timeout: (?<seconds>\d+)s \}/,
      [
        "max_request_headers_kb: 96\n",
        "{ key: X-Forwarded-Host, value: scim.example.com }\n",
        "use_remote_address: true\n",
        "timeout: 300s }\n",
      ],
    ],
    [
      "traefik.yaml",
      /idleConnTimeout: (?<seconds>\d+)s\n/,
      ["respondingTimeouts.readTimeout=300s\n", "http.encodeQuerySemicolons=true\n"],
    ],
  ];

  test.each(files)(
    "%s lets pass what the server takes, and gives connections up first",
    (name, kept, bounds) => {
      const text = deployFile(`proxy/${name}`);
      expect(bounds.filter((bound) => !text.includes(bound))).toEqual([]);
      if (kept !== null) {
        const seconds = Number(kept.exec(text)?.groups?.["seconds"]);
        expect(seconds * 1000).toBeLessThan(values["client.keepAliveTimeout"]);
      }
      expect(text).toContain(`127.0.0.1:${values.port}`);
    },
  );
});

describe("the dashboard of Grafana", () => {
  const dashboard: unknown = JSON.parse(deployFile("grafana/scim.json"));
  // Panels and targets are lists by Grafana's schema.
  const panels = at(dashboard, "panels") as readonly unknown[];
  const expressions = panels.flatMap((panel) =>
    (at(panel, "targets") as readonly unknown[]).map((target) => String(at(target, "expr"))),
  );

  test("asks for metrics that servers tell, by labels that they have", async () => {
    const told = new Map<string, Set<string>>();
    for (const engine of ENGINES) {
      const { environment } = await engine.make();
      const settings = { SCIM_METRICS: "open", SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
      const server = await startInProcess({ ...environment, ...settings });
      const body = JSON.stringify({ url: "https://receiver.example", types: ["Group"] });
      expect((await admin(server, "/webhooks", { method: "POST", body })).status).toBe(201);
      await server.user({ userName: "charted", colour: "red" });
      await server.call("GET", '/Users?filter=nickName+co+"x"');
      await server.call("GET", "/Users/none");
      const { text } = await exchange(server.origin, { method: "GET", path: "/metrics" });
      for (const name of text.matchAll(/^# TYPE (?<name>\w+)/gm))
        told.set(name.groups?.["name"] ?? "", new Set());
      for (const { name, labels } of samplesOf(text))
        told.set(name, new Set([...(told.get(name) ?? []), ...Object.keys(labels)]));
    }
    const asked = expressions.flatMap((text) => text.match(/\b(?:scim|nodejs|process)_\w+/g) ?? []);
    expect(asked.length).toBeGreaterThan(30);
    expect([...new Set(asked)].filter((name) => !told.has(name))).toEqual([]);
    const labels = new Set([...told.values()].flatMap((names) => [...names]));
    const grouped = expressions.flatMap((text) =>
      [...text.matchAll(/by \((?<labels>[^)]*)\)/g)].flatMap(({ groups }) =>
        (groups?.["labels"] ?? "").split(", "),
      ),
    );
    expect([...new Set(grouped)].filter((label) => !labels.has(label))).toEqual([]);
  });

  test("asks in PromQL", () => {
    expect(expressions.map(promqlFault).filter(Boolean)).toEqual([]);
  });

  test("shows that no request fails as nothing, not as no data", () => {
    // There is no series of a status that was never answered.
    expect(expressions.filter((text) => /status="5xx"(?!.*or vector\(0\))/.test(text))).toEqual([]);
  });

  test("shows every metric of the service that stands in the documentation", () => {
    const documented = deployFile("../docs/observing.md").match(/\bscim_\w+/g) ?? [];
    const shown = expressions.join(" ");
    expect([...new Set(documented)].filter((name) => !shown.includes(name))).toEqual([]);
  });

  test("gives panels places that do not overlap", () => {
    const cells = panels.flatMap((panel) => {
      const [x, y, w, h] = ["x", "y", "w", "h"].map((key) => Number(at(panel, `gridPos.${key}`)));
      return Array.from(
        { length: Number(w) * Number(h) },
        (_, index) => `${Number(x) + (index % Number(w))},${Number(y) + Math.floor(index / Number(w))}`,
      );
    });
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map((panel) => at(panel, "id"))).size).toBe(panels.length);
  });
});

describe("docs/deployment.md", () => {
  const text = deployFile("../docs/deployment.md");

  test("explains each file", () => {
    for (const { path } of deployFiles()) expect(text).toContain(path.split("/").at(-1));
  });

  test("names no variable and no flag that there is not", () => {
    const flags = new Set(SETTING_KEYS.map(flagOf));
    expect((text.match(/\bSCIM_[A-Z_]+/g) ?? []).filter((name) => !knownVariables().has(name))).toEqual([]);
    const named = [...text.matchAll(/scim serve[^`\n]*?(?<flag>--[a-z-]+)/g)].map(
      ({ groups }) => groups?.["flag"] ?? "",
    );
    expect(named.filter((flag) => !flags.has(flag))).toEqual([]);
  });
});
