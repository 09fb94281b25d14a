import type { Fingerprints } from "./technologies.js"

/** Our own fingerprints, from what these products document of their scripts, headers, meta data and mail hosts. */
export const OWN_FINGERPRINTS: Fingerprints = {
  categories: {
    1: { name: "Content management" },
    2: { name: "Online shop" },
    3: { name: "Analytics" },
    4: { name: "Chat and support" },
    5: { name: "Content delivery" },
    6: { name: "Mail" },
    7: { name: "Marketing automation" },
    8: { name: "Consent management" },
    9: { name: "Payment" },
    10: { name: "Web server" },
    11: { name: "Web framework" },
    12: { name: "Tag manager" },
    13: { name: "Scheduling" }
  },
  technologies: {
    WordPress: { cats: [1], meta: { generator: "^WordPress\\b" }, scriptSrc: "/wp-(?:content|includes)/" },
    TYPO3: { cats: [1], meta: { generator: "^TYPO3\\b" } },
    Joomla: { cats: [1], meta: { generator: "^Joomla!" } },
    Drupal: {
      cats: [1],
      meta: { generator: "^Drupal\\b" },
      headers: { "x-generator": "^Drupal\\b", "x-drupal-cache": "" }
    },
    Wix: { cats: [1], meta: { generator: "^Wix\\.com" }, scriptSrc: "^https?://static\\.parastorage\\.com/" },
    Squarespace: {
      cats: [1],
      scriptSrc: "^https?://(?:static1|assets)\\.squarespace\\.com/",
      headers: { server: "^Squarespace$" }
    },
    Webflow: { cats: [1], meta: { generator: "^Webflow$" } },
    Ghost: { cats: [1], meta: { generator: "^Ghost\\b" } },
    Contao: { cats: [1], meta: { generator: "^Contao\\b" } },
    "HubSpot CMS": { cats: [1], meta: { generator: "^HubSpot$" }, implies: "HubSpot" },
    Framer: { cats: [1], meta: { generator: "^Framer\\b" } },
    Shopify: {
      cats: [2],
      scriptSrc: "^https?://cdn\\.shopify\\.com/",
      headers: { "x-shopid": "", "x-shopify-stage": "" }
    },
    WooCommerce: {
      cats: [2],
      meta: { generator: "^WooCommerce\\b" },
      scriptSrc: "/plugins/woocommerce/",
      implies: "WordPress"
    },
    Shopware: { cats: [2], headers: { "sw-context-token": "", "sw-version-id": "" } },
    BigCommerce: { cats: [2], scriptSrc: "^https?://cdn\\d*\\.bigcommerce\\.com/" },
    PrestaShop: { cats: [2], meta: { generator: "^PrestaShop$" } },
    "Google Analytics": {
      cats: [3],
      scriptSrc: [
        "^https?://(?:www|ssl)\\.google-analytics\\.com/",
        "^https?://www\\.googletagmanager\\.com/gtag/js\\?.*\\bid=(?:G|UA)-"
      ]
    },
    "Google Tag Manager": { cats: [12], scriptSrc: "^https?://www\\.googletagmanager\\.com/gtm\\.js" },
    Matomo: { cats: [3], scriptSrc: ["^https?://cdn\\.matomo\\.cloud/", "/matomo\\.js(?:\\?|$)"] },
    Plausible: { cats: [3], scriptSrc: "^https?://plausible\\.io/js/" },
    Fathom: { cats: [3], scriptSrc: "^https?://cdn\\.usefathom\\.com/" },
    Segment: { cats: [3], scriptSrc: "^https?://cdn\\.segment\\.com/analytics\\.js/" },
    Mixpanel: { cats: [3], scriptSrc: "^https?://cdn\\.mxpnl\\.com/" },
    Amplitude: { cats: [3], scriptSrc: "^https?://cdn\\.amplitude\\.com/" },
    Heap: { cats: [3], scriptSrc: "^https?://cdn\\.(?:us\\.)?heap-?analytics\\.com/" },
    Hotjar: { cats: [3], scriptSrc: "^https?://static\\.hotjar\\.com/" },
    "Microsoft Clarity": { cats: [3], scriptSrc: "^https?://www\\.clarity\\.ms/tag/" },
    PostHog: { cats: [3], scriptSrc: "^https?://[a-z-]+\\.(?:i\\.)?posthog\\.com/" },
    "Adobe Analytics": { cats: [3], scriptSrc: "^https?://assets\\.adobedtm\\.com/" },
    Intercom: { cats: [4], scriptSrc: "^https?://(?:widget\\.intercom\\.io|js\\.intercomcdn\\.com)/" },
    Drift: { cats: [4], scriptSrc: "^https?://js\\.driftt\\.com/" },
    Zendesk: { cats: [4], scriptSrc: "^https?://static\\.zdassets\\.com/" },
    Crisp: { cats: [4], scriptSrc: "^https?://client\\.crisp\\.chat/" },
    "Tawk.to": { cats: [4], scriptSrc: "^https?://embed\\.tawk\\.to/" },
    LiveChat: { cats: [4], scriptSrc: "^https?://cdn\\.livechatinc\\.com/" },
    Freshchat: { cats: [4], scriptSrc: "^https?://wchat\\.freshchat\\.com/" },
    Tidio: { cats: [4], scriptSrc: "^https?://code\\.tidio\\.co/" },
    Userlike: { cats: [4], scriptSrc: "^https?://userlike-cdn-widgets\\.s3[a-z0-9.-]*\\.amazonaws\\.com/" },
    Cloudflare: { cats: [5], headers: { "cf-ray": "", server: "^cloudflare$" } },
    Fastly: { cats: [5], headers: { "x-served-by": "^cache-[a-z]", "x-fastly-request-id": "" } },
    "Amazon CloudFront": { cats: [5], headers: { "x-amz-cf-id": "", via: "\\(CloudFront\\)$" } },
    Akamai: { cats: [5], headers: { "x-akamai-transformed": "", server: "^AkamaiGHost$" } },
    Vercel: { cats: [5], headers: { "x-vercel-id": "", server: "^Vercel$" } },
    Netlify: { cats: [5], headers: { "x-nf-request-id": "", server: "^Netlify" } },
    "Bunny CDN": { cats: [5], headers: { server: "^BunnyCDN" } },
    jsDelivr: { cats: [5], scriptSrc: "^https?://cdn\\.jsdelivr\\.net/" },
    cdnjs: { cats: [5], scriptSrc: "^https?://cdnjs\\.cloudflare\\.com/" },
    "Google Workspace": {
      cats: [6],
      dns: { MX: "(?:^|\\.)(?:aspmx\\d*\\.l\\.google\\.com|googlemail\\.com|smtp\\.google\\.com)$" }
    },
    "Microsoft 365": { cats: [6], dns: { MX: "\\.mail\\.protection\\.outlook\\.com$|\\.mx\\.microsoft$" } },
    "Zoho Mail": { cats: [6], dns: { MX: "(?:^|\\.)mx\\d*\\.zoho\\.(?:com|eu|in)$" } },
    Proofpoint: { cats: [6], dns: { MX: "\\.pphosted\\.com$" } },
    Mimecast: { cats: [6], dns: { MX: "\\.mimecast\\.com$" } },
    "Proton Mail": { cats: [6], dns: { MX: "(?:^|\\.)mail(?:sec)?\\.protonmail\\.ch$" } },
    Fastmail: { cats: [6], dns: { MX: "\\.messagingengine\\.com$" } },
    IONOS: { cats: [6], dns: { MX: "(?:^|\\.)mx\\d+\\.(?:ionos|kundenserver)\\.[a-z.]+$" } },
    HubSpot: {
      cats: [7],
      scriptSrc: [
        "^https?://js(?:-[a-z0-9]+)?\\.hs-scripts\\.com/",
        "^https?://js(?:-[a-z0-9]+)?\\.hs-analytics\\.net/"
      ]
    },
    Marketo: { cats: [7], scriptSrc: "^https?://munchkin\\.marketo\\.net/" },
    Pardot: { cats: [7], scriptSrc: "^https?://(?:pi|cdn)\\.pardot\\.com/" },
    ActiveCampaign: { cats: [7], scriptSrc: "^https?://diffuser-cdn\\.app-us1\\.com/" },
    Klaviyo: { cats: [7], scriptSrc: "^https?://static\\.klaviyo\\.com/" },
    Mailchimp: { cats: [7], scriptSrc: "^https?://chimpstatic\\.com/" },
    "Meta Pixel": { cats: [7], scriptSrc: "^https?://connect\\.facebook\\.net/[^/]+/fbevents\\.js" },
    "LinkedIn Insight Tag": { cats: [7], scriptSrc: "^https?://snap\\.licdn\\.com/li\\.lms-analytics/" },
    Cookiebot: { cats: [8], scriptSrc: "^https?://consent\\.cookiebot\\.com/" },
    OneTrust: { cats: [8], scriptSrc: "^https?://cdn\\.cookielaw\\.org/" },
    Usercentrics: { cats: [8], scriptSrc: "^https?://(?:app|web\\.cmp)\\.usercentrics\\.eu/" },
    Stripe: { cats: [9], scriptSrc: "^https?://js\\.stripe\\.com/" },
    PayPal: { cats: [9], scriptSrc: "^https?://www\\.paypal\\.com/sdk/js" },
    Paddle: { cats: [9], scriptSrc: "^https?://cdn\\.paddle\\.com/" },
    nginx: { cats: [10], headers: { server: "^nginx(?:/|$)" } },
    Apache: { cats: [10], headers: { server: "^Apache(?:/|$|\\s)" } },
    "Microsoft IIS": { cats: [10], headers: { server: "^Microsoft-IIS(?:/|$)" } },
    PHP: { cats: [11], headers: { "x-powered-by": "^PHP(?:/|$)" }, cookies: { phpsessid: "" } },
    "ASP.NET": { cats: [11], headers: { "x-powered-by": "^ASP\\.NET$", "x-aspnet-version": "" } },
    "Next.js": { cats: [11], headers: { "x-powered-by": "^Next\\.js" }, scriptSrc: "/_next/static/" },
    "Nuxt.js": { cats: [11], scriptSrc: "/_nuxt/" },
    Express: { cats: [11], headers: { "x-powered-by": "^Express$" } },
    Calendly: { cats: [13], scriptSrc: "^https?://assets\\.calendly\\.com/" }
  }
}
