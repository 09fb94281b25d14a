import type {
  FoundPost,
  Platform,
  PostPage,
  PostQuery,
  ProfilePosts,
  ProfileQuery
} from "@outbound/domain/sources/ports/PostSource.js"
import { hashText } from "./Hash.js"
import { magicCount } from "./MagicCompanies.js"
import { midnightBefore, profileAt, wordsIn } from "./Profiles.js"
import { fold } from "./Text.js"

const HOUR_MILLIS = 3_600_000
const NAME = "Magic Test Person"

const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)

/** The post of that number was posted so many hours before the day of the question. */
const magicPost = (platform: Platform, handle: string, words: string, number: number, nowMillis: number): FoundPost => {
  const author = profileAt(platform, NAME, handle)
  return {
    url: `${author.url}/posts/${hashText(0, fold(words)).toString(36)}-${number}`,
    author,
    text: `Post ${number} about ${words}.`,
    postedAt: new Date(midnightBefore(nowMillis) - number * HOUR_MILLIS).toISOString(),
    likes: number,
    comments: 0,
    shares: null
  }
}

const pageOf = (posts: ReadonlyArray<FoundPost>, { limit, sinceMillis }: PostQuery | ProfileQuery): PostPage => ({
  posts: posts
    .filter(({ postedAt }) => sinceMillis === null || Date.parse(postedAt ?? "") >= sinceMillis)
    .slice(0, limit),
  isComplete: true
})

/**
 * What a query with a word such as `magic-12` finds: so many posts, spread over the platforms that are searched, and
 * one on each that only looks as if it matched. Null for any other query.
 */
export const magicPosts = (platform: Platform, query: PostQuery, nowMillis: number): PostPage | null => {
  const count = wordsIn(query.query)
    .map(magicCount)
    .find((one) => one !== null)
  if (count === undefined || count === null) return null
  const words = query.query
    .replace(/["“”„]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  const place = query.platforms.indexOf(platform)
  const own = upTo(count).filter((number) => (number - 1) % query.platforms.length === place)
  const posts = own.map((number) => magicPost(platform, `magic-writer-${number % 3}`, words, number, nowMillis))
  const lookalike = words.replace(/magic-\d+/gi, (magic) => `${magic}0`)
  const page = pageOf(posts, query)
  return { ...page, posts: [...page.posts, magicPost(platform, "magic-writer-0", lookalike, 0, nowMillis)] }
}

const AMBIGUOUS = /^ambiguous-([2-9]|[1-9]\d)$/

/** What a handle such as `magic-12` or `ambiguous-3` stands for; null where it is no such handle. */
export const magicProfile = (
  platform: Platform,
  handle: string,
  query: ProfileQuery,
  nowMillis: number
): ProfilePosts | null => {
  const name = fold(handle)
  const count = magicCount(name)
  if (count !== null) {
    const posts = upTo(count).map((number) => magicPost(platform, name, name, number, nowMillis))
    return { kind: "found", profile: profileAt(platform, NAME, name), page: pageOf(posts, query) }
  }
  const several = AMBIGUOUS.exec(name)?.[1]
  return several === undefined
    ? null
    : {
        kind: "ambiguous",
        candidates: upTo(Number(several)).map((number) => profileAt(platform, NAME, `magic-${number}`))
      }
}
