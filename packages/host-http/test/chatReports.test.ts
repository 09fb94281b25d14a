import { assert, describe, it } from "@effect/vitest"
import { pieces } from "@outbound/testkit/providers/ScriptedUpstream.js"
import { Effect } from "effect"
import { bed, chunk, DONE, event, HELLO, plain, STOP, TEN_WORDS, USAGE } from "./support/ChatBed.js"

/** What an upstream reports of two words after a prompt of one, and what is charged. */
const REPORTS: ReadonlyArray<readonly [what: string, usage: object, charged: string]> = [
  ["no prompt, since it was cached", { prompt_tokens: 0, completion_tokens: 5, total_tokens: 5 }, "0.0006"],
  ["no prompt, but a total with it", { prompt_tokens: 0, completion_tokens: 5, total_tokens: 16 }, "0.0016"],
  ["other names", { input_tokens: 11, output_tokens: 5, total_tokens: 16 }, "0.0016"],
  ["other names without a total", { input_tokens: 11, output_tokens: 5 }, "0.0016"],
  ["both names, one of them zero", { ...USAGE, input_tokens: 0, output_tokens: 0 }, "0.0016"],
  ["a prompt that was left out", { completion_tokens: 5, total_tokens: 16 }, "0.0016"],
  ["a completion that was left out", { prompt_tokens: 11, total_tokens: 16 }, "0.0016"],
  ["a completion alone", { completion_tokens: 25 }, "0.0026"],
  [
    "a cache beside the prompt",
    { prompt_tokens: 3, completion_tokens: 5, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 1_000 },
    "0.2008"
  ],
  [
    "cached tokens beside the prompt",
    { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8, prompt_tokens_details: { cached_tokens: 2_000 } },
    "0.2008"
  ],
  [
    "cached tokens beside the prompt, within the total",
    { prompt_tokens: 3, completion_tokens: 5, total_tokens: 2_008, prompt_tokens_details: { cached_tokens: 2_000 } },
    "0.2008"
  ],
  [
    "cached tokens within the prompt",
    { prompt_tokens: 300, completion_tokens: 5, total_tokens: 305, prompt_tokens_details: { cached_tokens: 300 } },
    "0.0305"
  ]
]

describe("a report", () => {
  it.live("is charged for all that it counts, whatever it leaves out or calls it", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [what, usage, charged] of REPORTS) {
          const streamed = yield* ask(pieces([...HELLO, STOP, event({ choices: [], usage }), DONE]))
          const whole = yield* ask(plain({ content: "Hello there" }, { usage }), { stream: false })
          for (const seen of [streamed, whole]) {
            assert.deepInclude(seen, { said: "Hello there", status: "succeeded", charged }, what)
            for (const name of ["prompt_tokens", "completion_tokens", "total_tokens"]) {
              assert.isNumber(seen.usage[name], `${what}: ${name}`)
            }
          }
        }
        const blocked = { usage: { prompt_tokens: 11, total_tokens: 11 } }
        const seen = yield* ask(plain({ content: null }, blocked, { finish_reason: "content_filter" }), {
          stream: false
        })
        assert.deepInclude(seen, { status: "succeeded", charged: "0.0011" })
      })
    )
  )

  it.live("in parts is charged with the prompt of the first and the words of the last", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const first = event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 1, total_tokens: 12 } })
        const last = event({ choices: [], usage: { prompt_tokens: 0, completion_tokens: 5, total_tokens: 5 } })
        assert.deepInclude(yield* ask(pieces([first, ...HELLO, STOP, last, DONE])), { charged: "0.0016" })
      })
    )
  )

  it.live("of one choice of several, or of one chunk of many, leaves nothing delivered free", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const ends = (index: number) =>
          event({
            choices: [{ index, delta: { content: TEN_WORDS }, finish_reason: "stop" }],
            usage: { prompt_tokens: 11, completion_tokens: 10, total_tokens: 21 }
          })
        const two = [ends(0), ends(1)]
        const all = event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 18, total_tokens: 29 } })
        const input = { n: 2 }
        for (const [script, charged] of [
          [pieces([...two, DONE]), "0.0031"],
          [pieces(two, (response) => void response.destroy()), "0.0031"],
          [pieces([...two, all, DONE]), "0.0029"]
        ] as const) {
          assert.deepInclude(yield* ask(script, { input }), { status: "succeeded", charged })
        }
        const alone = { usage: { prompt_tokens: 11, completion_tokens: 1, total_tokens: 12 } }
        const many = Array.from({ length: 20 }, () => chunk({ content: TEN_WORDS }, null, alone))
        assert.deepInclude(yield* ask(pieces([...many, STOP, DONE])), { status: "succeeded", charged: "0.0211" })
      })
    )
  )
})
