/** A configuration of every source that needs no account, for `outbound providers init --open`. */
export const OPEN_PRESET = `{
  // Sources that need no vendor account. docs/providers.md tells what each reads, and its publisher's terms.
  // Lines that begin with two slashes are comments. Run \`outbound providers check\` after each change.
  "ports": {
    // Your own lists of people and companies: outbound directory import.
    "lead_source": ["directory"],
    // Then published companies and places: outbound directory import --from, docs/guides/open-directory.md.
    "company_source": ["directory", "open_directory", "boards"],
    // Known addresses first; else the finder makes some and has the prober prove one.
    "contact_enricher": ["directory", "finder"],
    // Asks mail servers, which needs outgoing TCP port 25.
    "email_verifier": ["prober"],
    // Companies' own websites, under their robots.txt.
    "site_reader": ["web"],
    "brief_writer": ["web"],
    "company_dataset_source": ["web"],
    // Openings from job boards, news from companies' own feeds, then from GDELT (one request in 5 seconds).
    "intent_source": ["boards", "feeds", "gdelt"]
    // YouTube needs a key that costs nothing (Google Cloud, "YouTube Data API v3"). With it, put a comma above, and take
    // the slashes away here and below.
    // , "post_source": ["youtube"]
  },
  "vendors": {
    // "youtube": { "key": "env:YOUTUBE_KEY" },
    // The SEC's filings (funding, changes of officers): add "edgar" to intent_source and company_dataset_source above.
    // "edgar": { "settings": { "contact": "Your company you@example.com" } },
    // Whom the owners of websites may write to: an address or a page of yours. Left out: this service's own page.
    // "web": { "settings": { "contact": "mailto:you@example.com" } }
  },
  // The name should resolve to the address that connections come from: docs/guides/prober.md.
  "prober": {
    // "helo_name": "probe.example.com", "mail_from": "verify@example.com", "check_domain": "example.com"
  }
  // A model that you run, or a vendor's, checks companies, shortens briefs and sorts replies. Put a comma above.
  // , "upstreams": { "local": { "base_url": "http://127.0.0.1:11434/v1", "key": null } }
  // , "judge": { "upstream": "local", "model": "your-model" }
}
`
