import { assert, describe, it } from "@effect/vitest"
import * as CodeExchange from "@outbound/adapters/mail/CodeExchange.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { scopeOf, tokenUrlOf } from "@outbound/domain/outreach/sending/connect/consent.js"
import { type MailClient, MailClients } from "@outbound/domain/outreach/sending/connect/MailClients.js"
import { grantOf } from "@outbound/domain/outreach/sending/mailGrant.js"
import { type ConsentMood, type ConsentProvider, consentProvider } from "@outbound/testkit/mail/ConsentProvider.js"
import { ScriptedProbe } from "@outbound/testkit/mail/ScriptedProbe.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import * as MemoryMailer from "@outbound/testkit/mail/MemoryMailer.js"
import { Clock, Effect, Layer, Redacted, type Scope } from "effect"
import { CONNECTED } from "../src/console/mailboxes/connect/connectRoutes.js"
import { CONNECT_MINUTES, stateOf } from "../src/console/mailboxes/connect/connectState.js"
import { CONNECT } from "../src/console/mailboxes/NewMailboxPage.js"
import { browser, DESKTOP, enter, overflow, PHONE, violations } from "./support/Browser.js"
import { consoleHost } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { BASE, run, visitor } from "./support/Visitor.js"

const MINUTE = 60_000
const FORM = { address: "Jo@Acme.test", name: "Jo Doe", provider: "google" }

/** The operator's client. Its mailboxes renew their tokens at a public address, as every owner's do. */
const clientOf = (provider: ConsentProvider): MailClient => ({
  provider: "google",
  authorizeUrl: provider.authorizeUrl,
  tokenUrl: tokenUrlOf("google", "common"),
  clientId: provider.clientId,
  clientSecret: Redacted.make(provider.clientSecret)
})

/** Codes are exchanged over HTTP with the provider of the test. */
const clientsOf = (provider: ConsentProvider) =>
  Layer.effect(
    MailClients,
    Effect.map(MailClients, (real) => ({
      all: real.all,
      exchange: (client, of) => real.exchange({ ...client, tokenUrl: provider.tokenUrl }, of)
    }))
  ).pipe(Layer.provide(CodeExchange.layer([clientOf(provider)], { isAtHome: true, timeoutMillis: 500 })))

type Host = Layer.Success<ReturnType<typeof consoleHost>>

/** A console whose operator has a client at a provider. */
const connecting = <A, E>(
  use: (provider: ConsentProvider) => Effect.Effect<A, E, Host | Scope.Scope>,
  baseUrl = BASE,
  port = 0
) =>
  Effect.gen(function* () {
    const provider = yield* consentProvider
    const host = consoleHost(baseUrl, MemoryMailer.layer, port).pipe(Layer.provide(clientsOf(provider)))
    return yield* Effect.provide(use(provider), host)
  }).pipe(Effect.scoped)

type Us = Effect.Success<ReturnType<typeof visitor>>

/** Presses the button. Returns the provider's address. */
const begin = (us: Us, form: Readonly<Record<string, string>> = FORM) =>
  Effect.map(us.post(CONNECT, form), ({ headers, status, text }) => {
    assert.strictEqual(status, 303, text)
    return headers.get("location") ?? ""
  })

/** What the provider's page leads back to. */
const consented = (at: string) =>
  Effect.promise(async () => {
    const answer = await fetch(at, { redirect: "manual" })
    const back = new URL(answer.headers.get("location") ?? "")
    assert.strictEqual(back.origin + back.pathname, BASE + CONNECTED)
    return back.pathname + back.search
  })

const isStored = (us: Us) => Effect.map(us.get("/console/sending"), ({ text }) => text.includes("jo@acme.test"))

describe("a mailbox connected by its provider's button", () => {
  it.live("is stored with the refresh token of the consent, which only its own session could end", () =>
    connecting((provider) =>
      Effect.gen(function* () {
        const desk = yield* Desk
        const probe = yield* ScriptedProbe
        const us = yield* visitor(desk.live)
        for (const path of ["/console/sending", "/console/mailboxes/new"]) {
          assert.include((yield* us.get(path)).text, "Connect Google")
        }
        const at = yield* begin(us)
        assert.isTrue(at.startsWith(provider.authorizeUrl))
        const back = yield* consented(at)
        assert.deepInclude(Object.fromEntries(provider.asked()), {
          login_hint: "jo@acme.test",
          scope: scopeOf("google"),
          redirect_uri: BASE + CONNECTED
        })
        const added = yield* us.get(back)
        assert.strictEqual(added.status, 200)
        assert.include(added.text, "jo@acme.test works")
        const [tried] = yield* probe.probed
        assert.deepInclude(tried, { auth: "oauth", username: "jo@acme.test", displayName: "Jo Doe" })
        assert.strictEqual(tried!.smtp.host, "smtp.gmail.com")
        const grant = grantOf(tried!.secret)
        const [token = ""] = provider.given()
        assert.strictEqual(Redacted.value(grant!.refreshToken), token)
        assert.strictEqual(grant!.tokenUrl, "https://oauth2.googleapis.com/token")
        assert.isTrue(yield* isStored(us))
        // Neither secret is on any page, nor in an address of ours.
        for (const path of [CONNECT, "/console/sending", "/console/trail", "/console/settings/history"]) {
          const { text } = yield* us.get(path)
          for (const secret of [token, provider.clientSecret]) assert.notInclude(text, secret)
        }
        assert.notInclude(at, provider.clientSecret)
        // A reload: the code worked once.
        const again = yield* us.get(back)
        assert.strictEqual(again.status, 400)
        assert.include(again.text, "was used already or is too old")
        assert.lengthOf(provider.given(), 1)
      })
    )
  )

  it.live("of a consent that fails it says what to do, stores nothing, and keeps what was typed", () =>
    connecting((provider) =>
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        const expected: ReadonlyArray<readonly [ConsentMood, string]> = [
          ["denied", "did not allow access at Google"],
          ["no_refresh_token", "myaccount.google.com/connections"],
          ["fewer_scopes", "leave every box ticked"],
          ["client_refused", "The operator of the service has to correct"],
          ["garbage", "no usable answer"],
          ["silent", "no usable answer"],
          ["hangs_up", "no usable answer"]
        ]
        for (const [mood, words] of expected) {
          provider.be(mood)
          const { status, text } = yield* us.get(yield* consented(yield* begin(us)))
          assert.strictEqual(status, 400, mood)
          assert.include(text, words, mood)
          assert.include(text, `value="jo@acme.test"`, mood)
          assert.notInclude(text, "of the provider", mood)
          assert.isFalse(yield* isStored(us), mood)
        }
        provider.be("other_state")
        const { status, text } = yield* us.get(yield* consented(yield* begin(us)))
        assert.strictEqual(status, 400)
        assert.include(text, "did not begin in this session")
      })
    )
  )

  it.live("a test that fails stores nothing, and says how to mend it", () =>
    connecting(() =>
      Effect.gen(function* () {
        const desk = yield* Desk
        const probe = yield* ScriptedProbe
        const us = yield* visitor(desk.live)
        yield* probe.finds({
          imapLogin: {
            state: "failed",
            says: "The IMAP server refuses: [ALERT] Your account is not enabled for IMAP use"
          },
          send: { state: "not_tried" },
          read: { state: "not_tried" }
        })
        const { status, text } = yield* us.get(yield* consented(yield* begin(us)))
        assert.strictEqual(status, 400)
        for (const words of ["The mailbox was not added", "Connection test", "IMAP is switched off for this mailbox"]) {
          assert.include(text, words)
        }
        assert.isFalse(yield* isStored(us))
      })
    )
  )

  it.live("is ended by the session, workspace and minutes in which it was begun, and by no other", () =>
    connecting((provider) =>
      Effect.gen(function* () {
        const desk = yield* Desk
        const crypto = yield* Crypto
        const us = yield* visitor(desk.live)
        const other = yield* visitor(desk.live)
        const stranger = yield* visitor(desk.theirs)
        const back = yield* consented(yield* begin(us))
        const changed = back.replace(/state=(.)/, (_, first: string) => `state=${first === "A" ? "B" : "A"}`)
        for (const [someone, path] of [
          [other, back],
          [stranger, back],
          [us, changed],
          [us, back.replace(/state=[^&]+/, "state=")],
          [us, CONNECTED]
        ] as const) {
          const { status, text } = yield* someone.get(path)
          assert.strictEqual(status, 400)
          assert.include(text, "did not begin in this session")
        }
        const secret = us.cookie.slice("outbound_session=".length)
        const nowMillis = yield* Clock.currentTimeMillis
        const begun = {
          provider: "google",
          address: "jo@acme.test",
          displayName: "Jo",
          workspaceId: desk.live.workspaceId,
          nonce: "n"
        } as const
        for (const [begunAtMillis, workspaceId] of [
          [nowMillis - (CONNECT_MINUTES + 1) * MINUTE, desk.live.workspaceId],
          [nowMillis + MINUTE, desk.live.workspaceId],
          [nowMillis, desk.theirs.workspaceId]
        ] as const) {
          const state = stateOf(crypto, secret, { ...begun, begunAtMillis, workspaceId })
          assert.include((yield* us.get(`${CONNECTED}?code=c&state=${state}`)).text, "did not begin in this session")
        }
        assert.strictEqual(provider.exchanges(), 0)
        assert.isFalse(yield* isStored(us))
        assert.strictEqual((yield* us.get(back)).status, 200)
      })
    )
  )

  it.live("is begun by an owner who signed in just now, in a live workspace, for an address", () =>
    connecting(() =>
      Effect.gen(function* () {
        const desk = yield* Desk
        const member = yield* visitor(desk.live, "member")
        const stale = yield* visitor(desk.live, "owner", 6 * MINUTE)
        for (const someone of [member, stale]) assert.strictEqual((yield* someone.post(CONNECT, FORM)).status, 403)
        const us = yield* visitor(desk.live)
        for (const [wrong, words] of [
          [{ address: "nobody" }, "Address must be an email address"],
          [{ name: "" }, "Name must have 1 to 120 characters"],
          [{ provider: "microsoft" }, "Provider must be one of the buttons"]
        ] as const) {
          const { status, text } = yield* us.post(CONNECT, { ...FORM, ...wrong })
          assert.strictEqual(status, 400)
          assert.include(text, words)
        }
        const sandbox = yield* visitor(desk.ours)
        assert.include((yield* sandbox.get(CONNECT)).text, "never sends real email")
        assert.include((yield* sandbox.post(CONNECT, FORM)).text, "Workspace is a sandbox")
      })
    )
  )

  it.live("without a client of the operator there is no button and no such page", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        for (const path of ["/console/sending", "/console/mailboxes/new"]) {
          assert.notInclude((yield* us.get(path)).text, "Connect Google")
        }
        for (const path of [CONNECT, CONNECTED]) assert.strictEqual((yield* us.get(path)).status, 404)
      })
    )
  )

  it.live(
    "in a browser goes to the provider and back, without a barrier in light, dark or on a phone",
    () =>
      Effect.gen(function* () {
        const port = yield* Effect.promise(freePort)
        const base = `http://127.0.0.1:${port}`
        yield* connecting(
          (provider) =>
            Effect.gen(function* () {
              const { context } = yield* browser
              const desk = yield* Desk
              const link = `${base}/console/sign-in?token=${yield* desk.link(desk.live)}`
              yield* Effect.promise(async () => {
                const page = await context.newPage()
                const wrong: Array<string> = []
                const look = async (name: string) => {
                  for (const [size, viewport] of Object.entries({
                    DESKTOP,
                    PHONE,
                    w390: { width: 390, height: 844 }
                  })) {
                    for (const colorScheme of ["light", "dark"] as const) {
                      await page.setViewportSize(viewport)
                      await page.emulateMedia({ colorScheme })
                      wrong.push(...(await violations(page)).map((one) => `${name} ${size} ${colorScheme}: ${one}`))
                      if ((await overflow(page)) > 0) wrong.push(`${name} is wider than ${size}`)
                      const pictures = process.env["OUTBOUND_TEST_PICTURES"]
                      if (pictures !== undefined) {
                        await page.screenshot({ path: `${pictures}/${name}-${size}-${colorScheme}.png` })
                      }
                    }
                  }
                }
                const connect = async () => {
                  await page.getByLabel("Email").fill("jo@acme.test")
                  await page.getByLabel("Sender name").fill("Jo Doe")
                  await page.getByRole("button", { name: "Connect Google" }).press("Enter")
                }
                await enter(page, link)
                await page.goto(`${base}/console/sending`)
                await page.getByRole("link", { name: "Connect Google" }).click()
                await look("connect")
                provider.be("denied")
                await connect()
                await page.getByRole("alert").waitFor()
                await look("connect-denied")
                provider.be("well")
                await connect()
                await page.getByRole("status").waitFor()
                assert.include(await page.getByRole("status").innerText(), "jo@acme.test works")
                await look("connected")
                assert.deepStrictEqual(wrong, [])
              })
            }),
          base,
          port
        )
      }).pipe(Effect.scoped),
    600_000
  )
})
