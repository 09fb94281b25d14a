import { assert, describe, it } from "@effect/vitest"
import { isDenied } from "@outbound/domain/outreach/meaning/asked.js"
import { classify } from "@outbound/domain/outreach/meaning/classify.js"
import { languagesOf } from "@outbound/domain/outreach/meaning/languages.js"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import { NOTICES, QUOTED, SIGNATURES } from "./tails.js"

const isOptOut = (text: string): boolean => classify(ownText(text))?.classification === "unsubscribe"

/** Words of a request to stop that ask for something else, or for nothing. */
const ELSEWHERE: Readonly<Record<string, ReadonlyArray<string>>> = {
  "something else is removed or stopped": [
    "Please delete the old drawing from the folder, the new one is attached.",
    "Can you remove me from the calendar invite? Tom goes instead.",
    "Please take us off the CC, Lea decides.",
    "We stop the machine at six, then I can talk.",
    "Bitte löschen Sie die zweite Zeile im Angebot.",
    "Nehmen Sie mich bitte aus dem CC, Herr Kunz macht das.",
    "Merci de supprimer la pièce jointe, elle est trop lourde.",
    "Por favor, elimine la segunda página del presupuesto.",
    "Per favore elimini l'allegato, è troppo pesante.",
    "Kun je de bijlage verwijderen?",
    "Pode retirar o anexo da proposta?",
    "Proszę usunąć załącznik, jest za duży.",
    "Ta bort bilagan, tack."
  ],
  "it is asked where an address is from": [
    "¿De dónde sacaste mi correo?",
    "De donde han sacado mi email?",
    "How did you get my email address?",
    "Woher haben Sie meine Adresse?",
    "Où avez-vous eu mon adresse ?",
    "Hoe komt u aan mijn mailadres?",
    "Skąd macie mój adres?"
  ],
  "it is not asked for": [
    "Please don't remove me from your list, I read it.",
    "No need to unsubscribe us, we like it.",
    "Don't remove me from your list",
    "Please don't unsubscribe me.",
    "Ne me retirez pas de la liste.",
    "Por favor, no me borren de la lista.",
    "Non cancellatemi dalla lista.",
    "Haal mij niet van de lijst.",
    "Ta inte bort mig från listan.",
    "Fjern mig ikke fra listen.",
    "Neodhlašujte mě prosím.",
    "Bitte nehmen Sie mich nicht aus dem Verteiler.",
    "Ne me retirez pas de la liste !",
    "No me quite de la lista, por favor.",
    "Non cancellatemi dalla lista, grazie.",
    "Haal mij niet van de lijst."
  ],
  "others are meant": [
    "How do our customers unsubscribe in your tool?",
    "Does your tool remove people who opt out?",
    "Can recipients unsubscribe by themselves?",
    "Wie melden sich unsere Kunden ab?",
    "Comment nos clients peuvent-ils se désabonner ?"
  ],
  "somebody is quoted": [
    'What happens if they click "unsubscribe"?',
    "The button says “Remove me from this list”, is that so in all languages?",
    "Im Knopf steht „Bitte keine weiteren E-Mails“, geht das auch anders?"
  ],
  "a letter offers it to its readers": [
    "Thank you for your order. To unsubscribe, visit the page of our shop.",
    "The results are online. If you no longer wish to hear of them you can unsubscribe in your profile."
  ],
  "it depends": [
    "If I ever want to unsubscribe I will tell you.",
    "Falls ich abgemeldet werden will, sage ich Bescheid."
  ],
  "the words are ordinary": [
    "Hi there! I answer from my german mailbox.",
    "Understood. Thanks. Let me try this out.",
    "The stairs are long.\n\n____________________\nStairs mailing list -- stairs@lists.b.test\nTo unsubscribe send an email to stairs-leave@lists.b.test",
    "Enclosed are the drawings of the new stairs.",
    "Hola, todo como siempre por la tienda.",
    "I answer from our Swiss office this week.",
    "Hello! This comes from the English inbox of our shop.",
    "The second point is open, the third is done, the fourth waits for paint.",
    "Hier noch eine Nachricht mit dem Plan der Halle.",
    "Voici encore un courriel avec les mesures.",
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.",
    "안녕하세요. 보내주신 자료는 Jiwoo 님과 함께 보겠습니다.",
    "Terima kasih, kami akan membaca pesan ini besok."
  ]
}

const ASKED: ReadonlyArray<string> = [
  "Please remove us from your list.",
  "Please take pat@b.test off your list.",
  "How do I unsubscribe?",
  "Could you please stop emailing me?",
  "If you write again I will report you as spam.",
  "Remove me from your list and delete the attachment that you sent.",
  "Bitte nehmen Sie uns aus dem Verteiler.",
  "Pouvez-vous me désinscrire de votre liste ?",
  "Que me borren de la lista, por favor.",
  "Si richiede la cancellazione del nostro indirizzo dai vostri elenchi.",
  "Graag mij van de lijst verwijderen.",
  "Por favor, retire o meu e-mail da sua lista.",
  "Proszę o wykreślenie nas z listy, proszę nas skreślić.",
  "Vänligen ta bort oss från er lista.",
  "Fjern mig venligst fra listen.",
  "Poistakaa minut listalta.",
  "Odhlaste mě prosím z odběru.",
  "Удалите меня из рассылки, пожалуйста.",
  "Lütfen beni listeden çıkarın.",
  "Kérem töröljék a címemet a listáról.",
  "Vă rog să nu îmi mai trimiteți mesaje.",
  "Διαγράψτε με από τη λίστα.",
  "今後のご連絡は不要です。",
  "请不要再给我发邮件。",
  "더 이상 메일을 보내지 마세요."
]

/** In words that no phrase knows: two parts of a request, of which the model is sure. */
const IN_PARTS: ReadonlyArray<string> = [
  "How did you even get this address? Get rid of it.",
  "Kindly drop our address from your distribution.",
  "Apaga aí o meu contato, por gentileza.",
  "digga woher hast du das, streich mich da sofort komplett raus"
]

const ALONE = [
  "STOP",
  "Unsubscribe",
  "remove me please",
  "Abmelden",
  "désabonner svp",
  "BAJA",
  "cancellami",
  "afmelden aub",
  "descadastrar",
  "wypisz mnie",
  "avregistrera",
  "отписаться",
  "配信停止",
  "退订",
  "수신거부"
]

describe("a request to stop", () => {
  it("is read in the writer's own language", () => {
    for (const text of [...ASKED, ...ALONE]) assert.isTrue(isOptOut(text), text)
  })

  it("is denied by who asks to be kept, and by nobody who asks for silence in such words", () => {
    for (const text of [
      "don't take my address off",
      "schrijf mij niet uit",
      "ta inte bort oss",
      "bitte nicht austragen"
    ])
      assert.isTrue(isDenied(text), text)
    for (const text of [
      "we don't take sales mail, remove us",
      "you never removed me",
      "schrijf mij niet",
      "ta inte kontakt med oss",
      "meld meg ikke pa igjen",
      "nehmen sie bitte nicht wieder kontakt auf",
      "melden sie sich nicht"
    ])
      assert.isFalse(isDenied(text), text)
  })

  it("is one in other words too, if a clause has its parts and no later time", () => {
    for (const text of IN_PARTS) assert.isTrue(isOptOut(text), text)
    assert.isFalse(isOptOut("Please don't write to me before September, then we have a budget."))
    assert.isFalse(isOptOut("Your mails are the worst spam machine I ever saw. Ridiculous."))
  })

  for (const [why, texts] of Object.entries(ELSEWHERE)) {
    it(`is none where ${why}`, () => {
      for (const text of texts) assert.isFalse(isOptOut(text), text)
    })
  }

  it("is the same with any signature, notice and quotation below it, and so is what is none", () => {
    const owns = [
      ...ASKED.slice(0, 9),
      ...ALONE.slice(0, 4),
      ...Object.values(ELSEWHERE).map(([first = ""]) => first),
      "Yes, Thursday at ten suits me. Please call my desk.",
      "No thanks, we are not interested.",
      "Klingt interessant, schicken Sie mir bitte Unterlagen.",
      "Combien cela coûte-t-il ?",
      "I am out of the office until Monday, 5 May. In urgent cases contact my colleague."
    ]
    const tails = [...NOTICES, ...SIGNATURES, ...QUOTED]
    assert.isAtLeast(tails.length, 40)
    const changed: Array<string> = []
    const [, notice] = NOTICES[0] ?? ["", ""]
    for (const own of owns) {
      const said = classify(ownText(own))
      for (const [name, tail] of tails) {
        const text = `${own}\r\n\r\n${tail.replaceAll("\n", "\r\n")}\r\n\r\n${notice}`
        if (JSON.stringify(classify(ownText(text))) !== JSON.stringify(said)) changed.push(`${own} / ${name}`)
      }
    }
    assert.isBelow(changed.length, (owns.length * tails.length) / 100, changed.join("\n"))
  })

  it("is read in time that grows with the text, whatever is in it", () => {
    for (const piece of [
      "\n",
      " \n",
      "a\n",
      "> a\n",
      "On 1 Jan 2026 10:00 a@b.test ",
      "From: a@b.test\n",
      "remove me. ",
      "This message is confidential\n\n",
      "-- \n",
      "| \n",
      "if you "
    ]) {
      const cost = (chars: number): number => {
        const text = piece.repeat(Math.ceil(chars / piece.length))
        const before = process.cpuUsage()
        classify(ownText(text))
        return process.cpuUsage(before).user
      }
      cost(32_000)
      const [half, whole] = [cost(128_000), cost(256_000)]
      // Twice as much takes about twice as long: a square would take four times, and long before.
      assert.isBelow(whole, 3 * half + 1_000_000, JSON.stringify(piece))
      assert.isBelow(whole, 6_000_000, JSON.stringify(piece))
    }
  })
})

describe("the language of a text", () => {
  it("is one of those that its common words belong to", () => {
    for (const [language, text] of [
      ["en", "Thank you for the note, we will have a look at it next week."],
      ["de", "Vielen Dank für die Nachricht, wir sehen uns das nächste Woche an."],
      ["fr", "Merci pour votre message, nous allons le lire la semaine prochaine."],
      ["es", "Gracias por su mensaje, lo vamos a leer la semana que viene."],
      ["it", "Grazie per il messaggio, lo leggiamo la prossima settimana."],
      ["nl", "Bedankt voor het bericht, we kijken er volgende week naar."],
      ["pt", "Obrigado pela mensagem, vamos ler na próxima semana."],
      ["pl", "Dziękuję za wiadomość, przeczytamy ją w przyszłym tygodniu."],
      ["nordic", "Tack för meddelandet, vi läser det nästa vecka."],
      ["ru", "Спасибо за письмо, прочитаем на следующей неделе."],
      ["ja", "ご連絡ありがとうございます。"],
      ["ko", "안녕하세요, 자료 잘 보았습니다."],
      ["zh", "谢谢您的来信。"]
    ] as const) {
      const languages = languagesOf(text)
      assert.isTrue(languages.has(language), text)
      assert.isFalse(
        languages.has(language === "pt" ? "de" : "pt") && languages.has(language === "fr" ? "pl" : "fr"),
        text
      )
    }
  })
})
