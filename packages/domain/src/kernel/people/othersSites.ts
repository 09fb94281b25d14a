/** Sites that host pages of businesses without their own: these domains aren't theirs. */
const OTHERS_SITES: ReadonlySet<string> = new Set([
  "facebook.com",
  "instagram.com",
  "linkedin.com",
  "twitter.com",
  "x.com",
  "tiktok.com",
  "youtube.com",
  "pinterest.com",
  "yelp.com",
  "tripadvisor.com",
  "booking.com",
  "google.com",
  "goo.gl",
  "business.site",
  "linktr.ee",
  "wa.me",
  "whatsapp.com",
  "t.me",
  "doctolib.de",
  "doctolib.fr",
  "treatwell.de",
  "ubereats.com",
  "doordash.com",
  "opentable.com",
  "etsy.com"
])

/** Whether a registrable domain is of a site that hosts others' pages. */
export const isOthersSite = (domain: string): boolean => OTHERS_SITES.has(domain)
