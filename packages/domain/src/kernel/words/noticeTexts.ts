import type { OriginKind } from "../people/origins.js"
import type { RecipientLanguage } from "./languages.js"
import type { NoticePart } from "./regions.js"

/**
 * Our words for what laws on data protection ask a sender to say. `{{sender}}`, `{{address}}`, `{{source}}` and `{{law}}`
 * are filled in. They are a beginning for a lawyer, and no legal advice.
 */
export interface NoticeTexts extends Readonly<Record<NoticePart, string>> {
  /** The purpose where the law asks only that an advertisement is known as one. */
  readonly commercial: string
  /** What `{{source}}` stands for. */
  readonly sources: Readonly<Record<OriginKind, string>>
}

export const NOTICE_TEXTS: Readonly<Record<RecipientLanguage, NoticeTexts>> = {
  en: {
    purpose:
      "{{sender}} uses your name, your address at work and what is known of your work to offer you its products or services. These data go only to services that handle our mail, and are kept until you object or they are no longer needed.",
    commercial: "This is a commercial message from {{sender}}.",
    basis: "Legal basis: our legitimate interest in contacting businesses (Art. 6(1)(f) {{law}}).",
    source: "Your address comes {{source}}.",
    sources: {
      listed: "from a list of our own",
      searched: "from a search in business data",
      given: "from our own research"
    },
    rights:
      "You may object at any time, ask for access, correction, deletion, restriction or a copy of your data, and complain to a data protection authority.",
    contact: "Contact: {{sender}}, {{address}}, or answer this message."
  },
  de: {
    purpose:
      "{{sender}} verwendet Ihren Namen, Ihre berufliche Adresse und Angaben zu Ihrer Tätigkeit, um Ihnen Produkte oder Dienstleistungen anzubieten. Die Daten gehen nur an Dienste, die unsere E-Mails zustellen, und werden gespeichert, bis Sie widersprechen oder sie nicht mehr gebraucht werden.",
    commercial: "Dies ist eine Werbenachricht von {{sender}}.",
    basis: "Rechtsgrundlage: unser berechtigtes Interesse, Unternehmen anzusprechen (Art. 6 Abs. 1 lit. f {{law}}).",
    source: "Ihre Adresse stammt {{source}}.",
    sources: {
      listed: "aus einer eigenen Liste",
      searched: "aus einer Suche in Geschäftsdaten",
      given: "aus eigener Recherche"
    },
    rights:
      "Sie können jederzeit widersprechen, Auskunft, Berichtigung, Löschung, Einschränkung oder eine Kopie Ihrer Daten verlangen und sich bei einer Datenschutzbehörde beschweren.",
    contact: "Kontakt: {{sender}}, {{address}}, oder antworten Sie auf diese Nachricht."
  },
  fr: {
    purpose:
      "{{sender}} utilise votre nom, votre adresse professionnelle et des informations sur votre activité pour vous proposer ses produits ou services. Ces données ne sont transmises qu’aux services qui acheminent nos e-mails, et conservées jusqu’à votre opposition ou tant qu’elles sont utiles.",
    commercial: "Ceci est un message commercial de {{sender}}.",
    basis:
      "Base légale : notre intérêt légitime à contacter des entreprises (art. 6, paragraphe 1, point f) du {{law}}).",
    source: "Votre adresse provient {{source}}.",
    sources: {
      listed: "d’une liste qui nous appartient",
      searched: "d’une recherche dans des données d’entreprises",
      given: "de nos propres recherches"
    },
    rights:
      "Vous pouvez vous opposer à tout moment, demander l’accès, la rectification, l’effacement, la limitation ou une copie de vos données, et introduire une réclamation auprès d’une autorité de protection des données.",
    contact: "Contact : {{sender}}, {{address}}, ou répondez à ce message."
  },
  es: {
    purpose:
      "{{sender}} utiliza su nombre, su dirección profesional y lo que se conoce de su actividad para ofrecerle sus productos o servicios. Estos datos solo se comunican a los servicios que gestionan nuestro correo y se conservan hasta que usted se oponga o dejen de ser necesarios.",
    commercial: "Este es un mensaje comercial de {{sender}}.",
    basis: "Base jurídica: nuestro interés legítimo en contactar con empresas (art. 6.1.f del {{law}}).",
    source: "Su dirección procede {{source}}.",
    sources: {
      listed: "de una lista propia",
      searched: "de una búsqueda en datos empresariales",
      given: "de nuestra propia investigación"
    },
    rights:
      "Puede oponerse en cualquier momento, solicitar el acceso, la rectificación, la supresión, la limitación o una copia de sus datos, y reclamar ante una autoridad de protección de datos.",
    contact: "Contacto: {{sender}}, {{address}}, o responda a este mensaje."
  },
  it: {
    purpose:
      "{{sender}} utilizza il suo nome, il suo indirizzo di lavoro e quanto è noto della sua attività per offrirle prodotti o servizi. I dati sono comunicati solo ai servizi che gestiscono la nostra posta e conservati finché lei non si oppone o finché servono.",
    commercial: "Questo è un messaggio commerciale di {{sender}}.",
    basis: "Base giuridica: il nostro legittimo interesse a contattare le imprese (art. 6, par. 1, lett. f) {{law}}).",
    source: "Il suo indirizzo proviene {{source}}.",
    sources: {
      listed: "da un nostro elenco",
      searched: "da una ricerca in dati aziendali",
      given: "da nostre ricerche"
    },
    rights:
      "Può opporsi in qualsiasi momento, chiedere l’accesso, la rettifica, la cancellazione, la limitazione o una copia dei suoi dati, e proporre reclamo a un’autorità di protezione dei dati.",
    contact: "Contatto: {{sender}}, {{address}}, oppure risponda a questo messaggio."
  },
  nl: {
    purpose:
      "{{sender}} gebruikt uw naam, uw zakelijke adres en wat over uw werk bekend is om u producten of diensten aan te bieden. Deze gegevens gaan alleen naar diensten die onze e-mail verwerken en worden bewaard tot u bezwaar maakt of ze niet meer nodig zijn.",
    commercial: "Dit is een commercieel bericht van {{sender}}.",
    basis: "Rechtsgrond: ons gerechtvaardigd belang om bedrijven te benaderen (art. 6 lid 1 onder f {{law}}).",
    source: "Uw adres komt {{source}}.",
    sources: {
      listed: "uit een eigen lijst",
      searched: "uit een zoekopdracht in bedrijfsgegevens",
      given: "uit eigen onderzoek"
    },
    rights:
      "U kunt op elk moment bezwaar maken, vragen om inzage, rectificatie, wissing, beperking of een kopie van uw gegevens, en een klacht indienen bij een toezichthouder voor gegevensbescherming.",
    contact: "Contact: {{sender}}, {{address}}, of beantwoord dit bericht."
  },
  pt: {
    purpose:
      "{{sender}} utiliza o seu nome, o seu endereço profissional e o que se conhece da sua atividade para lhe oferecer produtos ou serviços. Estes dados só são transmitidos aos serviços que tratam do nosso correio e são conservados até que se oponha ou deixem de ser necessários.",
    commercial: "Esta é uma mensagem comercial de {{sender}}.",
    basis:
      "Fundamento jurídico: o nosso interesse legítimo em contactar empresas (art. 6.º, n.º 1, al. f) do {{law}}).",
    source: "O seu endereço provém {{source}}.",
    sources: {
      listed: "de uma lista nossa",
      searched: "de uma pesquisa em dados empresariais",
      given: "da nossa própria pesquisa"
    },
    rights:
      "Pode opor-se a qualquer momento, pedir o acesso, a retificação, o apagamento, a limitação ou uma cópia dos seus dados, e apresentar reclamação a uma autoridade de proteção de dados.",
    contact: "Contacto: {{sender}}, {{address}}, ou responda a esta mensagem."
  },
  sv: {
    purpose:
      "{{sender}} använder ditt namn, din adress på arbetet och det som är känt om ditt arbete för att erbjuda dig produkter eller tjänster. Uppgifterna lämnas bara till tjänster som hanterar vår e-post och sparas tills du invänder eller de inte längre behövs.",
    commercial: "Detta är ett reklammeddelande från {{sender}}.",
    basis: "Rättslig grund: vårt berättigade intresse av att kontakta företag (art. 6.1 f {{law}}).",
    source: "Din adress kommer {{source}}.",
    sources: {
      listed: "från en egen lista",
      searched: "från en sökning i företagsuppgifter",
      given: "från egen efterforskning"
    },
    rights:
      "Du kan när som helst invända, begära tillgång, rättelse, radering, begränsning eller en kopia av dina uppgifter, och klaga hos en dataskyddsmyndighet.",
    contact: "Kontakt: {{sender}}, {{address}}, eller svara på detta meddelande."
  },
  da: {
    purpose:
      "{{sender}} bruger dit navn, din arbejdsadresse og det, der er kendt om dit arbejde, til at tilbyde dig produkter eller tjenester. Oplysningerne går kun til tjenester, der håndterer vores e-mail, og gemmes, indtil du gør indsigelse, eller de ikke længere er nødvendige.",
    commercial: "Dette er en kommerciel besked fra {{sender}}.",
    basis: "Retsgrundlag: vores legitime interesse i at kontakte virksomheder (art. 6, stk. 1, litra f, i {{law}}).",
    source: "Din adresse kommer {{source}}.",
    sources: {
      listed: "fra vores egen liste",
      searched: "fra en søgning i virksomhedsdata",
      given: "fra vores egen research"
    },
    rights:
      "Du kan når som helst gøre indsigelse, bede om indsigt, berigtigelse, sletning, begrænsning eller en kopi af dine oplysninger og klage til en datatilsynsmyndighed.",
    contact: "Kontakt: {{sender}}, {{address}}, eller svar på denne besked."
  },
  no: {
    purpose:
      "{{sender}} bruker navnet ditt, adressen din på jobb og det som er kjent om arbeidet ditt, for å tilby deg produkter eller tjenester. Opplysningene går bare til tjenester som håndterer e-posten vår, og lagres til du protesterer eller de ikke lenger trengs.",
    commercial: "Dette er en kommersiell melding fra {{sender}}.",
    basis: "Rettslig grunnlag: vår berettigede interesse i å kontakte bedrifter (art. 6 nr. 1 bokstav f i {{law}}).",
    source: "Adressen din kommer {{source}}.",
    sources: {
      listed: "fra vår egen liste",
      searched: "fra et søk i bedriftsdata",
      given: "fra våre egne undersøkelser"
    },
    rights:
      "Du kan når som helst protestere, be om innsyn, retting, sletting, begrensning eller en kopi av opplysningene dine, og klage til en datatilsynsmyndighet.",
    contact: "Kontakt: {{sender}}, {{address}}, eller svar på denne meldingen."
  },
  fi: {
    purpose:
      "{{sender}} käyttää nimeäsi, työosoitettasi ja työstäsi tiedossa olevia tietoja tarjotakseen sinulle tuotteita tai palveluja. Tiedot annetaan vain sähköpostimme käsitteleville palveluille, ja ne säilytetään, kunnes vastustat käsittelyä tai niitä ei enää tarvita.",
    commercial: "Tämä on kaupallinen viesti lähettäjältä {{sender}}.",
    basis: "Oikeusperuste: oikeutettu etumme ottaa yhteyttä yrityksiin ({{law}}:n 6 artiklan 1 kohdan f alakohta).",
    source: "Osoitteesi on peräisin {{source}}.",
    sources: {
      listed: "omasta luettelostamme",
      searched: "yritystietojen hausta",
      given: "omasta selvityksestämme"
    },
    rights:
      "Voit milloin tahansa vastustaa käsittelyä, pyytää tietojesi tarkastamista, oikaisua, poistamista, rajoittamista tai jäljennöstä ja valittaa tietosuojaviranomaiselle.",
    contact: "Yhteys: {{sender}}, {{address}}, tai vastaa tähän viestiin."
  },
  pl: {
    purpose:
      "{{sender}} wykorzystuje Państwa imię i nazwisko, adres służbowy i informacje o Państwa pracy, aby zaoferować Państwu produkty lub usługi. Dane trafiają tylko do usług, które obsługują naszą pocztę, i są przechowywane do czasu sprzeciwu lub dopóki są potrzebne.",
    commercial: "To jest wiadomość handlowa od {{sender}}.",
    basis:
      "Podstawa prawna: nasz prawnie uzasadniony interes w kontaktowaniu się z firmami (art. 6 ust. 1 lit. f {{law}}).",
    source: "Państwa adres pochodzi {{source}}.",
    sources: {
      listed: "z naszej własnej listy",
      searched: "z wyszukiwania w danych firmowych",
      given: "z naszych własnych poszukiwań"
    },
    rights:
      "Mogą Państwo w każdej chwili wnieść sprzeciw, żądać dostępu, sprostowania, usunięcia, ograniczenia lub kopii danych oraz złożyć skargę do organu ochrony danych.",
    contact: "Kontakt: {{sender}}, {{address}}, lub w odpowiedzi na tę wiadomość."
  },
  cs: {
    purpose:
      "{{sender}} používá vaše jméno, vaši pracovní adresu a to, co je známo o vaší práci, aby vám nabídl své produkty nebo služby. Údaje dostávají jen služby, které zpracovávají naši poštu, a uchovávají se, dokud nevznesete námitku nebo dokud jsou potřebné.",
    commercial: "Toto je obchodní sdělení od {{sender}}.",
    basis: "Právní základ: náš oprávněný zájem oslovovat firmy (čl. 6 odst. 1 písm. f) {{law}}).",
    source: "Vaše adresa pochází {{source}}.",
    sources: {
      listed: "z našeho vlastního seznamu",
      searched: "z vyhledávání ve firemních údajích",
      given: "z našeho vlastního průzkumu"
    },
    rights:
      "Můžete kdykoli vznést námitku, požádat o přístup, opravu, výmaz, omezení nebo kopii svých údajů a podat stížnost u úřadu pro ochranu osobních údajů.",
    contact: "Kontakt: {{sender}}, {{address}}, nebo odpovězte na tuto zprávu."
  }
}

/** What the GDPR is called where people don't call it that. */
export const GDPR_NAMES: Partial<Readonly<Record<RecipientLanguage, string>>> = {
  de: "DSGVO",
  fr: "RGPD",
  es: "RGPD",
  pt: "RGPD",
  nl: "AVG",
  pl: "RODO"
}
