import { assert, layer as describeLayer } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { wordsOf } from "@outbound/domain/calls/approvals/Snapshot.js"
import { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { RecipientWords } from "@outbound/domain/control/words/RecipientWords.js"
import { COUNTRY_CODES } from "@outbound/domain/kernel/people/Countries.js"
import { FOOTER_WORDS, languageOfCountry } from "@outbound/domain/kernel/words/languages.js"
import type { OwnNotice, WordsPlace } from "@outbound/domain/kernel/words/notice.js"
import { regionOf } from "@outbound/domain/kernel/words/regions.js"
import { Effect, type Layer, Option } from "effect"
import { type Client, decide } from "../../service/Client.js"
import { growStale, type ControlOnStores, refusedBy, signIn } from "./controlSupport.js"
import {
  askLaunch,
  deliveries,
  draft,
  freshKey,
  launched,
  ok,
  pass,
  refused,
  sender,
  silent,
  SUITE
} from "./stories.js"

type Stores = ControlOnStores | ApprovalStore | PersonFiles

const say = (client: Client, place: WordsPlace, texts: ReadonlyArray<OwnNotice> = []) =>
  Effect.gen(function* () {
    const words = yield* RecipientWords
    const owner = yield* signIn(client.ownerEmail)
    yield* Effect.orDie(words.change(owner, { place }))
    for (const write of texts) yield* Effect.orDie(words.change(owner, { write }))
  })

const german = (purpose: string): OwnNotice => ({
  where: "eea",
  language: "de",
  parts: { purpose, basis: "", source: "Quelle: {{source}}.", rights: "", contact: "" }
})

const snapshotOf = (client: Client, url: string) =>
  Effect.gen(function* () {
    const store = yield* ApprovalStore
    const found = yield* Effect.orDie(store.find(client.workspaceId, url.split("/").at(-1) ?? ""))
    return Option.getOrThrow(found).approval.snapshot
  })

const asked = (client: Client, recipients: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const campaign_id = (yield* draft(client, { recipients } as never)).result.campaign_id as string
    const { result } = yield* askLaunch(client, campaign_id)
    return {
      campaign_id,
      ...(result as { readonly approval_url: string; readonly confirmation_token: string }),
      snapshot: yield* snapshotOf(client, result.approval_url)
    }
  })

const confirm = (client: Client, of: { readonly campaign_id: string; readonly confirmation_token: string }) =>
  client.call(
    "launch_campaign",
    { campaign_id: of.campaign_id, confirmation_token: of.confirmation_token },
    { key: freshKey() }
  )

/** One person of every country, as their own value says by its code: `NA` is Namibia. */
const EVERYWHERE = COUNTRY_CODES.map((country) => ({
  email: `silent+${country.toLowerCase()}@magic.test`,
  custom: { country }
}))

/** What recipients are told by their country is what was approved (contract: approvals, words by country). */
export const recipientWordsContract = <E>(name: string, service: Layer.Layer<Stores, E>): void => {
  describeLayer(service, SUITE)(`words by country (${name})`, (it) => {
    it.effect("over every country, what is sent ends with the words that were approved", () =>
      Effect.gen(function* () {
        const client = yield* sender(300)
        yield* say(client, "message")
        const launch = yield* asked(client, EVERYWHERE)
        const shown = wordsOf(launch.snapshot)
        const line = (country: string) => shown?.countries.find((one) => one.country === country)
        for (const country of COUNTRY_CODES) {
          assert.deepInclude(line(country), {
            people: 1,
            known_by: { person: 1, company: 0, domain: 0 },
            words_of: regionOf(country),
            language: languageOfCountry(country)
          })
        }
        yield* decide(client, launch.approval_url, "approve")
        ok(yield* confirm(client, launch))
        // What the workspace says from now on is not what was approved.
        yield* say(client, "message", [german("Anders.")])
        yield* pass("20 seconds")
        yield* pass("3 days", "1 hour")
        const all = yield* deliveries(launch.campaign_id)
        const sent = all.filter(({ stepIndex }) => stepIndex === 0)
        assert.lengthOf(sent, COUNTRY_CODES.length)
        for (const { text, to, unsubscribeUrl } of sent) {
          const country = to.address.slice("silent+".length, "silent+".length + 2).toUpperCase()
          const way = `${FOOTER_WORDS[languageOfCountry(country)].unsubscribe}: ${unsubscribeUrl}\n`
          const said = Object.values(shown?.texts ?? {}).filter((notice) => text.endsWith(`${way}\n${notice}\n`))
          if (line(country)?.words_of === null) assert.isTrue(text.endsWith(way), country)
          else assert.lengthOf(said, 1, country)
          assert.notInclude(text, "Anders.")
        }
        const second = all.filter(({ stepIndex }) => stepIndex > 0)
        assert.isNotEmpty(second)
        for (const { text } of second)
          for (const notice of Object.values(shown?.texts ?? {})) assert.notInclude(text, notice)
      })
    )

    it.effect("words that changed after they were shown refuse the launch, and what is missing in them is named", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* say(client, "message", [german("Werbung.")])
        const launch = yield* asked(client, [{ email: "silent+de@magic.test", custom: { country: "Germany" } }])
        const shown = wordsOf(launch.snapshot)
        assert.deepStrictEqual(shown?.missing, [
          { words_of: "eea", language: "de", parts: ["basis", "rights", "contact"] }
        ])
        assert.deepStrictEqual(Object.values(shown?.texts ?? {}), ["Werbung. Quelle: aus eigener Recherche."])
        yield* decide(client, launch.approval_url, "approve")
        yield* say(client, "message", [german("Andere Werbung.")])
        refused(yield* confirm(client, launch), 409, "approval_changed")
        yield* pass("2 seconds")
        assert.isEmpty(yield* deliveries(launch.campaign_id))
      })
    )

    it.effect("behind a link, the first message has the link alone, and the person's file and page the words", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        yield* say(client, "link")
        const campaign = yield* launched(client, {
          recipients: [{ email: "silent+x@magic.test", custom: { country: "FR" } }]
        })
        yield* pass("2 seconds")
        const [first] = yield* deliveries(campaign)
        const way = `${FOOTER_WORDS.fr.unsubscribe}: ${first?.unsubscribeUrl}\n${FOOTER_WORDS.fr.why}: ${first?.unsubscribeUrl}/why\n`
        assert.isTrue(first?.text.endsWith(way), first?.text)
        const files = yield* PersonFiles
        const { sections } = yield* Effect.orDie(files.makeFor(client.workspaceId, "silent+x@magic.test"))
        assert.include(sections.leads[0]?.notice, "RGPD")
        assert.strictEqual(sections.leads[0]?.notice_language, "fr")
      })
    )

    it.effect("where nothing was set nothing is said, and English is what is left of the footer's languages", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const { snapshot, ...launch } = yield* asked(client, silent(1))
        assert.deepInclude(wordsOf(snapshot), { place: "off", texts: {}, missing: [] })
        yield* decide(client, launch.approval_url, "approve")
        ok(yield* confirm(client, launch))
        yield* pass("2 seconds")
        const [first] = yield* deliveries(launch.campaign_id)
        assert.isTrue(first?.text.endsWith(`\nUnsubscribe: ${first.unsubscribeUrl}\n`))
      })
    )

    it.effect("only an owner who signed in just now changes them, and only to what can be sent", () =>
      Effect.gen(function* () {
        const client = yield* sender()
        const words = yield* RecipientWords
        const owner = yield* signIn(client.ownerEmail)
        yield* refusedBy("owner_required", words.change({ ...owner, role: "member" }, { place: "link" }))
        const wrong = [
          { ...german("x"), where: "XX" },
          german("two\nlines"),
          german("x".repeat(1_001)),
          { ...german(""), parts: { purpose: " ", basis: "", source: "", rights: "", contact: "" } }
        ]
        for (const write of wrong) yield* refusedBy("invalid", words.change(owner, { write }))
        yield* Effect.orDie(words.change(owner, { write: german("x") }))
        const { language, where } = german("")
        yield* Effect.orDie(words.change(owner, { remove: { language, where } }))
        assert.deepStrictEqual(yield* Effect.orDie(words.words(owner)), { place: "off", own: [] })
        yield* growStale
        yield* refusedBy("reauthentication_required", words.change(owner, { place: "link" }))
      })
    )
  })
}
