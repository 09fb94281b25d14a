import { assert, it } from "@effect/vitest"
import { addressFingerprint } from "@outbound/domain/data/directory/matched.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { knownPeople } from "@outbound/domain/outreach/campaigns/knownPeople.js"
import { type SuppressionSource, SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import * as DirectoryImportLive from "@outbound/domain/data/directory/DirectoryImport.js"
import { Effect, Layer } from "effect"
import { given, move } from "../../src/contracts/campaignFixtures.js"
import { givenWorkspace } from "../../src/contracts/fixtures.js"
import { take } from "../../src/contracts/directoryFixtures.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"

const adapter = DirectoryImportLive.layer.pipe(Layer.provideMerge(Layer.merge(MemoryLayer.layer, TestCrypto.layer)))

const suppress = (workspaceId: string, email: string, source: SuppressionSource) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const store = yield* SuppressionStore
    const addressHash = addressFingerprint(yield* Crypto, workspaceId, email)
    yield* atomically(store.add({ workspaceId, addressHash, source, atMillis: 0 }))
  })

it.layer(adapter)("what a workspace knows of people", (it) => {
  it.effect("tells how a company writes its addresses by the lists of that workspace alone", () =>
    Effect.gen(function* () {
      const known = yield* knownPeople
      const { workspaceId: own } = yield* givenWorkspace()
      const { workspaceId: other } = yield* givenWorkspace()
      yield* take(own, "people", [
        { full_name: "Ada Byron", email: "ada.byron@acme.example", company_domain: "acme.example" },
        { full_name: "Bo Bad", email: "bo@acme.example", email_status: "invalid", company_domain: "acme.example" },
        { full_name: "Cy Elsewhere", email: "cy@mail.example", company_domain: "acme.example" },
        { full_name: "Di Alike", email: "di@notacme.example", company_domain: "acme.example" },
        { full_name: "Ed Branch", email: "ed@uk.acme.example", company_domain: "acme.example" }
      ])
      const emails = (workspaceId: string) =>
        Effect.map(known.at(workspaceId, "acme.example"), (people) => people.map(({ email }) => email))
      assert.deepStrictEqual(yield* emails(own), ["ada.byron@acme.example"])
      assert.deepStrictEqual(yield* emails(other), [])
    })
  )

  it.effect("tells it by who answered and by whose mail was delivered too, and by nobody else's", () =>
    Effect.gen(function* () {
      const known = yield* knownPeople
      const { leads, workspaceId } = yield* given([
        "answered@acme.example",
        "arrived@acme.example",
        "underway@acme.example",
        "bounced@acme.example",
        "listed@acme.example"
      ])
      const ends = ["replied", "finished", null, "bounced", "replied"] as const
      for (const [at, { campaignLeadId }] of leads.entries()) {
        const end = ends[at] ?? null
        yield* move(workspaceId, campaignLeadId, "ready", "active", ...(end === null ? [] : [end]))
      }
      yield* take(workspaceId, "people", [
        { full_name: "Lis Ted", email: "listed@acme.example", company_domain: "acme.example" }
      ])
      const people = yield* known.at(workspaceId, "acme.example")
      assert.deepStrictEqual(
        people.map(({ email, fullName }) => [email, fullName]),
        [
          ["listed@acme.example", "Lis Ted"],
          ["answered@acme.example", null],
          ["arrived@acme.example", null]
        ]
      )
    })
  )

  it.effect("bars who objected and whose domain is suppressed, and leaves out what bounced", () =>
    Effect.gen(function* () {
      const known = yield* knownPeople
      const { atomically } = yield* UnitOfWork
      const { workspaceId } = yield* givenWorkspace()
      yield* suppress(workspaceId, "no@acme.example", "unsubscribe")
      yield* suppress(workspaceId, "gone@acme.example", "hard_bounce")
      const store = yield* SuppressionStore
      yield* atomically(store.addDomains({ workspaceId, domains: ["closed.example"], atMillis: 0 }))
      const barred = (...asked: ReadonlyArray<string>) =>
        Effect.map(known.barred(workspaceId, asked), ({ gone, never }) => [never, [...gone]])
      assert.deepStrictEqual(yield* barred("jo@acme.example", "no@acme.example"), [true, []])
      assert.deepStrictEqual(yield* barred("jo@closed.example"), [true, []])
      assert.deepStrictEqual(yield* barred("jo@acme.example", "gone@acme.example"), [false, ["gone@acme.example"]])
    })
  )
})
