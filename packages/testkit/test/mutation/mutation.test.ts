import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseSync } from "oxc-parser"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const SCRIPTS = new URL("../../scripts/mutation/", import.meta.url).href

interface Fault {
  readonly id: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly before: string
  readonly after: string
  readonly file: string
}

const load = async <A>(name: string): Promise<A> => (await import(SCRIPTS + name)) as A

const { faultsOf } = await load<{
  readonly faultsOf: (text: string, program: unknown) => ReadonlyArray<Omit<Fault, "id" | "file">>
}>("operators.mjs")
const { instrument } = await load<{ readonly instrument: (text: string, faults: ReadonlyArray<object>) => string }>(
  "instrument.mjs"
)
const { chosenFiles, faultsIn, knownBy, sampleOf } = await load<{
  readonly chosenFiles: (root: string, words: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly faultsIn: (root: string, files: ReadonlyArray<string>) => Promise<ReadonlyArray<Fault>>
  readonly knownBy: (fault: { readonly file: string; readonly before: string; readonly after: string }) => string
  readonly sampleOf: (
    faults: ReadonlyArray<Fault>,
    seed: string,
    most: { readonly countMax: number; readonly filesMax: number }
  ) => ReadonlyArray<Fault>
}>("faults.mjs")
const { isHeld } = await load<{
  readonly isHeld: (sample: { readonly tried: number; readonly noticed: number; readonly isDrawn: boolean }) => boolean
}>("gate.mjs")
const { EQUIVALENTS } = await load<{
  readonly EQUIVALENTS: Readonly<Record<string, ReadonlyArray<{ file: string; before: string; after: string }>>>
}>("equivalents.mjs")
const { MODULES } = await load<{ readonly MODULES: Readonly<Record<string, ReadonlyArray<string>>> }>("modules.mjs")

const faults = (text: string) => {
  const { program } = parseSync("given.ts", text, { preserveParens: true })
  return faultsOf(text, program).map((fault, at) => ({ ...fault, id: at + 1 }))
}

/** Each fault as the whole text with it. */
const texts = (text: string): ReadonlyArray<string> =>
  faults(text).map((fault) => text.slice(0, fault.start) + fault.text + text.slice(fault.end))

const becomes = (text: string, ...wanted: ReadonlyArray<string>) => {
  const made = texts(text)
  for (const each of wanted) assert.include(made, each)
}

describe("the faults that are made in code", () => {
  it("force conditions, move boundaries, and drop the sides of && and ??", () => {
    becomes(
      "if (a < b && c) d()",
      "if (true) d()",
      "if (false) d()",
      "if (a <= b && c) d()",
      "if (a < b) d()",
      "if (c) d()"
    )
    becomes("const x = a ?? b", "const x = a", "const x = b")
    becomes("const x = a ? b : c", "const x = b", "const x = c")
  })

  it("take the least for either of two, leave filters and steps out, and turn some into every", () => {
    becomes("const x = Math.min(a, b)", "const x = a", "const x = b")
    becomes("const x = people.filter(isOpen)", "const x = people")
    becomes("const x = people.some(isOpen)", "const x = people.every(isOpen)")
    becomes(
      "const x = work.pipe(retry(3), timeout(1))",
      "const x = work.pipe(timeout(1))",
      "const x = work.pipe(retry(3))"
    )
  })

  it("leave out statements, awaits, elements and spreads", () => {
    becomes("async () => { await lock(); go() }", "async () => {  go() }", "async () => { lock(); go() }")
    becomes("const x = [a, b, c]", "const x = [b, c]", "const x = [a, c]", "const x = [a, b]")
    becomes("const x = { a, ...(b ? { c } : {}) }", "const x = { a }")
  })

  it("take one state for another that the file knows by that name", () => {
    becomes(
      'type A = { kind: "one" | "two" }; const x = { kind: "one" }',
      'type A = { kind: "one" | "two" }; const x = { kind: "two" }'
    )
  })

  it("leave conditions of SQL out, and turn its comparisons, orders and extremes", () => {
    const sql = "sql`SELECT min(a) FROM t WHERE a = ${b} AND c <= ${d} ORDER BY c DESC`"
    becomes(
      sql,
      "sql`SELECT min(a) FROM t WHERE true AND c <= ${d} ORDER BY c DESC`",
      "sql`SELECT min(a) FROM t WHERE a = ${b} AND true ORDER BY c DESC`",
      "sql`SELECT min(a) FROM t WHERE a = ${b} AND c < ${d} ORDER BY c DESC`",
      "sql`SELECT max(a) FROM t WHERE a = ${b} AND c <= ${d} ORDER BY c DESC`",
      "sql`SELECT min(a) FROM t WHERE a = ${b} AND c <= ${d} ORDER BY c ASC`"
    )
    becomes("const x = sql`SELECT a FROM t FOR UPDATE SKIP LOCKED`", "const x = sql`SELECT a FROM t `")
    becomes('const x = grant({ id }, "FOR NO KEY UPDATE")', 'const x = grant({ id }, "")')
    becomes("const x = `WHERE a = 1 AND LEAST(b, c) > 0`", "const x = `WHERE a = 1 AND GREATEST(b, c) > 0`")
  })

  it("leave alone what is only told to logs, and the values of constants", () => {
    assert.deepStrictEqual(texts("function* a() { yield* Effect.logInfo(b) }"), [])
    assert.deepStrictEqual(texts("const LOOKS_MAX = 40"), [])
  })
})

const GIVEN = `
const sizes = [3, 1, 2].filter((n) => n > 1 || n === 1)
let seen = 0
const f = (a, b) => {
  if (a < b && b > 0) seen += Math.min(a, b)
  else if (!a) seen -= 1
  for (const n of sizes) if (n >= a) seen += n
  return a === b ? seen : (seen ?? 0) * 2
}
return [f(1, 2), f(0, -1), f(2, 2), sizes, seen]
`

/** Runs the text as the body of a function. */
const outcome = (text: string, on: number): string => {
  const before: unknown = Reflect.get(globalThis, "__outboundFault")
  Reflect.set(globalThis, "__outboundFault", (id: number) => id === on)
  try {
    return JSON.stringify(new Function(text)())
  } catch (error) {
    return String(error)
  } finally {
    Reflect.set(globalThis, "__outboundFault", before)
  }
}

describe("all faults of a file behind switches", () => {
  const { program } = parseSync("given.js", `function given() {${GIVEN}}`, { preserveParens: true })
  const shift = "function given() {".length
  const made = faultsOf(`function given() {${GIVEN}}`, program).map((fault, at) => ({
    ...fault,
    id: at + 1,
    start: fault.start - shift,
    end: fault.end - shift
  }))
  const switched = instrument(GIVEN, made)

  it("change nothing while all are off", () => {
    assert.strictEqual(outcome(switched, 0), outcome(GIVEN, 0))
  })

  it("do with one on what the text with that fault alone does", () => {
    assert.isAbove(made.length, 30)
    for (const fault of made) {
      const alone = GIVEN.slice(0, fault.start) + (fault.text || "{}") + GIVEN.slice(fault.end)
      assert.strictEqual(outcome(switched, fault.id), outcome(alone, 0), alone)
    }
  })
})

describe("what is tried", () => {
  const all = faultsIn(ROOT, chosenFiles(ROOT, []))

  it("every file of a module is there, and faults are found in the whole", async () => {
    for (const path of Object.values(MODULES).flat()) assert.isTrue(existsSync(ROOT + path), path)
    assert.isAbove((await all).length, 3_000)
  })

  it("every fault that is named as changing nothing is still one, under a reason", async () => {
    const alive = new Set((await all).map(knownBy))
    const stale = Object.values(EQUIVALENTS)
      .flat()
      .map(knownBy)
      .filter((known) => !alive.has(known))
    assert.deepStrictEqual(stale, [])
    for (const reason of Object.keys(EQUIVALENTS)) assert.isAbove(reason.length, 30)
  })

  it("a seed chooses the same sample again, and another seed another", async () => {
    const found = await all
    const of = (seed: string) => sampleOf(found, seed, { countMax: 60, filesMax: 6 }).map(({ id }) => id)
    assert.deepStrictEqual(of("a"), of("a"))
    assert.notDeepEqual(of("a"), of("b"))
    assert.isAtMost(of("a").length, 60)
  })

  it("a sample fails only where files that hold 90 % would give so few in less than one of twenty draws", () => {
    const held = (tried: number, noticed: number) => isHeld({ tried, noticed, isDrawn: true })
    assert.isTrue(held(0, 0))
    assert.isTrue(held(20, 18))
    assert.isTrue(held(20, 16))
    assert.isFalse(held(20, 15))
    assert.isTrue(held(60, 50))
    assert.isFalse(held(60, 49))
    assert.isFalse(held(120, 101))
    assert.isTrue(held(1, 0))
    assert.isFalse(held(3, 1))
  })

  it("a file whose faults were all tried fails below 90 %", () => {
    assert.isTrue(isHeld({ tried: 20, noticed: 18, isDrawn: false }))
    assert.isFalse(isHeld({ tried: 20, noticed: 17, isDrawn: false }))
  })

  it("what noticed a file's faults before is a test that still exists", () => {
    const path = new URL("../../scripts/mutation/tests.json", import.meta.url)
    const known: unknown = JSON.parse(readFileSync(path, "utf8"))
    const tests = Object.values(known as Record<string, ReadonlyArray<string>>).flat()
    assert.deepStrictEqual(
      tests.filter((test) => !existsSync(ROOT + test)),
      []
    )
  })
})
