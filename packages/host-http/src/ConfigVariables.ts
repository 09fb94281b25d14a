/** A variable of the environment that the service reads. */
interface Variable {
  readonly name: string
  /** What holds without it. */
  readonly otherwise: string
  readonly meaning: string
}

/** Every variable that is read, in the order in which the reference lists them. */
export const VARIABLES = [
  { name: "OUTBOUND_PORT", otherwise: "8080", meaning: "The port of REST, the console and everything else." },
  {
    name: "OUTBOUND_HOST",
    otherwise: "127.0.0.1",
    meaning: "The interface to listen on. `0.0.0.0` lets other machines in."
  },
  {
    name: "OUTBOUND_BASE_URL",
    otherwise: "`http://localhost:<port>`",
    meaning:
      "The address, without a path, that clients and people reach the service at; approval and sign-in links begin with it."
  },
  {
    name: "OUTBOUND_DATA_DIR",
    otherwise: "`.outbound`",
    meaning: "Where the embedded database and its secret are kept. One running service per directory."
  },
  {
    name: "DATABASE_URL",
    otherwise: "the embedded database",
    meaning:
      "A PostgreSQL database (`postgres://…`) instead of the embedded one. A pooler in front of it must be in session mode."
  },
  {
    name: "OUTBOUND_SECRET",
    otherwise: "made and kept in the data directory",
    meaning:
      "At least 32 characters, from which every other key is derived. Required with `DATABASE_URL`, and the same on every host: the database remembers its fingerprint and a host with another secret does not start."
  },
  {
    name: "OUTBOUND_PROVIDERS",
    otherwise: "`sandbox`",
    meaning:
      "The providers of live workspaces: a path to a JSON file as docs/providers.md has it, or `sandbox`, with which live workspaces have none. Sandbox workspaces always have the seeded world of docs/sandbox.md. With a file, new workspaces are live unless said otherwise; it is read once, and a mistake in it stops the start."
  },
  {
    name: "OUTBOUND_UNRELEASED",
    otherwise: "everything that is released can be used",
    meaning:
      "What is paused on this host, separated by commas: a tool (`find_leads`), or one of its modes, datasets, scopes or platforms (`find_companies.local`, `enrich_company.brief_deep`, `find_posts.reddit`). Calls of it are refused with `tool_unavailable`."
  },
  {
    name: "OUTBOUND_MAIL_CA",
    otherwise: "the usual authorities alone",
    meaning:
      "A file of certificates (PEM) that own mailboxes' servers are trusted by, beside the usual authorities: for mail servers with a certificate of one's own."
  },
  {
    name: "OUTBOUND_SMTP_URL",
    otherwise: "no letter leaves; the operator makes sign-in links",
    meaning:
      "The server that takes the service's own letters (sign-in links, invitations): `smtps://user:password@host:465` for TLS from the first byte, `smtp://user:password@host:587` for STARTTLS, without which nothing is said. What is special in user or password is percent-encoded. A server on this machine may do without TLS. Needs `OUTBOUND_MAIL_FROM`."
  },
  {
    name: "OUTBOUND_MAIL_FROM",
    otherwise: "required with `OUTBOUND_SMTP_URL`",
    meaning: "Whom the service's own letters are from: `outbound@example.com`, or `Outbound <outbound@example.com>`."
  },
  {
    name: "OUTBOUND_STRIPE_SECRET_KEY",
    otherwise: "live workspaces get credits from the operator",
    meaning:
      "A secret or restricted key of Stripe (`sk_…`, `rk_…`; Checkout Sessions: write). With it owners of live workspaces buy credits in the console. Sandbox workspaces always pay with the sandbox."
  },
  {
    name: "OUTBOUND_STRIPE_WEBHOOK_SECRET",
    otherwise: "payments are found out about by asking Stripe",
    meaning:
      "The signing secret (`whsec_…`) of Stripe's endpoint for `<base URL>/webhooks/stripe`, to which it sends `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed` and `checkout.session.expired`."
  },
  {
    name: "OUTBOUND_RUNNER_ADDRESS",
    otherwise: "loopback and a free port",
    meaning:
      "`host:port` at which the other hosts reach this one's runner, on a private network. Without it a host shares work with hosts on its own machine alone."
  },
  {
    name: "OUTBOUND_METRICS_PORT",
    otherwise: "the port of everything else",
    meaning: "A port of its own for `/metrics`."
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    otherwise: "nothing is traced",
    meaning: "A collector (OTLP over HTTP) that traces are sent to: `/v1/traces` is added to the address."
  },
  {
    name: "OUTBOUND_LOG_LEVEL",
    otherwise: "`info`",
    meaning: "`debug`, `info`, `warning`, `error` or `none`. Logs go to standard error."
  }
] as const satisfies ReadonlyArray<Variable>

export type VariableName = (typeof VARIABLES)[number]["name"]

/** The reference, `docs/configuration.md`. */
export const renderReference = (): string =>
  [
    "# Configuration",
    "",
    "The service and the operator's program read these variables of the environment, once, when they start. All mistakes",
    "are reported together. A variable that is set to nothing counts as not set.",
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
