import { assert, describe, it } from "@effect/vitest"
import { CallNotes } from "@outbound/domain/sources/CallNotes.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { admitted, anAttempt, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Clock, Effect } from "effect"
import { readConfigured, reportProviders } from "../../src/main/Providers.js"
import { only, running } from "../support/Program.js"
import { written } from "../support/written.js"

const MISTAKEN = `{ "ports": { "email_verifier": ["probr"] }, "vendorz": {} }`

describe("outbound providers", () => {
  it.effect("names every mistake of the file, and works without one", () =>
    Effect.gen(function* () {
      const path = yield* written(MISTAKEN)
      const run = yield* running([], { environment: { OUTBOUND_PROVIDERS: path }, providers: reportProviders })
      const { complaint, isGood } = yield* run("providers check --json")
      assert.isFalse(isGood)
      assert.include(complaint ?? "", "vendorz: there is no such member")
      assert.include(complaint ?? "", `ports.email_verifier.0: there is no "probr". Is prober meant?`)
      assert.match((yield* Effect.flip(readConfigured({ providers: `${path}.not` }))).message, /ENOENT/)
      assert.isNull(yield* readConfigured({ providers: "sandbox" }))
      const bare = yield* running([], { providers: reportProviders })
      assert.strictEqual(only(yield* bare("providers check --json"))["ok"], true)
    })
  )

  it.effect("with a file workspaces are made live unless said otherwise", () =>
    Effect.gen(function* () {
      const run = yield* running([], { environment: { OUTBOUND_PROVIDERS: "./providers.json" } })
      yield* run("workspace create --name A --owner-email ann@acme.test --json")
      yield* run("workspace create --name B --owner-email ann@acme.test --kind sandbox --json")
      const { workspaces } = only(yield* run("workspace list --json"))
      assert.deepStrictEqual(
        (workspaces as ReadonlyArray<{ kind: string }>).map(({ kind }) => kind),
        ["live", "sandbox"]
      )
    })
  )
})

describe("outbound margins and outbound request", () => {
  it.effect("tell what calls were charged and what they cost at vendors", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const { workspace_id: id } = only(
        yield* run("workspace create --name A --owner-email ann@acme.test --kind live --json")
      )
      const { api_key: secret } = only(yield* run(`key create --workspace ${id} --name K --json`))
      const notes = new CallNotes()
      notes.spend({ vendor: "prospero", unit: "credit", amount: 2, micros: 18_000 })
      notes.witness("prober", { said: "250 ok" })
      const call = yield* Effect.gen(function* () {
        const journal = yield* CallJournal
        const crypto = yield* Crypto
        const nowMillis = yield* Clock.currentTimeMillis
        const one = yield* admitted(anAttempt(crypto.sha256Hex(String(secret)), { nowMillis }))
        yield* journal.settle(settlementOf(one, { notes: notes.kept()!, settledAtMillis: nowMillis }))
        return one
      }).pipe(Effect.provide(run.services))
      const vendor = { vendor: "prospero", unit: "credit", calls: 1, credits_charged: "1", units: 2, cost_usd: 0.018 }
      const margins = only(yield* run(`margins --since 7d --workspace ${id} --json`))
      assert.deepInclude(margins, {
        cost_usd: 0.018,
        verbs: [{ verb: "verify_email", calls: 1, credits_charged: "1", cost_usd: 0.018, vendors: [vendor] }],
        jobs_of_unknown_outcome: []
      })
      const shown = only(yield* run(`request ${call.requestId} --json`))
      assert.deepInclude(shown, {
        verb: "verify_email",
        credits_charged: "1",
        costs: [{ vendor: "prospero", unit: "credit", units: 2, answers: 1, cost_usd: 0.018 }],
        evidence: [{ source: "prober", facts: { said: "250 ok" } }],
        jobs_of_unknown_outcome: []
      })
      const unknown = yield* run("request 7")
      assert.isFalse(unknown.isGood)
      assert.strictEqual(unknown.complaint, "There is no such call: 7.")
      assert.deepStrictEqual(unknown.out, [])
      assert.match((yield* run("margins")).complaint ?? "", /^--since is required/)
    })
  )
})
