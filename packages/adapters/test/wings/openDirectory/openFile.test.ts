import { assert, describe, it } from "@effect/vitest"
import type { OpenPublisher, RawRecord } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { PUBLISHERS } from "@outbound/domain/wings/openDirectory/publishers/publishers.js"
import { british, BRITISH_HEADING, finnish, place, unit } from "@outbound/testkit/wings/openDirectory/openRecords.js"
import { Effect, Stream } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { openFile } from "../../../src/wings/openDirectory/files/openFile.js"
import { parquetOf } from "./parquetOf.js"

const written = (content: string | Buffer) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-open-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => {
      const path = join(folder, "file")
      writeFileSync(path, content)
      return path
    }
  )

const recordsOf = (content: string | Buffer, publisher: OpenPublisher, skipped = 0) =>
  Effect.gen(function* () {
    const { records } = yield* openFile(yield* written(content), publisher)
    return (yield* Stream.runCollect(records(skipped))).flat()
  })

const faultOf = (content: string | Buffer, publisher: OpenPublisher) =>
  Effect.map(Effect.flip(recordsOf(content, publisher)), ({ message }) => message)

const lines = (records: ReadonlyArray<object>): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")

const places = ["p1", "p2", "p3", "p4", "p5"].map((ref) => place(ref, { name: `Café "${ref}" {[` }))
const feature = ({ id, ...properties }: ReturnType<typeof place>) => ({
  type: "Feature",
  id,
  geometry: { type: "Point", coordinates: [13.4, 52.5] },
  properties
})
const geoJson = (records: ReadonlyArray<object>) =>
  JSON.stringify({ type: "FeatureCollection", name: "places", crs: { properties: { name: "x" } }, features: records })

/** What is read of the records, by a publisher's rule. */
const readBy = (publisher: OpenPublisher, records: ReadonlyArray<RawRecord | null>) =>
  records.map((record) => (record === null ? null : PUBLISHERS[publisher].read(record)))

const csvOf = (heading: ReadonlyArray<string>, rows: ReadonlyArray<Readonly<Record<string, string>>>, mark = ",") =>
  [heading, ...rows.map((row) => heading.map((name) => `"${(row[name.trim()] ?? "").replaceAll('"', '""')}"`))]
    .map((cells) => cells.join(mark))
    .join("\r\n")

describe("published files", () => {
  const expected = readBy("overture", places)

  it.effect.each<readonly [string, string | Buffer]>([
    ["lines of JSON", lines(places)],
    ["lines of JSON without a last line end, with empty lines", `\n${lines(places).trimEnd()}`],
    ["a sequence with record separators", places.map((one) => `\u001e${JSON.stringify(one)}\n`).join("")],
    ["an array", JSON.stringify(places, null, 2)],
    ["GeoJSON", geoJson(places.map(feature))],
    ["lines of GeoJSON features", lines(places.map(feature))],
    ["gzip", gzipSync(lines(places))],
    ["GeoParquet", parquetOf(places, 2)]
  ])("Overture's places are the same in every form: %s", ([, content]) =>
    Effect.gen(function* () {
      const records = yield* recordsOf(content, "overture")
      assert.deepStrictEqual(readBy("overture", records), expected)
      assert.deepInclude(expected[0], { name: 'Café "p1" {[', city: "Berlin", region: "BE", countryCode: "DE" })
      // Where an earlier import stopped.
      const rest = yield* recordsOf(content, "overture", 3)
      assert.deepStrictEqual(readBy("overture", rest), expected.slice(3))
      assert.deepStrictEqual(yield* recordsOf(content, "overture", 5), [])
    })
  )

  it.effect("pieces of any length give the same records: what a piece cuts goes on in the next", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 9_000 }, (_, at) =>
        place(`m${at}`, { name: `Ünïcödé ${"x".repeat(at % 700)} \\"` })
      )
      for (const content of [lines(many), JSON.stringify(many), geoJson(many.map(feature))]) {
        const records = yield* recordsOf(content, "overture")
        assert.deepStrictEqual(readBy("overture", records), readBy("overture", many))
      }
    })
  )

  it.effect(
    "registers' files are read as they are published: JSON of brreg and PRH, CSV of brreg and Companies House",
    () =>
      Effect.gen(function* () {
        const units = [unit("900000001", { employees: 12 }), unit("900000002", { site: null, town: "BØ I TELEMARK" })]
        const expected = readBy("brreg", units)
        assert.deepInclude(expected[0], {
          headcount: 12,
          domain: "unit-900000001.no",
          foundedYear: 1999,
          licence: "NLOD-2.0"
        })
        assert.deepInclude(expected[1], { domain: null, city: "Bø I Telemark" })
        assert.deepStrictEqual(readBy("brreg", yield* recordsOf(gzipSync(JSON.stringify(units)), "brreg")), expected)
        const flat = (value: object, under = ""): Readonly<Record<string, string>> =>
          Object.assign(
            {},
            ...Object.entries(value).map(([name, member]) =>
              typeof member === "object" && !Array.isArray(member)
                ? flat(member, `${under}${name}.`)
                : { [under + name]: String(member) }
            )
          )
        const cells = units.map((one) => flat(one))
        const heading = [...new Set(cells.flatMap((one) => Object.keys(one)))]
        for (const mark of [",", ";"]) {
          assert.deepStrictEqual(readBy("brreg", yield* recordsOf(csvOf(heading, cells, mark), "brreg")), expected)
        }

        const firms = [finnish("0112038-9", { name: "Nokia Oyj" }), finnish("1234567-1", { form: "26" })]
        const found = readBy("prh", yield* recordsOf(JSON.stringify({ totalResults: 2, companies: firms }), "prh"))
        assert.deepStrictEqual(found, readBy("prh", yield* recordsOf(JSON.stringify(firms), "prh")))
        assert.deepInclude(found[0], {
          name: "Nokia Oyj",
          city: "Helsinki",
          categoryInEnglish: "Software development",
          licence: "CC-BY-4.0"
        })
        assert.strictEqual(found[1], "a_person")

        const companies = [
          british("01234567", { name: 'THE "BEST", COMPANY LIMITED' }),
          british("SC123456", { status: "Active - Proposal to Strike off" })
        ]
        const uk = readBy("companies_house", yield* recordsOf(csvOf(BRITISH_HEADING, companies), "companies_house"))
        assert.deepInclude(uk[0], {
          name: 'THE "BEST", COMPANY LIMITED',
          city: "Leeds",
          foundedYear: 2012,
          domain: null
        })
        assert.strictEqual(uk[1], "closed")
      })
  )

  it.effect("a line that is no record is one, and takes nothing from those after it", () =>
    Effect.gen(function* () {
      const [one, two] = places.map((each) => JSON.stringify(each))
      const records = yield* recordsOf(`${one}\n{"id": "cut off\n[1]\nnull\n${two}\n`, "overture")
      assert.deepStrictEqual(
        records.map((record) => record?.["id"] ?? null),
        ["p1", null, null, null, "p2"]
      )
      const rows = `${csvOf(BRITISH_HEADING, [british("01234567")])}\r\n"A","short row"\r\n`
      assert.deepStrictEqual((yield* recordsOf(rows, "companies_house")).at(-1), null)
    })
  )

  it.effect("a file of some bytes that would unpack to gigabytes is refused in words", () =>
    Effect.gen(function* () {
      const bomb = new Uint8Array(zstdCompressSync(Buffer.alloc(257 * 1024 * 1024)))
      assert.match(
        yield* faultOf(
          parquetOf(places, 2, () => bomb),
          "overture"
        ),
        /larger than 256 MiB once unpacked/
      )
    })
  )

  it.effect("a file that is cut off, packed, empty or of another kind is refused in words", () =>
    Effect.gen(function* () {
      assert.match(yield* faultOf(JSON.stringify(places).slice(0, -200), "overture"), /ends in the middle/)
      assert.match(
        yield* faultOf(gzipSync(lines(places)).subarray(0, 300), "overture"),
        /can't be read: unexpected end/
      )
      assert.match(yield* faultOf(parquetOf(places, 2).subarray(0, 900), "overture"), /can't be read/)
      assert.match(yield* faultOf(Buffer.from("PK\u0003\u0004....", "latin1"), "companies_house"), /unzip it/)
      assert.match(yield* faultOf("", "overture"), /it is empty/)
      assert.match(yield* faultOf("a,b\n1,2\n", "overture"), /neither JSON nor GeoParquet/)
      assert.match(yield* faultOf("a,b\n1,2\n", "companies_house"), /no column "CompanyName", "CompanyNumber"/)
      const missing = yield* Effect.flip(openFile("/nowhere/file", "overture"))
      assert.match(missing.message, /\/nowhere\/file can't be read: ENOENT/)
    })
  )

  it.effect("the same file has the same key under any name, and another file another one", () =>
    Effect.gen(function* () {
      const keyOf = (content: string) => Effect.flatMap(written(content), (path) => openFile(path, "overture"))
      const [one, same, other] = [
        yield* keyOf(lines(places)),
        yield* keyOf(lines(places)),
        yield* keyOf(lines(places.slice(1)))
      ]
      assert.strictEqual(one.fileKey, same.fileKey)
      assert.notStrictEqual(one.fileKey, other.fileKey)
    })
  )
})
