import { assert, describe, it } from "@effect/vitest"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { HttpServer } from "../../src/HttpServer.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "../support/Browser.js"
import { consoleHost } from "../support/ConsoleHost.js"
import { Desk } from "../support/Desk.js"

/** A client's program on the user's machine, and the addresses at which it was answered. */
const program = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly answered: Array<string>; readonly close: () => void }>((resume) => {
    const answered: Array<string> = []
    const server = createServer((request, response) => {
      answered.push(request.url ?? "")
      response.setHeader("content-type", "text/html")
      response.end("<title>Done</title><h1>You can close this</h1>")
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ port, answered, close: () => void server.close().closeAllConnections() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("the consent page in a browser, without scripts of ours", () => {
  it.live(
    "has no barrier, and brings the browser back to the program, allowed or denied",
    () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const { context } = yield* browser
        const desk = yield* Desk
        const oauth = yield* OAuth
        const { answered, port: programPort } = yield* program
        const { clientId } = yield* oauth.register(
          {
            client_name: `Assistant <img src=x onerror="alert(1)"> ${"of many words ".repeat(9)}`,
            redirect_uris: ["http://127.0.0.1/back"]
          },
          "198.51.100.7"
        )
        const link = yield* desk.link(desk.ours)
        const base = `http://127.0.0.1:${port}`
        const asked = `${base}/oauth/authorize?${new URLSearchParams({
          response_type: "code",
          client_id: clientId,
          redirect_uri: `http://127.0.0.1:${programPort}/back`,
          state: "remembered",
          code_challenge: "c".repeat(43),
          code_challenge_method: "S256"
        }).toString()}`
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          const complaints: Array<string> = []
          page.on("console", (message) => complaints.push(message.text()))
          page.on("dialog", (dialog) => complaints.push(`dialog ${dialog.message()}`))
          // Not signed in yet: the browser is asked to, and comes back.
          await page.goto(asked)
          assert.include(page.url(), "/console/sign-in")
          await enter(page, `${base}/console/sign-in?token=${link}`)
          assert.match(page.url(), /\/console\/oauth\/authorize\/[0-9a-f-]{36}$/)
          for (const [viewport, colorScheme] of [
            [DESKTOP, "light"],
            [PHONE, "dark"]
          ] as const) {
            await page.setViewportSize(viewport)
            await page.emulateMedia({ colorScheme })
            assert.deepStrictEqual(await violations(page), [])
            assert.strictEqual(await overflow(page), 0)
          }
          const pictures = process.env["OUTBOUND_TEST_PICTURES"]
          if (pictures !== undefined) await page.screenshot({ path: `${pictures}/consent.png`, fullPage: true })
          assert.strictEqual(await page.evaluate("document.scripts.length + document.images.length"), 0)

          await page.getByRole("checkbox", { name: "assets:purchase" }).uncheck()
          await page.getByRole("button", { name: "Allow" }).click()
          await page.waitForURL(/\/back/)
          assert.strictEqual(await page.getByRole("heading", { level: 1 }).innerText(), "You can close this")

          await page.goto(asked)
          await page.getByRole("button", { name: "Deny" }).click()
          await page.waitForURL(/\/back/)
          assert.deepStrictEqual(complaints, [])
        })
        const answers = answered.filter((url) => url.startsWith("/back")).map((url) => new URL(url, base).searchParams)
        assert.match(answers[0]!.get("code")!, /^svc_code_/)
        assert.strictEqual(answers[1]!.get("error"), "access_denied")
        assert.deepStrictEqual(
          answers.map((answer) => answer.get("state")),
          ["remembered", "remembered"]
        )
      }).pipe(Effect.provide(consoleHost("http://outbound.test")), Effect.scoped),
    600_000
  )
})
