import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { parseRepaired } from "@outbound/domain/kernel/text.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { UnreadableReason } from "@outbound/domain/sources/ports/SiteReader.js"
import { Clock, Effect } from "effect"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import type { WebVisitor } from "../../site/WebVisitor.js"
import type { OpenHttp } from "../open/OpenHttp.js"
import { readPersonio } from "./personio.js"
import { type Board, BOARD_READERS, type Posting } from "./postings.js"
import { type BoardAddress, boardBase, type BoardSystem } from "./systems.js"
import { boardsOn, careersLinks, isTheirs, namesOf, postingsOn, readPages } from "./theirs.js"

/** The pages read to find a board: the home page, and some about work there. */
const PAGES_MAX = 4
/** The boards on those pages that are looked at. */
const BOARDS_TRIED_MAX = 3
/** The most pages of a board that is read in pages, and their length. */
const BOARD_PAGES_MAX = 5
const BOARD_PAGE = 100

const REMEMBERED_MAX = 20_000

/** Where a company's openings stand. */
type Place =
  | { readonly kind: "board"; readonly address: BoardAddress }
  /** On its own pages, which are read again each time. */
  | { readonly kind: "pages" }
  | { readonly kind: "none" }

/** Openings, or why there are none to tell. */
export type Openings =
  | { readonly kind: "read"; readonly postings: ReadonlyArray<Posting> }
  | { readonly kind: "nowhere" }

export interface CompanyBoardsOptions {
  readonly name: string
  readonly http: OpenHttp
  readonly web: WebVisitor
  readonly baseUrls: Readonly<Record<BoardSystem, string>>
  readonly keepDays: number
  readonly keepNoneDays: number
}

/** Sites that can't be read today may be tomorrow. Of the others we know that we read nothing there. */
const FOR_NOW: ReadonlySet<UnreadableReason> = new Set(["unreachable", "refused"])

/** Finds the boards of companies on their own pages, and reads them. */
export const makeCompanyBoards = ({ baseUrls, http, keepDays, keepNoneDays, name, web }: CompanyBoardsOptions) => {
  const remembered = new ExpiringCache<Place>(REMEMBERED_MAX)

  const understood = (read: () => Board): Effect.Effect<Board, ProviderFailure> =>
    Effect.try({ try: read, catch: () => http.failed("transient", "a board's answer is not as documented") })

  const json = (address: string, read: (json: unknown, board: string) => Board, board: string) =>
    Effect.flatMap(http.get(address), (answer) =>
      answer.status >= 400 ? Effect.succeed(null) : understood(() => read(parseRepaired(answer.text), board))
    )

  /** SmartRecruiters alone answers in pages. */
  const inPages = (base: string, board: string) =>
    Effect.gen(function* () {
      const postings: Array<Posting> = []
      let name: string | null = null
      for (let page = 0; page < BOARD_PAGES_MAX; page++) {
        const query = `limit=${BOARD_PAGE}&offset=${page * BOARD_PAGE}`
        const address = `${base}/companies/${encodeURIComponent(board)}/postings?${query}`
        const read = yield* json(address, BOARD_READERS.smart_recruiters, board)
        if (read === null) return page === 0 ? null : { name, postings }
        name ??= read.name
        postings.push(...read.postings)
        if (read.postings.length === 0 || postings.length < (page + 1) * BOARD_PAGE) break
      }
      return { name, postings }
    })

  /** Null: there is no such board. */
  const readBoard = (address: BoardAddress): Effect.Effect<Board | null, ProviderFailure> => {
    const base = boardBase(baseUrls, address)
    const { board, system } = address
    const named = encodeURIComponent(board)
    switch (system) {
      case "greenhouse":
        return json(`${base}/boards/${named}/jobs?content=true`, BOARD_READERS.greenhouse, board)
      case "lever":
      case "lever_eu":
        return json(`${base}/postings/${named}?mode=json`, BOARD_READERS[system], board)
      case "ashby":
        return json(`${base}/job-board/${named}`, BOARD_READERS.ashby, board)
      case "recruitee":
        return json(`${base}/api/offers/`, BOARD_READERS.recruitee, board)
      case "workable":
        return json(`${base}/widget/accounts/${named}?details=true`, BOARD_READERS.workable, board)
      case "smart_recruiters":
        return inPages(base, board)
      case "personio":
        return Effect.flatMap(http.get(`${base}/xml`, "application/xml, text/xml"), (answer) =>
          answer.status >= 400
            ? Effect.succeed(null)
            : understood(() => readPersonio(answer.text, boardBase({ ...baseUrls }, address)))
        )
    }
  }

  const unreadable = (reason: UnreadableReason) =>
    new ProviderFailure({
      provider: name,
      reason: "invalid",
      concluded: "unreadable",
      cause: `the company's website can't be read: ${reason}`
    })

  const remember = (companyDomain: string, place: Place) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const days = place.kind === "none" ? keepNoneDays : keepDays
      remembered.set(companyDomain, place, now, days * DAY_MILLIS)
    })

  /** Looks on the company's own pages. */
  const discover = (companyDomain: string): Effect.Effect<Openings, ProviderFailure> =>
    Effect.gen(function* () {
      const visit = yield* web.visit({ companyDomain, pagesMax: PAGES_MAX, choose: careersLinks, isDeep: true })
      if (visit._tag === "Unreadable") {
        if (FOR_NOW.has(visit.reason)) return yield* Effect.fail(unreadable(visit.reason))
        yield* remember(companyDomain, { kind: "none" })
        return { kind: "nowhere" }
      }
      const pages = readPages(visit.pages)
      const names = namesOf(
        companyDomain,
        pages.map(({ markup }) => markup)
      )
      for (const address of boardsOn(pages, visit.strayed).slice(0, BOARDS_TRIED_MAX)) {
        const board = yield* readBoard(address)
        if (board === null || !isTheirs(address, board, names)) continue
        yield* remember(companyDomain, { kind: "board", address })
        return { kind: "read", postings: board.postings }
      }
      const own = postingsOn(companyDomain, pages, names)
      yield* remember(companyDomain, { kind: own === null ? "none" : "pages" })
      return own === null ? { kind: "nowhere" } : { kind: "read", postings: own.postings }
    })

  return {
    /** The openings of a company, newest first. */
    openings: (companyDomain: string): Effect.Effect<Openings, ProviderFailure> =>
      Effect.gen(function* () {
        const place = remembered.get(companyDomain, yield* Clock.currentTimeMillis)
        if (place?.kind === "none") return { kind: "nowhere" }
        if (place?.kind !== "board") return yield* discover(companyDomain)
        const board = yield* readBoard(place.address)
        // The company has left that board.
        return board === null ? yield* discover(companyDomain) : { kind: "read", postings: board.postings }
      })
  }
}

export type CompanyBoards = ReturnType<typeof makeCompanyBoards>
