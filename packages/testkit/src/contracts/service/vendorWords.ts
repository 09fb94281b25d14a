import { assert } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { wordsOf } from "@outbound/domain/calls/approvals/Snapshot.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { FOOTER_WORDS, languageOfCountry } from "@outbound/domain/kernel/words/languages.js"
import type { OwnNotice, WordsPlace } from "@outbound/domain/kernel/words/notice.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide } from "../../service/Client.js"
import type { FakeVendor } from "../../vendors/FakeVendor.js"
import { describeStories } from "./describeStories.js"
import { askLaunch, freshKey, launch, ok, trailOf } from "./stories.js"
import {
  campaignAt,
  confirmed,
  inState,
  MONDAY,
  sentIn,
  strangers,
  vendorPass,
  type VendorService,
  vendorTeam
} from "./vendorStories.js"

const COUNTRIES = ["DE", "FR", "US", "JP"]

const say = (client: Client, place: WordsPlace, own: ReadonlyArray<OwnNotice> = []) =>
  Effect.gen(function* () {
    const { setWords } = yield* WorkspaceStore
    const { atomically } = yield* UnitOfWork
    yield* atomically(setWords(client.workspaceId, { place, own }))
  })

const german = (purpose: string): OwnNotice => ({
  where: "DE",
  language: "de",
  parts: { purpose, basis: "", source: "", rights: "", contact: "" }
})

/** One person of each of the countries, and which one each is of. */
const peopleEverywhere = () => {
  const people = strangers(COUNTRIES.length).map((one, index) => ({
    ...one,
    custom: { country: COUNTRIES[index] ?? "" }
  }))
  return { people, countryOf: new Map(people.map(({ custom, email }) => [email, custom.country])) }
}

const approvedTexts = (client: Client, url: string) =>
  Effect.gen(function* () {
    const store = yield* ApprovalStore
    const found = yield* Effect.orDie(store.find(client.workspaceId, url.split("/").at(-1) ?? ""))
    return wordsOf(Option.getOrThrow(found).approval.snapshot)
  })

/** Launches it, and returns what the approval showed of words. */
const launchShowing = (client: Client, campaign_id: string) =>
  Effect.gen(function* () {
    const { approval_url, confirmation_token } = (yield* askLaunch(client, campaign_id)).result
    const shown = yield* approvedTexts(client, approval_url)
    yield* decide(client, approval_url, "approve")
    ok(yield* client.call("launch_campaign", { campaign_id, confirmation_token }, { key: freshKey() }))
    return shown
  })

/** Campaigns that a vendor schedules end their messages as they were approved (contract: approvals, words by country). */
export const vendorWordsContract = <E>(
  name: string,
  service: Layer.Layer<VendorService | ApprovalStore | WorkspaceStore, E>,
  fake: FakeVendor
): void => {
  /** Every message of the campaign ends as the approval said: the first with the words, the later ones without. */
  const assertAsApproved = (
    campaign_id: string,
    countryOf: ReadonlyMap<string, string>,
    shown: ReturnType<typeof wordsOf>
  ) => {
    for (const { email, step, text } of sentIn(fake, campaign_id)) {
      const country = countryOf.get(email) ?? ""
      const [, url = ""] = /(https?:\/\/\S+\/u\/\S+)/.exec(text) ?? []
      const way = `\n${FOOTER_WORDS[languageOfCountry(country)].unsubscribe}: ${url}\n`
      const line = shown?.countries.find((one) => one.country === country)
      const said = Object.values(shown?.texts ?? {}).filter((notice) => text.endsWith(`${way}\n${notice}\n`))
      if (step > 0 || line?.words_of === null) assert.isTrue(text.endsWith(way), text)
      else assert.lengthOf(said, 1, text)
    }
  }

  describeStories(service)(`words by country at a vendor (${name})`, (it) => {
    it.effect("every message ends with the words that were approved, whatever was said before and after", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam(1)
        yield* say(client, "message", [german("Vorher.")])
        const { countryOf, people } = peopleEverywhere()
        const campaign_id = yield* confirmed(client, fake, { recipients: people })
        // The vendor has them by now, with words that nobody will approve.
        assert.include(JSON.stringify(campaignAt(fake, campaign_id).people), "Vorher.")
        yield* say(client, "message", [german("Genehmigt.")])
        const shown = yield* launchShowing(client, campaign_id)
        yield* say(client, "message", [german("Nachher.")])
        assert.isUndefined(shown?.is_by_vendor)
        assert.include(Object.values(shown?.texts ?? {}), "Genehmigt.")
        yield* vendorPass(fake, "1 minute")
        yield* vendorPass(fake, "49 hours", "7 hours")
        assert.lengthOf(sentIn(fake, campaign_id), 2 * COUNTRIES.length)
        assertAsApproved(campaign_id, countryOf, shown)
        // Only whom the change was about was written again.
        assert.lengthOf(
          fake.asked.filter((method) => method === "amend"),
          1
        )
      })
    )

    it.effect("behind a link, the first message has the link alone; where nothing was set, only the way out", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam(1)
        const { people } = peopleEverywhere()
        const silent = yield* confirmed(client, fake, { recipients: people.slice(1, 3) })
        yield* launch(client, silent)
        yield* say(client, "link")
        const linked = yield* confirmed(client, fake, { recipients: people.slice(0, 1) })
        yield* launch(client, linked)
        yield* vendorPass(fake, "1 minute")
        const [first] = sentIn(fake, linked)
        assert.match(first?.text ?? "", /\nAbmelden: (\S+)\nWarum wir Ihnen schreiben, und Ihre Rechte: \1\/why\n$/)
        assert.deepStrictEqual(
          sentIn(fake, silent).map(({ text }) => /\n([^\n:]+): \S+\n$/.exec(text)?.[1]),
          ["Se désinscrire", "Unsubscribe"]
        )
      })
    )

    it.effect("values that somebody changed there are set right before anything leaves, and else nothing does", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(MONDAY)
        const { client } = yield* vendorTeam(1)
        yield* say(client, "message")
        const { countryOf, people } = peopleEverywhere()
        const campaign_id = yield* confirmed(client, fake, { recipients: people })
        const alter = Effect.sync(() => {
          const [one] = campaignAt(fake, campaign_id).people
          if (one !== undefined)
            one.person = { ...one.person, bodyValues: { ...one.person.bodyValues, ob_first_end: "x" } }
        })
        yield* alter
        fake.keepsValues = true
        const shown = yield* launchShowing(client, campaign_id)
        yield* vendorPass(fake, "1 minute")
        fake.keepsValues = false
        assert.isEmpty(sentIn(fake, campaign_id))
        assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
        const [told] = yield* trailOf(client, { campaign_id, kind: "pause_requested" })
        assert.deepInclude(told?.detail, {
          cause: "differs_at_provider",
          differences: [{ member: "values", found: "other than approved of 1 people" }]
        })
        yield* launch(client, campaign_id)
        yield* vendorPass(fake, "1 minute")
        assert.lengthOf(sentIn(fake, campaign_id), COUNTRIES.length)
        assertAsApproved(campaign_id, countryOf, shown)
      })
    )

    it.effect(
      "a person whom it confirmed and hides since is looked for, and nothing is sent while nobody can see them",
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(MONDAY)
          const { client } = yield* vendorTeam(1)
          yield* say(client, "message")
          const { countryOf, people } = peopleEverywhere()
          const hidden = people[0]?.email ?? ""
          const late = yield* confirmed(client, fake, { recipients: people })
          yield* vendorPass(fake, "10 minutes", "1 minute")
          fake.unlisted.add(hidden)
          const shown = yield* launchShowing(client, late)
          yield* vendorPass(fake, "20 seconds", "5 seconds")
          assert.isEmpty(sentIn(fake, late))
          assert.strictEqual(yield* inState(client.workspaceId, late), "active")
          // Its list was only behind: everybody is written to.
          fake.unlisted.delete(hidden)
          yield* vendorPass(fake, "2 minutes", "10 seconds")
          assert.lengthOf(sentIn(fake, late), COUNTRIES.length)
          assertAsApproved(late, countryOf, shown)

          const others = strangers(2)
          const campaign_id = yield* confirmed(client, fake, { recipients: others })
          fake.unlisted.add(others[0]?.email ?? "")
          yield* launch(client, campaign_id)
          yield* vendorPass(fake, "30 minutes", "30 seconds")
          assert.isEmpty(sentIn(fake, campaign_id))
          assert.strictEqual(yield* inState(client.workspaceId, campaign_id), "paused capacity")
          const [told] = yield* trailOf(client, { campaign_id, kind: "pause_requested" })
          assert.deepInclude(told?.detail, {
            cause: "differs_at_provider",
            differences: [{ member: "people", found: "1 approved people are not listed" }]
          })
          fake.unlisted.clear()
          yield* launch(client, campaign_id)
          yield* vendorPass(fake, "1 minute")
          assert.lengthOf(sentIn(fake, campaign_id), others.length)
        })
    )
  })
}
