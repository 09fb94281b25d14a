import { assert, layer as describeLayer } from "@effect/vitest"
import { DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { addressHashOf } from "@outbound/domain/kernel/people/subjects.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Inbound } from "@outbound/domain/outreach/mail/Inbound.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { rfcMessageId } from "@outbound/domain/outreach/sending/compose.js"
import { Clock, Effect, type Layer, Stream } from "effect"
import { TestRows } from "../../memory/Hooks.js"
import type { ErasureOnStores } from "./erasure.js"
import { answered, answerer, approved, ourReplies } from "./replyStories.js"
import { draft, freshKey, member, ok, SUITE, to } from "./stories.js"

const erase = (workspaceId: string, email: string) =>
  Effect.orDie(Effect.flatMap(Erasure, (erasure) => erasure.eraseFor(workspaceId, email)))

const standing = (text: string) => Effect.flatMap(TestRows, (rows) => rows.standing(text))

/** Where an erasure comes that looks by the address alone: to what is known of the person under other names. */
export const erasureReachContract = <E>(name: string, service: Layer.Layer<ErasureOnStores, E>) => {
  describeLayer(service, SUITE)(`how far an erasure reaches (${name})`, (it) => {
    it.effect("a row of the directory without the address goes where the address's own row tells whose it is", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* member()
        const { takeFor } = yield* DirectoryImport
        const list = [
          { full_name: "Wanda Quillfeather", company_domain: "quill.test", title: "by name" },
          { social_url: "https://www.linkedin.com/in/wandaq", full_name: "W. Quillf.", title: "by profile" },
          {
            email: "wanda@quill.test",
            full_name: "Wanda Quillfeather",
            company_domain: "quill.test",
            social_url: "https://linkedin.com/in/wandaq/",
            title: "by address"
          },
          { full_name: "Wanda Quillfeather", company_domain: "elsewhere.test", title: "namesake elsewhere" },
          {
            full_name: "Wanda Quillfeather",
            company_domain: "quill.test",
            social_url: "https://linkedin.com/in/another",
            title: "namesake with another profile"
          },
          {
            email: "wq@quill.test",
            full_name: "Wanda Quillfeather",
            company_domain: "quill.test",
            title: "other address"
          }
        ]
        const rows = Stream.fromIterable(list.map((cells, index) => ({ line: index + 2, cells })))
        yield* Effect.orDie(takeFor(workspaceId, { kind: "people", rows, dryRun: false }))
        assert.deepInclude(yield* erase(workspaceId, "wanda@quill.test"), { known: true, directory: 3 })
        for (const gone of ["by name", "by profile", "by address"]) assert.isEmpty(yield* standing(gone), gone)
        for (const kept of ["namesake elsewhere", "namesake with another profile", "other address"]) {
          assert.isNotEmpty(yield* standing(kept), kept)
        }
      })
    )

    it.effect("an answer to an answer of ours is not read any more, whatever address it comes from", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const inbound = yield* Inbound
        const { workspaceId } = client
        const email = "interested+alias@magic.test"
        const { reply_id } = yield* answered(client, email)
        ok(yield* (yield* approved(client, reply_id)).send())
        const [ours] = yield* ourReplies(client, reply_id)
        yield* inbound.receive([
          {
            workspaceId,
            provider: "test",
            providerEventId: freshKey(),
            kind: "reply",
            source: "provider_poll",
            inReplyTo: rfcMessageId(ours.sent_reply_id, "acme-mail.test"),
            messageId: null,
            fromEmail: "private-alias@elsewhere.test",
            toEmail: null,
            subject: "Re: Hello",
            bodyText: "From my private alias",
            bodyHtml: null,
            classification: null,
            bounce: null,
            receivedAtMillis: (yield* Clock.currentTimeMillis) + 60_000
          }
        ])
        assert.deepInclude(yield* erase(workspaceId, email), { known: true, waiting: 1 })
        assert.isEmpty(yield* standing("private-alias@elsewhere.test"))
        assert.isEmpty(yield* standing("From my private alias"))
      })
    )

    it.effect("what others' leads say of the person loses the address, wherever it stands", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const email = "named@people.test"
        yield* draft(client, {
          recipients: [
            {
              ...to("silent+carrier@magic.test")[0],
              first_name: `c/o ${email}`,
              last_name: email,
              company_name: `Office of ${email.toUpperCase()}`,
              custom: { boss: email }
            }
          ]
        })
        assert.isNotEmpty(yield* standing(email))
        assert.deepInclude(yield* erase(client.workspaceId, email), { known: true, leads: 0 })
        assert.isEmpty(yield* standing(email))
      })
    )

    it.effect("what was not looked at is found by the next erasure: a call may end while one looks", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const { workspaceId } = client
        const store = yield* ErasureStore
        const { atomically } = yield* UnitOfWork
        const email = "valid+late-settler@magic.test"
        const hash = addressHashOf(yield* Crypto, workspaceId, email)
        yield* client.call("verify_email", { email }, { key: freshKey() })
        const found = yield* store.outcomes(workspaceId, [hash], { after: null, limit: 10 })
        const looked = found.map(({ requestId }) => requestId)
        assert.lengthOf(looked, 1)
        yield* client.call("verify_email", { email }, { key: freshKey() })
        yield* atomically(store.forgetSubjects(workspaceId, [hash], looked))
        const left = yield* store.outcomes(workspaceId, [hash], { after: null, limit: 10 })
        assert.lengthOf(left, 1)
        assert.notInclude(looked, left[0]?.requestId)
      })
    )

    it.effect("premium offers know the fingerprint no more", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const search = { audience: "[[offer]] anybody", limit: 4 }
        const { leads, offers } = ok(yield* client.call("find_leads", search, { key: freshKey() })).result
        assert.isNotEmpty(offers ?? [leads])
        let person: { readonly work_email: string; readonly fingerprint: string } | null = null
        for (const { social_url } of leads) {
          const { contact } = ok(yield* client.call("enrich", { person: { social_url } }, { key: freshKey() })).result
          if (typeof contact?.work_email === "string") person = contact
        }
        if (person === null) return assert.fail("nobody of them has an address")
        assert.isNotEmpty((yield* standing(person.fingerprint)).filter((place) => place.includes("offers")))
        yield* erase(client.workspaceId, person.work_email)
        assert.isEmpty(yield* standing(person.fingerprint))
      })
    )
  })
}
