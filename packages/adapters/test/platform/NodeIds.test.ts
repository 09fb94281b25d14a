import { assert, it } from "@effect/vitest"
import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import * as FC from "fast-check"
import { makeNodeIds } from "../../src/platform/NodeIds.js"

const NOW = Date.UTC(2026, 2, 10)
const timeOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)
const isAscending = (ids: ReadonlyArray<string>): boolean => ids.every((id, i) => i === 0 || (ids[i - 1] ?? "") < id)

it("an id is a UUID of version 7 that carries its time", () => {
  const { next } = makeNodeIds()
  for (const at of [0, 1, NOW, 2 ** 48 - 1]) {
    const id = next(at)
    assert.isTrue(isUuid(id))
    assert.match(id, /^.{14}7.{4}[89ab]/)
    assert.strictEqual(timeOf(id), at)
  }
})

it("ids of one process are in order, also within a millisecond", () => {
  const { next } = makeNodeIds()
  const ids = Array.from({ length: 20_000 }, (_, i) => next(NOW + Math.floor(i / 10_000)))
  assert.isTrue(isAscending(ids))
})

it("ids stay in order while the clock jumps back and forth within its bound", () =>
  FC.assert(
    FC.property(FC.array(FC.integer({ min: 0, max: 10_000 }), { maxLength: 200 }), (jumps) => {
      const { next } = makeNodeIds()
      assert.isTrue(isAscending(jumps.map((jump) => next(NOW + jump))))
    })
  ))

it("a clock that is set back far is followed", () => {
  const { next } = makeNodeIds()
  next(NOW + 3_600_000)
  assert.strictEqual(timeOf(next(NOW)), NOW)
})

it("what is drawn differs between processes and from one id to the next", () => {
  const ids = [makeNodeIds(), makeNodeIds()].flatMap(({ next }) => Array.from({ length: 5_000 }, () => next(NOW)))
  assert.strictEqual(new Set(ids).size, ids.length)
})
