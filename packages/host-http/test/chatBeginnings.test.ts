import { assert, describe, it } from "@effect/vitest"
import { pieces, type Script } from "@outbound/testkit/providers/ScriptedUpstream.js"
import { Effect } from "effect"
import { bed, chunk, DONE, event, FAR, HELLO, plain, REPORT, STOP, USAGE } from "./support/ChatBed.js"

const ROLE = chunk({ role: "assistant", content: "" })
/** As Azure begins: what its filter thinks of the prompt. */
const FILTERED = event({ id: "", choices: [], prompt_filter_results: [{ prompt_index: 0 }] })
const FAILED = event({ error: { code: 502, message: "gone" } })
const TOO_LONG = event({ error: { code: 400, message: "prompt is too long: 9 tokens" } })
const cut = (texts: ReadonlyArray<string>): Script => pieces(texts, (response) => void response.destroy())

const FREE = { said: "", status: "failed", code: "provider_unavailable", charged: "0", interrupted: false }

/** Streams that end before a word. */
const NOTHING: Readonly<Record<string, Script>> = {
  "a role, then an error": pieces([ROLE, FAILED, DONE]),
  "a role and an error at once": pieces([ROLE + FAILED + DONE]),
  "a role, then the connection is gone": cut([ROLE]),
  "a role, then an end in order": pieces([ROLE]),
  "a role, then the mark of the end": pieces([ROLE, DONE]),
  "a role and members without a value": cut([
    chunk({ role: "assistant", content: null, reasoning: "", refusal: null, tool_calls: [], audio: {} })
  ]),
  "a role and what the prompt took": cut([
    chunk({ role: "assistant" }, null, { usage: { ...USAGE, completion_tokens: 0, total_tokens: 11 } })
  ]),
  "a role, then an end that is a failure": pieces([ROLE, chunk({}, "abort"), REPORT, DONE]),
  "a filter's opinion, then the connection is gone": cut([FILTERED]),
  "a report alone": pieces([REPORT, DONE])
}

describe("a stream that delivers nothing", () => {
  it.live("is free, and another upstream is asked: what comes before the first word is no answer yet", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [what, script] of Object.entries(NOTHING)) {
          assert.deepInclude(yield* ask(script), FREE, what)
          const two = yield* ask(script, { far: FAR })
          assert.deepInclude(two, { said: "from afar", status: "succeeded", code: null, charged: "0.0016" }, what)
        }
      })
    )
  )

  it.live("has the upstream's reason, where the request itself is refused", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const refused = { code: "invalid_request", reason: "prompt is too long: 9 tokens", charged: "0" }
        assert.deepInclude(yield* ask(pieces([ROLE, TOO_LONG, DONE]), { far: FAR }), refused)
      })
    )
  )

  it.live("is free in one piece too", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const none = plain({}, { choices: [] })
        assert.deepInclude(yield* ask(none, { stream: false }), FREE)
        const blocked = plain({ content: null }, {}, { finish_reason: "content_filter" })
        assert.deepInclude(yield* ask(blocked, { stream: false }), { status: "succeeded", charged: "0.0016" })
      })
    )
  )
})

describe("a stream that begins without a word", () => {
  it.live("is held back for 16 chunks, and then passed on, so that no other upstream answers it", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const roles = (count: number) => pieces([...Array.from({ length: count }, () => ROLE), FAILED])
        assert.deepInclude(yield* ask(roles(16), { far: FAR }), { said: "from afar", status: "succeeded" })
        assert.deepInclude(yield* ask(roles(17), { far: FAR }), { status: "failed", interrupted: true })
      })
    )
  )

  it.live("is passed on from its beginning, once a word, a call, a sound or its end has come", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const whole = { status: "succeeded", charged: "0.0016", last: "[DONE]" }
        for (const before of [[ROLE], [FILTERED, ROLE], [ROLE, ROLE, ROLE], Array.from({ length: 40 }, () => ROLE)]) {
          assert.deepInclude(yield* ask(pieces([...before, ...HELLO, STOP, REPORT, DONE])), {
            ...whole,
            said: "Hello there"
          })
        }
        assert.deepInclude(yield* ask(pieces([ROLE, STOP, REPORT, DONE])), { ...whole, said: "" })
        for (const delivered of [
          { audio: { data: "AAAA" } },
          { tool_calls: [{ index: 0, id: "call-1", function: { name: "find", arguments: "" } }] },
          { reasoning_content: "Well" }
        ]) {
          const seen = yield* ask(pieces([ROLE, chunk(delivered), FAILED]), { far: FAR })
          assert.deepInclude(seen, { status: "failed", code: "provider_unavailable", interrupted: true })
          assert.notStrictEqual(seen.charged, "0")
        }
      })
    )
  )
})
