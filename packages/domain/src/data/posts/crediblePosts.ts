import { credibleCount, cutTo } from "../companies/credibleCompany.js"
import { credibleParagraphs, credibleText, credibleTimestamp, credibleUrl } from "../people/Credible.js"
import type { FoundPost, PostPage, Profile, ProfilePosts } from "../../sources/ports/PostSource.js"
import { CANDIDATES_MAX, POST_CHARS_MAX } from "../../verbs/FindPosts.js"

// Source data is third-party text. Implausible parts are removed here, before it is checked, shown or charged for.

/** The most posts to read of one answer. */
const LISTED_MAX = 1000

const credibleProfile = ({ handle, name, url }: Profile): Profile => ({
  name: credibleText(name),
  handle: credibleText(handle)?.replace(/^@/, "") ?? null,
  url: credibleUrl(url)
})

/** Empty if the post has no text or no URL. */
const crediblePost = (post: FoundPost): ReadonlyArray<FoundPost> => {
  const text = credibleParagraphs(post.text)
  const url = credibleUrl(post.url)
  if (text === null || url === null) return []
  return [
    {
      url,
      author: credibleProfile(post.author),
      text: cutTo(POST_CHARS_MAX, text),
      postedAt: credibleTimestamp(post.postedAt),
      likes: credibleCount(post.likes),
      comments: credibleCount(post.comments),
      shares: credibleCount(post.shares)
    }
  ]
}

/** The page without implausible data, each post once; null if nothing is left. */
export const crediblePage = (page: PostPage): PostPage | null => {
  const posts = page.posts.slice(0, LISTED_MAX).flatMap(crediblePost)
  if (posts.length === 0 && page.posts.length > 0) return null
  return { posts: [...new Map(posts.map((post) => [post.url, post])).values()], isComplete: page.isComplete === true }
}

const isSomebody = ({ handle, url }: Profile): boolean => handle !== null || url !== null

/** Null if the answer is implausible. Candidates must be usable in another request. */
export const credibleProfilePosts = (answer: ProfilePosts): ProfilePosts | null => {
  switch (answer.kind) {
    case "nobody":
      return answer
    case "ambiguous": {
      const people = answer.candidates.slice(0, LISTED_MAX).map(credibleProfile).filter(isSomebody)
      const distinct = [...new Map(people.map((one) => [`${one.handle} ${one.url}`, one])).values()]
      return distinct.length === 0 ? null : { kind: "ambiguous", candidates: distinct.slice(0, CANDIDATES_MAX) }
    }
    case "found": {
      const profile = credibleProfile(answer.profile)
      const page = crediblePage(answer.page)
      return page === null || !isSomebody(profile) ? null : { kind: "found", profile, page }
    }
  }
}
