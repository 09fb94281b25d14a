/** `verify_email` over the journal alone, on `node:http`: the protocol with its full decision, and an instant provider. */
import { Effect, Layer, ManagedRuntime, Redacted, Result, Schema } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { layer as journalLayer } from "@outbound/adapters/postgres/PgCallJournal.js"
import { layer as poolLayer, RawPool } from "@outbound/adapters/postgres/PgPool.js"
import type { Attempt, Reservation } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { encodeError, statusOf } from "@outbound/domain/kernel/errors/Wire.js"
import { credits, format } from "@outbound/domain/kernel/money/Credits.js"
import { tuneHeap } from "@outbound/host-http/main/heap.js"
import { createHash, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

const PRICE = credits("1")
const [, , url = "", connections = "16"] = process.argv

const Body = Schema.Struct({ email: Schema.String.check(Schema.isMinLength(3), Schema.isMaxLength(320)) })
const decode = Schema.decodeUnknownResult(Body, { errors: "all", onExcessProperty: "error" })

const uuidv7 = (atMillis: number): string => {
  const hex = atMillis.toString(16).padStart(12, "0") + randomBytes(10).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-b${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const plan: Attempt<Reservation>["plan"] = () => Result.succeed({ maximum: PRICE, capabilities: [] })

const call = (keyHash: string, email: string) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const nowMillis = Date.now()
    const requestId = uuidv7(nowMillis)
    const admission = yield* journal.admit({
      requestId,
      keyHash,
      verb: "verify_email",
      mode: "act",
      nowMillis,
      reject: null,
      scope: "data:read",
      allowedWhilePaused: false,
      needsAutonomy: false,
      isPurchase: false,
      idempotency: null,
      runId: null,
      subject: null,
      consoleUrl: "http://127.0.0.1/console",
      plan
    })
    if (admission._tag === "Refused") {
      return { status: statusOf(admission.error), body: { error: encodeError(admission.error) }, rate: admission.rate }
    }
    if (admission._tag !== "Admitted")
      return yield* Effect.die(new Error(`${admission._tag} without an Idempotency-Key`))
    const settled = yield* journal.settle({
      call: admission.call,
      status: "succeeded",
      httpStatus: 200,
      errorCode: null,
      charge: PRICE,
      outcome: null,
      settledAtMillis: Date.now(),
      cache: null
    })
    if (settled._tag === "Fenced") return yield* Effect.die(new Error("fenced"))
    const result = { email, status: email.includes("@") ? "valid" : "invalid", is_catch_all_domain: false }
    const svc = { request_id: requestId, credits_charged: "1", credits_available: format(settled.available) }
    return { status: 200, body: { result, svc }, rate: admission.rate }
  }).pipe(
    Effect.catchTag("rate_limited", (error) =>
      Effect.succeed({ status: 429, body: { error: encodeError(error) }, rate: null })
    ),
    Effect.uninterruptible
  )

// As the program does.
tuneHeap()
const pool = poolLayer({ url: Redacted.make(url), applicationName: "bench", connectionsMax: Number(connections) })
const runtime = ManagedRuntime.make(journalLayer.pipe(Layer.provideMerge(pool)))
await runtime.runPromise(Effect.all([CallJournal, RawPool, SqlClient]))

const answer = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string>) => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers
  })
  response.end(text)
}

const handle = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = decode(JSON.parse(Buffer.concat(chunks).toString()))
    if (Result.isFailure(body)) return answer(response, 400, { error: { code: "invalid_request" } }, {})
    const secret = (request.headers.authorization ?? "").replace(/^Bearer /, "")
    const keyHash = createHash("sha256").update(secret).digest("hex")
    const fiber = runtime.runFork(call(keyHash, body.success.email))
    fiber.addObserver((exit) => {
      if (exit._tag === "Failure") return answer(response, 500, { error: { code: "internal" } }, {})
      const { rate, status } = exit.value
      answer(response, status, exit.value.body, {
        "ratelimit-policy": `"key";q=${rate?.limit};w=60`,
        ratelimit: `"key";r=${rate?.remaining};t=${rate?.resetSeconds}`
      })
    })
  })
}

const server = createServer(handle)
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
})
process.on("SIGTERM", () => {
  server.closeAllConnections()
  server.close()
  void runtime.dispose().then(() => process.exit(0))
})
