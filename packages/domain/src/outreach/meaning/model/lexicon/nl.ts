import type { Lexicon } from "../conceptNames.js"

/** What words do in Dutch. */
export const nl: Lexicon = {
  not: "geen nee niet niets niks noch nooit zonder",
  more: "herinner* meer nog nogmaals ooit opnieuw opvolg* toekomst verder* vervolg* voortaan weer",
  stop: "afzien beeindig* beu daarbij ermee geef genoeg hou houd houdt kap klaar laat laten los op ophoud* rusten schei staak* stop* zat",
  off: "af afmeld* afvoer* buiten door doorstrepen eraf erbuiten eruit gooi haal halen meld opduik* schrap* schrijf sla streep* uit uitgesloten uitschrij* uitsluit* verdwenen verdwijn* verwijder* voorkom* weg weghal* wis wissen",
  mail: "aanbieding* acties bericht* commercieel correspondentie email emails gemaild herinner* mail mailen mailings mails nieuwsbrief* nieuwsbrieven post reclame reclamemail* spam verkoopmail* verkooppraat voorstel*",
  write: "bel bellen benader* contact* lastig* mail mailen opneem* schrijf schrijv* sturen stuur zend*",
  get: "hoor horen krijg* lees lezen ontvang* zien",
  me: "ik me mij mijn mn ons onze we wij",
  you: "je jij jou jouw jullie u uw",
  list: "adressenbestand bestand* campagne* crm database lijst* mailing* register systeem*",
  data: "adres* gegevens mailadres* mailbox naam nummer postbus",
  spam: "ongevraagd* ongewenst* spam* stalk* verboden",
  consent: "aangemeld abonne* akkoord gevraagd ingeschreven toestemming",
  law: "advocaat artikel avg bezwaar* blokk* eis geblokkeerd gemeld klacht* meld melden recht* toezichthouder verzoek* wet",
  peace: "bespaar* donder* lastig* moeite onthoud rot rust sodemieter* vallen",
  forget: "vergeet",
  last: "definitief derde keer laatste vierde vijfde",
  want: "graag interesse intresse liever nodig wens* wil willen zou",
  sure: "beschouw* let markeer* noteer* respecteer* zet zorg*",
  can: "kan kun kunnen kunt wilt zou",
  where: "hoe vandaan waar waarom wie",
  if: "als na tot voor zodra",
  later:
    "april augustus december dinsdag donderdag even februari jaar januari juli juni kerst kwartaal later maand* maart mei moment morgen november nu oktober pasen september vrijdag week weken woensdag zomer",
  thing:
    "account* afspraak alinea bestelling* bijlage* cc concept* contract* factu* gebruiker* kopie levering* logo* offerte* pagina prijslijst productie regel* rij* test*",
  others: "abonnees collega* gebruikers hij iemand klant klanten mensen ontvangers ze zij",
  call: "bel bellen langs praten spreken telefoon*",
  yes: "graag interessant ja kost leuk offerte prijs prijzen stuur",
  please: "alstublieft aub bedankt dank graag svp",
  answer: "antwoord* reactie reageer* stilte zwijg*",
  here: "adres dit hier hierheen huis mailbox",
  any: "alle alles altijd elk elke hele ieder* iemand niemand ooit",
  gone: "bestaat dood gesloten gestorven opgeheven overleden pensioen vertrokken voormalig*",
  firm: "afdeling bedrijf domein kantoor praktijk school team vereniging winkel zaak",
  such: "dat deze die ding dit gedoe soort spul zoiets zulke",
  product:
    "abonnement account dienst* functie* licentie module oplossing* platform product* proef software systeem tool*",
  use: "bewar* gebruik* opgeslagen opslaan verwerk*",
  confirm: "bevestig* bewijs",
  next: "ander* nieuwe vervolg volgend*",
  number: "derde drie twee tweede vier vierde vijf vijfde zes zesde",
  only: "alleen maar slechts",
  go: "doei elders ergens ga gaan gaat weg"
}
