import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { FromStore } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { parseRepaired } from "@outbound/domain/kernel/text.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { SourceMemory } from "@outbound/domain/sources/SourceMemory.js"
import type { OpeningsPlace } from "@outbound/domain/sources/SourceMemoryStore.js"
import { Clock, Effect, Option } from "effect"
import type { WebVisitor } from "../../site/WebVisitor.js"
import { type OpenHttp, unreadable, unreadableSite } from "../open/OpenHttp.js"
import { readPersonio } from "./personio.js"
import { type Board, BOARD_READERS, boardOf, type Posting } from "./postings.js"
import { BOARD_SYSTEMS, type BoardAddress, boardBase, type BoardSystem } from "./systems.js"
import { namesOf, readPages } from "../open/names.js"
import { boardsOn, careersLinks, postingsOn, proofOf } from "./theirs.js"

/** The pages read to find a board: the home page, and some about work there. */
const PAGES_MAX = 4
/** The boards on those pages that are looked at. */
const BOARDS_TRIED_MAX = 3
/** The most pages of a board that is read in pages, and their length. */
const BOARD_PAGES_MAX = 10
const BOARD_PAGE = 100

/** The longest address of a page that is remembered. */
const FOUND_ON_CHARS_MAX = 2_000

/** The board at a place; null: there is none, or a program of another version remembered one that we don't know. */
const addressAt = (place: OpeningsPlace): BoardAddress | null => {
  if (place.kind !== "board") return null
  const system = BOARD_SYSTEMS.find((one) => one === place.system)
  return system === undefined ? null : { system, board: place.board }
}

/** Openings, or why there are none to tell. */
export type Openings =
  | {
      readonly kind: "read"
      readonly postings: ReadonlyArray<Posting>
      /** The board has more than were read. */
      readonly isCut: boolean
    }
  | { readonly kind: "nowhere" }

export interface CompanyBoardsOptions {
  readonly name: string
  readonly http: OpenHttp
  readonly web: WebVisitor
  /** Null: it looks each time. */
  readonly memory: SourceMemory | null
  readonly baseUrls: Readonly<Record<BoardSystem, string>>
  readonly keepDays: number
  readonly keepNoneDays: number
}

/** Finds the boards of companies on their own pages, and reads them. */
export const makeCompanyBoards = ({
  baseUrls,
  http,
  keepDays,
  keepNoneDays,
  memory,
  name,
  web
}: CompanyBoardsOptions) => {
  const understood = (read: () => Board): Effect.Effect<Board, ProviderFailure> =>
    Effect.try({ try: read, catch: () => unreadable(name, "a board's answer is not as documented") })

  const json = (address: string, read: (json: unknown, board: string) => Board, board: string) =>
    Effect.flatMap(http.get(address), (answer) =>
      answer.status >= 400 ? Effect.succeed(null) : understood(() => read(parseRepaired(answer.text), board))
    )

  /** Of systems that answer in pages. */
  const inPages = (
    pageAt: (offset: number) => string,
    read: (json: unknown, board: string) => Board,
    board: string
  ): Effect.Effect<Board | null, ProviderFailure> =>
    Effect.gen(function* () {
      const postings: Array<Posting> = []
      let name: string | null = null
      let isCut = true
      for (let page = 0; page < BOARD_PAGES_MAX && isCut; page++) {
        const found = yield* json(pageAt(page * BOARD_PAGE), read, board)
        if (found === null && page === 0) return null
        name ??= found?.name ?? null
        postings.push(...(found?.postings ?? []))
        // One that knows no pages gives everything at once, and a full page may be the last.
        isCut = found?.count === BOARD_PAGE && (found.total === null || found.total > (page + 1) * BOARD_PAGE)
      }
      return { ...boardOf(name, postings), isCut }
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
        return inPages(
          (offset) => `${base}/postings/${named}?mode=json&limit=${BOARD_PAGE}&skip=${offset}`,
          BOARD_READERS[system],
          board
        )
      case "ashby":
        return json(`${base}/job-board/${named}`, BOARD_READERS.ashby, board)
      case "recruitee":
        return json(`${base}/api/offers/`, BOARD_READERS.recruitee, board)
      case "workable":
        return json(`${base}/widget/accounts/${named}?details=true`, BOARD_READERS.workable, board)
      case "smart_recruiters":
        return inPages(
          (offset) => `${base}/companies/${named}/postings?limit=${BOARD_PAGE}&offset=${offset}`,
          BOARD_READERS[system],
          board
        )
      case "personio":
        return Effect.flatMap(http.get(`${base}/xml`, "application/xml, text/xml"), (answer) =>
          answer.status >= 400
            ? Effect.succeed(null)
            : understood(() => readPersonio(answer.text, boardBase({ ...baseUrls }, address)))
        )
    }
  }

  /** The memory saves work. Where it can't be had, the company's pages say it again. */
  const orElse = <A>(kept: FromStore<A>, instead: A): Effect.Effect<A> =>
    Effect.catch(kept, () => Effect.as(Effect.logWarning("what sources learnt can't be had"), instead))

  const remembered = (companyDomain: string): Effect.Effect<OpeningsPlace | null> =>
    Effect.gen(function* () {
      if (memory === null) return null
      const now = yield* Clock.currentTimeMillis
      const learnt = Option.getOrNull(yield* orElse(memory.place(companyDomain, now), Option.none()))
      // One from the future was learnt before the clock was set back.
      return learnt === null || learnt.learntAtMillis > now ? null : learnt.place
    })

  const remember = (companyDomain: string, place: OpeningsPlace): Effect.Effect<void> =>
    Effect.gen(function* () {
      const days = place.kind === "none" ? keepNoneDays : keepDays
      if (memory === null || days === 0) return
      const now = yield* Clock.currentTimeMillis
      const keptUntilMillis = now + days * DAY_MILLIS
      yield* orElse(memory.putPlace({ companyDomain, place, learntAtMillis: now, keptUntilMillis }), undefined)
    })

  /** Looks on the company's own pages. */
  const discover = (companyDomain: string): Effect.Effect<Openings, ProviderFailure> =>
    Effect.gen(function* () {
      const visit = yield* web.visit({ companyDomain, pagesMax: PAGES_MAX, choose: careersLinks, isDeep: true })
      if (visit._tag === "Unreadable") {
        const failure = unreadableSite(name, visit.reason)
        if (failure !== null) return yield* Effect.fail(failure)
        yield* remember(companyDomain, { kind: "none" })
        return { kind: "nowhere" }
      }
      const pages = readPages(visit.pages)
      const names = namesOf(
        companyDomain,
        pages.map(({ markup }) => markup)
      )
      for (const { address, foundOn } of boardsOn(pages, visit.strayed).slice(0, BOARDS_TRIED_MAX)) {
        const board = yield* readBoard(address)
        const provenBy = board === null ? null : proofOf(address, board, names)
        if (board === null || provenBy === null) continue
        yield* remember(companyDomain, {
          kind: "board",
          ...address,
          provenBy,
          foundOn: foundOn.slice(0, FOUND_ON_CHARS_MAX)
        })
        return { kind: "read", postings: board.postings, isCut: board.isCut }
      }
      const own = postingsOn(companyDomain, pages, names)
      yield* remember(companyDomain, { kind: own === null ? "none" : "pages" })
      return own === null ? { kind: "nowhere" } : { kind: "read", postings: own.postings, isCut: false }
    })

  return {
    /** The openings of a company, newest first. */
    openings: (companyDomain: string): Effect.Effect<Openings, ProviderFailure> =>
      Effect.gen(function* () {
        const place = yield* remembered(companyDomain)
        if (place?.kind === "none") return { kind: "nowhere" }
        const address = place === null ? null : addressAt(place)
        if (address === null) return yield* discover(companyDomain)
        const board = yield* readBoard(address)
        // The company has left that board.
        return board === null
          ? yield* discover(companyDomain)
          : { kind: "read", postings: board.postings, isCut: board.isCut }
      })
  }
}

export type CompanyBoards = ReturnType<typeof makeCompanyBoards>
