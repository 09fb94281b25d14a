import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ControlLog } from "../../../src/control/ControlLog.js"
import { ErasureStore } from "../../../src/control/erasure/ErasureStore.js"
import { layer, PersonFiles } from "../../../src/control/personFile/PersonFile.js"
import {
  type PersonMessage,
  PersonRecords,
  type PersonSection,
  type PersonSections,
  SECTION_ROWS_MAX
} from "../../../src/control/personFile/PersonRecords.js"
import { addressHashOf, EVERYBODY } from "../../../src/kernel/people/subjects.js"
import { Crypto } from "../../../src/kernel/ports/Crypto.js"
import { Ids } from "../../../src/kernel/ports/Ids.js"
import { UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"
import type { SealedEvent } from "../../../src/kernel/trail/seals.js"
import { SealStore } from "../../../src/kernel/trail/SealStore.js"
import { TrailStore } from "../../../src/kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../../src/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "../../../src/outreach/campaigns/CampaignStore.js"
import { VendorStore } from "../../../src/outreach/sending/vendor/VendorStore.js"
import { linkMac } from "../../../src/outreach/suppression/links.js"
import { SuppressionStore } from "../../../src/outreach/suppression/SuppressionStore.js"

const EMAIL = "ann@x.test"
const WORKSPACE = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
const LEAD = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f71"

const crypto = { sha256Hex: (text: string) => `${text.length}`, mac: (purpose: string, text: string) => purpose + text }
const HASH = addressHashOf(crypto as never, WORKSPACE, EMAIL)

/** Every kind of row that a workspace keeps of somebody. */
const NOTHING: { readonly [S in PersonSection]: ReadonlyArray<PersonSections[S]> } = {
  leads: [],
  messages: [],
  replies: [],
  answers: [],
  waiting: [],
  shown: [],
  left_out: [],
  calls: [],
  directory: [],
  verdicts: [],
  suppressions: [],
  events: []
}

interface Stored {
  readonly rows?: Partial<typeof NOTHING>
  /** The bodies of stored outcomes. */
  readonly outcomes?: ReadonlyArray<string>
  /** The texts of uploaded rows, by page. */
  readonly listed?: ReadonlyArray<ReadonlyArray<string>>
  readonly seals?: ReadonlyArray<{ readonly number: number; readonly events: ReadonlyArray<SealedEvent> }>
  readonly sequence?: ReadonlyArray<object>
  readonly hasWorkspace?: boolean
}

/** What a workspace keeps, and how it was asked for it. */
const keeping = (stored: Stored) => {
  const asked = {
    sections: [] as ReadonlyArray<PersonSection>,
    outcomes: [] as Array<readonly [ReadonlyArray<string>, string | null]>,
    contacts: [] as Array<ReadonlyArray<string>>,
    listed: [] as Array<string | null>,
    seals: [] as Array<number>,
    asks: [] as Array<string>
  }
  const { hasWorkspace = true, listed = [[]], outcomes = [], rows = {}, seals = [], sequence } = stored
  const idOf = (at: number) => String(at).padStart(6, "0")
  const stubs = Layer.mergeAll(
    Layer.succeed(PersonRecords, {
      read: (sections: ReadonlyArray<PersonSection>) => {
        asked.sections = sections
        return Effect.succeed({ ...NOTHING, ...rows })
      },
      emailOf: () => Effect.succeed(EMAIL),
      ask: (_: string, lead: string, wish: string) => Effect.sync(() => void asked.asks.push(`${lead} ${wish}`))
    } as never),
    Layer.succeed(ErasureStore, {
      contacts: (_: string, subjects: ReadonlyArray<string>) =>
        Effect.sync(() => {
          asked.contacts.push(subjects)
          return []
        }),
      outcomes: (
        _: string,
        subjects: ReadonlyArray<string>,
        { after, limit }: { readonly after: string | null; readonly limit: number }
      ) =>
        Effect.sync(() => {
          asked.outcomes.push([subjects, after])
          const from = after === null ? 0 : Number(after) + 1
          return outcomes.slice(from, from + limit).map((body, at) => ({ requestId: idOf(from + at), body }))
        }),
      words: (_: string, __: unknown, { after }: { readonly after: string | null }) =>
        Effect.sync(() => {
          asked.listed.push(after)
          const at = Number(after ?? 0)
          const found = (listed[at] ?? []).map((text) => ({ text }))
          return { found, next: at + 1 < listed.length ? String(at + 1) : null }
        })
    } as never),
    Layer.succeed(SealStore, {
      next: (_: string, after: number) =>
        Effect.sync(() => {
          asked.seals.push(after)
          const [found] = seals.filter(({ number }) => number > after)
          if (found === undefined) return Option.none()
          const seal = { number: found.number, previous: "before", sealedAtMillis: 0, hash: "seal" }
          return Option.some({ seal, events: found.events })
        })
    } as never),
    Layer.succeed(CampaignStore, {
      get: () => Effect.succeed(sequence === undefined ? Option.none() : Option.some({ sequence })),
      lockPerson: () => Effect.succeed(Option.none())
    } as never),
    Layer.succeed(WorkspaceStore, {
      get: () =>
        Effect.succeed(
          hasWorkspace
            ? Option.some({ workspaceId: WORKSPACE, name: "Acme", postalAddress: "1 Main Street" })
            : Option.none()
        )
    } as never),
    Layer.succeed(Crypto, crypto as never),
    Layer.succeed(UnitOfWork, { atomically: (body: unknown) => body } as never),
    ...[ControlLog, Ids, TrailStore, VendorStore, SuppressionStore].map((tag) =>
      Layer.succeed(tag as typeof Ids, {} as never)
    )
  )
  const on = <A, E, R>(of: Layer.Layer<A, E, R>) => Layer.provide(of, stubs as Layer.Layer<R>)
  const files = Effect.provide(PersonFiles, on(layer))
  return { asked, files, file: Effect.flatMap(files, ({ makeFor }) => makeFor(WORKSPACE, EMAIL)) }
}

const ABOUT = JSON.stringify({ people: [{ email: EMAIL, title: "CEO" }, { email: "bob@x.test" }] })
const OTHER = JSON.stringify({ people: [{ email: "bob@x.test" }], note: EMAIL })

it.effect("a file asks for every kind of row, and for contacts and outcomes of this person alone", () =>
  Effect.gen(function* () {
    const { asked, file } = keeping({})
    const { text } = yield* file
    assert.sameMembers([...asked.sections], Object.keys(NOTHING))
    assert.containsAllKeys(JSON.parse(text), Object.keys(NOTHING))
    assert.deepStrictEqual(asked.contacts, [[HASH]])
    assert.deepStrictEqual(asked.outcomes, [[[HASH, EVERYBODY], null]])
  })
)

it.effect("what calls found out is read to its end, page by page, and only what is about them is in the file", () =>
  Effect.gen(function* () {
    const at =
      (...rows: ReadonlyArray<number>) =>
      (_: unknown, row: number) =>
        rows.includes(row) ? ABOUT : OTHER
    for (const [count, theirs, reads] of [
      [1, [0], [null]],
      [199, [198], [null]],
      [200, [199], [null, "000199"]],
      [401, [0, 200, 400], [null, "000199", "000399"]]
    ] as const) {
      const { asked, file } = keeping({ outcomes: Array.from({ length: count }, at(...theirs)) })
      assert.deepStrictEqual(
        (yield* file).found,
        theirs.map((row) => ({
          request_id: String(row).padStart(6, "0"),
          about: [{ email: EMAIL, title: "CEO" }]
        }))
      )
      assert.deepStrictEqual(
        asked.outcomes.map(([, after]) => after),
        [...reads]
      )
    }
  })
)

it.effect("rows of lists are in it that name them, with what was uploaded where that is still kept", () =>
  Effect.gen(function* () {
    const row = JSON.stringify({ uploaded: { email: EMAIL, team: "sales" }, results: [] })
    const { asked, file } = keeping({ listed: [[OTHER], [], [row, ABOUT]] })
    assert.deepStrictEqual((yield* file).listed, [
      { uploaded: { email: EMAIL, team: "sales" }, about: [{ email: EMAIL, team: "sales" }] },
      { uploaded: null, about: [{ email: EMAIL, title: "CEO" }] }
    ])
    assert.deepStrictEqual(asked.listed, [null, "1", "2"])
  })
)

it.effect("a file has a bound: it reads no further, and names the sections that may hold more", () =>
  Effect.gen(function* () {
    const many = (count: number) => Array.from({ length: count }, () => `{"email":"${EMAIL}"}`)
    const rows = (count: number) =>
      Array.from({ length: count }, () => ({ source: "reply", suppressed_at: "2027-01-04T00:00:00.000Z" }))
    const { asked, file } = keeping({
      outcomes: many(SECTION_ROWS_MAX + 400),
      listed: [many(SECTION_ROWS_MAX), many(1)],
      rows: { suppressions: rows(SECTION_ROWS_MAX), verdicts: rows(SECTION_ROWS_MAX - 1) as never }
    })
    const { found, incomplete, listed } = yield* file
    assert.deepStrictEqual([found.length, listed.length], [SECTION_ROWS_MAX, SECTION_ROWS_MAX])
    assert.deepStrictEqual(asked.listed, [null])
    assert.deepStrictEqual(incomplete, ["suppressions"])
  })
)

it.effect("each seal of their events is read once, in order, with the hashes of all and the events of theirs", () =>
  Effect.gen(function* () {
    const event = (eventId: string, salt: string | null = "salt"): SealedEvent => ({
      eventId,
      kind: "sent",
      source: "api",
      observedAtMillis: 0,
      campaignId: null,
      campaignLeadId: null,
      replyId: null,
      requestId: null,
      operationId: null,
      person: "p",
      detail: "{}",
      email: EMAIL,
      salt
    })
    const told = (event_id: string, seal: number | null) => ({ event_id, seal }) as unknown as PersonSections["events"]
    const { asked, file } = keeping({
      rows: { events: [told("a", 10), told("b", 9), told("c", null), told("d", 9), told("e", 11), told("f", 13)] },
      seals: [
        { number: 9, events: [event("b"), event("stranger"), event("d", null)] },
        { number: 10, events: [event("a")] },
        { number: 12, events: [event("e")] }
      ]
    })
    const { seals } = JSON.parse((yield* file).text) as {
      readonly seals: ReadonlyArray<{
        readonly seal: number
        readonly hashes: ReadonlyArray<string>
        readonly events: ReadonlyArray<{ readonly id: string }>
      }>
    }
    assert.deepStrictEqual(asked.seals, [8, 9, 10, 12])
    assert.deepStrictEqual(
      seals.map(({ events, hashes, seal }) => [seal, hashes.length, events.map(({ id }) => id)]),
      [
        [9, 3, ["b"]],
        [10, 1, ["a"]]
      ],
      "what an archive holds is not here, and the next seal does not stand for it"
    )
  })
)

it.effect(
  "a message is worded as it was sent, after a step that failed too, and has no text without its campaign",
  () =>
    Effect.gen(function* () {
      const message = (step_index: number, variant: number | null, state: string): PersonMessage => ({
        campaign_id: "c",
        campaign_lead_id: LEAD,
        message_id: "m",
        step_index,
        variant,
        state,
        from_email: "jo@acme.test",
        sent_at: null
      })
      const step = (name: string, waitDays: number) => ({
        subject: `${name} one`,
        body: `${name} A`,
        waitDays,
        otherVariants: [{ subject: `${name} two`, body: `${name} B` }]
      })
      const rows = {
        leads: [{ campaign_id: "c", campaign_lead_id: LEAD, custom: {}, origin: null } as never],
        messages: [message(0, 0, "failed"), message(0, 1, "sent"), message(1, 0, "sent")]
      }
      const texts = (sequence?: ReadonlyArray<object>) =>
        Effect.map(keeping(sequence === undefined ? { rows } : { rows, sequence }).file, ({ sections }) =>
          sections.messages.map(({ subject, text }) => [subject, text])
        )
      assert.deepStrictEqual(yield* texts([step("First", 0), step("Second", 2)]), [
        ["First one", "First A"],
        ["First two", "First B"],
        ["Second one", "Second A"]
      ])
      assert.deepStrictEqual(yield* texts(), [
        [null, null],
        [null, null],
        [null, null]
      ])
    })
)

it.effect(
  "a link that is not ours opens nothing and asks for nothing, and neither does one that no longer counts",
  () =>
    Effect.gen(function* () {
      const genuine = { workspaceId: WORKSPACE, token: `${LEAD}.${linkMac(crypto as never, WORKSPACE, LEAD)}` }
      const forged = { workspaceId: WORKSPACE, token: `${LEAD}.no` }
      const { asked, files } = keeping({})
      const { ask, behind } = yield* files
      assert.isTrue(Option.isNone(yield* behind(forged)))
      const page = Option.getOrThrow(yield* behind(genuine))
      assert.sameMembers([...asked.sections], [...Object.keys(page.sections), "calls", "directory"])
      for (const wish of ["access", "erasure"] as const) assert.isFalse(yield* ask(forged, wish))
      assert.isFalse(yield* ask(genuine, "erasure"), "they are gone by now")
      assert.isEmpty(asked.asks)
      assert.isTrue(yield* ask(genuine, "access"))
      assert.deepStrictEqual(asked.asks, [`${LEAD} access`])
      const gone = yield* keeping({ hasWorkspace: false }).files
      assert.isTrue(Option.isNone(yield* gone.behind(genuine)))
    })
)
