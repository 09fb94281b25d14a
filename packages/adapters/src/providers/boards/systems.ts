/** The systems whose boards we can read. */
export const BOARD_SYSTEMS = [
  "greenhouse",
  "lever",
  "lever_eu",
  "ashby",
  "recruitee",
  "personio",
  "smart_recruiters",
  "workable"
] as const

export type BoardSystem = (typeof BOARD_SYSTEMS)[number]

/** Where they are read. `{board}`: the host is the board's own. */
export const BOARD_BASE_URLS: Readonly<Record<BoardSystem, string>> = {
  greenhouse: "https://boards-api.greenhouse.io/v1",
  lever: "https://api.lever.co/v0",
  lever_eu: "https://api.eu.lever.co/v0",
  ashby: "https://api.ashbyhq.com/posting-api",
  recruitee: "https://{board}.recruitee.com",
  personio: "https://{board}.jobs.personio.de",
  smart_recruiters: "https://api.smartrecruiters.com/v1",
  workable: "https://apply.workable.com/api/v1"
}

/** One board of one system. */
export interface BoardAddress {
  readonly system: BoardSystem
  /** Its name there, as written. */
  readonly board: string
}

/** Fits into a path, once it is encoded. */
const BOARD_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._&'+-]{0,99}$/u
const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Hosts of the systems themselves. */
const OWN_HOSTS = new Set(
  "www api app apps apply assets blog careers cdn developer developers docs help jobs login resources status support".split(
    " "
  )
)

/** Paths that are no board. */
const OWN_PATHS = new Set("api embed j jobs job search login users share static about privacy oneclick-ui".split(" "))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return ""
  }
}

const named = (system: BoardSystem, written: string | null | undefined): BoardAddress | null => {
  const board = decoded(written ?? "").trim()
  return BOARD_NAME.test(board) && !OWN_PATHS.has(board.toLowerCase()) ? { system, board } : null
}

/** The board of a host such as `acme.recruitee.com`. */
const hosted = (system: BoardSystem, host: string, zone: string): BoardAddress | null => {
  if (!host.endsWith(zone)) return null
  const board = host.slice(0, -zone.length)
  return HOST_NAME.test(board) && !OWN_HOSTS.has(board) ? { system, board } : null
}

type Reader = (host: string, path: ReadonlyArray<string>, query: URLSearchParams) => BoardAddress | null

const GREENHOUSE_HOST = /^(?:job-)?boards(?:\.eu)?\.greenhouse\.io$/

const READERS: ReadonlyArray<Reader> = [
  (host, [first, second, third], query) => {
    if (/^boards-api(?:\.eu)?\.greenhouse\.io$/.test(host))
      return second === "boards" ? named("greenhouse", third) : null
    if (!GREENHOUSE_HOST.test(host)) return null
    return named("greenhouse", first === "embed" ? query.get("for") : first)
  },
  (host, [first, second, third]) => {
    const [, kind, eu] = /^(jobs|api)(\.eu)?\.lever\.co$/.exec(host) ?? []
    if (kind === undefined) return null
    const system = eu === undefined ? "lever" : "lever_eu"
    return kind === "jobs" ? named(system, first) : second === "postings" ? named(system, third) : null
  },
  (host, [first, second, third]) => {
    if (host === "jobs.ashbyhq.com") return named("ashby", first)
    return host === "api.ashbyhq.com" && second === "job-board" && first === "posting-api"
      ? named("ashby", third)
      : null
  },
  (host) => hosted("recruitee", host, ".recruitee.com"),
  (host) => hosted("personio", host, ".jobs.personio.de") ?? hosted("personio", host, ".jobs.personio.com"),
  (host, [first, second, third]) => {
    if (host === "api.smartrecruiters.com") return second === "companies" ? named("smart_recruiters", third) : null
    return host === "careers.smartrecruiters.com" || host === "jobs.smartrecruiters.com"
      ? named("smart_recruiters", first)
      : null
  },
  (host, path) => {
    const at = path.indexOf("accounts")
    if (host === "apply.workable.com" || host === "www.workable.com") {
      if (at >= 0) return named("workable", path[at + 1])
      return host === "apply.workable.com" ? named("workable", path[0]) : null
    }
    return hosted("workable", host, ".workable.com")
  }
]

/** The board that an address leads to. Null: it leads to none that we can read. */
export const boardIn = (url: URL): BoardAddress | null => {
  const host = url.hostname.toLowerCase()
  // Some links have a second question mark where an "&" was meant, and that mark is encoded where it is in the path.
  const [pathname = "", meant = ""] = url.pathname.split(/%3f/i)
  const path = pathname.split("/").filter((part) => part !== "")
  const query = new URLSearchParams([url.search.slice(1), meant].join("&").replaceAll("?", "&"))
  for (const read of READERS) {
    const found = read(host, path, query)
    if (found !== null) return found
  }
  return null
}

/** Where a board is read: its base address, with its own name where the host is its own. */
export const boardBase = (baseUrls: Readonly<Record<BoardSystem, string>>, { board, system }: BoardAddress): string =>
  baseUrls[system].replaceAll("{board}", encodeURIComponent(board.toLowerCase())).replace(/\/+$/, "")
