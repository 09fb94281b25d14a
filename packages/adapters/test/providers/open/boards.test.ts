import { assert, describe, it } from "@effect/vitest"
import { type FoundSignal, type IntentSource, NOWHERE } from "@outbound/domain/sources/ports/IntentSource.js"
import type { CompanyQuery, CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { gzipSync } from "node:zlib"
import type { Beside } from "../../../src/providers/Beside.js"
import { boards } from "../../../src/providers/boards/Boards.js"
import { boardIn, BOARD_SYSTEMS } from "../../../src/providers/boards/systems.js"
import { madeIn, makeOpenWorld, type OpenWorld, page } from "./OpenWorld.js"
import { boardBaseUrls } from "./boardBaseUrls.js"
import { found as foundCompany } from "./companies.js"

const make = (world: OpenWorld, settings: object = {}, beside: Partial<Beside> = {}) =>
  Effect.map(
    madeIn(world, boards, { base_urls: boardBaseUrls(world), ...settings }, undefined, beside),
    ({ sources }) => ({
      intent: sources.intent_source as IntentSource,
      companies: sources.company_source as CompanySource
    })
  )

const asking = (companyDomain: string, roles: ReadonlyArray<string> = [], limit = 50) => ({
  companyDomain,
  signal: "hiring" as const,
  roles,
  limit
})

const signalsOf = (found: ReadonlyArray<FoundSignal> | typeof NOWHERE): ReadonlyArray<FoundSignal> => {
  if (found === NOWHERE) throw new Error("nowhere")
  return found
}

const XML = `<?xml version="1.0" encoding="UTF-8"?><workzag-jobs><position><id>7</id><subcompany>Acme GmbH</subcompany>
<office>Berlin</office><additionalOffices><office>Wien</office></additionalOffices><department>Vertrieb</department>
<name>Account Manager (m/w/d)</name><jobDescriptions><jobDescription><name>Deine Aufgaben</name>
<value><![CDATA[<p>CRM &amp; mehr</p>]]></value></jobDescription></jobDescriptions>
<createdAt>2026-05-04T08:00:00+02:00</createdAt></position></workzag-jobs>`

/** Each system: how a page leads to its board, what it answers, and the one job that it must come to. */
const SYSTEMS = {
  greenhouse: {
    href: "https://boards.greenhouse.io/acme",
    at: ["greenhouse", "/boards/acme/jobs"],
    answer: {
      jobs: [
        {
          id: 1,
          internal_job_id: 9,
          title: "Account Executive",
          absolute_url: "https://boards.greenhouse.io/acme/jobs/1",
          first_published: "2026-05-04T10:00:00-04:00",
          updated_at: "2026-11-01T10:00:00-04:00",
          location: { name: "Berlin" },
          departments: [{ id: 1, name: "Sales" }],
          content: "&lt;p&gt;With CRM&lt;/p&gt;"
        },
        {
          id: 2,
          internal_job_id: 9,
          title: "Account Executive",
          absolute_url: "https://boards.greenhouse.io/acme/jobs/2",
          first_published: "2026-06-04T10:00:00-04:00",
          location: { name: "Paris" },
          departments: []
        }
      ],
      meta: { total: 2 }
    },
    expected: ["Account Executive", "2026-05-04T14:00:00.000Z", "Hiring: Account Executive (Sales, Berlin; Paris)"]
  },
  lever: {
    href: "https://jobs.lever.co/acme/3f2c",
    at: ["lever", "/postings/acme"],
    answer: [
      {
        id: "3f2c",
        text: "Account Executive",
        hostedUrl: "https://jobs.lever.co/acme/3f2c",
        createdAt: 1_777_888_800_000,
        categories: { department: "Sales", location: "Berlin", allLocations: ["Berlin", "Paris"] },
        descriptionPlain: "With CRM"
      }
    ],
    expected: ["Account Executive", "2026-05-04T10:00:00.000Z", "Hiring: Account Executive (Sales, Berlin; Paris)"]
  },
  lever_eu: {
    href: "https://jobs.eu.lever.co/acme",
    at: ["lever_eu", "/postings/acme"],
    answer: [{ id: "1", text: "Engineer", createdAt: 1_777_888_800_000, hostedUrl: null, categories: null }],
    expected: ["Engineer", "2026-05-04T10:00:00.000Z", "Hiring: Engineer"]
  },
  ashby: {
    href: "https://jobs.ashbyhq.com/Acme",
    at: ["ashby", "/job-board/Acme"],
    answer: {
      apiVersion: "1",
      jobs: [
        { title: "Hidden", isListed: false, publishedAt: "2026-05-04T10:00:00.000+00:00", jobUrl: "https://x.example" },
        {
          title: "Engineer",
          location: "Berlin",
          secondaryLocations: [{ location: "Remote" }],
          department: "R&D",
          isListed: true,
          publishedAt: "2026-05-04T10:00:00.000+00:00",
          jobUrl: "https://jobs.ashbyhq.com/Acme/1",
          descriptionPlain: "Code"
        }
      ]
    },
    expected: ["Engineer", "2026-05-04T10:00:00.000Z", "Hiring: Engineer (R&D, Berlin; Remote)"]
  },
  recruitee: {
    href: "https://acme.recruitee.com/o/engineer",
    at: ["acme.recruitee", "/api/offers/"],
    answer: {
      offers: [
        {
          id: 5,
          title: "Engineer",
          status: "published",
          careers_url: "https://acme.recruitee.com/o/engineer",
          published_at: "2026-05-04 10:00:00 UTC",
          location: "Berlin, Germany",
          department: "R&D",
          company_name: "Acme"
        },
        { id: 6, title: "Closed", status: "closed", created_at: "2026-05-04 10:00:00 UTC" }
      ]
    },
    expected: ["Engineer", "2026-05-04T10:00:00.000Z", "Hiring: Engineer (R&D, Berlin, Germany)"]
  },
  personio: {
    href: "https://acme.jobs.personio.de/job/7",
    at: ["acme.personio", "/xml"],
    answer: { headers: { "content-type": "text/xml" }, body: XML },
    expected: [
      "Account Manager (m/w/d)",
      "2026-05-04T06:00:00.000Z",
      "Hiring: Account Manager (m/w/d) (Vertrieb, Berlin; Wien)"
    ]
  },
  smart_recruiters: {
    href: "https://careers.smartrecruiters.com/Acme",
    at: ["smart_recruiters", "/companies/Acme/postings"],
    answer: {
      offset: 0,
      limit: 100,
      totalFound: 1,
      content: [
        {
          id: "744",
          name: "Engineer",
          releasedDate: "2026-05-04T10:00:00.000Z",
          company: { identifier: "Acme", name: "Acme" },
          location: { city: "Berlin", country: "de" },
          department: { label: "R&D" }
        }
      ]
    },
    expected: ["Engineer", "2026-05-04T10:00:00.000Z", "Hiring: Engineer (R&D, Berlin, de)"]
  },
  workable: {
    href: "https://apply.workable.com/acme/",
    at: ["workable", "/widget/accounts/acme"],
    answer: {
      name: "Acme",
      jobs: ["Berlin", "Paris", "Rome"].map((city) => ({
        shortcode: "A1",
        title: "Engineer",
        url: "https://apply.workable.com/j/A1",
        published_on: "2026-05-04",
        city,
        country: "Europe",
        department: "R&D"
      }))
    },
    expected: ["Engineer", "2026-05-04", "Hiring: Engineer (R&D, Berlin, Europe; Paris, Europe; Rome, Europe)"]
  }
} as const

describe("openings on boards", () => {
  for (const system of BOARD_SYSTEMS) {
    const { answer, at, expected, href } = SYSTEMS[system]
    it.effect(`of ${system} are found from the company's own page, each job once`, () =>
      Effect.gen(function* () {
        const world = yield* makeOpenWorld()
        world.put("acme.example", "/", page(`<a href="/careers">Careers</a>`))
        world.put("acme.example", "/careers", page(`<a href="${href}">Open positions</a>`))
        world.put(at[0], at[1], answer as object)
        const { intent } = yield* make(world)
        const signals = signalsOf(yield* intent.check(asking("acme.example")))
        assert.deepStrictEqual(
          signals.map(({ observedAt, summary, title }) => [title, observedAt, summary]),
          [[...expected]]
        )
        // The publisher sees who asks.
        const board = world.asked.find(({ host }) => host === at[0])
        assert.strictEqual(board?.headers["user-agent"], "outbound/1 (ops@outbound.test)")
      })
    )
  }

  it.effect("of the careers page itself, but none of another organization's", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const posting = (title: string, by: object) =>
        `<script type="application/ld+json">${JSON.stringify({
          "@context": "https://schema.org",
          "@graph": [
            {
              "@type": "JobPosting",
              title,
              datePosted: "2026-05-04",
              url: "/jobs/1",
              jobLocation: { "@type": "Place", address: { addressLocality: "Berlin", addressCountry: "DE" } },
              hiringOrganization: by
            }
          ]
        })}</script>`
      world.put("acme.example", "/", page(`<a href="/jobs">Jobs</a>`))
      world.put(
        "acme.example",
        "/jobs",
        page(
          posting("Engineer", { name: "Acme GmbH" }) +
            posting("Stranger", { name: "Other Corp", sameAs: "https://o.example" })
        )
      )
      const { intent } = yield* make(world)
      const signals = signalsOf(yield* intent.check(asking("acme.example")))
      assert.deepStrictEqual(
        signals.map(({ evidenceUrl, summary }) => [summary, evidenceUrl]),
        [["Hiring: Engineer (Berlin, DE)", `http://acme.example:${world.port}/jobs/1`]]
      )
    })
  )

  it.effect("a role's openings come first, however many newer ones there are", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const job = (id: number, text: string) => ({
        id: String(id),
        text,
        createdAt: 1_777_888_800_000 + id,
        hostedUrl: null
      })
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Careers</a>`))
      world.put("lever", "/postings/acme", [
        job(0, "Account Executive"),
        ...Array.from({ length: 90 }, (_, at) => job(at + 1, `Engineer ${at}`))
      ])
      const { intent } = yield* make(world)
      const signals = signalsOf(yield* intent.check(asking("acme.example", ["account executive"], 5)))
      assert.strictEqual(signals.length, 5)
      assert.include(
        signals.map(({ title }) => title),
        "Account Executive"
      )
    })
  )
})

describe("whose board it is", () => {
  const lever = (text: string) => [
    { id: "1", text, createdAt: 1_777_888_800_000, hostedUrl: null, descriptionPlain: text }
  ]

  it.effect("a careers page that leads to a parent's site or board is not the company's", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="/careers">Careers</a>`))
      world.put("bolt.example", "/", page(`<a href="/careers">Careers</a>`))
      const away = (location: string) => ({ status: 302, headers: { location }, body: "" })
      world.put("acme.example", "/careers", away("https://parent.example/careers"))
      world.put("bolt.example", "/careers", away("https://jobs.lever.co/parentholding"))
      world.put("lever", "/postings/parentholding", lever("A job at Parent Holding"))
      const { intent } = yield* make(world)
      assert.strictEqual(yield* intent.check(asking("acme.example")), NOWHERE)
      assert.strictEqual(yield* intent.check(asking("bolt.example")), NOWHERE)
    })
  )

  it.effect("a board of another name counts if its postings name the company", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/rocketfuel">Jobs</a>`))
      world.put("lever", "/postings/rocketfuel", lever("Engineer. At Acme you build rockets."))
      const { intent } = yield* make(world)
      assert.lengthOf(signalsOf(yield* intent.check(asking("acme.example"))), 1)
    })
  )

  it.effect("a board of the company's name that its own pages don't lead to is never asked for", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page("We make anvils."))
      world.put("lever", "/postings/acme", lever("A job at another Acme"))
      const { intent } = yield* make(world)
      assert.strictEqual(yield* intent.check(asking("acme.example")), NOWHERE)
      assert.notInclude(
        world.asked.map(({ host }) => host),
        "lever"
      )
    })
  )
})

describe("a board that is large, or linked with mistakes", () => {
  it.effect("is read page by page, and a job on two pages is one job", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      const jobs = (from: number, count: number) =>
        Array.from({ length: count }, (_, at) => ({
          id: String(from + at),
          text: `Job ${from + at}`,
          createdAt: from + at
        }))
      world.put("lever", "/postings/acme?mode=json&limit=100&skip=0", jobs(0, 100))
      world.put("lever", "/postings/acme?mode=json&limit=100&skip=100", jobs(99, 100))
      world.put("lever", "/postings/acme?mode=json&limit=100&skip=200", jobs(199, 40))
      const { intent } = yield* make(world)
      const found = signalsOf(yield* intent.check(asking("acme.example", [], 1_000)))
      assert.lengthOf(found, 239)
      assert.lengthOf(
        world.asked.filter(({ host }) => host === "lever"),
        3
      )
    })
  )

  it.effect("is read once where its system knows no pages, and not past its tenth page", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const jobs = (count: number) => Array.from({ length: count }, (_, at) => ({ id: String(at), text: `Job ${at}` }))
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      world.put("lever", "/postings/acme", jobs(340))
      world.put("zenith.example", "/", page(`<a href="https://jobs.lever.co/zenith">Jobs</a>`))
      world.put("lever", "/postings/zenith", jobs(100))
      const { intent } = yield* make(world)
      assert.lengthOf(signalsOf(yield* intent.check(asking("acme.example", [], 1_000))), 340)
      const asked = () => world.asked.filter(({ host }) => host === "lever").length
      assert.strictEqual(asked(), 1)
      assert.lengthOf(signalsOf(yield* intent.check(asking("zenith.example", [], 1_000))), 100)
      assert.strictEqual(asked(), 11)
    })
  )

  it.effect("which has more than is read does not say that a role isn't there", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="https://careers.smartrecruiters.com/Acme">Jobs</a>`))
      const put = (totalFound: number) => {
        for (let offset = 0; offset < 1_000; offset += 100) {
          const content = Array.from({ length: 100 }, (_, at) => ({
            id: String(offset + at),
            name: offset + at === 999 ? "Welder" : `Engineer ${offset + at}`,
            releasedDate: "2026-05-04T10:00:00.000Z",
            company: { identifier: "Acme", name: "Acme" }
          }))
          world.put("smart_recruiters", `/companies/Acme/postings?limit=100&offset=${offset}`, { totalFound, content })
        }
      }
      const askedOf = () => world.asked.filter(({ host }) => host === "smart_recruiters").length
      put(1_000)
      const whole = (yield* make(world)).intent
      assert.lengthOf(signalsOf(yield* whole.check(asking("acme.example", [], 2_000))), 1_000)
      assert.strictEqual(askedOf(), 10)
      // None of its thousand postings is a nurse's.
      assert.isFalse(
        signalsOf(yield* whole.check(asking("acme.example", ["Nurse"]))).some(({ title }) => title === "Nurse")
      )
      put(1_001)
      const cut = (yield* make(world)).intent
      assert.strictEqual(signalsOf(yield* cut.check(asking("acme.example", ["Welder"])))[0]?.title, "Welder")
      const { concluded } = yield* Effect.flip(cut.check(asking("acme.example", ["Nurse"])))
      assert.strictEqual(concluded, "unreadable")
      // Without a role, what was read is an answer.
      assert.lengthOf(signalsOf(yield* cut.check(asking("acme.example", [], 2_000))), 1_000)
    })
  )

  it.each([
    ["https://boards.greenhouse.io/embed/job_board/js?for=acme?utm=site", "greenhouse", "acme"],
    ["https://boards.greenhouse.io/embed/job_board?lang=de?for=acme", "greenhouse", "acme"],
    ["https://jobs.lever.co/acme?lever-source=site?x=1", "lever", "acme"],
    ["https://jobs.ashbyhq.com/acme%3Futm_source=site", "ashby", "acme"],
    ["https://acme.recruitee.com/?a=1?b=2", "recruitee", "acme"]
  ] as const)("is known by a link with a question mark too many: %s", (href, system, board) =>
    assert.deepStrictEqual(boardIn(new URL(href)), { system, board })
  )
})

describe("what was learnt of a company", () => {
  it.effect("is remembered for its time, that there is no board too", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      world.put("lever", "/postings/acme", [])
      world.put("none.example", "/", page("Nothing"))
      const { intent } = yield* make(world)
      // A board without openings is an answer to pay for.
      assert.deepStrictEqual(yield* intent.check(asking("acme.example")), [])
      assert.strictEqual(yield* intent.check(asking("none.example")), NOWHERE)
      world.forget()
      assert.deepStrictEqual(yield* intent.check(asking("acme.example")), [])
      assert.strictEqual(yield* intent.check(asking("none.example")), NOWHERE)
      assert.deepStrictEqual(world.asked, [])
    })
  )

  it.effect("is what another host learnt, with what proved it and the page that leads there", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      world.put("lever", "/postings/acme", [])
      world.put("none.example", "/", page("Nothing"))
      const [one, other] = [yield* make(world), yield* make(world)]
      yield* one.intent.check(asking("acme.example"))
      yield* one.intent.check(asking("none.example"))
      world.forget()
      assert.deepStrictEqual(yield* other.intent.check(asking("acme.example")), [])
      assert.strictEqual(yield* other.intent.check(asking("none.example")), NOWHERE)
      // The other host has not read that board itself; of the companies' pages it needs none.
      assert.deepStrictEqual([...new Set(world.asked.map(({ host }) => host))], ["lever"])
      const learnt = yield* world.memory.place("acme.example", 0)
      assert.deepInclude(Option.getOrThrow(learnt).place, {
        kind: "board",
        system: "lever",
        board: "acme",
        provenBy: "address",
        foundOn: `http://acme.example:${world.port}/`
      })
    })
  )

  it.effect("counts for its days only, and not from a day that is still to come", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("none.example", "/", page("Nothing"))
      const { intent } = yield* make(world, { no_board_keep_days: 2 })
      const isRead = Effect.gen(function* () {
        world.forget()
        assert.strictEqual(yield* intent.check(asking("none.example")), NOWHERE)
        return world.asked.length > 0
      })
      yield* TestClock.adjust("10 days")
      assert.isTrue(yield* isRead)
      yield* TestClock.adjust("47 hours")
      assert.isFalse(yield* isRead)
      yield* TestClock.adjust("1 hour")
      assert.isTrue(yield* isRead)
      yield* TestClock.setTime(0)
      assert.isTrue(yield* isRead)
    })
  )

  it.effect("is looked for each time while the database can't be had, and the answer stands", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      world.put("lever", "/postings/acme", [])
      const down = Effect.fail(new StoreUnavailable({ operation: "test", cause: "down" }))
      const memory = { place: () => down, putPlace: () => down, outcomes: () => down, addOutcome: () => down }
      const { intent } = yield* make(world, {}, { memory })
      for (let round = 0; round < 2; round++) {
        world.forget()
        assert.deepStrictEqual(yield* intent.check(asking("acme.example")), [])
        assert.include(
          world.asked.map(({ host }) => host),
          "acme.example"
        )
      }
    })
  )

  it.effect("is learnt anew when the board is gone", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const old = { headers: { "cache-control": "no-store" }, body: "[]" }
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      world.put("lever", "/postings/acme", old)
      const { intent } = yield* make(world)
      assert.deepStrictEqual(yield* intent.check(asking("acme.example")), [])
      world.remove("lever", "/postings/acme")
      world.put("acme.example", "/", page(`<a href="https://apply.workable.com/acme">Jobs</a>`))
      world.put("workable", "/widget/accounts/acme", {
        name: "Acme",
        jobs: [{ shortcode: "A", title: "New", published_on: "2026-01-01" }]
      })
      assert.lengthOf(signalsOf(yield* intent.check(asking("acme.example"))), 1)
    })
  )

  it.effect("an unknown account that answers 200 with nothing is no board, unless its name is the company's", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", page(`<a href="https://apply.workable.com/somebody">Jobs</a>`))
      world.put("workable", "/widget/accounts/somebody", { name: null, jobs: [] })
      const { intent } = yield* make(world)
      assert.strictEqual(yield* intent.check(asking("acme.example")), NOWHERE)
    })
  )

  it.effect("what has not changed is not sent again, and compressed answers are read", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      const headers = { etag: '"1"', "cache-control": "max-age=0", "content-encoding": "gzip" }
      const jobs = [{ id: "1", text: "Engineer", createdAt: 1_777_888_800_000 }]
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      world.put("lever", "/postings/acme", { headers, body: gzipSync(JSON.stringify(jobs)) })
      const { intent } = yield* make(world)
      assert.lengthOf(signalsOf(yield* intent.check(asking("acme.example"))), 1)
      world.put("lever", "/postings/acme", { status: 304, headers: {}, body: "" })
      assert.lengthOf(signalsOf(yield* intent.check(asking("acme.example"))), 1)
      assert.strictEqual(world.asked.at(-1)?.headers["if-none-match"], '"1"')
    })
  )
})

describe("what can't be read", () => {
  // One company's board that can't be read says nothing of the others'.
  const BROKEN: ReadonlyArray<readonly [string, object, string, string?]> = [
    ["50 MB", { body: Buffer.alloc(50 * 1024 * 1024, " ") }, "invalid", "unreadable"],
    [
      "50 MB that came in few bytes",
      { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(50 * 1024 * 1024, " ")) },
      "invalid",
      "unreadable"
    ],
    ["a page instead of JSON", { body: page("Just a moment...") }, "invalid", "unreadable"],
    ["half of its JSON", { body: '[{"id": "1", "text": ' }, "invalid", "unreadable"],
    ["another form", { body: '{"jobs": 3}' }, "invalid", "unreadable"],
    ["too many requests", { status: 429, headers: { "retry-after": "17" }, body: "" }, "rate_limited"],
    ["a failure", { status: 503, body: "" }, "transient"]
  ]
  for (const [says, reply, reason, concluded] of BROKEN) {
    it.effect(`a board that answers with ${says} is unavailable, and invents nothing`, () =>
      Effect.gen(function* () {
        const world = yield* makeOpenWorld()
        world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
        world.put("lever", "/postings/acme", reply)
        const { intent } = yield* make(world)
        const failure = yield* Effect.flip(intent.check(asking("acme.example")))
        assert.deepStrictEqual([failure.provider, failure.reason, failure.concluded], ["boards", reason, concluded])
        if (reason === "rate_limited") assert.strictEqual(failure.retryAfterSeconds, 17)
      })
    )
  }

  it.effect("a board of 85 jobs that takes longer than its call is read once, and found by the next call", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      let release: () => void = () => undefined
      const after = new Promise<void>((resolve) => (release = resolve))
      const jobs = Array.from({ length: 85 }, (_, at) => ({
        id: String(at),
        text: `Engineer ${at}`,
        createdAt: 1_777_888_800_000,
        hostedUrl: null
      }))
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      world.put("lever", "/postings/acme", { after, body: JSON.stringify(jobs) })
      const { intent } = yield* make(world)
      const first = yield* Effect.forkChild(intent.check(asking("acme.example", [], 100)))
      const askedOf = () => world.asked.filter(({ host }) => host === "lever").length
      yield* Effect.promise(async () => {
        while (askedOf() === 0) await new Promise((resolve) => setImmediate(resolve))
      })
      // The call has no more time, and leaves.
      yield* Fiber.interrupt(first)
      release()
      assert.lengthOf(signalsOf(yield* intent.check(asking("acme.example", [], 100))), 85)
      assert.strictEqual(askedOf(), 1)
    })
  )

  it.effect("a site behind a challenge is unreadable, which says nothing of the source", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/", {
        status: 403,
        headers: { "content-type": "text/html" },
        body: page("Just a moment...")
      })
      const { intent } = yield* make(world)
      const failure = yield* Effect.flip(intent.check(asking("acme.example")))
      assert.deepStrictEqual([failure.reason, failure.concluded], ["invalid", "unreadable"])
    })
  )

  it.effect("robots.txt that forbids is obeyed: nothing is read, and nothing is found", () =>
    Effect.gen(function* () {
      const world = yield* makeOpenWorld()
      world.put("acme.example", "/robots.txt", {
        headers: { "content-type": "text/plain" },
        body: "User-agent: *\nDisallow: /"
      })
      world.put("acme.example", "/", page(`<a href="https://jobs.lever.co/acme">Jobs</a>`))
      const { intent } = yield* make(world)
      assert.strictEqual(yield* intent.check(asking("acme.example")), NOWHERE)
      assert.deepStrictEqual(
        world.asked.map(({ path }) => path),
        ["/robots.txt"]
      )
    })
  )

  it("takes no key, and no address that is none", () => {
    for (const settings of [{ base_urls: { lever: "ftp://x" } }, { base_urls: { monster: "https://x" } }]) {
      assert.strictEqual(boards.decode(settings)._tag, "Failure", JSON.stringify(settings))
    }
  })
})

describe("companies that hire", () => {
  it.effect("are those of the workspace's own lists whose boards say so, within the days", () =>
    Effect.gen(function* () {
      const known = ["acme.example", "bolt.example", "dead.example"].map(foundCompany)
      const directory: CompanySource = {
        name: "directory",
        costMicros: 0,
        missRate: 0,
        latencyMillis: 1,
        kinds: ["firmographic"],
        search: ({ search }) => {
          assert.strictEqual(search.kind, "firmographic")
          return Effect.succeed({ companies: known, moreAvailable: false, places: [] })
        }
      }
      const world = yield* makeOpenWorld(directory)
      const job = (id: string, text: string, createdAt: number) => ({
        id,
        text,
        createdAt,
        hostedUrl: null,
        descriptionPlain: "Uses our CRM"
      })
      for (const name of ["acme", "bolt"])
        world.put(`${name}.example`, "/", page(`<a href="https://jobs.lever.co/${name}">Jobs</a>`))
      world.put("lever", "/postings/acme", [job("1", "Account Executive", 0), job("2", "Engineer", 0)])
      world.put("lever", "/postings/bolt", [job("1", "Account Executive", -40 * 86_400_000)])
      const { companies } = yield* make(world)
      const query: CompanyQuery = {
        ...anyCompany,
        limit: 10,
        lowConfidenceLimit: 0,
        search: {
          kind: "signals",
          hiring: { titles: ["account executive"], descriptionContains: ["crm"], postedWithinDays: 30 },
          technologies: []
        }
      }
      const { companies: found } = yield* companies.search(query)
      assert.deepStrictEqual(
        found.map(({ domain, evidence }) => [domain, evidence.map(({ subject }) => subject)]),
        [["acme.example", ["Account Executive"]]]
      )
    })
  )
})
