import type { OwnNotice, WordsPlace, WordsSettings } from "@outbound/domain/kernel/words/notice.js"
import { defaultParts, missingParts, PART_CHARS_MAX, requiredParts } from "@outbound/domain/kernel/words/notice.js"
import { RECIPIENT_LANGUAGES, type RecipientLanguage } from "@outbound/domain/kernel/words/languages.js"
import { isRegion, NOTICE_PARTS, type NoticePart, REGION_NAMES } from "@outbound/domain/kernel/words/regions.js"
import type { Reply } from "../../http/Reply.js"
import { mayLoosen } from "../control/acting.js"
import { Field, Form, Note, type Problem, Section, Select, Table, useTyped } from "../Parts.js"
import { saidOf, titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { languageName, PART_WORDS, partList, whereName, WORDS_PATH } from "../../web/wordsNames.js"

export const TEXT_PATH = `${WORDS_PATH}/text`

const PLACES: ReadonlyArray<readonly [WordsPlace, string]> = [
  ["off", "Nowhere"],
  ["message", "In the first message to each person"],
  ["link", "Behind a link in the first message"]
]

export const NoAdvice = () => (
  <Note>
    The texts here are a beginning, and no legal advice. What the law asks of you depends on who you are, whom you write
    to and why: have a lawyer read them before you switch them on.
  </Note>
)

const DONE: Readonly<Record<string, string>> = {
  place: "Saved. It holds for what is approved from now on.",
  text: "The text is saved. It holds for what is approved from now on.",
  removed: "The text is removed."
}

const textHref = (where: string, language: string): string =>
  `${TEXT_PATH}?${new URLSearchParams({ where, language }).toString()}`

const Languages = (props: { readonly where: string; readonly own: ReadonlyArray<OwnNotice> }) => {
  const { own, where } = props
  const written = new Map(own.filter((one) => one.where === where).map((one) => [one.language, one]))
  const shown = isRegion(where) ? RECIPIENT_LANGUAGES : [...written.keys()]
  return (
    <>
      {shown.map((language, index) => {
        const mine = written.get(language)
        const missing = mine === undefined ? [] : missingParts(where, mine.parts)
        return (
          <span key={language}>
            {index === 0 ? "" : " · "}
            <a href={textHref(where, language)}>{languageName(language)}</a>
            {mine === undefined ? "" : " (yours)"}
            {missing.length === 0 ? "" : `, without ${partList(missing)}`}
          </span>
        )
      })}
    </>
  )
}

/** Every region and country with words, and where the words stand. */
export const wordsPage = (options: {
  readonly viewer: Viewer
  readonly settings: WordsSettings
  readonly done: string | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { done, problem, settings, viewer } = options
  const others = [...new Set(settings.own.map(({ where }) => where))].filter((where) => !isRegion(where)).sort()
  return titledPage(
    {
      said: saidOf(DONE, done),
      problem,
      title: "Words by country",
      viewer,
      at: "settings",
      isNarrow: true,
      lead: "What recipients are told of who writes to them, why, and of their rights, as the law of their country asks."
    },
    <>
      <NoAdvice />
      {mayLoosen(viewer) ? (
        <Form class="card" action={WORDS_PATH} button="Save">
          <Select label="Where the words stand" name="place" value={settings.place} options={PLACES} />
          <p class="hint">
            The page behind each message’s link always says who writes, where the address came from and what was sent.
          </p>
        </Form>
      ) : (
        <p class="card">Where the words stand: {PLACES.find(([place]) => place === settings.place)?.[1]}</p>
      )}
      <Section id="texts" title="Texts">
        <Table
          label="Texts"
          head={["For people in", "Must say", "In"]}
          rows={[...REGION_NAMES, ...others].map((where) => [
            whereName(where),
            partList(requiredParts(where)),
            <Languages where={where} own={settings.own} />
          ])}
        />
        <p class="soft">
          A person gets the words of their country, in its language. Where nothing says which country it is, they get
          the strictest: those of the European Union. The approval shows how many people get which.
        </p>
      </Section>
      {mayLoosen(viewer) ? (
        <form class="card" method="get" action={TEXT_PATH}>
          <h2>Words for another country</h2>
          <Field
            label="Country’s two letters, or rest"
            name="where"
            required
            maxLength={4}
            hint="Such as BR or IN. “rest” is for every country without words of its own."
          />
          <Select
            label="Language"
            name="language"
            value="en"
            options={RECIPIENT_LANGUAGES.map((one) => [one, languageName(one)] as const)}
          />
          <button type="submit">Write them</button>
        </form>
      ) : null}
    </>
  )
}

const Part = (props: { readonly part: NoticePart; readonly value: string; readonly isRequired: boolean }) => {
  const { isRequired, part } = props
  const value = useTyped()?.get(part) ?? props.value
  return (
    <p class="field">
      <label for={`f-${part}`}>
        {PART_WORDS[part]}
        {isRequired ? "" : " (not asked for there)"}
      </label>
      <textarea id={`f-${part}`} name={part} rows={3} maxLength={PART_CHARS_MAX}>
        {value}
      </textarea>
    </p>
  )
}

/** One text: for a region or a country, in one language. */
export const textPage = (options: {
  readonly viewer: Viewer
  readonly where: string
  readonly language: RecipientLanguage
  readonly settings: WordsSettings
  readonly problem?: Problem | undefined
}): Reply => {
  const { language, problem, settings, viewer, where } = options
  const own = settings.own.find((one) => one.where === where && one.language === language)
  const given = own?.parts ?? (isRegion(where) ? defaultParts(where, language) : defaultParts("eea", language))
  const required = requiredParts(where)
  const missing = own === undefined ? [] : missingParts(where, own.parts)
  const hidden = (
    <>
      <input type="hidden" name="where" value={where} />
      <input type="hidden" name="language" value={language} />
    </>
  )
  return titledPage(
    {
      problem,
      title: `${whereName(where)}, in ${languageName(language)}`,
      viewer,
      at: "settings",
      isNarrow: true,
      before: (
        <p>
          <a href={WORDS_PATH}>Back to words by country</a>
        </p>
      )
    },
    <>
      <NoAdvice />
      {missing.length === 0 ? null : <Note tone="bad">Missing: {partList(missing)}.</Note>}
      {mayLoosen(viewer) ? (
        <>
          <Form class="card" action={TEXT_PATH} button="Save text">
            {hidden}
            <p class="soft">
              {"{{sender}}"} stands for the workspace’s name, {"{{address}}"} for its postal address, {"{{source}}"} for
              where the person’s address came from.
            </p>
            {NOTICE_PARTS.map((part) => (
              <Part key={part} part={part} value={given[part]} isRequired={required.includes(part)} />
            ))}
          </Form>
          {own === undefined ? null : (
            <Form action={TEXT_PATH} button={isRegion(where) ? "Use our text again" : "Remove the text"} tone="stop">
              {hidden}
              <input type="hidden" name="remove" value="yes" />
            </Form>
          )}
        </>
      ) : (
        <section class="card">
          {NOTICE_PARTS.filter((part) => given[part] !== "").map((part) => (
            <p key={part}>
              <strong>{PART_WORDS[part]}</strong>: {given[part]}
            </p>
          ))}
        </section>
      )}
    </>
  )
}
