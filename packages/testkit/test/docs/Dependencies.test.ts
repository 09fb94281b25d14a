import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"

const ROOT = new URL("../../../../", import.meta.url)
const RECORDS = new URL("docs/decisions/", ROOT)

const Names = Schema.Record(Schema.String, Schema.Unknown).pipe(Schema.withDecodingDefault(Effect.sync(() => ({}))))
const Manifest = Schema.fromJsonString(
  Schema.Struct({ dependencies: Names, peerDependencies: Names, peerDependenciesMeta: Names })
)

/** What is installed where the service runs, and what each package asks for itself: what is optional is not. */
const dependencies = readdirSync(new URL("packages", ROOT)).flatMap((name) => {
  const manifest = Schema.decodeSync(Manifest)(readFileSync(new URL(`packages/${name}/package.json`, ROOT), "utf8"))
  const peers = Object.keys(manifest.peerDependencies).filter((peer) => !(peer in manifest.peerDependenciesMeta))
  return [...Object.keys(manifest.dependencies), ...peers]
})

it("every dependency of production has a decision record that says what it is for", () => {
  const records = readdirSync(RECORDS).map((name) => readFileSync(new URL(name, RECORDS), "utf8"))
  const others = [...new Set(dependencies)].filter((name) => !name.startsWith("@outbound/"))
  assert.isAbove(others.length, 30)
  assert.deepStrictEqual(
    others.filter((name) => !records.some((text) => text.includes(`\`${name}\``))),
    []
  )
})
