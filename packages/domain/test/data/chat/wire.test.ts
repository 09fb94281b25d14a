import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../src/kernel/canonical.js"
import {
  addedBy,
  type ChatChunk,
  isFinished,
  isPreamble,
  readAnswer,
  readEvent,
  writtenOf
} from "../../../src/data/chat/wire.js"

const read = (json: Json) => readEvent(JSON.stringify(json))

describe("a chunk that delivers nothing", () => {
  const isSilent = (...choices: ReadonlyArray<JsonObject>) => isPreamble(read({ choices }) as ChatChunk)

  it("has no member with a value but the role", () => {
    for (const none of [null, "", [], {}]) assert.isTrue(isSilent({ delta: { role: "assistant", audio: none } }))
    for (const some of ["a", 0, false, ["a"], { data: "a" }, { id: "a", data: "a" }]) {
      assert.isFalse(isSilent({ delta: { role: "assistant", audio: some } }), JSON.stringify(some))
    }
  })

  it("has a delta or a message without a value, no text, and no end, in each of its choices", () => {
    const silent = { delta: { content: "" }, finish_reason: null }
    for (const choice of [silent, { index: 0 }, { message: { role: "assistant" } }, { delta: null, text: "" }]) {
      assert.isTrue(isSilent(choice), JSON.stringify(choice))
    }
    for (const choice of [
      { delta: {}, finish_reason: "stop" },
      { delta: {}, text: "a" },
      { message: { content: "a" } },
      { delta: { content: "a" } },
      // What we can't read may be an answer.
      { delta: [] },
      { delta: 5 }
    ]) {
      assert.isFalse(isSilent(choice), JSON.stringify(choice))
      assert.isFalse(isSilent(silent, choice), JSON.stringify(choice))
    }
    assert.isTrue(isSilent())
  })
})

it("a choice has ended once it says how, and not where it writes that there is no end yet", () => {
  for (const reason of ["stop", "length", "NULL"]) assert.isTrue(isFinished({ finish_reason: reason }), reason)
  for (const none of ["", "null", null, 1, undefined]) {
    assert.isFalse(isFinished((none === undefined ? {} : { finish_reason: none }) as JsonObject), String(none))
  }
})

it("of a chunk that repeats the whole beside what is new the new counts, and of a completion the whole", () => {
  const both = { choices: [{ delta: { content: "new" }, message: { content: "the whole" } }] }
  assert.deepStrictEqual([addedBy(both), writtenOf(both)], ["new", "the whole"])
  const one = { choices: [{ delta: null, message: { content: "one" } }] }
  const other = { choices: [{ delta: { content: "one" }, message: null }] }
  for (const json of [one, other]) assert.deepStrictEqual([addedBy(json), writtenOf(json)], ["one", "one"])
})

it("thinking is read as deep as vendors nest it", () => {
  const within = (content: Json) => writtenOf({ choices: [{ message: { content } }] })
  const text = [{ type: "text", text: "abc" }]
  assert.strictEqual(within([{ thinking: [{ thinking: text }] }]), "abc")
  assert.strictEqual(within([{ thinking: [{ thinking: [{ thinking: text }] }] }]), "")
})

describe("words about an error", () => {
  const choice = { index: 0, message: { content: "a" }, delta: { content: "a" }, finish_reason: null }

  it("beside an answer are no error, and beside none they are", () => {
    for (const reader of [readAnswer, read]) {
      assert.strictEqual(reader({ detail: "a warning", choices: [] })?._tag, "Error")
      assert.notStrictEqual(reader({ detail: "a warning", choices: [choice] })?._tag, "Error")
    }
    assert.strictEqual(readAnswer({ choices: [5, choice] })._tag, "Nonsense")
  })

  it("that a choice ends with, in letters of any size, fail it, and say why where they do", () => {
    for (const finish_reason of ["error", "ERROR", "Insufficient_System_Resource"]) {
      const error = { certain: null, likely: null, said: null, retryAfterSeconds: null }
      const untold = { _tag: "Error", error } as const
      for (const reader of [readAnswer, read]) {
        assert.deepStrictEqual(reader({ choices: [{ ...choice, finish_reason }] }), untold, finish_reason)
      }
    }
    const told = readAnswer({ choices: [{ ...choice, error: { code: 400, message: "too long" } }] })
    assert.strictEqual(told._tag === "Error" ? told.error.said : "", "too long")
  })
})
