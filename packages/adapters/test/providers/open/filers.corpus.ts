import { readFileSync } from "node:fs"
import type { OpenWorld } from "./OpenWorld.js"
import { page } from "./OpenWorld.js"

const rowsOf = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  readFileSync(new URL(`../../../../../docs/corpora/filers/${name}.tsv`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))

/** A company's site, and the filer that it is; null: it is none, or nothing says which. */
export interface FilerSite {
  readonly domain: string
  readonly html: string
  readonly filer: string | null
  readonly kind: string
}

const siteOf = ([
  domain = "",
  name = "",
  how = "",
  address = "",
  phone = "",
  ticker = "",
  link = "",
  filer = "",
  kind = ""
]: ReadonlyArray<string>): FilerSite => {
  const [, city = "", state = "", zip = ""] = /^(.*), ([A-Z]{2}) (\d{5})$/.exec(address) ?? []
  const data = {
    "@type": "Organization",
    name,
    ...(address === ""
      ? {}
      : { address: { addressLocality: city, addressRegion: state, postalCode: zip, addressCountry: "US" } })
  }
  const head =
    how === "data"
      ? `<script type="application/ld+json">${JSON.stringify(data)}</script>`
      : how === "title"
        ? `<meta property="og:site_name" content="${name}">`
        : ""
  const body = [
    "<p>We make things that others need.</p>",
    address === "" || how === "data" ? "" : `<p>12 Main Street<br>${address}</p>`,
    phone === "" ? "" : `<p>Call ${phone.slice(0, 3)}-${phone.slice(3, 6)}-${phone.slice(6)}</p>`,
    ticker === "" ? "" : `<p>Our shares are listed (${ticker}).</p>`,
    link === ""
      ? ""
      : `<a href="https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${link.padStart(10, "0")}">Filings</a>`,
    how === "copyright" ? `<footer>© 2019-2026 ${name} All rights reserved.</footer>` : ""
  ]
  return { domain, html: page(body.join(""), head), filer: filer === "-" ? null : filer, kind }
}

const accessionOf = (cik: string): string => `${cik.padStart(10, "0")}-26-000001`

/** Puts 180 sites into a world, and an EDGAR with 246 filers, each with one Form D. */
export const putFilers = (world: OpenWorld): ReadonlyArray<FilerSite> => {
  const sites = rowsOf("sites").map(siteOf)
  for (const { domain, html } of sites) world.put(domain, "/", html)
  const hits = new Map<string, Array<object>>()
  for (const [
    cik = "",
    name = "",
    former = "",
    city = "",
    state = "",
    zip = "",
    phone = "",
    website = "",
    ticker = ""
  ] of rowsOf("filers")) {
    const padded = cik.padStart(10, "0")
    const shown = `${name}  ${ticker === "" ? "" : `(${ticker})  `}(CIK ${padded})`
    const hit = { _source: { ciks: [padded], display_names: [shown], adsh: accessionOf(cik), form: "D" } }
    // The search knows the text of the filings, in which the first two words of each name stand.
    for (const text of [name, former].filter((one) => one !== "")) {
      const key = text.split(" ").slice(0, 2).join(" ").toLowerCase()
      hits.set(key, [...(hits.get(key) ?? []), hit])
    }
    world.put("data", `/submissions/CIK${padded}.json`, {
      cik: padded,
      name,
      website,
      investorWebsite: "",
      phone,
      tickers: ticker === "" ? [] : [ticker],
      formerNames: former === "" ? [] : [{ name: former, from: "2001-01-01", to: "2020-01-01" }],
      addresses: { business: { city: city.toUpperCase(), stateOrCountry: state, zipCode: zip }, mailing: null },
      filings: {
        recent: {
          accessionNumber: [accessionOf(cik)],
          filingDate: ["2026-05-04"],
          form: ["D"],
          items: ["06B"],
          fileNumber: ["021-1"]
        },
        files: []
      }
    })
    world.put("archives", `/edgar/data/${cik}/${accessionOf(cik).replaceAll("-", "")}/primary_doc.xml`, {
      headers: { "content-type": "application/xml" },
      body: `<edgarSubmission><totalAmountSold>1000000</totalAmountSold></edgarSubmission>`
    })
  }
  world.put("search", "/search-index", { hits: { total: { value: 0 }, hits: [] } })
  for (const [key, found] of hits) {
    const query = new URLSearchParams({ q: `"${key}"`, forms: "D" })
    // Whatever the case of the question.
    for (const written of [key, key.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())]) {
      query.set("q", `"${written}"`)
      world.put("search", `/search-index?${query.toString()}`, {
        hits: { total: { value: found.length }, hits: found }
      })
    }
  }
  return sites
}
