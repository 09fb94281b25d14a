import { assert, describe, it } from "@effect/vitest"
import { answers, pieces, type Script } from "@outbound/testkit/providers/ScriptedUpstream.js"
import { Effect } from "effect"
import { bed, chunk, DONE, event, FAR, HELLO, plain, REPORT, STOP, TEN_WORDS, USAGE } from "./support/ChatBed.js"

const WHOLE = { said: "Hello there", status: "succeeded", charged: "0.0016", last: "[DONE]" }
const BROKEN = { said: "Hello there", status: "failed", code: "provider_unavailable", interrupted: true }

describe("a stream of another vendor", () => {
  it.live("that tells of an error in a form of its own has failed, and is never paid as whole", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const told = '{"code":500,"message":"slot unavailable","type":"server_error"}'
        for (const broken of [
          `error: ${told}\n\n`,
          `event: error\ndata: ${told}\n\n`,
          'event: error\ndata: {"message":"gone"}\n\n',
          "event: error\ndata: timeout\n\n",
          "event:error\ndata: {}\n\n",
          "event: error\n\n",
          `{"error":${told}}\n\n`,
          `[{"error":${told}}]\n\n`
        ]) {
          for (const lines of ["\n", "\r\n"]) {
            const texts = [...HELLO, broken, DONE].map((text) => text.replaceAll("\n", lines))
            assert.deepInclude(yield* ask(pieces(texts)), BROKEN, broken)
            assert.deepInclude(yield* ask(pieces([...texts.join("")])), BROKEN, broken)
          }
        }
        for (const broken of [
          { error: true, message: "rate limited" },
          { success: false, message: "gone" },
          { code: "InternalError", message: "gone", request_id: "r" },
          { message: "high traffic", type: "too_many_requests_error", code: "queue_exceeded" },
          { internalServerException: { message: "gone" } },
          { __type: "com.amazon#ThrottlingException", message: "gone" },
          { choices: [], base_resp: { status_code: 1027, status_msg: "output new_sensitive" } }
        ]) {
          assert.deepInclude(yield* ask(pieces([...HELLO, event(broken), DONE])), BROKEN, JSON.stringify(broken))
        }
        const details = 'event: error\ndata: {"code":422,"details":"logprobs of 21, which is greater than 20"}\n\n'
        assert.deepInclude(yield* ask(pieces([details, DONE])), {
          code: "invalid_request",
          reason: "logprobs of 21, which is greater than 20"
        })
        const refused = 'error: {"code":400,"message":"the request exceeds the available context size"}\n\n'
        const alone = yield* ask(pieces([refused, DONE]))
        assert.deepInclude(alone, {
          code: "invalid_request",
          reason: "the request exceeds the available context size",
          charged: "0"
        })
        const passing = yield* ask(pieces(["event: error\ndata: overloaded\n\n"]), { far: FAR })
        assert.strictEqual(passing.said, "from afar")
        const named = ["event: chunk\n", HELLO[0] ?? "", "event: message\n", HELLO[1] ?? "", STOP, REPORT, DONE]
        assert.deepInclude(yield* ask(pieces(named)), WHOLE)
      })
    )
  )

  it.live("is whole with events that tell of something else, though they hold words", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const others = [
          { type: "status", message: "searching" },
          { object: "progress", message: "Working" },
          { status: "processing", message: "Working" },
          { success: true, message: "fine" },
          { code: 0, message: "success" },
          { error: null, message: "fine" },
          { event: { type: "status", data: { description: "x" } } },
          { choices: [], base_resp: { status_code: 0, status_msg: "" } }
        ].map(event)
        assert.deepInclude(yield* ask(pieces([...others, ...HELLO, ...others, STOP, REPORT, DONE])), WHOLE)
      })
    )
  )

  it.live("is not whole for a finish_reason that says there is none", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const none of ["", "null"]) {
          const begun = [chunk({ content: "Hello" }, none), chunk({ content: " there" }, none, { usage: USAGE })]
          assert.deepInclude(yield* ask(pieces(begun)), BROKEN)
          assert.deepInclude(yield* ask(pieces(begun, (response) => void response.destroy())), BROKEN)
          assert.deepInclude(yield* ask(pieces([...begun, STOP, REPORT, DONE])), WHOLE)
        }
      })
    )
  )

  it.live("is charged by the report wherever it stands, and once for what it repeats", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const within = { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: USAGE }] }
        for (const report of [chunk({}, "stop", { x_groq: { id: "r", usage: USAGE } }), event(within)]) {
          const seen = yield* ask(pieces([...HELLO, report, DONE]))
          assert.deepInclude(seen, WHOLE)
          assert.deepStrictEqual(seen.usage, USAGE)
        }
        const repeating = Array.from({ length: 10 }, (_, at) =>
          event({
            choices: [{ index: 0, delta: { content: TEN_WORDS }, message: { content: TEN_WORDS.repeat(at + 1) } }]
          })
        )
        const seen = yield* ask(pieces([...repeating, STOP, DONE]))
        assert.deepInclude(seen, { status: "succeeded", charged: "0.0101" })
        const nothing = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
        const last = yield* ask(pieces([...HELLO, STOP, REPORT, event({ choices: [], usage: nothing }), DONE]))
        assert.deepInclude(last, WHOLE)
      })
    )
  )

  it.live("has failed by each end that its vendor documents as a failure", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const end of ["error", "ERROR", "insufficient_system_resource", "network_error", "abort", "TIMEOUT"]) {
          assert.deepInclude(yield* ask(pieces([...HELLO, chunk({}, end), REPORT, DONE])), BROKEN, end)
          const at = plain({ content: "Hel" }, {}, { finish_reason: end })
          assert.deepInclude(yield* ask(at, { stream: false }), { code: "provider_unavailable", charged: "0" }, end)
        }
        assert.deepInclude(yield* ask(pieces([...HELLO, chunk({}, "content_filter"), REPORT, DONE])), WHOLE)
      })
    )
  )

  it.live(
    "is asked for its usage no more once it refused that, unless the refusal is of the caller's own options",
    () =>
      bed(({ ask, near }) =>
        Effect.gen(function* () {
          const refuses =
            (body: unknown): Script =>
            (asked) =>
              (asked.body.stream_options === undefined ? pieces([...HELLO, STOP, DONE]) : answers(400, body))(asked)
          const unknown = { error: { message: "Unrecognized request argument supplied: stream_options" } }
          const extra = [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }]
          for (const body of [unknown, { detail: extra }]) {
            const seen = yield* ask(refuses(body))
            // Counted by us: the prompt's word, and two.
            assert.deepInclude(seen, { said: "Hello there", status: "succeeded", charged: "0.0003" })
          }
          assert.deepStrictEqual(
            near.bodies("m0").map((body) => body.stream_options),
            [{ include_usage: true }, undefined]
          )
          const own = yield* ask(refuses(unknown), { input: { stream_options: { of_tomorrow: 1 } } })
          assert.deepInclude(own, { code: "invalid_request", charged: "0" })
        })
      )
  )

  it.live("is read though its status or its coding is another", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const created: Script = ({ response }) => {
          response.writeHead(201, { "content-type": "text/event-stream", "content-encoding": "utf-8" })
          response.end([...HELLO, STOP, REPORT, DONE].join(""))
        }
        assert.deepInclude(yield* ask(created), WHOLE)
        const completion = {
          choices: [{ index: 0, message: { content: "Hello" }, finish_reason: "stop" }],
          usage: USAGE
        }
        for (const [status, coding] of [
          [201, "identity"],
          [200, "none"],
          [200, "UTF-8"]
        ] as const) {
          const seen = yield* ask(answers(status, completion, { "content-encoding": coding }), { stream: false })
          assert.deepInclude(seen, { said: "Hello", charged: "0.0016" })
        }
        for (const script of [answers(202, {}), answers(204, "")]) {
          const seen = yield* ask(script, { stream: false })
          assert.deepInclude(seen, { code: "provider_unavailable", charged: "0" })
        }
        assert.deepInclude(yield* ask(plain({ content: "Hello", refusal: null }), { stream: false }), { said: "Hello" })
      })
    )
  )
})

describe("a refusal of another vendor", () => {
  const own = { code: "tool_unavailable", reason: null, charged: "0" }
  const callers = (reason: string) => ({ code: "invalid_request", reason, charged: "0" })
  const passing = { code: "provider_unavailable", charged: "0" }
  const base = (status_code: number, status_msg: string) => ({ base_resp: { status_code, status_msg } })

  it.live("inside of a success is read by the vendor's own numbers", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [body, seen] of [
          [base(1004, "login fail: carry the API secret key in the 'Authorization' field"), own],
          [base(1008, "not enough"), own],
          [base(1026, "input new_sensitive"), callers("input new_sensitive")],
          [base(2013, "invalid params, messages empty"), callers("invalid params, messages empty")],
          [base(1002, "rate limit"), passing],
          [base(1013, "internal"), passing]
        ] as const) {
          assert.deepInclude(yield* ask(answers(200, body), { stream: false }), seen, JSON.stringify(body))
          assert.deepInclude(yield* ask(pieces([event({ choices: null, ...body }), DONE])), seen, JSON.stringify(body))
        }
      })
    )
  )

  it.live("of the operator's model is the operator's, without the upstream's words", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const body of [
          {
            error: { message: "Unable to access non-serverless model a/b. Please visit x", code: "model_not_available" }
          },
          { error: { message: "Unable to access model a/b. Please visit x", type: "invalid_request_error" } },
          { error: { message: "Unknown model: x", code: "unknown_model" } },
          { error: { message: "Unavailable model: x" } },
          { message: "The provided model identifier is invalid." },
          { message: "Invocation of model ID a.b-v1:0 with on-demand throughput isn’t supported. Retry" },
          { error: "No models loaded. Please load a model in the developer page." },
          { errors: [{ code: "token_quota_reached", message: "no more" }], status_code: 400 }
        ]) {
          assert.deepInclude(yield* ask(answers(400, body), { stream: false }), own, JSON.stringify(body))
        }
        for (const message of ["Unknown model parameter: top_q", "x: no models loaded", "Invalid temperature"]) {
          const seen = yield* ask(answers(400, { error: { message } }), { stream: false })
          assert.deepInclude(seen, callers(message))
        }
      })
    )
  )
})
