/** What each page is for, in the words of docs/console.md. */
const PAGES: Readonly<Record<string, readonly [title: string, address: string, text: string]>> = {
  "sign-in": [
    "Signing in",
    "/console/sign-in",
    "A link that works once, for ten minutes, by mail or from the operator. Looking at it spends nothing; the button does. Without a link, the page takes an address or a passkey."
  ],
  approvals: [
    "Approvals",
    "/console/approvals",
    "What waits for a human, with the time that is left, and what was decided."
  ],
  "approval-launch": [
    "Approving a launch",
    "/console/approvals/<id>",
    "Exactly what will be sent, to whom, from where and at what cost; what changed since the request before; and a search among the people."
  ],
  "approval-purchase": [
    "Approving a purchase",
    "/console/approvals/<id>",
    "What is bought, what it costs now, and what it costs every month."
  ],
  campaigns: ["Campaigns", "/console/campaigns", "What agents have drafted and launched."],
  campaign: [
    "A campaign",
    "/console/campaigns/<id>",
    "Its messages with their counts, its people by state, its hours, and why nothing is sent when nothing is."
  ],
  replies: ["Replies", "/console/replies", "What people wrote back, by campaign and by what they say."],
  reply: [
    "A reply",
    "/console/replies/<id>",
    "The whole thread, ours and theirs. What others wrote is shown as text alone, and is marked as theirs."
  ],
  sending: [
    "Sending",
    "/console/sending",
    "How much of today is used, every mailbox with its state, and what is being set up. Owners of live workspaces add mailboxes of their own here, and are shown all that trying one out found."
  ],
  trail: [
    "The trail",
    "/console/trail",
    "Every moment at which a machine touched a person, or a human decided; filtered, and taken away as CSV or JSON Lines."
  ],
  usage: ["Usage", "/console/usage", "The last 30 days: by day, by verb and by key."],
  credits: [
    "Credits",
    "/console/credits",
    "What can be spent, what calls under way hold, what owners buy, and every entry of the ledger."
  ],
  payment: ["A payment", "/console/payments/<id>", "How a top-up stands, and what there is to do."],
  keys: [
    "Keys",
    "/console/keys",
    "What keys ask for beyond what they may, and every key with what it spent this month."
  ],
  key: [
    "A key",
    "/console/keys/<id>",
    "What it may do, its caps, pausing and revoking it, and who changed what, when, and which way."
  ],
  "key-new": ["A new key", "/console/keys/new", "Its secret is shown once, on the page that follows."],
  alerts: ["Alerts", "/console/alerts", "What owners were told of, and at which balance they are."],
  webhooks: ["Webhooks", "/console/webhooks", "Where events of the trail are told, and how each endpoint fares."],
  webhook: [
    "A webhook",
    "/console/webhooks/<id>",
    "What it was told and what it answered, sent again if wanted; its kinds of events, its secret, and its switch."
  ],
  "webhook-new": ["A new webhook", "/console/webhooks/new", "Its secret is shown once, on the page that follows."],
  runs: ["Runs", "/console/runs", "Budgets of their own for single pieces of work."],
  settings: [
    "Settings",
    "/console/settings",
    "The postal address, caps, whether people may be answered, members, and the way to stop all sending; from here, lists of people never to write to are brought along, and a person is erased."
  ],
  "own-keys": [
    "Keys of your own with vendors",
    "/console/settings/own-keys",
    "Credentials that the workspace brings along, so that a vendor is asked in its name. They are kept sealed and never shown again; a vendor that refuses one is named."
  ],
  history: ["The history of changes", "/console/settings/history", "Who changed keys, caps, members and sending."],
  kill: ["Stopping all sending", "/console/settings/kill", "What it will do is said before it is done."]
}

const HEAD = `# The console

The console at \`/console\` is where humans decide on what agents ask, and look after what they do. It needs no script,
works by keyboard and with a screen reader, on a phone, in light and in dark. Owners may do everything; members decide on
approvals and may tighten. Loosening anything asks for a sign-in of the last five minutes.

The pictures show a sandbox workspace, and a live one where it has to be; \`npm run screenshots\` makes them, and this page, anew.
`

const picture = (name: string, size: string, scheme: string, words: string): string =>
  `![${words}](console/${name}-${size}-${scheme}.png)`

/** The text of docs/console.md about these pages. */
export const describe = (names: ReadonlyArray<string>): string => {
  const sections = names.map((name) => {
    const [title, address, text] = PAGES[name] ?? [name, "", ""]
    const all = (["desktop", "phone"] as const).map((size) =>
      (["light", "dark"] as const)
        .map((scheme) => picture(name, size, scheme, `${title}, ${size}, ${scheme}`))
        .join("\n")
    )
    return `## ${title}\n\n\`${address}\`\n\n${text}\n\n${all.join("\n")}\n`
  })
  return [HEAD, ...sections].join("\n")
}
