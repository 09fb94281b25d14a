import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { ChatOpenAI } from "@langchain/openai"
import {
  Agent,
  OpenAIChatCompletionsModel,
  run as runAgent,
  setTracingDisabled,
  tool as agentTool
} from "@openai/agents"
import { makeOpenAiChat } from "@outbound/adapters/llm/OpenAiChat.js"
import type { ChatModel } from "@outbound/domain/sources/ports/ChatUpstream.js"
import { noProviders } from "@outbound/domain/sources/ports/Providers.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import { target } from "@outbound/testkit/providers/ChatServer.js"
import {
  answers,
  makeScriptedUpstream,
  pieces,
  type Script,
  type ScriptedUpstream
} from "@outbound/testkit/providers/ScriptedUpstream.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { over } from "@outbound/testkit/service/Service.js"
import { generateText, jsonSchema, streamText, tool, type ToolSet } from "ai"
import { Effect, Layer, Redacted, References } from "effect"
import OpenAI from "openai"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 5,
  total_tokens: 105,
  completion_tokens_details: { reasoning_tokens: 89 }
}
const HEAD = { id: "gen-1", object: "chat.completion.chunk", created: 1, model: "up" }

const event = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`
const chunk = (delta: object, finish: string | null = null) =>
  event({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }] })
const BEGIN = [chunk({ role: "assistant", content: "Hello" }), chunk({ content: " there" })]
const STOP = chunk({}, "stop")

/** Everything that comes between the chunks of a good stream. */
const ODD = [
  ": OPENROUTER PROCESSING\n\n",
  event({ type: "ping" }),
  event({ ...HEAD, choices: null }),
  "data:\n\n",
  event("ping")
]

/** A good answer: a stream of the odd kind, or in one piece. */
const good: Script = (asked) =>
  asked.body.stream === true
    ? pieces([
        ...ODD,
        BEGIN[0] ?? "",
        ...ODD,
        BEGIN[1] ?? "",
        STOP,
        ...ODD,
        event({ ...HEAD, usage: USAGE }),
        "data: [DONE]"
      ])(asked)
    : answers(200, {
        ...HEAD,
        object: "chat.completion",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "Hello there" },
            finish_reason: "stop"
          }
        ],
        usage: USAGE
      })(asked)

const TOO_LONG = { error: { code: 400, message: "prompt is too long" } }

const SCRIPTS: Readonly<Record<string, Script>> = {
  good,
  // In the middle, in the form that OpenRouter documents.
  breaks: pieces([
    ...BEGIN,
    event({
      ...HEAD,
      error: { code: 502, message: "gone" },
      choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }]
    }),
    event("[DONE]")
  ]),
  refuses: (asked) =>
    (asked.body.stream === true ? pieces([event(TOO_LONG), event("[DONE]")]) : answers(200, TOO_LONG))(asked),
  // It calls the one tool that it is given, then speaks.
  tools: (asked) => {
    if (asked.body.messages.some(({ role }: { readonly role: string }) => role === "tool")) return good(asked)
    const call = {
      id: "c1",
      type: "function",
      function: { name: "weather", arguments: '{"city":"Köln"}' }
    }
    if (asked.body.stream !== true) {
      return answers(200, {
        ...HEAD,
        object: "chat.completion",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: null, tool_calls: [call] },
            finish_reason: "tool_calls"
          }
        ],
        usage: USAGE
      })(asked)
    }
    const part = (text: string) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })
    const begin = chunk({
      role: "assistant",
      content: null,
      tool_calls: [{ ...call, index: 0, function: { name: "weather", arguments: "" } }]
    })
    pieces([
      begin,
      ...ODD,
      part('{"city":'),
      part('"Köln"}'),
      chunk({}, "tool_calls"),
      event({ ...HEAD, choices: [], usage: USAGE }),
      event("[DONE]")
    ])(asked)
  }
}

interface Bed {
  readonly baseURL: string
  readonly apiKey: string
  readonly upstream: ScriptedUpstream
}

/** A service whose models answer as the scripts say, and a key for it. */
const bed = (test: (bed: Bed) => Promise<void>) =>
  Effect.gen(function* () {
    const upstream = yield* makeScriptedUpstream
    const chat = yield* makeOpenAiChat({
      name: "u",
      baseUrl: upstream.baseUrl,
      apiKey: Redacted.make("a-secret")
    })
    const tokens = { count: () => 1 }
    const chatModels = Object.entries(SCRIPTS).map(([model, script]): ChatModel => {
      upstream.script(model, script)
      return { model, tier: "mini", targets: [target(chat, model)], tokens, contextLength: null }
    })
    const host = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
      Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
      Layer.provideMerge(over(memory, { ...noProviders, chatModels })),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
    )
    yield* Effect.gen(function* () {
      const { port } = yield* HttpServer
      const { apiKey } = yield* makeClient({ kind: "live", credits: "300" })
      yield* Effect.promise(() => test({ baseURL: `http://127.0.0.1:${port}/v1/llm`, apiKey, upstream }))
    }).pipe(Effect.provide(host))
  }).pipe(Effect.scoped)

/** What it fails with. */
const failing = async (
  work: () => Promise<unknown>
): Promise<{ readonly message: string; readonly status?: number; readonly code?: string }> => {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  return assert.fail("it ended well")
}

const messages = [{ role: "user" as const, content: "Say hello." }]
/** The arguments of the one tool, as JSON Schema. The clients want it in lists that may change. */
const WEATHER = { type: "object" as const, properties: { city: { type: "string" as const } } }
const weather = () => ({ ...WEATHER, required: ["city"], additionalProperties: false as const })

describe("openai", () => {
  it.live("reads odd streams to their end, and is told of errors that came inside of a success", () =>
    bed(async ({ apiKey, baseURL, upstream }) => {
      // As many repeats as it makes by default.
      const openai = new OpenAI({ apiKey, baseURL })
      const plain = await openai.chat.completions.create({ model: "good", messages })
      assert.deepStrictEqual([plain.choices[0]?.message.content, plain.usage?.total_tokens], ["Hello there", 105])
      let text = ""
      let total = 0
      for await (const one of await openai.chat.completions.create({
        model: "good",
        messages,
        stream: true
      })) {
        text += one.choices[0]?.delta.content ?? ""
        total = one.usage?.total_tokens ?? total
      }
      assert.deepStrictEqual([text, total], ["Hello there", 105])
      const whole = await openai.chat.completions.stream({ model: "tools", messages }).finalChatCompletion()
      const [call] = whole.choices[0]?.message.tool_calls ?? []
      assert.strictEqual(call?.type === "function" ? call.function.arguments : "", '{"city":"Köln"}')
      for (const stream of [false, true]) {
        const before = upstream.bodies("refuses").length
        const refused = await failing(() => openai.chat.completions.create({ model: "refuses", messages, stream }))
        assert.deepStrictEqual([refused.status, refused.code], [400, "invalid_request"])
        assert.strictEqual(upstream.bodies("refuses").length, before + 1, "nothing is repeated in vain")
      }
      const broken = await failing(async () => {
        for await (const _ of await openai.chat.completions.create({
          model: "breaks",
          messages,
          stream: true
        }))
          void 0
      })
      assert.strictEqual(broken.code, "provider_unavailable")
    })
  )
})

describe("AI SDK", () => {
  it.live("generates and streams text and calls of tools, with their usage", () =>
    bed(async ({ apiKey, baseURL }) => {
      const provider = createOpenAICompatible({
        name: "outbound",
        apiKey,
        baseURL,
        includeUsage: true
      })
      const { text, usage } = await generateText({ model: provider("good"), prompt: "Say hello." })
      assert.deepStrictEqual([text, usage.raw?.["total_tokens"]], ["Hello there", 105])
      const streamed = streamText({ model: provider("good"), prompt: "Say hello." })
      assert.strictEqual(await streamed.text, "Hello there")
      assert.deepStrictEqual([await streamed.finishReason, (await streamed.usage).raw?.["total_tokens"]], ["stop", 105])
      // Its types were not made for exact optional properties.
      const tools = { weather: tool({ inputSchema: jsonSchema<{ city: string }>(weather()) }) } as unknown as ToolSet
      const called = streamText({ model: provider("tools"), prompt: "Weather?", tools })
      assert.deepStrictEqual(
        (await called.toolCalls).map(({ input }) => input),
        [{ city: "Köln" }]
      )
      const refused = await failing(() => generateText({ model: provider("refuses"), prompt: "x", maxRetries: 0 }))
      assert.include(JSON.stringify(refused), "prompt is too long")
      const errors: Array<unknown> = []
      const broken = streamText({
        model: provider("breaks"),
        prompt: "x",
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error)
      })
      let seen = ""
      for await (const part of broken.textStream) seen += part
      assert.deepStrictEqual([seen, errors.length], ["Hello there", 1])
    })
  )
})

/** Its types know no usage of a message that has no tools. */
const totalIn = (message: object): number | undefined =>
  (message as { readonly usage_metadata?: { readonly total_tokens: number } }).usage_metadata?.total_tokens

describe("LangChain", () => {
  it.live("invokes and streams, with usage, and raises what broke off", () =>
    bed(async ({ apiKey, baseURL }) => {
      const model = (name: string) => new ChatOpenAI({ model: name, apiKey, configuration: { baseURL }, maxRetries: 0 })
      const answer = await model("good").invoke("Say hello.")
      assert.deepStrictEqual([answer.text, totalIn(answer)], ["Hello there", 105])
      let text = ""
      let total = 0
      for await (const one of await model("good").stream("Say hello.")) {
        text += one.text
        total += totalIn(one) ?? 0
      }
      assert.deepStrictEqual([text, total], ["Hello there", 105])
      const bound = model("tools").bindTools([
        { type: "function", function: { name: "weather", parameters: weather() } }
      ])
      const called = await bound.invoke("Weather?")
      assert.deepStrictEqual(
        called.tool_calls?.map(({ args }) => args),
        [{ city: "Köln" }]
      )
      const refused = await failing(() => model("refuses").invoke("x"))
      assert.strictEqual(refused.status, 400)
      const broken = await failing(async () => {
        for await (const _ of await model("breaks").stream("x")) void 0
      })
      assert.include(broken.message, "broke off")
    })
  )
})

describe("OpenAI Agents SDK", () => {
  it.live("runs an agent with a tool, streamed and not", () =>
    bed(async ({ apiKey, baseURL, upstream }) => {
      setTracingDisabled(true)
      const client = new OpenAI({ apiKey, baseURL })
      const cities: Array<unknown> = []
      const agent = new Agent({
        name: "Greeter",
        instructions: "Greet.",
        model: new OpenAIChatCompletionsModel(client, "tools"),
        tools: [
          agentTool({
            name: "weather",
            description: "The weather of a city.",
            parameters: weather(),
            strict: true,
            execute: (input) => {
              cities.push((input as { readonly city: string }).city)
              return "sunny"
            }
          })
        ]
      })
      assert.strictEqual((await runAgent(agent, "Say hello.")).finalOutput, "Hello there")
      const streamed = await runAgent(agent, "Say hello.", { stream: true })
      let text = ""
      for await (const part of streamed.toTextStream()) text += part
      await streamed.completed
      assert.deepStrictEqual([text, cities], ["Hello there", ["Köln", "Köln"]])
      assert.strictEqual(upstream.bodies("tools").length, 4)
      const refusing = new Agent({
        name: "Refused",
        instructions: "x",
        model: new OpenAIChatCompletionsModel(client, "refuses")
      })
      assert.strictEqual((await failing(() => runAgent(refusing, "x"))).status, 400)
    })
  )
})
