import { page } from "./OpenWorld.js"

/** A company's site, the boards behind it, and whose openings are its own: null: it has none. */
interface Site {
  readonly domain: string
  readonly pages: Readonly<Record<string, string | { status: number; headers: Record<string, string>; body: string }>>
  readonly boards: ReadonlyArray<readonly [host: string, path: string, answer: object]>
  /** The title of its one job. */
  readonly owner: string | null
}

type Place = (
  title: string,
  board: string,
  company: string
) => { href: string; reply: readonly [string, string, object] }

const DATE = "2026-05-04T10:00:00Z"

const SYSTEMS: ReadonlyArray<Place> = [
  (title, board) => ({
    href: `https://boards.greenhouse.io/${board}`,
    reply: ["greenhouse", `/boards/${board}/jobs`, { jobs: [{ id: 1, title, updated_at: DATE }] }]
  }),
  (title, board) => ({
    href: `https://boards.greenhouse.io/embed/job_board/js?for=${board}`,
    reply: ["greenhouse", `/boards/${board}/jobs`, { jobs: [{ id: 1, title, updated_at: DATE }] }]
  }),
  (title, board, company) => ({
    href: `https://jobs.lever.co/${board}`,
    reply: [
      "lever",
      `/postings/${board}`,
      [{ id: "1", text: title, createdAt: 1, descriptionPlain: `Work at ${company}` }]
    ]
  }),
  (title, board) => ({
    href: `https://jobs.ashbyhq.com/${board}`,
    reply: ["ashby", `/job-board/${board}`, { jobs: [{ title, publishedAt: DATE }] }]
  }),
  (title, board, company) => ({
    href: `https://${board}.recruitee.com/`,
    reply: [
      `${board}.recruitee`,
      "/api/offers/",
      { offers: [{ id: 1, title, published_at: DATE, company_name: company }] }
    ]
  }),
  (title, board, company) => ({
    href: `https://${board}.jobs.personio.com/`,
    reply: [
      `${board}.personio`,
      "/xml",
      {
        body: `<workzag-jobs><position><id>1</id><subcompany>${company}</subcompany><name>${title}</name></position></workzag-jobs>`
      }
    ]
  }),
  (title, board, company) => ({
    href: `https://careers.smartrecruiters.com/${board}`,
    reply: [
      "smart_recruiters",
      `/companies/${board}/postings`,
      { totalFound: 1, content: [{ id: "1", name: title, releasedDate: DATE, company: { name: company } }] }
    ]
  }),
  (title, board, company) => ({
    href: `https://apply.workable.com/${board}/`,
    reply: [
      "workable",
      `/widget/accounts/${board}`,
      { name: company, jobs: [{ shortcode: "A", title, published_on: "2026-05-04" }] }
    ]
  })
]

/** How pages show a board. */
const WAYS: ReadonlyArray<readonly [link: string, show: (href: string) => string]> = [
  [`<a href="/careers">Careers</a>`, (href) => `<a href="${href}">See all openings</a>`],
  [`<a href="/jobs/">Jobs</a>`, (href) => `<h1>Jobs</h1><iframe src="${href}"></iframe>`],
  [`<a href="/about/join-us">Join us</a>`, (href) => `<div id="board"></div><script src="${href}"></script>`],
  [`<a href="/karriere.html">Karriere</a>`, (href) => `<script>var board = { "url": "${href}" }</script>`],
  [
    `<a href="/company/work-with-us?ref=nav">We are growing</a>`,
    (href) => `<p><a href="${href}?utm=site"><b>Apply</b></a></p>`
  ]
]

const pathIn = (link: string): string => /href="([^"]+)"/.exec(link)?.[1] ?? "/"

/** How a company is called at its board: by its domain's name, with an affix, or by a name of its own. */
const NAMES: ReadonlyArray<(name: string) => readonly [board: string, company: string]> = [
  (name) => [name, name],
  (name) => [`${name}jobs`, name],
  (name) => [`${name}-gmbh`, `${name} GmbH`],
  (name) => [`${name}hq`, `${name}, Inc.`]
]

const having = SYSTEMS.flatMap((place, system) =>
  WAYS.flatMap(([link, show], way) =>
    NAMES.map((nameOf, naming): Site => {
      const name = `firm${system}${way}${naming}x`
      const title = `Engineer of ${name}`
      const [board, company] = nameOf(name)
      const { href, reply } = place(title, board, company)
      return {
        domain: `${name}.example`,
        pages: { "/": page(`<nav>${link}</nav>`), [pathIn(link)]: page(show(href)) },
        boards: [reply],
        owner: title
      }
    })
  )
)

const others = Array.from({ length: 40 }, (_, at): Site => {
  const name = `plain${at}`
  const place = SYSTEMS[at % SYSTEMS.length]
  const stranger = `stranger${at}`
  const { href, reply } = place?.(`Engineer of ${stranger}`, stranger, stranger) ?? {
    href: "",
    reply: ["", "", {}] as const
  }
  const careers = `<a href="/careers">Careers</a>`
  const kinds: ReadonlyArray<Site["pages"]> = [
    // An investor that lists the openings of its portfolio.
    { "/": page(careers), "/careers": page(`<h1>Our portfolio hires</h1><a href="${href}">Stranger</a>`) },
    // A part of a group that shows the group's board.
    { "/": page(careers), "/careers": page(`<iframe src="${href}"></iframe>`) },
    // One that leads there.
    { "/": page(careers), "/careers": { status: 301, headers: { location: href }, body: "" } },
    // One that names a customer.
    { "/": page(`<p>Our customer <a href="${href}">Stranger</a></p>${careers}`), "/careers": page("Write to us.") },
    // One without any.
    { "/": page("We make anvils.") }
  ]
  return { domain: `${name}.example`, pages: kinds[at % kinds.length] ?? {}, boards: [reply], owner: null }
})

/** 200 sites: 160 with a board of their own, 40 without. */
export const SITES: ReadonlyArray<Site> = [...having, ...others]
