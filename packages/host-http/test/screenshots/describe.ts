/** Each page's title, address and description, for docs/console.md. */
const PAGES: Readonly<Record<string, readonly [title: string, address: string, text: string]>> = {
  "sign-in": [
    "Signing in",
    "/console/sign-in",
    "A link works once, within ten minutes; it comes by mail or from the operator. Opening it does not use it up; the button does. Without a link, the page takes an address or a passkey."
  ],
  home: [
    "Home",
    "/console/home",
    "What is wrong, with the way to mend it; one list of what needs a human, soonest deadline first, with short answers decided there; four figures by day; and the campaigns of the last days, sorted by what came of them."
  ],
  approvals: [
    "Approvals",
    "/console/approvals",
    "Requests that wait for a human, with the time left, and past decisions. Small ones are decided one after another, the riskiest first."
  ],
  "approval-launch": [
    "Approving a launch",
    "/console/approvals/<id>",
    "A card that answers whom, what, when, from where and at what cost, names what to look at, and keeps the decision in sight. Beside it exactly what will be sent, one lead at a time; what changed since the previous request; and a search among the people."
  ],
  "approval-gate": [
    "What a launch needs, on its approval",
    "/console/approvals/<id>#sending-domains",
    "Whether receivers can tell the mail of each domain from forged mail, and how many people of the list were verified, how long ago; as it was when the launch was asked for."
  ],
  "approval-purchase": [
    "Approving a purchase",
    "/console/approvals/<id>",
    "What you would buy, and its cost now and every month."
  ],
  attention: [
    "How approvers look",
    "/console/approvals/attention",
    "What each approver looked at before they approved large launches, and how many planted faults they saw."
  ],
  campaigns: ["Campaigns", "/console/campaigns", "All campaigns that agents have drafted and launched."],
  campaign: [
    "A campaign",
    "/console/campaigns/<id>",
    "How far its people got, by message and variant, and day by day; its people with a search, its hours, and, if nothing is being sent, why."
  ],
  "campaign-evidence": [
    "Where a campaign's values come from",
    "/console/campaigns/<id>#evidence",
    "What is merged into its messages, by the mark of its evidence today, and each person's values with theirs."
  ],
  replies: [
    "Replies",
    "/console/replies",
    "Interested people whom nobody has answered, then the newest replies; tabs by class, a search, and who owns and has handled each."
  ],
  reply: [
    "A reply",
    "/console/replies/<id>",
    "The whole thread, and your own answer. Messages from others are marked, and shown as plain text."
  ],
  "reply-answer": [
    "Answering",
    "/console/replies/<id>#answer",
    "Your own text, begun with a saved answer if you like. It goes where the page says, and is sent exactly as it stands."
  ],
  "saved-answers": [
    "Saved answers",
    "/console/replies/saved",
    "Texts for your answers, with variables. Owners and members write them; agents read them, and can't change them."
  ],
  sending: [
    "Sending",
    "/console/sending",
    "Today's usage, every mailbox with its state and what became of its messages in 30 days, and lists and purchases under way. Owners of live workspaces add their own mailboxes here and see the results of the test."
  ],
  "sending-health": [
    "Sending health",
    "/console/sending/health",
    "Whether mail of each domain arrives: what its records prove and how old that is, how each receiving organisation took its mail, what the service tightened by itself, and what to do, with the record to paste."
  ],
  "mailbox-new": [
    "Adding a mailbox",
    "/console/mailboxes/new",
    "An own mailbox by its servers and password, tried out before it is stored. Where the operator has clients of Google and Microsoft there are buttons that need no password."
  ],
  "mailbox-connect": [
    "Connecting a mailbox",
    "/console/mailboxes/connect",
    "To Google or Microsoft and back, without a password. It is there where the operator has a client of the provider."
  ],
  "mailbox-table": [
    "Adding many mailboxes",
    "/console/mailboxes/table",
    "A table of mailboxes, each row tried out by itself, with one result for each."
  ],
  "mailbox-declare": [
    "What a mailbox sends elsewhere",
    "/console/mailboxes/<id>/declare",
    "An owner states how much a mailbox has been sending, so that it need not start small. It counts like mail of today, and is on the trail."
  ],
  domains: [
    "Domains",
    "/console/domains",
    "The domains that you brought, what is wrong with each, and what pauses a mailbox."
  ],
  domain: [
    "A domain",
    "/console/domains/<id>",
    "Each DNS record to paste, and what stands there now; or access to your DNS host, which sets them once you approve. Below: what receivers report, and what blocklists say."
  ],
  operation: [
    "A list",
    "/console/operations/<id>",
    "How far a list of addresses, people or companies is, and what came of each row, exported as CSV or JSON Lines."
  ],
  "list-new": [
    "A list from a CSV",
    "/console/lists",
    "A file or pasted rows. The next page shows what the columns hold, what is wrong with which line, and the most that it can cost, before you start it."
  ],
  trail: [
    "The trail",
    "/console/trail",
    "Every moment at which the service touched a person, or a human made a decision. You can filter it, and export it as CSV or JSON Lines."
  ],
  usage: ["Usage", "/console/usage", "The last 30 days: by day, by verb and by key."],
  credits: ["Credits", "/console/credits", "Available and reserved credits, top-ups, and every ledger entry."],
  payment: ["A payment", "/console/payments/<id>", "The state of a top-up, and what you need to do."],
  keys: ["Keys", "/console/keys", "Change requests from keys, and every key with its spend this month."],
  key: [
    "A key",
    "/console/keys/<id>",
    "What it may do, its caps, buttons to pause and revoke it, and its history of changes."
  ],
  "key-new": ["A new key", "/console/keys/new", "The next page shows its secret, once."],
  alerts: ["Alerts", "/console/alerts", "Alerts sent to owners, and the balance that triggers one."],
  webhooks: ["Webhooks", "/console/webhooks", "The endpoints that receive trail events, and the state of each."],
  webhook: [
    "A webhook",
    "/console/webhooks/<id>",
    "Its deliveries with their responses, and a button to resend them; its kinds of events, its secret, and its switch."
  ],
  "webhook-new": ["A new webhook", "/console/webhooks/new", "The next page shows its secret, once."],
  runs: ["Runs", "/console/runs", "Budgets for single pieces of work."],
  settings: [
    "Settings",
    "/console/settings",
    "The postal address, caps, whether agents may send replies, members, and the kill switch. You also import suppressions and erase people here."
  ],
  approvers: [
    "Who must approve",
    "/console/settings/approvals",
    "Which launches and purchases need two different people, and whether the person who made a key may approve what it asks."
  ],
  notices: [
    "Notices",
    "/console/settings/notices",
    "What you are emailed about when an agent asks for an approval, and the Slack and Microsoft Teams channels that hear of it."
  ],
  words: [
    "Words by country",
    "/console/settings/words",
    "What recipients are told by the law of their country, and where it stands: in the first message, or behind a link in it."
  ],
  "words-text": [
    "One text of the words by country",
    "/console/settings/words/text",
    "The purpose, the legal basis, the source, the rights and the contact, for a region or a country, in one language."
  ],
  "own-keys": [
    "Own keys",
    "/console/settings/own-keys",
    "The workspace's own credentials with vendors. They are encrypted and never shown again. The page names a vendor that refuses one."
  ],
  crm: [
    "The CRM",
    "/console/settings/crm",
    "Whom your CRM keeps out of campaigns, what is written back to it, when it was last read, and which member each of its owners is."
  ],
  "link-hosts": [
    "Link hosts",
    "/console/settings/link-hosts",
    "Hosts of your own for the links in your mail, the records that prove them, and whether they are used."
  ],
  canaries: [
    "Canaries",
    "/console/settings/canaries",
    "Whether your own mailboxes write to each other to see where mail lands, and what was found: the folder, the delay, and what the other server says of the checks."
  ],
  postmaster: [
    "Google Postmaster Tools",
    "/console/settings/postmaster",
    "An owner's consent to read what Google says of the domains: requirements that need work, reported spam, and mail that was turned away."
  ],
  person: [
    "One person’s file",
    "/console/settings/person",
    "Everything that is held about one address, to download or print, and what people ask about their own data."
  ],
  history: [
    "The history of changes",
    "/console/settings/history",
    "Changes of keys, caps, members and sending, and who made them."
  ],
  kill: ["Stopping all sending", "/console/settings/kill", "The page says what a kill does before you confirm it."]
}

const HEAD = `# The console

Humans use the console at \`/console\` to decide on agents' requests and to oversee their work. It needs no scripts and
works with a keyboard, a screen reader, on a phone, in light and in dark mode. Owners may do everything; members decide on
approvals and may tighten policies. Loosening anything requires a sign-in within the last five minutes.

The pictures show a sandbox workspace, or a live one where needed. \`npm run screenshots\` regenerates them and this page.
`

const picture = (name: string, size: string, scheme: string, words: string): string =>
  `![${words}](console/${name}-${size}-${scheme}.png)`

/** The text of docs/console.md. */
export const describe = (names: ReadonlyArray<string>): string => {
  const sections = names.map((name) => {
    const page = PAGES[name]
    if (page === undefined) throw new Error(`Describe the page “${name}” in describe.ts.`)
    const [title, address, text] = page
    const all = (["desktop", "phone"] as const).map((size) =>
      (["light", "dark"] as const)
        .map((scheme) => picture(name, size, scheme, `${title}, ${size}, ${scheme}`))
        .join("\n")
    )
    return `## ${title}\n\n\`${address}\`\n\n${text}\n\n${all.join("\n")}\n`
  })
  return [HEAD, ...sections].join("\n")
}
