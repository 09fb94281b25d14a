import { assert, describe, it } from "@effect/vitest"
import { classify } from "@outbound/domain/outreach/meaning/classify.js"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import * as fc from "fast-check"
import { QUOTATIONS } from "./quotations.js"

const SAID: Record<string, ReadonlyArray<string>> = {
  unsubscribe: [
    "unsubscribe",
    "Please unsubscribe.",
    "STOP",
    "Remove me, thanks",
    "Hi Jo, please remove me from your mailing list. Pat",
    "Please take me off your list.",
    "Stop emailing me!",
    "Do not contact me again.",
    "We don’t need this. Don’t email us again.",
    "Bitte nehmen Sie mich aus Ihrem Verteiler.",
    "Bitte löschen Sie meine Daten und keine weiteren E-Mails mehr.",
    "Abmelden",
    "Veuillez me désinscrire de votre liste.",
    "Désabonnez-moi svp",
    "Merci de ne plus me contacter.",
    "Por favor, quiero darme de baja",
    "No me escriban más.",
    "Cancellatemi dalla vostra lista, grazie",
    "Non scrivetemi più.",
    "Schrijf mij uit van deze lijst",
    "Gelieve geen e-mails meer te sturen",
    "Por favor, remova-me da sua lista",
    "Não me envie mais e-mails."
  ],
  not_interested: [
    "Not interested.",
    "Thanks, but we're not currently interested.",
    "No thanks",
    "No, thank you. We are all set.",
    "I'm afraid this isn't something we need, not a good fit.",
    "We'll pass for now.",
    "Danke, aber wir haben keinen Bedarf.",
    "Kein Interesse.",
    "Das ist für uns nicht interessant.",
    "Nein danke",
    "Non merci.",
    "Nous ne sommes pas intéressés.",
    "No gracias",
    "No nos interesa, un saludo",
    "Non siamo interessati, grazie.",
    "No, grazie",
    "Wij hebben geen interesse.",
    "Não temos interesse.",
    "Não, obrigado",
    "Vi är inte intresserade.",
    "Nie jesteśmy zainteresowani."
  ],
  interested: [
    "I'm interested, tell me more.",
    "Sounds great - let's talk next week.",
    "Yes, please",
    "Could you send me some more information?",
    "Happy to chat, how is Thursday?",
    "How much does it cost?",
    "Klingt interessant, schicken Sie mir bitte Unterlagen.",
    "Gerne können wir einen Termin vereinbaren.",
    "Ja, gerne",
    "Je suis intéressé, pouvez-vous m'appeler ?",
    "Volontiers, quand êtes-vous libre ?",
    "Me interesa, ¿podemos hablar mañana?",
    "Sono interessato, mi mandi una proposta.",
    "Ik ben geïnteresseerd, stuur mij meer informatie.",
    "Tenho interesse, podemos marcar uma conversa?"
  ],
  out_of_office: [
    "I am out of the office until Monday, 5 May. In urgent cases contact my colleague.",
    "Ich bin bis zum 12. Mai nicht im Büro und danach wieder erreichbar.",
    "Je suis en congés jusqu'au 5 mai.",
    "Estoy de vacaciones hasta el 5 de mayo.",
    "Sono in ferie fino al 5 maggio.",
    "Ik ben momenteel afwezig, ik ben op 5 mei terug.",
    "Estou de férias até o dia 5."
  ],
  null: [
    "",
    "   \n",
    "?",
    "Who gave you my address?",
    "I have forwarded this to my colleague.",
    "We were not interested last year, but sounds great now, let's talk.",
    "I am out of the office.",
    "Was ist das?"
  ]
}

describe("classification by rules", () => {
  for (const [classification, texts] of Object.entries(SAID)) {
    it(`knows ${classification} when people say it`, () => {
      for (const text of texts) {
        const verdict = classify(text)
        assert.strictEqual(String(verdict?.classification ?? null), classification, text)
      }
    })
  }

  it("takes an absence for one only where nothing else is said", () => {
    for (const [text, said] of [
      ["I am on vacation until Monday, but let's talk when I am back.", "interested"],
      ["I am out of the office until May. Please remove me from your list.", "unsubscribe"],
      ["I am travelling until Friday. We are not interested.", "not_interested"]
    ] as const) {
      assert.strictEqual(classify(text)?.classification, said, text)
    }
  })

  it("reads a request whose letters were lost on their way", () => {
    for (const text of ["Merci de me d\uFFFDsabonner", "Arr\uFFFDtez de m'\uFFFDcrire"]) {
      assert.strictEqual(classify(text)?.classification, "unsubscribe", text)
    }
  })

  it("leaves alone what is removed, stopped or announced of something else", () => {
    for (const text of [
      "I can't stop smiling, thank you!",
      "Please remove my email typo in the order",
      "Do not email us the PDF, post it.",
      "Soll ich den Antrag löschen?",
      "Vi trenger folk, kontakt oss.",
      "Merci pour ton email, c'était super utile !",
      "es muy baja",
      "Meu advogado vai entrar em contato"
    ]) {
      assert.notStrictEqual(classify(text)?.classification, "unsubscribe", text)
    }
  })

  it("nothing that is quoted decides", () => {
    const sayings = Object.values(SAID).flat()
    const phrase = fc.constantFrom(...sayings)
    const quotation = fc.constantFrom(...QUOTATIONS.map(([, text]) => text))
    fc.assert(
      fc.property(phrase, quotation, phrase, (own, below, inside) => {
        const quoted = below.replace(/^(>? ?)Hi Pat,$/m, (_, mark: string) => `${mark}${inside.replace(/\n/g, " ")}`)
        assert.deepStrictEqual(classify(ownText(`${own}\n\n${quoted}`)), classify(ownText(own)))
      }),
      { numRuns: 500 }
    )
  })

  it("no text throws, and none takes long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        const verdict = classify(text)
        assert.isTrue(verdict === null || (verdict.confidence >= 0 && verdict.confidence <= 1))
      }),
      { numRuns: 300 }
    )
    for (const hostile of ["not ", "remove me ", "gern ", "please ", "ich bin ", "a", "no, ", "nehmen sie "]) {
      const started = performance.now()
      classify(hostile.repeat(40_000))
      assert.isBelow(performance.now() - started, 20_000, hostile)
    }
  })

  it("calls it no request to stop to ask what we know of the writer, unless they ask for that too", () => {
    for (const text of [
      "Please tell me which personal data you hold about me (Art. 15 GDPR).",
      "Under Article 15 GDPR I ask which data about me you hold and from where.",
      "Gemäß Art. 15 DSGVO bitte ich um Auskunft, welche Daten Sie über mich gespeichert haben.",
      "Woher haben Sie meine Daten? Ich bitte um Auskunft nach DSGVO.",
      "Conformément à l'article 15 du RGPD, je vous demande quelles données vous détenez à mon sujet.",
      "Según el artículo 15 del RGPD, solicito saber qué datos tienen sobre mí.",
      "Ai sensi dell'art. 15 GDPR chiedo quali dati avete su di me e da dove provengono.",
      "Op grond van artikel 15 AVG vraag ik welke gegevens u van mij heeft.",
      "Na podstawie art. 15 RODO proszę o informację, jakie moje dane przetwarzacie."
    ]) {
      assert.notStrictEqual(classify(text)?.classification, "unsubscribe", text)
    }
    for (const text of [
      "Under Art. 15 and 17 GDPR: tell me what you hold about me, then delete my data.",
      "Ich bitte um Auskunft nach Art. 15 DSGVO und danach um Löschung meiner Daten.",
      "Which data do you have about me? And stop writing to me."
    ]) {
      assert.strictEqual(classify(text)?.classification, "unsubscribe", text)
    }
  })
})
