import { assert, describe, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import * as ConsoleLive from "@outbound/domain/control/console/Console.js"
import { ASKS_PER_ADDRESS_MAX, ASKS_PER_CLIENT_MAX } from "@outbound/domain/control/console/SignInMail.js"
import { personOf } from "@outbound/domain/control/signUp/person.js"
import { SignUpPolicy, type WhoSignsUp } from "@outbound/domain/control/signUp/policy.js"
import * as SignUpLive from "@outbound/domain/control/signUp/SignUp.js"
import { SignUp } from "@outbound/domain/control/signUp/SignUp.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { DomainRecords, RecordsUnavailable } from "@outbound/domain/outreach/mail/DomainRecords.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Layer, Option, References } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import * as MemoryMailer from "../../src/mail/MemoryMailer.js"
import { Letters } from "../../src/mail/MemoryMailer.js"
import { layer as memory } from "../../src/memory/layer.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"
import * as TestIds from "../../src/memory/TestIds.js"
import { DISPOSABLE, layer as disposable } from "../../src/memory/TestDisposable.js"

interface Given {
  readonly who?: WhoSignsUp
  readonly perDayMax?: number
  readonly perNetworkMax?: number
}

/** They say themselves that they take no mail (RFC 7505). */
const NO_MAIL: Readonly<Record<string, ReadonlyArray<string>>> = { "null.test": [""], "dot.test": ["."] }

const OPEN = { _tag: "Open" } as const

/** Every domain has a mail server but two that say they have none, and one whose name servers are silent. */
const records = Layer.succeed(DomainRecords, {
  mx: (domain) =>
    domain === "silent.test"
      ? Effect.fail(new RecordsUnavailable({ cause: null }))
      : Effect.succeed(domain === "none.test" ? [] : (NO_MAIL[domain] ?? [`mail.${domain}`])),
  txt: () => Effect.succeed([]),
  a: () => Effect.succeed([]),
  cname: () => Effect.succeed([])
})

const service = ({ perDayMax = 100, perNetworkMax = 100, who = OPEN }: Given = {}, mailer = MemoryMailer.layer) =>
  SignUpLive.layer.pipe(
    Layer.provide(Layer.succeed(SignUpPolicy, { who, perDayMax, perNetworkMax, kind: "sandbox" as const })),
    Layer.provide(disposable),
    Layer.provide(records),
    Layer.provideMerge(ConsoleLive.layer),
    Layer.provideMerge(Layer.mergeAll(memory, mailer)),
    Layer.provideMerge(Layer.mergeAll(TestCrypto.layer, TestIds.layer)),
    Layer.provide(Layer.succeed(Settings, { baseUrl: "https://outbound.test" })),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
    Layer.fresh
  )

const tokenIn = (text: string): string | null => /sign-up\?token=([\w-]+)/.exec(text)?.[1] ?? null

const ask = (email: string, client = "198.51.100.7", workspaceName = "Acme") =>
  Effect.flatMap(SignUp, (signUp) => signUp.ask({ email, workspaceName }, client))

/** The link that an address was sent. */
const linkFor = (email: string, client?: string) =>
  Effect.gen(function* () {
    const asked = yield* ask(email, client)
    assert.strictEqual(asked._tag, "Taken", JSON.stringify(asked))
    const { text } = yield* (yield* Letters).next
    return tokenIn(text) ?? assert.fail(text)
  })

const open = (token: string) => Effect.flatMap(SignUp, (signUp) => signUp.open(token))

const grants = Effect.flatMap(Memory, ({ read }) =>
  read(({ ledger }) =>
    ledger.filter(({ kind }) => kind === "grant").map(({ micros, workspaceId }) => ({ micros, workspaceId }))
  )
)

describe("signing up", () => {
  it.effect("a link makes a workspace with its owner, 300 credits in the ledger and a first key, once", () =>
    Effect.gen(function* () {
      const token = yield* linkFor(" Ada@Acme.TEST ")
      const made = yield* open(token)
      if (made._tag !== "Made") return assert.fail(made._tag)
      assert.match(made.apiKey, /^svc_key_[\w-]{43}$/)
      assert.deepStrictEqual([made.credits, made.workspaceName], ["300", "Acme"])
      const session = Option.getOrThrow(yield* (yield* ConsoleLive.Console).session(made.sessionSecret))
      assert.deepStrictEqual([session.user.email, session.role], ["ada@acme.test", "owner"])
      const { workspaceId } = session.session
      assert.deepStrictEqual(yield* grants, [{ micros: credits("300"), workspaceId }])
      assert.strictEqual((yield* (yield* CreditStore).balance(workspaceId)).balance, credits("300"))
      assert.strictEqual(Option.getOrThrow(yield* (yield* WorkspaceStore).get(workspaceId)).kind, "sandbox")
      assert.deepStrictEqual(yield* open(token), { _tag: "Over" })
    }).pipe(Effect.provide(service()))
  )

  it.effect("a link is good for 30 minutes", () =>
    Effect.gen(function* () {
      const token = yield* linkFor("ada@acme.test")
      yield* TestClock.adjust("29 minutes")
      assert.isTrue(Option.isSome(yield* (yield* SignUp).find(token)))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isNone(yield* (yield* SignUp).find(token)))
      assert.deepStrictEqual(yield* open(token), { _tag: "Over" })
      assert.deepStrictEqual(yield* grants, [])
    }).pipe(Effect.provide(service()))
  )

  it.effect("answers alike whether the address is new, somebody's, or another spelling of somebody's", () =>
    Effect.gen(function* () {
      const letters = yield* Letters
      yield* open(yield* linkFor("ada@gmail.com"))
      const asked = [yield* ask("new@gmail.com"), yield* ask("ada@gmail.com"), yield* ask("a.d.a+1@googlemail.com")]
      assert.deepStrictEqual(asked, [{ _tag: "Taken" }, { _tag: "Taken" }, { _tag: "Taken" }])
      const sent = [yield* letters.next, yield* letters.next, yield* letters.next]
      const to = (address: string) => sent.find((letter) => letter.to === address)?.text ?? ""
      assert.match(to("new@gmail.com"), /console\/sign-up\?token=/)
      assert.match(to("ada@gmail.com"), /console\/sign-in\?token=/)
      assert.match(to("a.d.a+1@googlemail.com"), /one already, under another spelling/)
      assert.notInclude(to("a.d.a+1@googlemail.com"), "token=")
    }).pipe(Effect.provide(service()))
  )

  it.effect("a letter holds nothing that was typed", () =>
    Effect.gen(function* () {
      yield* ask("victim@acme.test", "198.51.100.7", "Buy at https://evil.test now")
      const { subject, text } = yield* (yield* Letters).next
      assert.notInclude(subject + text, "evil")
    }).pipe(Effect.provide(service()))
  )

  it.effect("disposable addresses, domains without mail and names that are none are refused with words", () =>
    Effect.gen(function* () {
      const issuesOf = (email: string, name = "Acme") =>
        Effect.map(ask(email, "198.51.100.7", name), (asked) => (asked._tag === "Invalid" ? asked.issues : asked))
      assert.deepStrictEqual(yield* issuesOf(`ada@${DISPOSABLE}`), [
        { path: "email", message: "is a disposable address: use one that you keep" }
      ])
      for (const domain of ["none.test", "null.test", "dot.test"]) {
        assert.deepStrictEqual(yield* issuesOf(`ada@${domain}`), [
          { path: "email", message: `can't receive mail: ${domain} has no mail server (MX)` }
        ])
      }
      assert.deepStrictEqual(yield* issuesOf("ada"), [{ path: "email", message: 'has no "@"' }])
      assert.deepStrictEqual(yield* issuesOf("ada@acme.test", " "), [
        { path: "name", message: "must have 1 to 120 characters" }
      ])
      assert.deepStrictEqual(yield* issuesOf("ada@silent.test"), { _tag: "Taken" })
    }).pipe(Effect.provide(service()))
  )

  it.effect("a list of domains takes their people alone", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ask("ada@acme.test"), { _tag: "Taken" })
      for (const email of ["ada@sub.acme.test", "ada@other.test", "ada@acme.test.evil.test"]) {
        const asked = yield* ask(email)
        assert.strictEqual(asked._tag, "Invalid", email)
      }
    }).pipe(Effect.provide(service({ who: { _tag: "Domains", domains: ["acme.test"] } })))
  )

  it.effect("asking is bounded for an address, for a client, and in all", () =>
    Effect.gen(function* () {
      const tags = (email: (n: number) => string, client: (n: number) => string, times: number) =>
        Effect.forEach(Array.from({ length: times }), (_, n) =>
          Effect.map(ask(email(n), client(n)), ({ _tag }) => _tag)
        )
      const ofOne = yield* tags(
        () => "ada@acme.test",
        (n) => `address ${n}`,
        ASKS_PER_ADDRESS_MAX + 1
      )
      assert.strictEqual(ofOne.filter((tag) => tag === "TooMany").length, 1)
      const byOne = yield* tags(
        (n) => `a${n}@acme.test`,
        () => "client",
        ASKS_PER_CLIENT_MAX + 1
      )
      assert.strictEqual(byOne.filter((tag) => tag === "TooMany").length, 1)
      // Ten for each of the five that may be made.
      const inAll = yield* tags(
        (n) => `b${n}@acme.test`,
        (n) => `all ${n}`,
        60
      )
      assert.strictEqual(inAll.filter((tag) => tag === "Taken").length, 50 - ASKS_PER_ADDRESS_MAX - ASKS_PER_CLIENT_MAX)
      assert.isTrue(inAll.every((tag) => tag === "Taken" || tag === "TooMany"))
    }).pipe(Effect.provide(service({ perDayMax: 5 })))
  )

  it.effect("a day that is full says so, keeps the link, and is over at midnight", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 28, 23, 45))
      const [first, second] = [yield* linkFor("a@acme.test", "1"), yield* linkFor("b@acme.test", "2")]
      assert.strictEqual((yield* open(first))._tag, "Made")
      assert.deepStrictEqual(yield* open(second), { _tag: "Refused", because: "day" })
      assert.deepStrictEqual(yield* ask("c@acme.test", "3"), { _tag: "Full", because: "day" })
      assert.deepStrictEqual(yield* ask("a@acme.test", "1"), { _tag: "Full", because: "day" })
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* open(second))._tag, "Made")
    }).pipe(Effect.provide(service({ perDayMax: 1 })))
  )

  it.effect("a network has its own bound", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 28, 23, 45))
      const [first, second] = [yield* linkFor("a@acme.test", "1"), yield* linkFor("b@acme.test", "1")]
      const other = yield* linkFor("c@acme.test", "2")
      assert.strictEqual((yield* open(first))._tag, "Made")
      assert.deepStrictEqual(yield* open(second), { _tag: "Refused", because: "network" })
      assert.strictEqual((yield* open(other))._tag, "Made")
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* open(second))._tag, "Made", "its link was kept for the next day")
    }).pipe(Effect.provide(service({ perNetworkMax: 1 })))
  )

  it.effect("a network that is full says so at once, and may ask again the next day", () =>
    Effect.gen(function* () {
      yield* open(yield* linkFor("a@acme.test", "1"))
      assert.deepStrictEqual(yield* ask("b@acme.test", "1"), { _tag: "Full", because: "network" })
      assert.deepStrictEqual(yield* ask("c@acme.test", "2"), { _tag: "Taken" })
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* ask("b@acme.test", "1"), { _tag: "Taken" })
    }).pipe(Effect.provide(service({ perNetworkMax: 1 })))
  )

  it.effect("the operator's links are of no network, so none keeps another out", () =>
    Effect.gen(function* () {
      const signUp = yield* SignUp
      for (const name of ["ada", "bob"]) {
        const token = yield* signUp.makeLink({ email: `${name}@acme.test`, workspaceName: "  Acme  " })
        assert.strictEqual(Option.getOrThrow(yield* signUp.find(token)).workspaceName, "Acme")
        const made = yield* open(token)
        assert.strictEqual(made._tag === "Made" ? made.workspaceName : made._tag, "Acme")
      }
    }).pipe(Effect.provide(service({ perNetworkMax: 1 })))
  )

  it.effect("the operator's link needs an address and a name, and all mistakes are named at once", () =>
    Effect.gen(function* () {
      const signUp = yield* SignUp
      const issuesOf = (email: string, workspaceName: string) =>
        Effect.map(Effect.flip(signUp.makeLink({ email, workspaceName })), (refused) =>
          refused._tag === "invalid_request" ? refused.details.issues?.map(({ path }) => path) : refused._tag
        )
      assert.deepStrictEqual(yield* issuesOf("ada", "Acme"), ["email"])
      assert.deepStrictEqual(yield* issuesOf("ada@acme.test", " "), ["name"])
      assert.deepStrictEqual(yield* issuesOf("ada", ""), ["email", "name"])
    }).pipe(Effect.provide(service()))
  )

  it.effect("whose address has become somebody's meanwhile is signed in, on a full day too", () =>
    Effect.gen(function* () {
      const first = yield* linkFor("ada@acme.test", "1")
      const again = yield* linkFor("ada@acme.test", "2")
      const other = yield* linkFor("bob@acme.test", "3")
      assert.strictEqual((yield* open(first))._tag, "Made")
      // As if they had been invited.
      const { atomically, write } = yield* Memory
      yield* atomically(write(({ signUpGrants }) => signUpGrants.deleteFirst(1, () => true)))
      assert.strictEqual((yield* open(other))._tag, "Made")
      const signedIn = yield* open(again)
      if (signedIn._tag !== "SignedIn") return assert.fail(signedIn._tag)
      const session = Option.getOrThrow(yield* (yield* ConsoleLive.Console).session(signedIn.sessionSecret))
      assert.strictEqual(session.user.email, "ada@acme.test")
      assert.deepStrictEqual(yield* open(again), { _tag: "Over" })
      assert.lengthOf(yield* grants, 2)
    }).pipe(Effect.provide(service({ perDayMax: 1 })))
  )

  it.effect("who has a workspace under another spelling gets no second one, and their link is used up", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* linkFor("ada@gmail.com", "1"), yield* linkFor("a.da@gmail.com", "2")]
      assert.strictEqual((yield* open(first))._tag, "Made")
      assert.deepStrictEqual(yield* open(second), { _tag: "Refused", because: "person" })
      assert.deepStrictEqual(yield* open(second), { _tag: "Over" })
      assert.lengthOf(yield* grants, 1)
    }).pipe(Effect.provide(service()))
  )

  it.effect("who was invited signs in, and needs no link of the operator's", () =>
    Effect.gen(function* () {
      const { atomically, write } = yield* Memory
      const signUp = yield* SignUp
      yield* open(yield* linkFor("ada@acme.test"))
      yield* atomically(write(({ signUpGrants }) => signUpGrants.deleteFirst(1, () => true)))
      const refused = yield* Effect.flip(signUp.makeLink({ email: "ada@acme.test", workspaceName: "Acme" }))
      assert.strictEqual(refused._tag, "invalid_request")
    }).pipe(Effect.provide(service()))
  )

  it.effect("one link that is opened twice at once makes one workspace", () =>
    Effect.gen(function* () {
      const token = yield* linkFor("ada@acme.test")
      const { beforeEach } = yield* MemoryFaults
      const services = yield* Effect.context<SignUp>()
      const others: Array<string> = []
      yield* beforeEach((operation) => {
        if (operation !== "UnitOfWork.atomically" || others.length > 0) return Effect.void
        others.push("begun")
        const other = Effect.map(open(token), ({ _tag }) => others.push(_tag))
        return Effect.asVoid(Effect.orDie(Effect.provide(other, services)))
      })
      const one = yield* Effect.ensuring(open(token), beforeEach(null))
      assert.deepStrictEqual([one._tag, ...others], ["Over", "begun", "Made"])
      assert.lengthOf(yield* grants, 1)
    }).pipe(Effect.provide(service()))
  )

  it.effect("the first key may do what the owner may, without a cap, and needs no run", () =>
    Effect.gen(function* () {
      yield* open(yield* linkFor("ada@acme.test"))
      const keys = yield* Effect.flatMap(Memory, ({ read }) =>
        read((tables) => tables.keys.filter(() => true).map(({ key }) => key))
      )
      assert.lengthOf(keys, 1)
      assert.deepInclude(keys[0], {
        name: "first",
        autonomousExternalActions: true,
        runRequired: false,
        monthlySpendCap: null
      })
    }).pipe(Effect.provide(service()))
  )

  it.effect("the operator's link makes one workspace for a new person, and none where sign-up is closed", () =>
    Effect.gen(function* () {
      const signUp = yield* SignUp
      const token = yield* signUp.makeLink({ email: "ada@acme.test", workspaceName: "Acme" })
      assert.strictEqual((yield* open(token))._tag, "Made")
      for (const email of ["ada@acme.test", "ada+2@acme.test"]) {
        const refused = yield* Effect.flip(signUp.makeLink({ email, workspaceName: "Acme" }))
        assert.strictEqual(refused._tag, "invalid_request", email)
      }
      assert.isFalse(signUp.isMailOn)
    }).pipe(Effect.provide(service({}, MemoryMailer.off)))
  )

  it.effect("closed is closed for the operator's links too", () =>
    Effect.gen(function* () {
      const signUp = yield* SignUp
      assert.isFalse(signUp.isOpen)
      const refused = yield* Effect.flip(signUp.makeLink({ email: "ada@acme.test", workspaceName: "Acme" }))
      assert.strictEqual(refused._tag, "not_found")
      assert.strictEqual((yield* ask("ada@acme.test"))._tag, "Invalid")
    }).pipe(Effect.provide(service({ who: { _tag: "Closed" } })))
  )

  it("one person is one, however their provider lets them spell it", () => {
    const people: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["a.da@gmail.com", "ada+x@gmail.com", "ad.a+y+z@googlemail.com"], "ada@gmail.com"],
      [["a-d_a.@pm.me", "ada+1@protonmail.com"], "ada@proton.me"],
      [["ada-shop@yahoo.com"], "ada@yahoo.com"],
      [["ada+tag@acme.test"], "ada@acme.test"],
      [["a.da@acme.test"], "a.da@acme.test"],
      [["+tag@acme.test"], "+tag@acme.test"],
      [["ada@me.com", "ada@mac.com"], "ada@icloud.com"]
    ]
    for (const [spelled, person] of people) for (const email of spelled) assert.strictEqual(personOf(email), person)
  })

  const PEOPLE = ["ada", "bob", "cy", "dee", "eve", "fay", "gus"]
  const spelling = fc
    .record({ of: fc.constantFrom(...PEOPLE), tag: fc.nat(40), dots: fc.boolean(), alias: fc.boolean() })
    .map(({ alias, dots, of, tag }) => {
      const local = dots ? [...of].join(".") : of
      return `${local}${tag === 0 ? "" : `+${tag}`}@${alias ? "googlemail.com" : "gmail.com"}`
    })
  const attempt = fc.record({ email: spelling, network: fc.nat(6), opens: fc.nat(3), waits: fc.nat(20) })

  it.effect("abused a thousand ways it gives at most its bound: per person, per network, per day", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(attempt, { minLength: 20, maxLength: 60 }),
          fc.integer({ min: 1, max: 6 }),
          fc.integer({ min: 1, max: 3 }),
          async (attempts, perDayMax, perNetworkMax) => {
            const abused = Effect.gen(function* () {
              const letters = yield* Letters
              const tokens: Array<string> = []
              let days = 1
              let minutes = 0
              for (const { email, network, opens, waits } of attempts) {
                const asked = yield* ask(email, `network ${network}`)
                if (asked._tag === "Taken") {
                  const token = tokenIn((yield* letters.next).text)
                  if (token !== null) tokens.push(token)
                }
                // The newest links at once, each several times.
                const chosen = tokens.slice(-opens).flatMap((token) => [token, token])
                if (opens > 0) yield* Effect.all(chosen.map(open), { concurrency: "unbounded" })
                yield* TestClock.adjust(`${waits} minutes`)
                minutes += waits
                days = Math.floor(minutes / (24 * 60)) + 1
              }
              for (const token of tokens) yield* open(token)
              const made = yield* grants
              const { granted, workspaces } = yield* Effect.flatMap(Memory, ({ read }) =>
                read((tables) => ({
                  granted: tables.signUpGrants.filter(() => true),
                  workspaces: tables.workspaces.filter(() => true).length
                }))
              )
              assert.isAtMost(made.length, Math.min(perDayMax * days, PEOPLE.length))
              assert.deepStrictEqual([granted.length, workspaces], [made.length, made.length])
              for (const { networkHash } of granted) {
                const ofNetwork = granted.filter((grant) => grant.networkHash === networkHash)
                assert.isAtMost(ofNetwork.length, perNetworkMax * days)
              }
              assert.isTrue(made.every(({ micros }) => micros === credits("300")))
            })
            await Effect.runPromise(
              abused.pipe(Effect.provide(service({ perDayMax, perNetworkMax })), Effect.provide(TestClock.layer()))
            )
          }
        ),
        { numRuns: 30 }
      )
    )
  )
})
