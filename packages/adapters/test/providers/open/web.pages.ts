import { OWN_FINGERPRINTS } from "../../../src/providers/web/fingerprints.js"
import { page } from "./OpenWorld.js"

/** How pages show what they use, as their makers' instructions have it. Written down by us. */
const SHOWN: Readonly<
  Record<
    string,
    { readonly head?: string; readonly headers?: Record<string, string>; readonly mx?: string; readonly also?: string }
  >
> = {
  WordPress: {
    head: `<meta name="generator" content="WordPress 6.8.1"><script src="/wp-includes/js/jquery.js?ver=3"></script>`
  },
  TYPO3: { head: `<meta name="generator" content="TYPO3 CMS">` },
  Drupal: { headers: { "x-generator": "Drupal 11 (https://www.drupal.org)" } },
  Wix: { head: `<meta name="generator" content="Wix.com Website Builder">` },
  Webflow: { head: `<meta content="Webflow" name="generator">` },
  Ghost: { head: `<meta name="generator" content="Ghost 5.9">` },
  Shopify: { head: `<script src="//cdn.shopify.com/s/files/1/theme.js"></script>` },
  WooCommerce: { head: `<meta name="generator" content="WooCommerce 9.1">`, also: "WordPress" },
  "Google Analytics": { head: `<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABC123"></script>` },
  "Google Tag Manager": { head: `<script src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC"></script>` },
  Matomo: { head: `<script src="https://stats.example/matomo.js"></script>` },
  Plausible: { head: `<script defer data-domain="x" src="https://plausible.io/js/script.js"></script>` },
  Segment: { head: `<script src="https://cdn.segment.com/analytics.js/v1/KEY/analytics.min.js"></script>` },
  Hotjar: { head: `<script src="https://static.hotjar.com/c/hotjar-1.js?sv=6"></script>` },
  "Microsoft Clarity": { head: `<script src="https://www.clarity.ms/tag/abc"></script>` },
  Intercom: { head: `<script src="https://widget.intercom.io/widget/abc"></script>` },
  Zendesk: { head: `<script id="ze-snippet" src="https://static.zdassets.com/ekr/snippet.js?key=1"></script>` },
  Crisp: { head: `<script src="https://client.crisp.chat/l.js"></script>` },
  Cloudflare: { headers: { "cf-ray": "8a-FRA", server: "cloudflare" } },
  Fastly: { headers: { "x-served-by": "cache-fra-eddf123-FRA" } },
  "Amazon CloudFront": { headers: { via: "1.1 abc.cloudfront.net (CloudFront)", "x-amz-cf-id": "id==" } },
  Vercel: { headers: { "x-vercel-id": "fra1::abc", server: "Vercel" } },
  "Google Workspace": { mx: "alt1.aspmx.l.google.com" },
  "Microsoft 365": { mx: "acme-example.mail.protection.outlook.com" },
  Proofpoint: { mx: "mx1-us1.pphosted.com" },
  HubSpot: { head: `<script id="hs-script-loader" async defer src="//js-eu1.hs-scripts.com/123.js"></script>` },
  Klaviyo: { head: `<script src="https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=A"></script>` },
  "LinkedIn Insight Tag": { head: `<script src="https://snap.licdn.com/li.lms-analytics/insight.min.js"></script>` },
  Cookiebot: { head: `<script id="Cookiebot" src="https://consent.cookiebot.com/uc.js"></script>` },
  Stripe: { head: `<script src="https://js.stripe.com/v3/"></script>` },
  nginx: { headers: { server: "nginx/1.27.0" } },
  PHP: { headers: { "x-powered-by": "PHP/8.3.1", "set-cookie": "PHPSESSID=abc; path=/" } },
  "Next.js": { head: `<script src="/_next/static/chunks/main.js"></script>` }
}

/** What a page mentions, links or shows as an example, and does not use. */
const MENTIONS = [
  `<p>We connect Shopify, HubSpot and WordPress.</p>`,
  `<a href="https://www.shopify.com/">Shopify</a> <a href="https://js.stripe.com/v3/">Stripe</a>`,
  `<pre>&lt;script src="https://widget.intercom.io/widget/x"&gt;&lt;/script&gt;</pre>`,
  `<img src="https://cdn.shopify.com/s/files/logo.png" alt="Shopify">`,
  `<meta name="description" content="WordPress and Drupal sites, made by us">`,
  `<p>Our engineers know nginx, PHP and Cloudflare.</p><script src="/js/shopify-compare.js"></script>`
]

const names = Object.keys(SHOWN)
for (const name of names) if (OWN_FINGERPRINTS.technologies[name] === undefined) throw new Error(`no ${name}`)

/** 100 pages, each with what it uses. */
export const PAGES = Array.from({ length: 100 }, (_, at) => {
  // One of a header's users only, since a page has each header once.
  const picked = [names[at % names.length], names[(at * 7 + 3) % names.length], names[(at * 11 + 5) % names.length]]
  const headers: Record<string, string> = {}
  const uses = new Set<string>()
  let [head, mailHosts] = ["", [] as ReadonlyArray<string>]
  for (const name of at % 10 === 9 ? [] : picked) {
    const shown = SHOWN[name ?? ""]
    if (name === undefined || shown === undefined || uses.has(name)) continue
    if (Object.keys(shown.headers ?? {}).some((header) => header in headers)) continue
    if (shown.head?.includes("generator") === true && head.includes("generator")) continue
    Object.assign(headers, shown.headers)
    head += shown.head ?? ""
    mailHosts = shown.mx === undefined ? mailHosts : [...mailHosts, shown.mx]
    uses.add(name)
    if (shown.also !== undefined) uses.add(shown.also)
  }
  return {
    domain: `page${at}.example`,
    headers,
    mailHosts,
    html: page(MENTIONS[at % MENTIONS.length] ?? "", head),
    uses: [...uses]
  }
})
