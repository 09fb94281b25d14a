import { Schema } from "effect"
import { plainText, present } from "../open/texts.js"
import { Id, listOf, maybe, maybeFlags, maybeTexts } from "../shape.js"
import type { BoardSystem } from "./systems.js"

/** One job, however many places it is offered at. */
export interface Posting {
  /** Of the job: postings of one job share it. */
  readonly id: string
  readonly title: string
  readonly url: string | null
  /** When it was published; null if the board doesn't say. */
  readonly publishedAt: string | null
  readonly places: ReadonlyArray<string>
  readonly department: string | null
  readonly text: string | null
}

/** A board as read. */
export interface Board {
  /** The company's name, if the board gives it. */
  readonly name: string | null
  readonly postings: ReadonlyArray<Posting>
  /** The postings in the answer, in which a job may be several times. */
  readonly count: number
  /** How many there are in all, if the board says so. */
  readonly total: number | null
  /** It has more than were read. */
  readonly isCut: boolean
}

const placeOf = (...parts: ReadonlyArray<string | null | undefined>): string | null => {
  const named = present(parts)
  return named.length === 0 ? null : named.join(", ")
}

const SPACED = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)? ?(?:UTC|Z)?$/

/** A board's date as RFC 3339; null if it is none. */
const timeOf = (written: string | number | null): string | null => {
  if (written === null) return null
  const [, day, clock] = SPACED.exec(String(written)) ?? []
  const text = day === undefined ? written : `${day}T${clock}Z`
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return null
  return typeof text === "string" && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : time.toISOString()
}

const Greenhouse = Schema.Struct({
  jobs: Schema.Array(
    Schema.Struct({
      id: Id,
      internal_job_id: maybe(Id),
      title: Schema.String,
      ...maybeTexts("absolute_url", "updated_at", "first_published", "content"),
      location: maybe(Schema.Struct(maybeTexts("name"))),
      departments: listOf(Schema.Struct(maybeTexts("name")))
    })
  )
})

const Lever = Schema.Array(
  Schema.Struct({
    id: Schema.String,
    text: Schema.String,
    ...maybeTexts("hostedUrl", "descriptionPlain", "additionalPlain"),
    createdAt: maybe(Schema.Number),
    categories: maybe(
      Schema.Struct({ ...maybeTexts("department", "team", "location"), allLocations: listOf(Schema.String) })
    )
  })
)

const Ashby = Schema.Struct({
  jobs: Schema.Array(
    Schema.Struct({
      id: maybe(Id),
      title: Schema.String,
      ...maybeTexts("jobUrl", "publishedAt", "location", "department", "team", "descriptionPlain", "descriptionHtml"),
      ...maybeFlags("isListed"),
      secondaryLocations: listOf(Schema.Struct(maybeTexts("location")))
    })
  )
})

const Recruitee = Schema.Struct({
  offers: Schema.Array(
    Schema.Struct({
      id: Id,
      title: Schema.String,
      ...maybeTexts("careers_url", "published_at", "created_at", "location", "city", "country", "department"),
      ...maybeTexts("status", "description", "requirements", "company_name"),
      locations: listOf(Schema.Struct(maybeTexts("name", "city", "country")))
    })
  )
})

const SmartRecruiters = Schema.Struct({
  totalFound: Schema.Number,
  content: Schema.Array(
    Schema.Struct({
      id: Id,
      name: Schema.String,
      ...maybeTexts("releasedDate", "refNumber"),
      company: maybe(Schema.Struct(maybeTexts("identifier", "name"))),
      location: maybe(Schema.Struct(maybeTexts("city", "region", "country"))),
      department: maybe(Schema.Struct(maybeTexts("label")))
    })
  )
})

const Workable = Schema.Struct({
  name: maybe(Schema.String),
  jobs: Schema.Array(
    Schema.Struct({
      shortcode: Schema.String,
      title: Schema.String,
      ...maybeTexts("url", "shortlink", "published_on", "created_at", "city", "state", "country", "department"),
      ...maybeTexts("description"),
      locations: listOf(Schema.Struct(maybeTexts("city", "region", "country")))
    })
  )
})

/** Postings of one job become one: its places together, its first date. */
export const collapsed = (postings: ReadonlyArray<Posting>): ReadonlyArray<Posting> => {
  const jobs = new Map<string, Posting>()
  for (const posting of postings) {
    const before = jobs.get(posting.id)
    const dates = [before?.publishedAt, posting.publishedAt].flatMap((date) => date ?? []).sort()
    jobs.set(posting.id, {
      ...(before ?? posting),
      publishedAt: dates[0] ?? null,
      places: present([...(before?.places ?? []), ...posting.places])
    })
  }
  return [...jobs.values()]
}

const board = (name: string | null, postings: ReadonlyArray<Posting>, total: number | null = null): Board => ({
  name,
  postings: collapsed(postings),
  count: postings.length,
  total,
  isCut: false
})

/** How a system's answer is read. JSON systems; Personio's XML is in `personio.ts`. */
export const BOARD_READERS: {
  readonly [S in Exclude<BoardSystem, "personio">]: (json: unknown, board: string) => Board
} = (() => {
  const reading =
    <A, I>(schema: Schema.Codec<A, I>, read: (answer: A, board: string) => Board) =>
    (json: unknown, name: string): Board =>
      read(Schema.decodeUnknownSync(schema)(json), name)

  const lever = reading(Lever, (postings) =>
    board(
      null,
      postings.map(({ additionalPlain, categories, createdAt, descriptionPlain, hostedUrl, id, text }) => ({
        id,
        title: text,
        url: hostedUrl,
        publishedAt: timeOf(createdAt),
        places: present([categories?.location, ...(categories?.allLocations ?? [])]),
        department: categories?.department ?? categories?.team ?? null,
        text: placeOf(descriptionPlain, additionalPlain)
      }))
    )
  )
  return {
    greenhouse: reading(Greenhouse, ({ jobs }) =>
      board(
        null,
        jobs.map((job) => ({
          id: job.internal_job_id ?? job.id,
          title: job.title,
          url: job.absolute_url,
          publishedAt: timeOf(job.first_published ?? job.updated_at),
          places: present([job.location?.name]),
          department: job.departments[0]?.name ?? null,
          text: plainText(job.content)
        }))
      )
    ),
    lever,
    lever_eu: lever,
    ashby: reading(Ashby, ({ jobs }) =>
      board(
        null,
        jobs
          .filter(({ isListed }) => isListed !== false)
          .map((job) => ({
            id: job.id ?? job.jobUrl ?? job.title,
            title: job.title,
            url: job.jobUrl,
            publishedAt: timeOf(job.publishedAt),
            places: present([job.location, ...job.secondaryLocations.map(({ location }) => location)]),
            department: job.department ?? job.team,
            text: job.descriptionPlain ?? plainText(job.descriptionHtml)
          }))
      )
    ),
    recruitee: reading(Recruitee, ({ offers }) =>
      board(
        offers[0]?.company_name ?? null,
        offers
          .filter(({ status }) => status === null || status === "published")
          .map((offer) => ({
            id: offer.id,
            title: offer.title,
            url: offer.careers_url,
            publishedAt: timeOf(offer.published_at ?? offer.created_at),
            places: present([
              offer.location ?? placeOf(offer.city, offer.country),
              ...offer.locations.map(({ city, country, name }) => name ?? placeOf(city, country))
            ]),
            department: offer.department,
            text: plainText(placeOf(offer.description, offer.requirements))
          }))
      )
    ),
    smart_recruiters: reading(SmartRecruiters, ({ content, totalFound }, name) =>
      board(
        content[0]?.company?.name ?? null,
        content.map((posting) => ({
          id: posting.refNumber ?? posting.id,
          title: posting.name,
          url: `https://jobs.smartrecruiters.com/${encodeURIComponent(posting.company?.identifier ?? name)}/${posting.id}`,
          publishedAt: timeOf(posting.releasedDate),
          places: present([placeOf(posting.location?.city, posting.location?.region, posting.location?.country)]),
          department: posting.department?.label ?? null,
          text: null
        })),
        totalFound
      )
    ),
    workable: reading(Workable, ({ jobs, name }) =>
      board(
        name,
        jobs.map((job) => ({
          id: job.shortcode,
          title: job.title,
          url: job.url ?? job.shortlink,
          publishedAt: timeOf(job.published_on ?? job.created_at),
          places: present([
            placeOf(job.city, job.state, job.country),
            ...job.locations.map(({ city, country, region }) => placeOf(city, region, country))
          ]),
          department: job.department,
          text: plainText(job.description)
        }))
      )
    )
  }
})()

export { board as boardOf, timeOf }
