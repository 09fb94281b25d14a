import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { render } from "./architecture/Breach.js"
import { repositoryBreaches } from "./architecture/Repository.js"
import { hashBreaches, productionBreaches } from "./architecture/Production.js"
import {
  DOMAIN_MODULES,
  type Manifest,
  manifestBreaches,
  OUTREACH_FOLDERS,
  SOURCE_LINES_MAX,
  sourceBreaches,
  topLevelBreaches
} from "./architecture/Rules.js"
import { readSource } from "./architecture/Source.js"

const libraries = { effect: "4.1.0", pg: "8.23.1", vitest: "5.1.2" }
const manifests = ["domain", "adapters", "sandbox", "host-http", "host-mcp"].map((name) => ({
  path: `packages/${name}/package.json`,
  dependencies: libraries
}))
const developed = { path: "packages/testkit/package.json", devDependencies: libraries }

/** What the rules say about files that hold these texts. */
const breachesIn = (files: Readonly<Record<string, string>>) =>
  sourceBreaches(
    Object.entries(files).map(([path, text]) => readSource(path, text)),
    [...manifests, developed]
  ).map(render)

const refused = (path: string, text: string) => breachesIn({ [path]: text }).length > 0

describe("the repository", () => {
  it("keeps every rule of its architecture", () => {
    const { breaches, files } = repositoryBreaches()
    assert.isAbove(files, 0)
    assert.deepStrictEqual(breaches.map(render), [])
  })

  it.each(DOMAIN_MODULES)("describes the module %s on a page of its own", (module) => {
    const page = new URL(`../../domain/src/${module}/README.md`, import.meta.url)
    assert.match(readFileSync(page, "utf8"), new RegExp(`^# ${module}\n`))
  })
})

describe("the page of outreach", () => {
  it("names its folders in their order", () => {
    const page = readFileSync(new URL("../../domain/src/outreach/README.md", import.meta.url), "utf8")
    assert.deepStrictEqual(
      [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name),
      [...OUTREACH_FOLDERS]
    )
  })
})

describe("an import that breaks the dependency rule is found", () => {
  const cases: ReadonlyArray<readonly [path: string, specifier: string, allowed: boolean]> = [
    ["packages/domain/src/kernel/money/Credits.ts", "effect", true],
    ["packages/domain/src/kernel/money/Credits.ts", "effect/Schema", true],
    ["packages/domain/src/kernel/money/Credits.ts", "tldts", true],
    ["packages/domain/src/kernel/money/Credits.ts", "../errors/Wire.js", true],
    ["packages/domain/src/kernel/money/Credits.ts", "../../calls/Attempt.js", false],
    ["packages/domain/src/calls/Attempt.ts", "../kernel/money/Credits.js", true],
    ["packages/domain/src/calls/approvals/Approvals.ts", "../Attempt.js", true],
    ["packages/domain/src/calls/Attempt.ts", "../outreach/campaigns/Campaign.js", false],
    ["packages/domain/src/outreach/sending/Planner.ts", "../../control/kill.js", false],
    ["packages/domain/src/Settings.ts", "effect", false],
    ["packages/domain/src/kernel/money/Credits.ts", "@outbound/domain/kernel/errors/Wire.js", false],
    ["packages/domain/src/kernel/money/Credits.ts", "../../../adapters/src/postgres/Pool.js", false],
    ["packages/domain/src/kernel/money/Credits.ts", "../../../test/fixtures.js", false],
    ["packages/domain/src/kernel/money/Credits.ts", "effectful", false],
    ["packages/domain/src/kernel/money/Credits.ts", "@effect/opentelemetry", false],
    ["packages/domain/src/kernel/money/Credits.ts", "node:crypto", false],
    ["packages/domain/src/kernel/money/Credits.ts", "pg", false],
    ["packages/adapters/src/postgres/PgCreditStore.ts", "@outbound/domain/kernel/money/Credits.js", true],
    ["packages/adapters/src/postgres/PgCreditStore.ts", "pg", true],
    ["packages/adapters/src/postgres/PgCreditStore.ts", "node:fs", true],
    ["packages/adapters/src/postgres/PgCreditStore.ts", "fs", false],
    ["packages/adapters/src/postgres/PgCreditStore.ts", "undeclared", false],
    ["packages/adapters/src/postgres/PgCreditStore.ts", "@outbound/testkit/memory/MemoryCreditStore.js", false],
    ["packages/adapters/src/postgres/PgCreditStore.ts", "@outbound/host-http/Server.js", false],
    ["packages/testkit/src/contracts/credits.ts", "vitest", true],
    ["packages/testkit/src/contracts/credits.ts", "@outbound/domain/kernel/money/Credits.js", true],
    ["packages/testkit/src/contracts/credits.ts", "@outbound/sandbox/world/World.js", true],
    ["packages/testkit/src/contracts/credits.ts", "undeclared", false],
    ["packages/sandbox/src/world/World.ts", "@outbound/domain/kernel/money/Credits.js", true],
    ["packages/sandbox/src/world/World.ts", "@outbound/testkit/memory/TestIds.js", false],
    ["packages/testkit/src/contracts/credits.ts", "@outbound/adapters/postgres/Pool.js", false],
    ["packages/testkit/src/contracts/credits.ts", "@outbound/host-mcp/Tools.js", false],
    ["packages/host-http/src/Server.ts", "@outbound/domain/verbs/Verb.js", true],
    ["packages/host-http/src/Server.ts", "@outbound/adapters/postgres/Pool.js", false],
    ["packages/host-http/src/main.ts", "@outbound/adapters/postgres/Pool.js", true],
    ["packages/host-http/src/main.ts", "@outbound/sandbox/world/World.js", true],
    ["packages/host-http/src/main.ts", "@outbound/testkit/memory/TestIds.js", false],
    ["packages/host-http/src/main/Service.ts", "@outbound/adapters/postgres/Pool.js", true],
    ["packages/host-http/src/maintenance/Service.ts", "@outbound/adapters/postgres/Pool.js", false],
    ["packages/host-http/src/console/main.ts", "@outbound/sandbox/world/World.js", false],
    ["packages/host-mcp/src/Tools.ts", "@outbound/sandbox/world/World.js", false],
    ["packages/host-mcp/src/main.ts", "@outbound/host-http/Server.js", false],
    ["packages/newcomer/src/Thing.ts", "effect", false]
  ]
  it.each(cases)("%s may import %s: %s", (path, specifier, allowed) => {
    assert.strictEqual(refused(path, `import { x } from "${specifier}"\nexport const y = x`), !allowed)
  })

  it.each([
    ["sending/Planner.ts", "../campaigns/Campaign.js", true],
    ["sending/vendor/Rounds.ts", "../Planner.js", true],
    ["campaigns/Campaign.ts", "../sending/Planner.js", false],
    ["mail/Inbound.ts", "../provisioning/Purchase.js", false]
  ])("outreach/%s may import %s: %s", (path, specifier, allowed) => {
    assert.strictEqual(refused(`packages/domain/src/outreach/${path}`, `import "${specifier}"`), !allowed)
  })

  it("a file of outreach that lies in no folder of its stack", () => {
    assert.isTrue(refused("packages/domain/src/outreach/newcomer/Thing.ts", "export {}"))
    assert.isTrue(refused("packages/domain/src/outreach/campaigns.ts", "export {}"))
  })

  it.each([
    ["a type import", `import type { Pool } from "pg"`],
    ["a type among values", `import { type Pool } from "pg"`],
    ["an import for its effects", `import "pg"`],
    ["a re-export", `export { Pool } from "pg"`],
    ["a re-export of everything", `export * from "pg"`],
    ["a re-export of types", `export type { Pool } from "pg"`],
    ["a dynamic import", `export const load = () => import("pg")`],
    ["a dynamic import of a computed name", "export const load = (n: string) => import(`p${n}`)"],
    ["an import inside a type", `export type P = import("pg").Pool`],
    [
      "an import after a generic arrow and an expression that looks like a comment",
      `const f = <A,>(a: A) => a; const r = /\\/*"/; export * from "pg"`
    ],
    ["require", `export const pg = require("pg")`]
  ])("%s", (_, text) => {
    assert.isTrue(refused("packages/domain/src/kernel/Thing.ts", text))
  })

  it("but not in what only looks like an import", () => {
    const text = `// import "pg"\nconst re = /import "pg"/\nexport const text = 'import "pg"'\nexport const p = <p>Don't import "pg" {re.source}</p>`
    assert.isFalse(refused("packages/domain/src/kernel/Thing.tsx", text))
  })
})

describe("imports that go round are found", () => {
  const at = (root: string, files: Readonly<Record<string, string>>) =>
    breachesIn(
      Object.fromEntries(
        Object.entries(files).map(([path, specifier]) => [`${root}/${path}`, `import type { T } from "${specifier}"`])
      )
    )

  it("between folders two floors below the package's sources, by types alone", () => {
    const root = "packages/adapters/src/providers"
    const oneWay = { "config/makeLive.ts": "../recording/Cassette.js", "recording/Cassette.ts": "./redact.js" }
    assert.deepStrictEqual(at(root, { ...oneWay, "recording/redact.ts": "effect" }), [])
    const [breach = "", ...others] = at(root, { ...oneWay, "recording/redact.ts": "../config/makeLive.js" })
    assert.lengthOf(others, 0)
    assert.include(breach, `in ${root} the imports go round: config -> recording -> config`)
    assert.include(breach, `${root}/recording/redact.ts:1 imports ${root}/config/makeLive.ts`)
  })

  it("between a folder and a file beside it", () => {
    const root = "packages/domain/src/sources"
    assert.lengthOf(at(root, { "Later.ts": "./ports/Source.js", "ports/Source.ts": "../Later.js" }), 1)
  })

  it("between files of which one has markup, as the compiler finds them", () => {
    const root = "packages/host-http/src/console"
    assert.lengthOf(at(root, { "Shell.tsx": "./Parts.js", "Parts.tsx": "effect" }), 0)
    assert.lengthOf(at(root, { "Shell.tsx": "./Parts.js", "Parts.tsx": "./Shell.js" }), 1)
    assert.lengthOf(at(root, { "Document.ts": "./Reference.js", "Reference.tsx": "./Document.js" }), 1)
  })

  it("beside what only leads to them", () => {
    const root = "packages/host-http/src/web"
    const round = { "One.ts": "./Other.js", "Other.ts": "./One.js" }
    const [breach = ""] = at(root, { "Above.ts": "./One.js", ...round })
    assert.include(breach, "the imports go round: One.ts -> Other.ts -> One.ts")
  })
})

describe("an import of a wing, or of a vendor, is found", () => {
  it.each([
    ["packages/host-http/src/console/Thing.ts", "../wings/crm/CrmPage.js", true],
    ["packages/host-http/src/main/Thing.ts", "@outbound/domain/wings/crm/Crm.js", true],
    ["packages/host-http/test/Thing.test.ts", "@outbound/domain/wings/crm/Crm.js", true],
    ["packages/domain/src/wings/other/Thing.ts", "../crm/Crm.js", true],
    ["packages/domain/src/app/Thing.ts", "../wings/wings.js", false],
    ["packages/domain/src/wings/wings.ts", "./crm/wing.js", false],
    ["packages/host-http/src/wings/crm/Thing.ts", "@outbound/domain/wings/crm/Crm.js", false],
    ["packages/host-http/test/wings/crm/Thing.test.ts", "../../../src/wings/crm/CrmPage.js", false],
    ["packages/adapters/src/providers/config/makeLive.ts", "../web/Web.js", true],
    ["packages/adapters/src/providers/edgar/Edgar.ts", "../boards/Boards.js", true],
    ["packages/host-http/src/main/Thing.ts", "@outbound/adapters/providers/web/Web.js", true],
    ["packages/adapters/src/providers/edgar/Edgar.ts", "../open/OpenHttp.js", false],
    ["packages/adapters/src/providers/vendors.ts", "./edgar/Edgar.js", false]
  ])("%s imports %s: %s", (path, specifier, expected) => {
    assert.strictEqual(refused(path, `import "${specifier}"`), expected)
  })
})

describe("a tag key that could be mistaken for another is found", () => {
  const tag = (key: string) => `class Store extends Context.Service<Store, {}>()(${key}) {}`
  const at = "packages/domain/src/calls/credits/CreditStore.ts"

  it.each([
    [`"@outbound/domain/calls/credits/CreditStore"`, false],
    [`"@outbound/domain/calls/credits/CreditStore/Reader"`, false],
    [`"@outbound/domain/calls/credits/CreditStoreReader"`, true],
    [`"@outbound/domain/calls/credits/Ledger"`, true],
    [`"@outbound/adapters/credits/CreditStore"`, true],
    [`"CreditStore"`, true],
    ["NAME", true]
  ])("%s is refused: %s", (key, expected) => {
    assert.strictEqual(refused(at, tag(key)), expected)
  })

  it("that of an ambient value with a default, too", () => {
    const reference = (key: string) => `export const Store = Context.Reference(${key}, { defaultValue })`
    assert.isFalse(refused(at, reference(`"@outbound/domain/calls/credits/CreditStore"`)))
    assert.isTrue(refused(at, reference(`"CreditStore"`)))
    assert.isTrue(refused(at, reference("NAME")))
  })

  it("a span that is not made by the domain's telemetry", () => {
    const file = "packages/domain/src/calls/credits/CreditStore.ts"
    for (const made of ['Effect.fn("CreditStore.get")', 'Effect.withSpan("get")']) {
      assert.isTrue(refused(file, `const get = ${made}`), made)
      assert.isFalse(refused("packages/domain/src/kernel/telemetry.ts", `const get = ${made}`), made)
    }
    assert.isFalse(refused(file, 'const get = inSpan("call.look")(look)'))
  })

  it("a key that stands twice", () => {
    const key = `"@outbound/domain/calls/credits/CreditStore"`
    assert.lengthOf(breachesIn({ [at]: `${tag(key)}\nconst again = Context.Service<{}>(${key})` }), 1)
  })

  it("a service that is not an interface alone", () => {
    assert.isTrue(
      refused(
        at,
        `class Store extends Context.Service<Store>()("@outbound/domain/calls/credits/CreditStore", { make }) {}`
      )
    )
  })
})

describe("the domain's purity", () => {
  it.each([
    "Date.now()",
    "new Date()",
    "Math.random()",
    "globalThis.crypto.randomUUID()",
    "fetch(url)",
    "process.env.HOME"
  ])("%s is refused in the domain, and elsewhere allowed", (use) => {
    assert.isTrue(refused("packages/domain/src/kernel/Thing.ts", `export const x = ${use}`))
    assert.isFalse(refused("packages/adapters/src/Thing.ts", `export const x = ${use}`))
  })

  it("a date that is a function of its argument is not refused", () => {
    assert.isFalse(refused("packages/domain/src/kernel/Thing.ts", `export const d = (at: string) => new Date(at)`))
  })
})

describe("a state that is compared outside its machine is found", () => {
  const machine = `export const DoorMachine = defineMachine("door", { states: ["open", "shut"], events: [], table })`
  const found = (text: string, path = "packages/adapters/src/Thing.ts") =>
    breachesIn({ "packages/domain/src/kernel/DoorMachine.ts": machine, [path]: text })

  it.each([
    [`export const f = (door) => door.state === "open"`, 1],
    [`export const f = (door) => "open" !== door.state`, 1],
    [`export const f = (door) => door?.state == "open"`, 1],
    [`export const f = ({ state }) => state !== "open" && state !== "shut"`, 2],
    [`export const f = (newState) => newState === "shut"`, 1],
    [`class F { #state; f = () => this.#state === "open" }`, 1],
    [`export const f = (door) => { switch (door.state) { case "open": return 1; case "shut": return 2 } }`, 2],
    [`export const f = (door) => DoorMachine.is.open(door.state)`, 0],
    [`export const f = (door) => door.state === "painted"`, 0],
    [`export const f = (door) => door.colour === "open"`, 0],
    [`export const f = (a, b) => a.state === b.state`, 0]
  ])("%s: %i times", (text, times) => {
    assert.lengthOf(found(text), times)
  })

  it("in the machine's own file, in suites and in tests it is allowed", () => {
    const text = `export const f = (door) => door.state === "open"`
    assert.lengthOf(breachesIn({ "packages/domain/src/kernel/DoorMachine.ts": `${machine}\n${text}` }), 0)
    assert.lengthOf(found(text, "packages/testkit/src/contracts/doors.ts"), 0)
    assert.lengthOf(found(text, "packages/domain/test/doors.test.ts"), 0)
  })
})

describe("a duration that has a name", () => {
  it("has it in one file", () => {
    const text = "export const DAY_MILLIS = 86_400_000"
    assert.isTrue(refused("packages/adapters/src/Thing.ts", text))
    assert.isTrue(refused("packages/adapters/test/thing.test.ts", text))
    assert.isFalse(refused("packages/domain/src/kernel/durations.ts", text))
    assert.isFalse(refused("packages/adapters/src/Thing.ts", "const KEPT_MILLIS = 30 * DAY_MILLIS"))
  })
})

describe("assertions", () => {
  it.each([
    ["assert.deepStrictEqual(found, Option.some(1))", true],
    ["assert.deepStrictEqual(found, Option.none())", true],
    ["assert.deepStrictEqual(Option.getOrNull(found), 1)", false]
  ])("%s: refused is %s", (text, isRefused) => {
    assert.strictEqual(refused("packages/domain/test/thing.test.ts", text), isRefused)
  })
})

describe("the shape of files, manifests and the top level", () => {
  it("a barrel is found, in tests too", () => {
    assert.isTrue(refused("packages/domain/src/calls/credits/index.ts", "export {}"))
    assert.isTrue(refused("packages/domain/test/index.tsx", "export {}"))
  })

  it("a source file may hold the maximum of lines, and no line more", () => {
    const lines = (count: number) => "const x = 1\n".repeat(count)
    assert.isFalse(refused("packages/domain/src/kernel/Thing.ts", lines(SOURCE_LINES_MAX)))
    assert.isTrue(refused("packages/domain/src/kernel/Thing.ts", lines(SOURCE_LINES_MAX + 1)))
    assert.isFalse(refused("packages/domain/test/Thing.test.ts", lines(SOURCE_LINES_MAX + 1)))
  })

  it.each(["^4.1.0", "~4.1.0", "*", "latest", "4.1", ">=3", "git+https://example.com/x.git"])(
    "the version %s is not exact",
    (version) => {
      assert.lengthOf(manifestBreaches([{ path: "package.json", devDependencies: { effect: version } }]), 1)
    }
  )

  it("one library has one version in every package", () => {
    const pinned = (path: string, version: string) => ({ path, dependencies: { effect: version } })
    assert.lengthOf(manifestBreaches([pinned("a", "4.1.0"), pinned("b", "4.1.0")]), 0)
    assert.lengthOf(manifestBreaches([pinned("a", "4.1.0"), pinned("b", "4.0.6")]), 1)
    assert.lengthOf(manifestBreaches([{ path: "a", dependencies: { pg: "18.4.0-beta.17" } }]), 0)
  })

  it("a peer has a range, around the version that the repository pins", () => {
    const root = { path: "package.json", dependencies: { effect: "4.1.0" } }
    const peer = (version: string) => ({ path: "a", peerDependencies: { effect: version } })
    assert.lengthOf(manifestBreaches([root, peer("^4.0.5")]), 0)
    assert.lengthOf(manifestBreaches([root, peer("4.1.0")]), 1)
    assert.lengthOf(manifestBreaches([root, peer(">=4")]), 1)
    assert.lengthOf(manifestBreaches([root, peer("^3.0.0")]), 1)
    assert.lengthOf(manifestBreaches([peer("^4.0.5")]), 1)
  })

  it("a stranger at the top level is found", () => {
    assert.lengthOf(topLevelBreaches(["packages", "docs", ".ci", "README.md", "scripts"]), 1)
  })
})

describe("what is installed for production", () => {
  /** One host, which needs `library`; what is installed besides, and what the host needs besides. */
  const breaches = (
    installed: Readonly<Record<string, object>>,
    { host = "host-http", ...needs }: Partial<Manifest> & { readonly host?: string } = {}
  ) => {
    const manifest = { path: `packages/${host}/package.json`, dependencies: { library: "1.0.0" }, ...needs }
    const packages = { [`packages/${host}`]: manifest, "node_modules/library": {}, ...installed }
    return productionBreaches([manifest], { packages }).map(({ message }) => message)
  }
  const runner = { "node_modules/vitest": {} }

  it("holds no test runner, by whatever way it would come", () => {
    assert.deepStrictEqual(breaches({}), [])
    assert.deepStrictEqual(
      breaches({
        ...runner,
        "node_modules/library": { dependencies: { deep: "*" } },
        "node_modules/deep": { peerDependencies: { vitest: "*" } }
      }),
      ["a test runner would be installed for production: packages/host-http -> library -> deep -> vitest"]
    )
    const linked = { resolved: "packages/adapters", link: true }
    assert.lengthOf(
      breaches({
        ...runner,
        "node_modules/library": linked,
        "packages/adapters": { dependencies: { vitest: "5.1.2" } }
      }),
      1
    )
  })

  it("is what the nearest folder holds, where there are several of a name", () => {
    const nested = "node_modules/library/node_modules/deep"
    const installed = { "node_modules/library": { dependencies: { deep: "*" } }, "node_modules/deep": {}, ...runner }
    assert.lengthOf(breaches({ ...installed, [nested]: { dependencies: { vitest: "*" } } }), 1)
    assert.lengthOf(breaches({ ...installed, "node_modules/deep": { dependencies: { vitest: "*" } }, [nested]: {} }), 0)
  })

  it("is not what a library can do without, nor what only its own development needs", () => {
    const optional = { peerDependencies: { vitest: "*" }, peerDependenciesMeta: { vitest: { optional: true } } }
    assert.lengthOf(breaches({ ...runner, "node_modules/library": optional }), 0)
    assert.lengthOf(breaches({ ...runner, "node_modules/library": { devDependencies: { vitest: "*" } } }), 0)
    assert.lengthOf(breaches(runner, { devDependencies: { vitest: "5.1.2", "@outbound/testkit": "0.1.0" } }), 0)
  })

  it("is locked by the hash of each package, wherever it comes from", () => {
    const hash = { integrity: "sha512-AAAA" }
    const linked = { link: true, resolved: "packages/host" }
    const of = (entry: object) =>
      hashBreaches({
        packages: { "": {}, "packages/host": {}, "node_modules/host": linked, "node_modules/one": entry }
      })
    assert.lengthOf(of(hash), 0)
    assert.lengthOf(of({}), 1)
    assert.lengthOf(of({ integrity: "sha1-AAAA" }), 1)
  })

  it("has no package for development among its dependencies, and these bring nothing along", () => {
    assert.lengthOf(breaches({}, { dependencies: { "@outbound/testkit": "0.1.0" } }), 1)
    assert.lengthOf(breaches({}, { dependencies: { "@outbound/sandbox": "0.1.0" } }), 0)
    assert.lengthOf(breaches({}, { host: "testkit" }), 1)
    const host = { path: "packages/host-http/package.json", dependencies: { shared: "1.0.0" } }
    const testkit = { path: "packages/testkit/package.json", dependencies: { shared: "1.0.0" } }
    const packages = { "packages/host-http": host, "packages/testkit": testkit, "node_modules/shared": {} }
    assert.lengthOf(productionBreaches([host, testkit], { packages }), 0)
    assert.lengthOf(productionBreaches([testkit], { packages }), 1)
    assert.lengthOf(breaches({}, { host: "examples", dependencies: {}, devDependencies: { vitest: "5.1.2" } }), 0)
  })
})
