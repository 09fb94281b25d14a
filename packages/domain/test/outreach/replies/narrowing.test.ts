import { assert, describe, it } from "@effect/vitest"
import { HEAD_TRIES_MAX, makeNarrowing, PAGE_MAX } from "@outbound/domain/outreach/replies/narrowing.js"

const uidsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)
const unfetched = (uids: ReadonlyArray<number>, uidValidity = 7) =>
  ({ _tag: "HeadsUnfetched", uidValidity, uids, cause: null }) as const
const WHOLE = { limit: PAGE_MAX, without: [] }

/** A folder in which the message 3 can't be fetched: read as far as that is skipped. */
const skipping = () => {
  const narrowing = makeNarrowing()
  const fail = (...uids: ReadonlyArray<number>) => narrowing.failed("INBOX", unfetched(uids))
  fail(...uidsFrom(1, PAGE_MAX))
  const limits = [narrowing.page("INBOX").limit]
  for (let left = limits[0]!; left > 1; left = limits.at(-1)!) {
    fail(...uidsFrom(1, left))
    limits.push(narrowing.page("INBOX").limit)
  }
  return { narrowing, fail, limits }
}

describe("a folder with a message whose header can't be fetched", () => {
  it("is read in pages half as long each time, until the message is alone", () => {
    const { limits, narrowing } = skipping()
    assert.deepStrictEqual(limits, [25, 12, 6, 3, 1])
    assert.deepStrictEqual(narrowing.page("Archive"), WHOLE)
  })

  it("is read on without it after so many tries of it alone, and in full pages behind the page that failed", () => {
    const { fail, narrowing } = skipping()
    assert.deepStrictEqual(narrowing.passed("INBOX", { uidValidity: 7, lastUid: 2 }), [])
    for (let tried = 1; tried < HEAD_TRIES_MAX; tried++) {
      fail(3)
      assert.deepStrictEqual(narrowing.page("INBOX"), { limit: 1, without: [] })
    }
    fail(3)
    assert.deepStrictEqual(narrowing.page("INBOX"), { limit: 1, without: [3] })
    assert.deepStrictEqual(narrowing.passed("INBOX", { uidValidity: 7, lastUid: 4 }), [3])
    assert.deepStrictEqual(narrowing.page("INBOX"), { limit: 1, without: [] })
    assert.deepStrictEqual(narrowing.passed("INBOX", { uidValidity: 7, lastUid: PAGE_MAX - 1 }), [])
    assert.deepStrictEqual(narrowing.page("INBOX"), { limit: 1, without: [] })
    assert.deepStrictEqual(narrowing.passed("INBOX", { uidValidity: 7, lastUid: PAGE_MAX }), [])
    assert.deepStrictEqual(narrowing.page("INBOX"), WHOLE)
  })

  it("counts the tries of each message for itself", () => {
    const { fail, narrowing } = skipping()
    for (const uid of [3, 3, 4, 3, 3]) fail(uid)
    assert.deepStrictEqual(narrowing.page("INBOX").without, [])
    fail(3)
    assert.deepStrictEqual(narrowing.page("INBOX").without, [3])
  })

  it("is another folder once the server numbers its messages anew", () => {
    const { fail, narrowing } = skipping()
    for (let tried = 0; tried < HEAD_TRIES_MAX; tried++) fail(3)
    assert.deepStrictEqual(narrowing.passed("INBOX", { uidValidity: 8, lastUid: 99 }), [])
    assert.deepStrictEqual(narrowing.page("INBOX"), WHOLE)
    narrowing.failed("INBOX", unfetched([5, 6], 8))
    assert.deepStrictEqual(narrowing.page("INBOX"), { limit: 1, without: [] })
    assert.deepStrictEqual(narrowing.passed("INBOX", { uidValidity: 8, lastUid: 6 }), [])
    assert.deepStrictEqual(narrowing.page("INBOX"), WHOLE)
  })
})
