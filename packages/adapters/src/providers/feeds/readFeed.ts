import { type Feed, parseFeed } from "htmlparser2"
import { shallow } from "../../platform/shallow.js"

/**
 * Articles within entries nest less deeply. The library looks for each member of an entry in all that stands within it, so
 * its work grows with the depth, and without a bound with the square of the feed.
 */
const BOUNDS = { depthMax: 60, elementsMax: 50_000, xmlMode: true } as const

/** An RSS, Atom or RDF feed, read up to where it nests too deeply or has too many elements; null: it is none. */
export const readFeed = (text: string): Feed | null => parseFeed(shallow(text, BOUNDS))
