/** What upstreams did elsewhere, and what callers sent, by the ids of the cases; `right` is what a case expects. */
import { gzipSync } from "node:zlib"
import { answers, pieces, type Script } from "@outbound/testkit/providers/ScriptedUpstream.js"
import type { Json } from "@outbound/domain/kernel/canonical.js"

/** What became of a chat. */
export interface Seen {
  readonly status: number
  readonly text: string
  /** The text of the answer, of its chunks one after the other. */
  readonly said: string
  readonly code: string | null
  readonly isDone: boolean
  readonly total: number | null
  readonly isJson: boolean
  readonly retryAfter: number | null
  readonly record: { readonly status: string; readonly charged: number; readonly interrupted: boolean } | null
  /** The bodies that arrived at the first upstream. */
  readonly arrived: ReadonlyArray<Readonly<Record<string, Json>>>
  /** The same call again, under its key. */
  readonly again: string | null
}

export interface ChatCase {
  readonly near?: Script
  /** Another upstream, to be asked after the first. */
  readonly far?: Script
  readonly stream?: boolean
  readonly input?: Readonly<Record<string, unknown>> | string
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  /** The client leaves after so many events. */
  readonly leavesAfter?: number
  readonly isRepeated?: boolean
  readonly limitField?: "max_completion_tokens"
  readonly right: (seen: Seen) => boolean
}

const USAGE = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
const HEAD = { id: "gen-1", object: "chat.completion.chunk", created: 1, model: "up-1" }
const event = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`
const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  event({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }], ...more })
const [HELLO, THERE] = [chunk({ role: "assistant", content: "Hello" }), chunk({ content: " there" })]
const STOP = chunk({}, "stop")
const REPORT = event({ ...HEAD, choices: [], usage: USAGE })
const DONE = event("[DONE]")
const GOOD = [HELLO, THERE, STOP, REPORT, DONE]
const LONG =
  "The quick brown fox jumps over the lazy dog and then it rests for a while under an old oak tree by the river. "
const PICTURE = `data:image/png;base64,${"A".repeat(2_000_000)}`
const forty = (delta: object) => Array.from({ length: 40 }, () => chunk(delta))
const completion = (message: object = {}, more: object = {}, choice: object = {}) => ({
  ...HEAD,
  object: "chat.completion",
  choices: [
    { index: 0, message: { role: "assistant", content: "Hello there", ...message }, finish_reason: "stop", ...choice }
  ],
  usage: USAGE,
  ...more
})
const plain = (message: object = {}, more: object = {}, choice: object = {}): Script =>
  answers(200, completion(message, more, choice))
const gzipped = (status: number, body: unknown): Script =>
  answers(status, gzipSync(JSON.stringify(body)), { "content-encoding": "gzip" })

export const good: Script = (asked) => (asked.body.stream === true ? pieces(GOOD) : plain())(asked)

const FREE = 0
const SIXTEEN = 0.0016
const isGood = ({ record, said, status }: Seen): boolean =>
  status === 200 && said === "Hello there" && record?.status === "succeeded" && record.charged === SIXTEEN
const isWhole = (seen: Seen): boolean => isGood(seen) && seen.isDone
const isBroken = ({ code, isDone, record }: Seen): boolean =>
  record?.status === "failed" && record.interrupted && code === "provider_unavailable" && !isDone
const refused =
  (status: number, code: string, said = /./) =>
  (seen: Seen): boolean =>
    seen.status === status && seen.code === code && seen.record?.charged === FREE && said.test(seen.text)
const unavailable = refused(503, "provider_unavailable")
const closed = refused(503, "tool_unavailable")
/** The words of 40 chunks, of some 20 each. */
const isCounted = ({ record }: Seen): boolean => record !== null && record.charged > 0.08
const costs =
  (charged: number, total: number) =>
  (seen: Seen): boolean =>
    seen.record?.charged === charged && seen.total === total
const named =
  (...paths: ReadonlyArray<string>) =>
  ({ arrived, code, text }: Seen): boolean =>
    code === "invalid_request" && arrived.length === 0 && paths.every((path) => text.includes(path))

const stream = (texts: ReadonlyArray<string | Buffer>, right: ChatCase["right"] = isWhole): ChatCase => ({
  stream: true,
  near: pieces(texts),
  right
})
const answer = (near: Script, right: ChatCase["right"]): ChatCase => ({ near, right })
const streamed = (near: Script, right: ChatCase["right"]): ChatCase => ({ stream: true, near, right })
const sends = (input: ChatCase["input"], right: ChatCase["right"] = isGood): ChatCase => ({ input: input ?? {}, right })
const unchanged = (input: Readonly<Record<string, unknown>>): ChatCase =>
  sends(input, (seen) => {
    const [body = {}] = seen.arrived
    // The order of members says nothing.
    const sorted = (value: unknown): string =>
      JSON.stringify(value, (_, one: unknown) =>
        typeof one === "object" && one !== null && !Array.isArray(one)
          ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
          : one
      )
    return isGood(seen) && Object.entries(input).every(([name, value]) => sorted(body[name]) === sorted(value))
  })
const limited =
  (is: string, not: string) =>
  ({ arrived: [body = {}] }: Seen): boolean =>
    body[is] === 77 && !(not in body)
const next = (near: Script, isStream = false): ChatCase => ({
  stream: isStream,
  near,
  far: good,
  right: isStream ? isWhole : isGood
})

const MIDDLE = event({
  ...HEAD,
  error: { code: 502, message: "gone" },
  choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }]
})
const AT_ONCE = pieces([event({ ...HEAD, error: { code: 502, message: "gone" }, choices: [] }), DONE])
const BAD_KEY = answers(400, [{ error: { code: 400, message: "API key not valid. Please pass a valid API key." } }])
const calls = (index: number, text: string | null, more: object = {}) =>
  chunk({ tool_calls: [{ index, function: { arguments: text }, ...more }] })
const ofChoice = (index: number, delta: object, finish: string | null = null) =>
  event({ ...HEAD, choices: [{ index, delta, finish_reason: finish }] })
const leaving = (delta: object): ChatCase => ({
  stream: true,
  near: pieces([...forty(delta), ...forty(delta)], () => undefined),
  leavesAfter: 20,
  right: ({ record }) => record?.status === "succeeded" && record.charged > 0.03
})
const repeated = (content: string): ChatCase => ({
  near: plain({ content }),
  isRepeated: true,
  right: ({ again, said, status }) => status === 200 && again !== null && again === said
})

export const CHATS: Readonly<Record<string, ChatCase>> = {
  A1: stream([HELLO, THERE, MIDDLE, DONE], isBroken),
  A2: stream([HELLO, THERE, MIDDLE], isBroken),
  A4: streamed(AT_ONCE, unavailable),
  A5: stream([event({ error: { code: 400, message: "too long" } }), DONE], refused(400, "invalid_request", /too long/)),
  A6: answer(answers(200, { error: { code: 429, message: "slow" } }), unavailable),
  A8: answer(
    plain({ content: "" }, {}, { finish_reason: "error", error: { code: 502, message: "gone" } }),
    unavailable
  ),
  A10: streamed(plain(), unavailable),
  A11: streamed(answers(200, { error: { code: 429 } }), unavailable),
  B1: stream([HELLO, THERE, STOP, event({ ...HEAD, usage: USAGE }), DONE]),
  B3: stream([HELLO, event({ ...HEAD, choices: null }), THERE, STOP, REPORT, DONE]),
  B4: stream([HELLO, event({ type: "ping" }), THERE, STOP, REPORT, DONE]),
  B6: stream([event({ ...HEAD, choices: [], prompt_filter_results: [{}] }), ...GOOD]),
  B7: stream([HELLO, "data:\n\n", "data: \n\n", THERE, STOP, REPORT, DONE]),
  B8: stream([`event: chunk\nid: 1\nretry: 5\n${HELLO}`, THERE, STOP, REPORT, "event: done\ndata: [DONE]\n\n"]),
  B9: stream([HELLO, THERE, STOP, "data: [DONE]"], ({ isDone, record }) => isDone && record?.status === "succeeded"),
  B11: stream([HELLO, THERE, STOP, REPORT, "data: [DONE]\n"]),
  B12: stream([HELLO, chunk({ content: " there" }, "stop").trimEnd()], ({ said }) => said === "Hello there"),
  B14: stream([HELLO, THERE, STOP, REPORT, "data:  [DONE] \n\n"]),
  B15: stream(GOOD.map((text) => text.replace("data: ", "data:"))),
  B16: stream([`\uFEFF${HELLO}`, THERE, STOP, REPORT, DONE]),
  B17: stream([HELLO.replace(',"choices"', ',\ndata: "choices"'), THERE, STOP, REPORT, DONE]),
  B18: stream(
    GOOD.join("")
      .replaceAll("\n", "\r\n")
      .split(/(?<=\r)/)
  ),
  B20: stream([chunk({ images: [{ image_url: { url: PICTURE } }] }), STOP, REPORT, DONE], ({ isDone }) => isDone),
  B21: stream(
    [chunk({ images: [{ image_url: { url: PICTURE.slice(0, 900_000) } }] }), STOP, REPORT, DONE],
    ({ isDone }) => isDone
  ),
  B22: answer(plain({ content: "", images: [{ image_url: { url: PICTURE } }] }), ({ text }) => text.includes(PICTURE)),
  B23: {
    ...stream(
      [
        ...[0, 1, 2].map((index) => ofChoice(index, { content: `c${index}` })),
        ...[2, 0, 1].map((index) => ofChoice(index, {}, "stop")),
        REPORT,
        DONE
      ],
      ({ isDone, said }) => isDone && said === "c0c1c2"
    ),
    input: { n: 3 }
  },
  B24: stream(
    [
      calls(0, null, { id: "1", type: "function" }),
      calls(1, null, { id: "2", type: "function" }),
      calls(0, '{"x":"Kö'),
      calls(1, '{"y":'),
      calls(0, 'ln"}'),
      calls(1, "1}"),
      chunk({}, "tool_calls"),
      REPORT,
      DONE
    ],
    ({ isDone, text }) => isDone && text.includes(calls(0, '{"x":"Kö')) && text.includes(calls(0, 'ln"}'))
  ),
  C1: answer(
    plain(
      {},
      {
        usage: {
          prompt_tokens: 32,
          completion_tokens: 9,
          total_tokens: 135,
          completion_tokens_details: { reasoning_tokens: 94 }
        }
      }
    ),
    costs(0.0135, 135)
  ),
  C3: answer(
    plain({}, { usage: { prompt_tokens: 17, completion_tokens: 298, total_tokens: 1700 } }),
    costs(0.17, 1700)
  ),
  C6: answer(
    plain({ content: LONG }, { usage: { prompt_tokens: 1, completion_tokens: null } }),
    ({ record }) => (record?.charged ?? 0) > 0.002
  ),
  C7: stream([chunk({ content: "" }, null, { usage: USAGE }), ...forty({ content: LONG }), STOP, DONE], isCounted),
  C8: stream([
    chunk({ content: "Hello" }, null, { usage: { ...USAGE, completion_tokens: 1, total_tokens: 12 } }),
    chunk({ content: " there" }, "stop", { usage: USAGE }),
    DONE
  ]),
  C9: stream([HELLO, THERE, chunk({}, "stop", { usage: USAGE }), DONE]),
  C10: stream([HELLO, THERE, REPORT, STOP, DONE]),
  C11: stream([HELLO, THERE, REPORT, DONE]),
  C12: stream(
    [...forty({ content: [{ type: "thinking", thinking: [{ type: "text", text: LONG }] }] }), STOP, DONE],
    isCounted
  ),
  C14: stream([...forty({ reasoning_details: [{ type: "reasoning.text", text: LONG }] }), STOP, DONE], isCounted),
  C16: stream(
    [...forty({ tool_calls: [{ index: 0, type: "custom", custom: { name: "x", input: LONG } }] }), STOP, DONE],
    isCounted
  ),
  C17: leaving({ content: [{ type: "thinking", thinking: LONG }] }),
  C18: leaving({ content: LONG }),
  D1: answer(gzipped(200, completion()), isGood),
  D3: answer(gzipped(400, { error: { message: "bad tools" } }), refused(400, "invalid_request", /bad tools/)),
  D4: answer(answers(200, `\n\n\n${JSON.stringify(completion())}`), isGood),
  E1: answer(plain({ content: "a\u0000b" }), ({ said }) => said === "a\u0000b"),
  E2: stream([chunk({ content: "a\u0000b" }), STOP, REPORT, DONE], ({ isDone, said }) => isDone && said === "a\u0000b"),
  E3: answer(plain({ content: "a\uD83D b" }), ({ status }) => status === 200),
  E4: stream(
    [chunk({ content: "\uD83D" }), chunk({ content: "\uDE00" }), STOP, REPORT, DONE],
    ({ said }) => said === "\u{1F600}"
  ),
  E5: answer(answers(200, Buffer.from(JSON.stringify(completion({ content: "\u00FF" })), "latin1")), ({ status }) =>
    [200, 503].includes(status)
  ),
  E6: answer(plain({}, { svc: { credits_charged: "999" } }), isGood),
  E7: stream([HELLO, THERE, STOP, event({ ...HEAD, choices: [], usage: USAGE, svc: { credits_charged: "9" } }), DONE]),
  E9: repeated("a\u0000b"),
  E10: repeated("a\uD83D b"),
  F1: answer(answers(400, { error: "does not support tools" }), refused(400, "invalid_request", /support tools/)),
  F2: answer(
    answers(400, [{ error: { code: 400, message: "bad schema" } }]),
    refused(400, "invalid_request", /schema/)
  ),
  F4: answer(
    answers(422, { object: "error", message: { detail: [{ loc: ["body", "x"], msg: "Extra inputs" }] } }),
    refused(400, "invalid_request", /Extra inputs/)
  ),
  F5: answer(answers(400, { object: "error", message: "too long" }), refused(400, "invalid_request", /too long/)),
  F7: answer(
    answers(400, "can't be read", { "content-type": "text/plain" }),
    refused(400, "invalid_request", /be read/)
  ),
  F9: answer(BAD_KEY, closed),
  F12: answer(answers(429, { error: { code: "insufficient_quota", message: "quota" } }), closed),
  F14: answer(
    answers(429, {}, { "retry-after": new Date(Date.now() + 20_000).toUTCString() }),
    (seen) => unavailable(seen) && (seen.retryAfter ?? 0) > 0
  ),
  F15: answer(
    answers(429, [{ error: { code: 429, details: [{ retryDelay: "37s" }] } }]),
    (seen) => unavailable(seen) && (seen.retryAfter ?? 0) > 0
  ),
  F16: answer(answers(529, { error: { type: "overloaded_error" } }), unavailable),
  F17: answer(answers(524, "<html>", { "content-type": "text/html" }), unavailable),
  F18: answer(answers(408, {}), unavailable),
  F19: answer(answers(404, { error: { message: "No endpoints found" } }), closed),
  G1: sends({ max_completion_tokens: 77 }, limited("max_tokens", "max_completion_tokens")),
  G2: {
    ...sends({ max_tokens: 77 }, limited("max_completion_tokens", "max_tokens")),
    limitField: "max_completion_tokens"
  },
  G3: {
    ...sends({ max_tokens: 77, max_completion_tokens: 77 }, limited("max_completion_tokens", "max_tokens")),
    limitField: "max_completion_tokens"
  },
  G4: sends({ max_tokens: null, n: null, stream: null, temperature: null }),
  G5: sends({ max_tokens: -1 }, named("max_tokens")),
  G6: sends({ max_tokens: 0 }, named("max_tokens")),
  G7: sends({ max_tokens: "100" }, named("max_tokens")),
  G8: sends('{"model":"G8","messages":[{"role":"user","content":"hi"}],"max_tokens":100.0}'),
  G9: sends({ stream: "true" }, named("stream")),
  H1: unchanged({
    messages: [
      { role: "developer", content: "x" },
      { role: "user", content: "y" }
    ]
  }),
  H2: unchanged({
    messages: [
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "1", type: "function", function: { name: "a", arguments: "{}" } }]
      },
      { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "r" }] }
    ]
  }),
  H4: unchanged({
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", content: "b", prefix: true, reasoning_content: "r" }
    ]
  }),
  H6: unchanged({ functions: [{ name: "a", parameters: { type: "object" } }], function_call: "auto" }),
  H7: unchanged({ logprobs: true, logit_bias: { "1": 1 }, seed: 1, verbosity: "low", user: "u", stop: ["x"] }),
  H8: unchanged({ messages: [{ role: "user", content: "" }] }),
  H11: unchanged({
    messages: Array.from({ length: 1500 }, (_, at) => ({ role: at % 2 === 1 ? "assistant" : "user", content: "m" }))
  }),
  H14: sends({ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: PICTURE } }] }] }),
  H15: sends({ messages: [{ content: "hi" }] }, named("messages.0.role")),
  I3: { path: "/v1/llm/v1/chat/completions", right: ({ status }) => status === 404 },
  I7: { headers: { "content-type": "application/json; charset=UTF-8" }, right: isGood },
  I8: { headers: { accept: "text/event-stream" }, right: (seen) => isGood(seen) && seen.isJson },
  I14: { headers: { "content-encoding": "gzip" }, right: ({ status }) => status === 415 },
  J1: next(AT_ONCE, true),
  J2: next(pieces([event({ error: { code: 429 } }), DONE]), true),
  J3: next(answers(200, { error: { code: 429 } })),
  J6: next(plain(), true),
  J7: next(BAD_KEY),
  J8: next(answers(529, {})),
  J10: next(gzipped(200, completion()))
}
