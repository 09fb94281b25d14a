import { assert, describe, it } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import { OAuth } from "@outbound/domain/control/oauth/OAuth.js"
import { SignUpPolicy } from "@outbound/domain/control/signUp/policy.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import { Letters } from "@outbound/testkit/mail/MemoryMailer.js"
import { DISPOSABLE } from "@outbound/testkit/memory/TestDisposable.js"
import { OPEN_SIGN_UP } from "@outbound/testkit/signUp/openSignUp.js"
import { Effect, type Layer, Option } from "effect"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { running } from "./support/Program.js"
import { BASE, send } from "./support/Visitor.js"

const SIGN_UP = "/console/sign-up"
const OPEN = { ...OPEN_SIGN_UP, kind: "sandbox" } as const

type Needs = Layer.Success<ReturnType<typeof consoleHost>>

const on = <A, E>(
  policy: (typeof SignUpPolicy)["Service"] | undefined,
  work: Effect.Effect<A, E, Needs>,
  mailer = MemoryMailer.layer
) => work.pipe(Effect.provide(consoleHost(BASE, mailer, 0, policy)))

const ask = (email: string, name = "Acme <b>Ltd</b>") => send("POST", SIGN_UP, { origin: BASE }, { email, name })

const tokenOf = (text: string): string => new RegExp(`${BASE}${SIGN_UP}\\?token=([\\w-]+)`).exec(text)?.[1] ?? ""

const csrfOf = (page: string): string => /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ""

/** Opens the link, and presses its button. */
const press = (token: string, cookie = "") =>
  Effect.gen(function* () {
    const page = yield* send("GET", `${SIGN_UP}?token=${token}`, { cookie })
    const made = yield* send("POST", SIGN_UP, { origin: BASE, cookie }, { token, csrf: csrfOf(page.text) })
    return { page, made }
  })

describe("signing up on the console", () => {
  it.live("is no page where it is closed", () =>
    on(
      undefined,
      Effect.gen(function* () {
        assert.strictEqual((yield* send("GET", SIGN_UP)).status, 404)
        assert.strictEqual((yield* ask("ada@acme.test")).status, 404)
        assert.notInclude((yield* send("GET", "/console/sign-in")).text, SIGN_UP)
        assert.notInclude((yield* send("GET", "/llms.txt")).text, SIGN_UP)
      })
    )
  )

  it.live("leads from the sign-in page to a key that works, which is shown once", () =>
    on(
      OPEN,
      Effect.gen(function* () {
        assert.include((yield* send("GET", "/console/sign-in")).text, `href="${SIGN_UP}"`)
        assert.include((yield* send("GET", "/llms.txt")).text, `${BASE}${SIGN_UP}`)
        assert.include((yield* send("GET", SIGN_UP)).text, "Send me a link")
        assert.strictEqual((yield* ask("ada@acme.test")).status, 200)
        const token = tokenOf((yield* (yield* Letters).next).text)
        const { made, page } = yield* press(token)
        assert.include(page.text, "Make the workspace “Acme &lt;b>Ltd&lt;/b>”?")
        assert.strictEqual(made.status, 200)
        const [apiKey = ""] = /svc_key_[\w-]{43}/.exec(made.text) ?? []
        assert.strictEqual(made.headers.get("cache-control"), "no-store")
        for (const line of [
          `curl -s ${BASE}/v1/me -H &#39;authorization: Bearer ${apiKey}&#39;`,
          `claude mcp add --transport http outbound ${BASE}/mcp`,
          `mcpServers`
        ]) {
          assert.include(made.text.replaceAll("'", "&#39;"), line)
        }
        const cookie = (made.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const home = yield* send("GET", "/console/keys", { cookie })
        assert.strictEqual(home.status, 200)
        assert.notInclude(home.text, apiKey)
        // Once more: the link is spent.
        assert.strictEqual((yield* press(token)).page.status, 403)
        assert.strictEqual(
          (yield* send("POST", SIGN_UP, { origin: BASE }, { token, csrf: csrfOf(page.text) })).status,
          403
        )
      })
    )
  )

  it.live("answers alike for known and unknown addresses, and the known one signs in", () =>
    on(
      OPEN,
      Effect.gen(function* () {
        const { ours } = yield* Desk
        const [known, unknown] = [yield* ask(ours.email), yield* ask("new@acme.test")]
        assert.deepStrictEqual([known.status, known.text], [unknown.status, unknown.text])
        const letters = yield* Letters
        const texts = [yield* letters.next, yield* letters.next]
        const ofKnown = texts.find(({ to }) => to === ours.email)?.text ?? ""
        assert.match(ofKnown, /console\/sign-in\?token=/)
      })
    )
  )

  it.live("a link whose address has become somebody's signs them in, and makes nothing", () =>
    on(
      OPEN,
      Effect.gen(function* () {
        const letters = yield* Letters
        yield* ask("ada@acme.test", "One")
        const first = tokenOf((yield* letters.next).text)
        yield* ask("ada@acme.test", "Two")
        const second = tokenOf((yield* letters.next).text)
        assert.strictEqual((yield* press(first)).made.status, 200)
        const { made } = yield* press(second)
        assert.strictEqual(made.status, 303)
        const cookie = (made.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const session = yield* (yield* Console).session(cookie.split("=")[1] ?? "")
        assert.strictEqual(Option.getOrThrow(session).workspaceName, "One")
      })
    )
  )

  it.live("says what is wrong, and keeps what was typed", () =>
    on(
      OPEN,
      Effect.gen(function* () {
        const refused = yield* ask(`ada@${DISPOSABLE}`)
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "This address is a disposable address")
        assert.include(refused.text, `value="ada@${DISPOSABLE}"`)
        assert.strictEqual((yield* ask("ada")).status, 400)
        assert.strictEqual((yield* ask("ada@acme.test", "")).status, 400)
      })
    )
  )

  it.live("a form of another site, or without its link's token, makes nothing", () =>
    on(
      OPEN,
      Effect.gen(function* () {
        yield* ask("ada@acme.test")
        const token = tokenOf((yield* (yield* Letters).next).text)
        const page = yield* send("GET", `${SIGN_UP}?token=${token}`)
        const form = { token, csrf: csrfOf(page.text) }
        assert.strictEqual((yield* send("POST", SIGN_UP, { origin: "https://evil.test" }, form)).status, 403)
        assert.strictEqual((yield* send("POST", SIGN_UP, { origin: BASE }, { token, csrf: "x" })).status, 403)
        assert.strictEqual((yield* press(token)).made.status, 200)
      })
    )
  )

  it.live("a full day is 429, before and after the link", () =>
    on(
      { ...OPEN, perDayMax: 1 },
      Effect.gen(function* () {
        const letters = yield* Letters
        yield* ask("a@acme.test")
        const first = tokenOf((yield* letters.next).text)
        yield* ask("b@acme.test")
        const second = tokenOf((yield* letters.next).text)
        assert.strictEqual((yield* press(first)).made.status, 200)
        const { made } = yield* press(second)
        assert.strictEqual(made.status, 429)
        assert.include(made.text, "Try again tomorrow")
        assert.strictEqual((yield* ask("c@acme.test")).status, 429)
      })
    )
  )

  it.live("without a mail server the page names the operator's command", () =>
    on(
      OPEN,
      Effect.gen(function* () {
        assert.include((yield* send("GET", SIGN_UP)).text, "outbound sign-up-link --email")
        assert.strictEqual((yield* ask("ada@acme.test")).status, 409)
      }),
      MemoryMailer.off
    )
  )

  it.live("a person whose program asks for access signs up on the way, and comes back to its request", () =>
    on(
      OPEN,
      Effect.gen(function* () {
        const oauth = yield* OAuth
        const { clientId } = yield* oauth.register({ redirect_uris: ["http://localhost:7777/back"] }, "198.51.100.9")
        const query = new URLSearchParams({
          response_type: "code",
          client_id: clientId,
          redirect_uri: "http://localhost:7777/back",
          code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
          code_challenge_method: "S256",
          state: "s"
        })
        const asked = yield* send("GET", `/oauth/authorize?${query.toString()}`)
        const consent = asked.headers.get("location") ?? ""
        const toSignIn = yield* send("GET", consent)
        assert.strictEqual(toSignIn.status, 303)
        const next = (toSignIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const signIn = yield* send("GET", toSignIn.headers.get("location") ?? "", { cookie: next })
        assert.include(signIn.text, `href="${SIGN_UP}"`)
        yield* ask("ada@acme.test")
        const { made } = yield* press(tokenOf((yield* (yield* Letters).next).text), next)
        assert.include(made.text, `href="${consent}"`)
        const session = (made.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const page = yield* send("GET", consent, { cookie: session })
        assert.strictEqual(page.status, 200)
        const allowed = yield* send(
          "POST",
          consent,
          { cookie: session, origin: BASE },
          { csrf: csrfOf(page.text), scopes: "data:read" }
        )
        assert.match(allowed.text + (allowed.headers.get("location") ?? ""), /localhost:7777\/back\?code=/)
      })
    )
  )

  it.live("the operator's command prints a link, and says why it makes none", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const made = yield* run(["sign-up-link", "--email", "ada@acme.test", "--name", "Acme", "--json"])
      assert.isTrue(made.isGood, made.complaint ?? "")
      assert.match(JSON.parse(made.out.join("\n")).url, /\/console\/sign-up\?token=[\w-]{43}$/)
      const wrong = yield* run(["sign-up-link", "--email", "ada", "--name", "Acme"])
      assert.include(wrong.complaint ?? "", "email")
    }).pipe(Effect.scoped)
  )
})
