/** `npm run bench -- silence`: the most that any rule can know of mail that is filed as junk, by what comes back. */
import { messagesFor, placementPower, powerOf } from "@outbound/testkit/reputation/silence.js"
import { n, row, tell } from "./Report.js"

/** As in the simulation of receivers: a fifth still reaches the inbox, and of what lies in junk one answer in 20 is written. */
const FROM_JUNK = 0.2 + 0.8 * 0.05
const RATES = [0.02, 0.05, 0.08, 0.12, 0.2]
const LETTERS = [2, 3, 4, 6, 8]
const JUNK = { healthy: 0.02, degraded: 0.8 }
const FALSE_ALARMS = [0.01, 0.1]
const MESSAGES = 60

const percent = (share: number): string => `${n(100 * share, 1)} %`

const silence = [
  row([
    "answers to 100 messages in the inbox",
    "found after 60, 1 % falsely",
    "10 % falsely",
    "messages for 90 %, 1 % falsely"
  ]),
  row(["---:", "---:", "---:", "---:"]),
  ...RATES.map((healthy) => {
    const two = { healthy, degraded: healthy * FROM_JUNK }
    return row([
      n(100 * healthy),
      ...FALSE_ALARMS.map((alarms) => percent(powerOf(MESSAGES, two, alarms))),
      String(messagesFor(0.9, two, 0.01) ?? "over 2,000")
    ])
  })
].join("\n")

const letters = [
  row(["letters to mailboxes of one's own", "found, 1 % falsely"]),
  row(["---:", "---:"]),
  ...LETTERS.map((count) => row([String(count), percent(placementPower(count, JUNK, 0.01))]))
].join("\n")

tell(
  "silence",
  `${silence}\n\n${letters}`,
  `## What silence can show

A receiver that only files mail as junk takes it without a word. What shows it is that fewer answers come back: of 100 answers that the
inbox would bring, ${n(100 * FROM_JUNK)} still come (a fifth of the mail is not filed as junk, and of the rest one answer in twenty is written).
This is the most that **any** rule can find of such pairs of domain and receiver, if it may suspect so many of the healthy ones:
the most powerful test (Neyman and Pearson), which even knows both rates. Answers are all that people and their programs send
back: replies, requests to stop, notes of absence.

${silence}

So within ${MESSAGES} messages, at the five answers to a hundred that are usual, no rule finds one pair in seven without suspecting more than
one healthy pair in a hundred. Letters between mailboxes of one's own are another thing: where healthy receivers file ${n(100 * JUNK.healthy)} % of
them as junk and others ${n(100 * JUNK.degraded)} %, few are enough.

${letters}`
)
