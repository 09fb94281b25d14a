import { assert, describe, it } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { decide, makeClient } from "@outbound/testkit/service/Client.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, References } from "effect"
import { execFile, spawn } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import openapiTS, { astToString } from "openapi-typescript"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"

const PACKAGE = fileURLToPath(new URL("..", import.meta.url))
const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")

const COMPILER_OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ["node"],
  outDir: "out"
}

/** A folder from which the package's own libraries are found. */
const workshop = Effect.acquireRelease(
  Effect.sync(() => {
    mkdirSync(join(PACKAGE, "dist"), { recursive: true })
    return mkdtempSync(join(PACKAGE, "dist/generated-"))
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const compile = (folder: string) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [TSC, "-p", folder], (error, out) => resolve(error === null ? "" : `failed: ${out}`))
  })

/** Runs the program to its end. Each line that it says is handed on as it comes. */
const runProgram = (program: string, env: Readonly<Record<string, string>>, onLine: (line: string) => void) =>
  new Promise<{ readonly code: number | null; readonly lines: ReadonlyArray<string>; readonly complaints: string }>(
    (resolve) => {
      const child = spawn(process.execPath, [program], { env: { ...process.env, ...env } })
      const lines: Array<string> = []
      let [rest, complaints] = ["", ""]
      child.stderr.on("data", (text) => (complaints += String(text)))
      child.stdout.on("data", (text) => {
        const parts = (rest + String(text)).split("\n")
        rest = parts.pop() ?? ""
        for (const line of parts) {
          lines.push(line)
          onLine(line)
        }
      })
      child.on("close", (code) => resolve({ code, lines, complaints }))
    }
  )

const Host = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.merge(Outbound.workers),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

describe("a client that was generated from the running document", () => {
  it.live(
    "compiles, and runs the loop",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const url = `http://127.0.0.1:${port}`
        const client = yield* makeClient({
          scopes: ["data:read", "campaign:write", "campaign:launch", "assets:purchase", "trail:read"]
        })
        const admin = yield* Admin
        yield* Effect.orDie(admin.grantCredits(client.workspaceId, credits("5000")))

        const folder = yield* workshop
        const document = yield* Effect.promise(async () => (await fetch(`${url}/openapi.json`)).text())
        const types = yield* Effect.promise(async () => astToString(await openapiTS(document)))
        writeFileSync(join(folder, "schema.ts"), types)
        copyFileSync(join(PACKAGE, "test/generated/program.ts"), join(folder, "program.ts"))
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
        assert.strictEqual(yield* Effect.promise(() => compile(folder)), "")

        const runPromise = Effect.runPromiseWith(yield* Effect.context<Layer.Success<typeof Host>>())
        const approve = (line: string): void => {
          const [word, , approvalUrl] = line.split(" ")
          if (word === "approve" && approvalUrl !== undefined) void runPromise(decide(client, approvalUrl, "approve"))
        }
        const env = { URL_OF_SERVICE: url, API_KEY: client.apiKey }
        const ran = yield* Effect.promise(() => runProgram(join(folder, "out/program.js"), env, approve))
        assert.strictEqual(ran.code, 0, ran.complaints)
        const said = ran.lines.filter((line) => !line.startsWith("approve "))
        assert.deepStrictEqual(said.slice(0, -1), [
          "I am test",
          "at most 0.6 credits",
          "found 3",
          "verified valid",
          "mailboxes succeeded",
          "reply interested",
          "recorded meeting_booked",
          "trail 3",
          "refused not_found"
        ])
        assert.match(said.at(-1) ?? "", /^spent until [\d.]+$/)
      }).pipe(Effect.scoped, Effect.provide(Host)),
    240_000
  )
})
