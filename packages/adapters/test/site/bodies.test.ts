import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib"
import { type Answer, html, outcomeOf, read, serve, status, textOf } from "./TestSite.js"

const SENTENCE = "There is a free trial of fourteen days for everybody."

const send =
  (body: Buffer | string, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/html", ...headers })
    response.end(body)
  }

const home = (answer: Answer) => Effect.flatMap(serve({ "/": answer }), (site) => read(site))

/** Sends that chunk until the reader hangs up. */
const endless =
  (chunk: Buffer, headers: Record<string, string>, sent: { bytes: number }): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/html", ...headers })
    const more = (): void => {
      while (!response.destroyed) {
        sent.bytes += chunk.length
        if (!response.write(chunk)) return void response.once("drain", more)
      }
    }
    more()
  }

const MEGABYTE = 1024 * 1024

describe("bodies", () => {
  it.live("compressed in the ways that were offered are read", () =>
    Effect.gen(function* () {
      const page = `<p>${SENTENCE}</p>`
      const ways = [
        ["gzip", gzipSync(page)],
        ["x-gzip", gzipSync(page)],
        ["deflate", deflateSync(page)],
        ["br", brotliCompressSync(page)],
        ["identity", Buffer.from(page)]
      ] as const
      for (const [encoding, body] of ways) {
        assert.strictEqual(textOf(yield* home(send(body, { "content-encoding": encoding }))), SENTENCE, encoding)
      }
    })
  )

  it.live("that lie about their compression, or have one that was not offered, are not read", () =>
    Effect.gen(function* () {
      for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip", "nonsense"]) {
        const reading = yield* home(send(SENTENCE, { "content-encoding": encoding }))
        assert.strictEqual(outcomeOf(reading), "unreachable", encoding)
      }
    })
  )

  it.live("without an end, or larger than is read, are read as far as the bound and then left", () =>
    Effect.gen(function* () {
      const sent = { bytes: 0 }
      const start = `<p>${SENTENCE}</p>`
      const reading = yield* home(endless(Buffer.from(start + " ".repeat(64 * 1024 - start.length)), {}, sent))
      assert.match(textOf(reading), /free trial/)
      assert.isBelow(sent.bytes, 16 * MEGABYTE)
    })
  )

  it.live("that are small and become huge are read as far as the bound: no memory is spent on the rest", () =>
    Effect.gen(function* () {
      const page = Buffer.concat([Buffer.from(`<p>${SENTENCE}</p>`), Buffer.alloc(150 * MEGABYTE, " ")])
      const bombs = [
        ["gzip", gzipSync(page, { level: 1 })],
        ["br", brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })]
      ] as const
      for (const [encoding, bomb] of bombs) {
        const before = process.memoryUsage().rss
        const reading = yield* home(send(bomb, { "content-encoding": encoding }))
        assert.strictEqual(textOf(reading), SENTENCE, encoding)
        assert.isBelow(process.memoryUsage().rss - before, 70 * MEGABYTE, encoding)
      }
    })
  )

  it.live("that trickle, stall, or break off are given up", () =>
    Effect.gen(function* () {
      const trickle: Answer = (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" })
        const timer = setInterval(() => response.write("a"), 20)
        response.on("close", () => clearInterval(timer))
      }
      const stall: Answer = (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "1000" })
        response.write(SENTENCE)
      }
      const broken: Answer = (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "1000" })
        response.write(SENTENCE, () => response.destroy())
      }
      const hangUp: Answer = (request) => void request.socket.destroy()
      const noHttp: Answer = (request) => void request.socket.end("SSH-2.0-OpenSSH_9.2p1\r\n")
      const headers: Answer = (request) =>
        void request.socket.write(`HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(20_000)}\r\n`)
      for (const answer of [trickle, stall, broken, hangUp, noHttp, headers]) {
        assert.strictEqual(outcomeOf(yield* home(answer)), "unreachable", answer.name)
      }
    })
  )

  it.live("of other kinds, and refusals, are no pages", () =>
    Effect.gen(function* () {
      const types = ["application/pdf", "image/png", "application/octet-stream", "application/json", "", "text/html2"]
      for (const type of types) {
        assert.strictEqual(outcomeOf(yield* home(send(SENTENCE, { "content-type": type }))), "refused", type)
      }
      for (const code of [204, 206, 301, 401, 403, 404, 429, 500, 503]) {
        assert.strictEqual(outcomeOf(yield* home(status(code))), "refused", String(code))
      }
      const plain = yield* home(send(SENTENCE, { "content-type": "text/plain; charset=utf-8" }))
      assert.strictEqual(textOf(plain), SENTENCE)
    })
  )

  it.live("that hold nothing to read are told apart from sites that can't be reached", () =>
    Effect.gen(function* () {
      const empty = html(
        '<div id="root"></div><noscript>Please enable JavaScript to run this app.</noscript><script>var words = "many words in a script";</script>'
      )
      assert.strictEqual(outcomeOf(yield* home(empty)), "no_text")
      assert.strictEqual(outcomeOf(yield* home(send(""))), "no_text")
    })
  )
})

describe("charsets", () => {
  const cases: ReadonlyArray<readonly [string, Buffer, string]> = [
    [
      "text/html; charset=ISO-8859-1",
      Buffer.from("<p>Für Gäste kostenlos und gänzlich unverbindlich</p>", "latin1"),
      "Für Gäste"
    ],
    ['text/html; charset="utf-8"', Buffer.from("<p>Für Gäste kostenlos und gänzlich unverbindlich</p>"), "Für Gäste"],
    ["text/html", Buffer.from("<p>Für Gäste kostenlos und gänzlich unverbindlich</p>"), "Für Gäste"],
    [
      "text/html",
      Buffer.from("<meta charset=windows-1252><p>Für Gäste kostenlos und unverbindlich</p>", "latin1"),
      "Für Gäste"
    ],
    [
      "text/html",
      Buffer.concat([
        Buffer.from("<meta charset=shift_jis><p>"),
        Buffer.from("93fa967b8cea", "hex"),
        Buffer.from(" and twenty more letters</p>")
      ]),
      "日本語"
    ],
    ["text/html", Buffer.from("\ufeff<p>Für Gäste kostenlos und unverbindlich</p>", "utf16le"), "Für Gäste"],
    ["text/html; charset=no-such-thing", Buffer.from("<p>Plain words for everybody to read here</p>"), "Plain words"],
    [
      "text/html; charset=utf-8",
      Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0xfe, 0xc3, ...Buffer.from("Broken but with many letters</p>")]),
      "Broken but"
    ]
  ]

  it.live.each(cases)("%s is read", ([type, body, expected]) =>
    Effect.map(home(send(body, { "content-type": type })), (reading) => assert.include(textOf(reading), expected))
  )
})
