import { didYouMean } from "./nearest.js"

/** The default in words and the meaning of each variable, in the order of the reference. */
const MEANINGS = {
  OUTBOUND_PORT: ["8080", "The TCP port of REST, the console and everything else."],
  OUTBOUND_HOST: ["127.0.0.1", "The interface to listen on. `0.0.0.0` accepts connections from other machines."],
  OUTBOUND_BASE_URL: [
    "`http://localhost:<port>`",
    "The address at which clients and people reach the service, without a path. Approval, sign-in and unsubscribe links start with it. A live workspace launches nothing unless it begins with `https` and is not this machine."
  ],
  OUTBOUND_DATA_DIR: [
    "`.outbound`",
    "Where the embedded database and its secret are stored, and, while a service runs, its address (`service.json`), so that commands find it. One running service per directory."
  ],
  DATABASE_URL: [
    "the embedded database",
    "A PostgreSQL database (`postgres://…`) to use instead of the embedded one. A connection pooler must use session mode. Our tables are in a schema of their own, `outbound`; `?schema=<name>` at the end of the address names another. Where a database holds them elsewhere already (`public`, before November 2026), they are found there."
  ],
  OUTBOUND_SECRET: [
    "created and stored in the data directory",
    "At least 32 characters. Every other key is derived from it. Required with `DATABASE_URL`, and the same on every host: the database stores its fingerprint, and a host with another secret does not start."
  ],
  OUTBOUND_SECRET_BEFORE: [
    "none",
    "The secret that `OUTBOUND_SECRET` replaces, while `outbound secret rotate` moves a database from one to the other. Remove it afterwards."
  ],
  OUTBOUND_PROVIDERS: [
    "`sandbox`",
    "The providers of live workspaces: the path of a JSON file (see docs/providers.md), or `sandbox`, which means none. Sandbox workspaces always use the simulated world of docs/sandbox.md. With a file, new workspaces are live unless you say otherwise. The file is read once; if it has errors, the service does not start."
  ],
  OUTBOUND_UNRELEASED: [
    "nothing is paused",
    "What is paused on this host, separated by commas: a verb (`find_leads`), or one of its modes, datasets, scopes or platforms (`find_companies.local`, `enrich_company.brief_deep`, `find_posts.reddit`). Calls that use it are refused with `tool_unavailable`."
  ],
  OUTBOUND_MAIL_CA: [
    "only the usual authorities",
    "A PEM file of certificate authorities to trust for own mailboxes' servers, in addition to the usual ones. For mail servers with a private authority."
  ],
  OUTBOUND_GOOGLE_CLIENT_ID: [
    "the console has no button for it",
    "The id of your OAuth client at Google (type “Web application”, redirect address `<base URL>/console/mailboxes/connected`, scope `https://mail.google.com/`). With it owners connect Google mailboxes by a button. Needs `OUTBOUND_GOOGLE_CLIENT_SECRET`."
  ],
  OUTBOUND_GOOGLE_CLIENT_SECRET: [
    "required with `OUTBOUND_GOOGLE_CLIENT_ID`",
    "The secret of that client. It is stored, encrypted, with each mailbox that is connected: mailboxes connected before you change it work with the old one, or are connected again."
  ],
  OUTBOUND_MICROSOFT_CLIENT_ID: [
    "the console has no button for it",
    "The application (client) id of your registration in Microsoft Entra (platform “Web”, redirect address `<base URL>/console/mailboxes/connected`, delegated permissions `SMTP.Send`, `IMAP.AccessAsUser.All` and `offline_access`). With it owners connect Microsoft mailboxes by a button."
  ],
  OUTBOUND_MICROSOFT_CLIENT_SECRET: [
    "the registration is a public client",
    "The client secret of that registration. It is stored as Google's is."
  ],
  OUTBOUND_MICROSOFT_TENANT: [
    "`common`",
    "Whose mailboxes may be connected by that registration: a tenant's id or domain, `organizations`, `consumers`, or `common` for all."
  ],
  OUTBOUND_BLOCKLISTS: [
    "no blocklist is asked",
    "The DNS blocklists in which watched domains and their own mail servers are looked up, separated by commas: `domain:zone` for a list of domains, `address:zone` for one of IPv4 addresses, such as `domain:dbl.spamhaus.org, address:zen.spamhaus.org`. Each list has terms of its own: read them before you name it."
  ],
  OUTBOUND_CRM_HOSTS: [
    "CRMs are reached at public addresses only",
    "Where a CRM with its own address may be although it is private: host names, addresses and CIDR ranges, separated by commas (`twenty.internal, 10.0.5.0/24`). A host that is listed as its address is written needs no https. Every owner of a workspace can have the service ask what you list here. Websites, webhooks and OAuth clients stay public."
  ],
  OUTBOUND_SMTP_URL: [
    "no mail is sent; the operator creates sign-in links",
    "The server for the service's own mail (sign-in links, invitations, alerts, notices of approvals): `smtps://user:password@host:465` for TLS, `smtp://user:password@host:587` for mandatory STARTTLS. Percent-encode special characters in user and password. Only a server on this machine may lack TLS. Needs `OUTBOUND_MAIL_FROM`."
  ],
  OUTBOUND_MAIL_FROM: [
    "required with `OUTBOUND_SMTP_URL`",
    "The sender of the service's own mail: `outbound@example.com`, or `Outbound <outbound@example.com>`."
  ],
  OUTBOUND_SIGN_UP: [
    "`closed`",
    "Who may make a workspace of their own at `/console/sign-up`, with 300 credits: `closed` (nobody; there is no such page), `open` (everybody), or the domains whose people may, separated by commas (`acme.example, acme.test`), without their subdomains."
  ],
  OUTBOUND_SIGN_UPS_PER_DAY: ["100", "The most workspaces that people make of their own per day (UTC), in all."],
  OUTBOUND_SIGN_UPS_PER_NETWORK: [
    "5",
    "The most of them that people make from one network address per day (UTC). Behind a proxy that isn't in `OUTBOUND_TRUSTED_PROXIES`, everybody has the same address."
  ],
  OUTBOUND_SECURITY_CONTACT: [
    "there is no `/.well-known/security.txt`",
    "Where people report a security hole in this service: an email address, or the https address of a page. It is shown in `/.well-known/security.txt` (RFC 9116)."
  ],
  OUTBOUND_STRIPE_SECRET_KEY: [
    "live workspaces get credits from the operator",
    "A secret or restricted Stripe key (`sk_…`, `rk_…`; Checkout Sessions: write; Charges, Payment Intents and Disputes: read). It lets owners of live workspaces buy credits in the console. Sandbox workspaces always pay with the sandbox."
  ],
  OUTBOUND_STRIPE_WEBHOOK_SECRET: [
    "payments are found by polling Stripe",
    "The signing secret (`whsec_…`) of the Stripe endpoint `<base URL>/webhooks/stripe`, which receives `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed`, `checkout.session.expired`, `charge.refunded`, `charge.dispute.created`, `charge.dispute.closed`, `charge.dispute.funds_withdrawn`, `charge.dispute.funds_reinstated`, `refund.updated` and `refund.failed`."
  ],
  OUTBOUND_WORKERS: [
    "one for each core but one, at most 4",
    "How many processes answer (1 to 64). They share the port and the database; the first one also does the background work. One that ends is replaced. Each uses up to 21 connections to the database."
  ],
  OUTBOUND_HELD_MAILBOXES: [
    "1000",
    "How many own mailboxes this host sends from and reads at most (0 to 20000). The others are for other hosts. Each has a connection of its own."
  ],
  OUTBOUND_METRICS_PORT: [
    "the same as everything else",
    "A separate TCP port for `/metrics`. On the common port it answers 404 to requests that a proxy passes on."
  ],
  OUTBOUND_TRUSTED_PROXIES: [
    "no proxy; `X-Forwarded-For` is ignored",
    "The proxies before this host: addresses and CIDR ranges, separated by commas (`127.0.0.1, 10.0.0.0/8`). Limits per client use the last address in `X-Forwarded-For` that is no proxy's, if such a proxy sent it. Without it, all clients behind a proxy share one limit."
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    "nothing is traced",
    "A trace collector (OTLP over HTTP). We append `/v1/traces` to the address."
  ],
  OUTBOUND_LOG_LEVEL: ["`info`", "`debug`, `info`, `warning`, `error` or `none`. Logs go to standard error."],
  OUTBOUND_LOG_FORMAT: [
    "`pretty` on a terminal, otherwise `logfmt`",
    "`pretty`, `logfmt`, or `json`: one JSON object per line, for log collectors."
  ]
} as const satisfies Readonly<Record<string, readonly [otherwise: string, meaning: string]>>

export type VariableName = keyof typeof MEANINGS

/** All variables, in the order of the reference. */
export const VARIABLES = (Object.keys(MEANINGS) as ReadonlyArray<VariableName>).map((name) => {
  const [otherwise, meaning] = MEANINGS[name]
  return { name, otherwise, meaning }
})

/** Variables of clients, guides and tests, and those that Kubernetes sets for a service named "outbound". */
const OF_OTHERS =
  /^OUTBOUND_(URL|API_KEY|KEY|TESTS|TALLY|TEST_\w+|WORKER_PART|SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP)\w*)$/

/** What to say of variables that look like ours and are not: most are misspelt. */
export const unknownVariables = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = VARIABLES.map(({ name }): string => name)
  return names
    .filter((name) => name.startsWith("OUTBOUND_") && !known.includes(name) && !OF_OTHERS.test(name))
    .map((name) => {
      const bare = name.replace("OUTBOUND_", "")
      const meant = known.includes(bare) ? ` Did you mean ${bare}?` : didYouMean(name, known)
      return `${name} is not a setting, so it is ignored.${meant}`
    })
}

/** The reference, `docs/configuration.md`. */
export const renderReference = (): string =>
  [
    "# Configuration",
    "",
    "The service and the operator's program read these environment variables once, when they start. All errors are",
    "reported together. An empty variable counts as not set.",
    "",
    ...VARIABLES.flatMap(({ meaning, name, otherwise }) => [
      `## ${name}`,
      "",
      meaning,
      "",
      `Default: ${otherwise}.`,
      ""
    ])
  ].join("\n")
