import { HOUR_MILLIS, DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type {
  FoundPost,
  Platform,
  PostPage,
  PostQuery,
  Profile,
  ProfilePosts,
  ProfileQuery
} from "@outbound/domain/sources/ports/PostSource.js"
import { TECHNOLOGIES } from "./Technologies.js"
import { fold } from "./Text.js"
import { companyOf, personBySlug, personOf, slugOf, type World } from "./World.js"
import { hash, hashText, pick, share } from "./Hash.js"
import { magicCount } from "./MagicCompanies.js"

/** Where a person is found on each platform, by handle. */
const PROFILE_URLS: Readonly<Record<Platform, (handle: string) => string>> = {
  social: (handle) => `https://social.example/in/${handle}`,
  x: (handle) => `https://x.example/${handle}`,
  reddit: (handle) => `https://reddit.example/user/${handle}`,
  youtube: (handle) => `https://youtube.example/@${handle}`
}

const PROFILE_PATH = /^\/(?:in\/|user\/|u\/|@)?([^/]+)\/?$/

/** The handle that the address of a profile holds; null for any other address. */
const handleIn = (url: string): string | null =>
  URL.canParse(url) ? (PROFILE_PATH.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? null) : null

const profileAt = (platform: Platform, name: string, handle: string): Profile => ({
  name,
  handle,
  url: PROFILE_URLS[platform](handle)
})

/** The words of a query, those in quotes among them. */
const wordsIn = (query: string): ReadonlyArray<string> =>
  fold(query)
    .split(/[\s"“”„]+/)
    .filter((word) => word !== "")

const midnightBefore = (millis: number): number => Math.floor(millis / DAY_MILLIS) * DAY_MILLIS

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
const magicPosts = (platform: Platform, query: PostQuery, nowMillis: number): PostPage | null => {
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
const magicProfile = (
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

/** No post is older, but for magic ones. */
const POST_DAYS = 90
/** The most posts that one person has on a platform. */
const POSTS_MAX = 4

const WRITERS_SHARE = 0.025

const What = { writes: 0xe1, count: 0xe2, text: 0xe3, words: 0xe4, age: 0xe5, liked: 0xe6 } as const

const PLATFORM_KEYS: Readonly<Record<Platform, number>> = { social: 1, x: 2, reddit: 3, youtube: 4 }

const profileOf = (world: World, platform: Platform, person: number): Profile =>
  profileAt(platform, personOf(world, person).fullName ?? "", slugOf(world, person))

const TEXTS: ReadonlyArray<(a: string, b: string, category: string, company: string) => string> = [
  (a, b) =>
    `We moved from ${a} to ${b} last quarter. The data took a week, the habits took three months.\n\nHappy to share what we learned.`,
  (a, _, category) =>
    `Looking for recommendations: which tool do you use for ${category}, and why did you stay with it? We are on ${a} and the renewal is coming up.`,
  (a, _, __, company) => `${company} is hiring! If you know ${a} well and like small teams, write to me.`,
  (a, b) => `Unpopular opinion: most teams that buy ${a} would be better off with ${b} and a tidy spreadsheet.`,
  (a) => `Three things I wish I had known before we bought ${a}: who owns it, who pays for it, and who leaves.`,
  (_, __, category) =>
    `Cold outreach still works. What does not: writing to a hundred people about ${category} before reading a single website.`,
  (a, __, ___, company) => `New on our channel: how ${company} set up ${a} in two weeks, step by step.`,
  (a, b) =>
    `Does anybody have a clean way to keep ${a} and ${b} in sync? The native integration drops half of the fields.`
]

/** A post as the world knows it: of one person, of a fixed age. */
interface Written {
  readonly person: number
  readonly place: number
  readonly text: string
  readonly folded: string
  readonly ageDays: number
  readonly key: number
}

const write = (world: World, platform: Platform, person: number, place: number): Written => {
  const key = (person * POSTS_MAX + place) * 4 + PLATFORM_KEYS[platform]
  const words = hash(world.seed, What.words, key)
  const [first, second] = [pick(words, TECHNOLOGIES), pick(words >>> 10, TECHNOLOGIES)]
  const text = pick(hash(world.seed, What.text, key), TEXTS)(
    first.name,
    second.name,
    first.category,
    companyOf(world, person).name
  )
  const ageDays = 1 + (hash(world.seed, What.age, key) % (POST_DAYS - 1))
  return { person, place, text, folded: fold(text), ageDays, key }
}

const writesOn = (world: World, platform: Platform, person: number): boolean =>
  share(hash(world.seed ^ PLATFORM_KEYS[platform], What.writes, person)) < WRITERS_SHARE

const postsOf = (world: World, platform: Platform, person: number): ReadonlyArray<Written> => {
  if (!writesOn(world, platform, person)) return []
  const count = 1 + (hash(world.seed ^ PLATFORM_KEYS[platform], What.count, person) % POSTS_MAX)
  return Array.from({ length: count }, (_, place) => write(world, platform, person, place))
}

const written = new WeakMap<World, Map<Platform, ReadonlyArray<Written>>>()

const allOn = (world: World, platform: Platform): ReadonlyArray<Written> => {
  const ofWorld = written.get(world) ?? new Map<Platform, ReadonlyArray<Written>>()
  written.set(world, ofWorld)
  const known = ofWorld.get(platform)
  if (known !== undefined) return known
  const all = Array.from({ length: world.peopleCount }, (_, person) => postsOf(world, platform, person)).flat()
  ofWorld.set(platform, all)
  return all
}

const postedMillis = ({ ageDays, key }: Written, nowMillis: number): number =>
  midnightBefore(nowMillis) - ageDays * DAY_MILLIS + (key % 24) * HOUR_MILLIS

const found = (world: World, platform: Platform, post: Written, nowMillis: number): FoundPost => {
  const author = profileOf(world, platform, post.person)
  const liked = hash(world.seed, What.liked, post.key)
  return {
    url: `${author.url}/posts/${post.place + 1}`,
    author,
    text: post.text,
    postedAt: new Date(postedMillis(post, nowMillis)).toISOString(),
    likes: liked % 400,
    comments: (liked >>> 10) % 40,
    shares: platform === "social" || platform === "x" ? (liked >>> 20) % 15 : null
  }
}

const newest = (
  posts: ReadonlyArray<Written>,
  { limit, sinceMillis }: { readonly limit: number; readonly sinceMillis: number | null },
  nowMillis: number
): ReadonlyArray<Written> =>
  posts
    .filter((post) => sinceMillis === null || postedMillis(post, nowMillis) >= sinceMillis)
    .sort((a, b) => postedMillis(b, nowMillis) - postedMillis(a, nowMillis) || a.key - b.key)
    .slice(0, limit)

/** Like many a search, it takes words for parts of words: it finds more than was asked for. */
export const searchPosts = (world: World, platform: Platform, query: PostQuery, nowMillis: number): PostPage => {
  const magic = magicPosts(platform, query, nowMillis)
  if (magic !== null) return magic
  const words = wordsIn(query.query)
  const matching = allOn(world, platform).filter(({ folded }) => words.every((word) => folded.includes(word)))
  return {
    posts: newest(matching, query, nowMillis).map((post) => found(world, platform, post, nowMillis)),
    isComplete: true
  }
}

/** Who goes by that full name. */
const named = (world: World, fullName: string): ReadonlyArray<number> => {
  const name = fold(fullName)
  const people: Array<number> = []
  for (let person = 0; person < world.peopleCount; person++) {
    const first = world.firstNames[world.firstNameOf[person] ?? 0] ?? ""
    const last = world.lastNames[world.lastNameOf[person] ?? 0] ?? ""
    if (fold(`${first} ${last}`) === name) people.push(person)
  }
  return people
}

/** A handle is one person's; a name may be several people's, and then all of them are candidates. */
export const postsOfProfile = (
  world: World,
  platform: Platform,
  query: ProfileQuery,
  nowMillis: number
): ProfilePosts => {
  const handle = query.target.by === "url" ? handleIn(query.target.url) : query.target.handle
  if (handle === null) return { kind: "nobody" }
  const magic = magicProfile(platform, handle, query, nowMillis)
  if (magic !== null) return magic
  const person = personBySlug(world, handle.toLowerCase())
  const people = person === null ? named(world, handle) : [person]
  const [only, ...others] = people
  if (only === undefined) return { kind: "nobody" }
  if (others.length > 0) {
    return { kind: "ambiguous", candidates: people.map((one) => profileOf(world, platform, one)) }
  }
  const posts = newest(postsOf(world, platform, only), query, nowMillis)
  return {
    kind: "found",
    profile: profileOf(world, platform, only),
    page: { posts: posts.map((post) => found(world, platform, post, nowMillis)), isComplete: true }
  }
}
