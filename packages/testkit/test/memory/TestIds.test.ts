import { assert, it } from "@effect/vitest"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import { makeTestIds } from "../../src/memory/TestIds.js"

const NOW = Date.UTC(2026, 2, 10)

it("ids are the same in every run, in order, and UUIDs of version 7 that carry their time", () => {
  const made = () => {
    const { next } = makeTestIds(7n)
    return Array.from({ length: 3_000 }, (_, i) => next(NOW + Math.floor(i / 1_000)))
  }
  const ids = made()
  assert.deepStrictEqual(made(), ids)
  assert.deepStrictEqual([...ids].sort(), ids)
  assert.strictEqual(new Set(ids).size, ids.length)
  for (const id of ids) {
    assert.isTrue(isUuid(id))
    assert.match(id, /^.{14}7.{4}[89ab]/)
  }
  assert.strictEqual(Number.parseInt((ids[0] ?? "").replaceAll("-", "").slice(0, 12), 16), NOW)
})

it("ids of two seeds are never the same", () => {
  const [one, other] = [makeTestIds(1n), makeTestIds(2n)]
  for (let i = 0; i < 1_000; i++) assert.notStrictEqual(one.next(NOW), other.next(NOW))
})
