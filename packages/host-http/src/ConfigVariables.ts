import { didYouMean } from "./commands/nearest.js"

/** An environment variable of the service. */
interface Variable {
  readonly name: string
  /** The default, in words. */
  readonly otherwise: string
  readonly meaning: string
}

/** All variables, in the order of the reference. */
export const VARIABLES = [
  { name: "OUTBOUND_PORT", otherwise: "8080", meaning: "The TCP port of REST, the console and everything else." },
  {
    name: "OUTBOUND_HOST",
    otherwise: "127.0.0.1",
    meaning: "The interface to listen on. `0.0.0.0` accepts connections from other machines."
  },
  {
    name: "OUTBOUND_BASE_URL",
    otherwise: "`http://localhost:<port>`",
    meaning:
      "The address at which clients and people reach the service, without a path. Approval, sign-in and unsubscribe links start with it. A live workspace launches nothing unless it begins with `https` and is not this machine."
  },
  {
    name: "OUTBOUND_DATA_DIR",
    otherwise: "`.outbound`",
    meaning:
      "Where the embedded database and its secret are stored, and, while a service runs, its address (`service.json`), so that commands find it. One running service per directory."
  },
  {
    name: "DATABASE_URL",
    otherwise: "the embedded database",
    meaning:
      "A PostgreSQL database (`postgres://…`) to use instead of the embedded one. A connection pooler must use session mode."
  },
  {
    name: "OUTBOUND_SECRET",
    otherwise: "created and stored in the data directory",
    meaning:
      "At least 32 characters. Every other key is derived from it. Required with `DATABASE_URL`, and the same on every host: the database stores its fingerprint, and a host with another secret does not start."
  },
  {
    name: "OUTBOUND_PROVIDERS",
    otherwise: "`sandbox`",
    meaning:
      "The providers of live workspaces: the path of a JSON file (see docs/providers.md), or `sandbox`, which means none. Sandbox workspaces always use the simulated world of docs/sandbox.md. With a file, new workspaces are live unless you say otherwise. The file is read once; if it has errors, the service does not start."
  },
  {
    name: "OUTBOUND_UNRELEASED",
    otherwise: "nothing is paused",
    meaning:
      "What is paused on this host, separated by commas: a verb (`find_leads`), or one of its modes, datasets, scopes or platforms (`find_companies.local`, `enrich_company.brief_deep`, `find_posts.reddit`). Calls that use it are refused with `tool_unavailable`."
  },
  {
    name: "OUTBOUND_MAIL_CA",
    otherwise: "only the usual authorities",
    meaning:
      "A PEM file of certificate authorities to trust for own mailboxes' servers, in addition to the usual ones. For mail servers with a private authority."
  },
  {
    name: "OUTBOUND_BLOCKLISTS",
    otherwise: "no blocklist is asked",
    meaning:
      "The DNS blocklists in which watched domains and their own mail servers are looked up, separated by commas: `domain:zone` for a list of domains, `address:zone` for one of IPv4 addresses, such as `domain:dbl.spamhaus.org, address:zen.spamhaus.org`. Each list has terms of its own: read them before you name it."
  },
  {
    name: "OUTBOUND_CRM_HOSTS",
    otherwise: "CRMs are reached at public addresses only",
    meaning:
      "Where a CRM with its own address may be although it is private: host names, addresses and CIDR ranges, separated by commas (`twenty.internal, 10.0.5.0/24`). A host that is listed as its address is written needs no https. Every owner of a workspace can have the service ask what you list here. Websites, webhooks and OAuth clients stay public."
  },
  {
    name: "OUTBOUND_SMTP_URL",
    otherwise: "no mail is sent; the operator creates sign-in links",
    meaning:
      "The server for the service's own mail (sign-in links, invitations, alerts, notices of approvals): `smtps://user:password@host:465` for TLS, `smtp://user:password@host:587` for mandatory STARTTLS. Percent-encode special characters in user and password. Only a server on this machine may lack TLS. Needs `OUTBOUND_MAIL_FROM`."
  },
  {
    name: "OUTBOUND_MAIL_FROM",
    otherwise: "required with `OUTBOUND_SMTP_URL`",
    meaning: "The sender of the service's own mail: `outbound@example.com`, or `Outbound <outbound@example.com>`."
  },
  {
    name: "OUTBOUND_STRIPE_SECRET_KEY",
    otherwise: "live workspaces get credits from the operator",
    meaning:
      "A secret or restricted Stripe key (`sk_…`, `rk_…`; Checkout Sessions: write; Charges, Payment Intents and Disputes: read). It lets owners of live workspaces buy credits in the console. Sandbox workspaces always pay with the sandbox."
  },
  {
    name: "OUTBOUND_STRIPE_WEBHOOK_SECRET",
    otherwise: "payments are found by polling Stripe",
    meaning:
      "The signing secret (`whsec_…`) of the Stripe endpoint `<base URL>/webhooks/stripe`, which receives `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed`, `checkout.session.expired`, `charge.refunded`, `charge.dispute.created`, `charge.dispute.closed`, `charge.dispute.funds_withdrawn`, `charge.dispute.funds_reinstated`, `refund.updated` and `refund.failed`."
  },
  {
    name: "OUTBOUND_WORKERS",
    otherwise: "one for each core but one, at most 4",
    meaning:
      "How many processes answer (1 to 64). They share the port and the database; the first one also does the background work. One that ends is replaced. Each uses up to 20 connections to the database."
  },
  {
    name: "OUTBOUND_METRICS_PORT",
    otherwise: "the same as everything else",
    meaning: "A separate TCP port for `/metrics`."
  },
  {
    name: "OUTBOUND_TRUSTED_PROXIES",
    otherwise: "no proxy; `X-Forwarded-For` is ignored",
    meaning:
      "The proxies before this host: addresses and CIDR ranges, separated by commas (`127.0.0.1, 10.0.0.0/8`). Limits per client use the last address in `X-Forwarded-For` that is no proxy's, if such a proxy sent it. Without it, all clients behind a proxy share one limit."
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    otherwise: "nothing is traced",
    meaning: "A trace collector (OTLP over HTTP). We append `/v1/traces` to the address."
  },
  {
    name: "OUTBOUND_LOG_LEVEL",
    otherwise: "`info`",
    meaning: "`debug`, `info`, `warning`, `error` or `none`. Logs go to standard error."
  },
  {
    name: "OUTBOUND_LOG_FORMAT",
    otherwise: "`pretty` on a terminal, otherwise `logfmt`",
    meaning: "`pretty`, `logfmt`, or `json`: one JSON object per line, for log collectors."
  }
] as const satisfies ReadonlyArray<Variable>

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

export type VariableName = (typeof VARIABLES)[number]["name"]

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
