import type { NewsType } from "@outbound/domain/sources/ports/IntentSource.js"

/** What a headline is about, by its words; the first that fits counts. */
const RULES: ReadonlyArray<readonly [NewsType, RegExp]> = [
  [
    "layoffs",
    /\b(?:lay-?offs?|lays? off|job cuts|cuts? (?:\d[\d,.]* )?jobs|redundanc(?:y|ies)|entlassungen|stellenabbau)\b/i
  ],
  [
    "funding",
    /\b(?:raises?|raised|closes?|secures?|lands?)\b.{0,60}(?:[$€£]|\b(?:million|billion|series [a-h]|seed|funding|round|investment)\b)|\bseries [a-h]\b|\bseed (?:round|funding)\b|\bfinanzierungsrunde\b|\blevée de fonds\b/i
  ],
  ["acquisition", /\b(?:acquires?|acquired|acquisition|merges?|merger|takes? over|übernimmt|übernahme|rachète)\b/i],
  [
    "leadership",
    /\b(?:appoints?|names|hires?|promotes?|welcomes?|joins)\b.{0,60}\b(?:c[efimotr]o|chief|president|vp|vice president|head|director|chair|board|partner)\b|\bnew (?:ceo|cfo|cto|coo|cmo|chief)\b|\b(?:ernennt|geschäftsführer)\b/i
  ],
  ["partnership", /\b(?:partners? with|partnership|teams? up|collaborat\w+|alliance|partnerschaft|kooperation)\b/i],
  [
    "expansion",
    /\b(?:expands?|expansion|opens?|new (?:office|site|plant|store|location)|launches? in|eröffnet|standort)\b/i
  ],
  ["customers", /\b(?:selects?|chooses?|signs?|customer|case study|goes live with)\b/i],
  [
    "recognition",
    /\b(?:awards?|awarded|recogni[sz]ed|named (?:a|an|to|one)|winner|wins|ranked|ausgezeichnet|preis)\b/i
  ],
  ["challenges", /\b(?:lawsuit|sued|sues|recall|breach|outage|fined|investigation|insolven\w+|bankrupt\w*)\b/i],
  [
    "product",
    /\b(?:launch\w*|introduc\w+|releases?|unveils?|announces?|new (?:version|product|feature)|now available|stellt .{0,40} vor)\b/i
  ]
]

export const newsTypeOf = (headline: string): NewsType => RULES.find(([, form]) => form.test(headline))?.[0] ?? "other"
