import type { Lexicon } from "../conceptNames.js"

/** What words do in Swedish, Danish and Norwegian. */
export const nordic: Lexicon = {
  not: "aldri aldrig avboj* behover behovs ej frabe* ikke inga ingen ingenting inget inte intet nei nej uden undanbe* undlad* undlat* utan uten",
  more: "aterkom* fler flere folg* folj* fortsattning* framover framtid* fremover heretter igen igjen laengere langre lenger mer mere paminn* purr* rykker* vidare videre yderligere",
  stop: "avslut* avsta* drop dropp droppa ge gi gid hold holdt indstil* innstil* la lad lagg lat* led legg lei less ligga ligge ner nog nok ophor* opphor* racker ro slipp* slut sluta slutt* stop* traet trott undga undlad* upphor* vaere vare",
  off: "af afmeld* av avmeld* avprenumerer* avregistrer* bort dyk* exkludera fjern* forekom* forsvind* forsvinn* fri hold hopp* meld optraed* pil plocka plukk* radera* raderin* slet* slipp* spring* streg* strog* stryg* stryk* ta tag tas ud udelad* udeluk* udenfor ur ut utanfor utelat* utenfor uteslut* vaek vekk",
  mail: "besked* brev brevet e epost* erbjudand* forsaljning henvendels* kampan* korrespondans* mail* meddelande* mejl* melding* nyhedsbrev* nyhetsbrev* post poster reklam* salg salgsmail* salj* skrap* sopp* spam tilbud* utsendels* utskick*",
  write:
    "bank* fraga hor hora horer knack* kontakt* mail maila mas mejla purr* ring* ryk* send* skick* skriv* sporg* sporr* tjat*",
  get: "fa far fatt fik lasa modtag* motta* slippa slippe slipper",
  me: "jag jeg meg mej mig min mina mine mitt os oss var vara vart vi vor vores",
  you: "deg dere deres dig din dina ditt du dykk er era ert i jer jeres ni",
  list: "databas* kampan* kartotek* list* register* sandlist* system* utsendels* utskick*",
  data: "adress* brevlada* data dataene mejl namn navn nummer oplysning* opplysning* postkass* uppgifter",
  spam: "chikan* olaglig* oonskad* spam trakass* ulovlig* uonsk* uopford* uoppford*",
  consent: "abonner* anmalt bedt bett meldt prenumer* samtyck* samtykk* tilmeldt",
  law: "advokat* anmal* anmeld* artikel artikkel aterkall* begar* blocker* bloker* blokker* datatilsyn* gdpr grund grundlag* imy indsigelse* jurist* klag* krav* krever lag motsatt* motsetter retsgrundlag* rettsgrunnlag* samtykke* tilbage tilbake traek* trekk*",
  peace: "bespara dra fred helvete ifred lamna mas* plag* ro skan* skogen skon* skrid slipp* spar* stick tjat* vaere",
  forget: "glem* glom kast slang smid",
  last: "femte fjarde fjerde gang gangen sidste sista siste tredje",
  want: "behov* brug garna gerne gjerne interess* intress* onsk* trenger vil vill",
  sure: "marke* noter* ordna pass respekter* saet satt se serg sett sorg* vennligst",
  can: "kan kunna kunne skulle",
  where: "hur hvem hvor hvordan hvorfor var varfor vem",
  if: "efter etter for hvis innan nar om",
  later:
    "akkurat april ar august augusti december desember februar februari ferie* fredag imorgon januar januari jul juli juni just kvartal mai maj manad* mandag maned* mars marts morgen morgon na november nu oktober onsdag pask* semester* senare senere september sommar* sommer* tirsdag torsdag uge* uke* vecka*",
  thing:
    "afsnit* aftal* anvandar* avsnitt* avtal* bestallning* bestilling* bilag* bruger* bruker* cc dublett* duplik* faktura* konto* kopi* leverans* levering* linje* logg* logo* mote* offert* prislist* produktion* rad stycke* test* udkast* utkast* vedleg*",
  others: "abonnent* de han hon hun kollega* kund* modtagerne mottagarna mottakerne nagon noen nogen prenumerant*",
  call: "horas kom prata ring* ses snakk* tale",
  yes: "garna gerne gjerne intressant ja kostar koster pris* skicka spann*",
  please: "snalla tack tak takk vanligen venligst vennligst",
  answer: "svar* taushet* tavshed* tystnad*",
  here: "denne har her hertil hit hjem",
  any: "al all alla alle allt alltid alt altid hela hele hver ingen nagonsin nagot noe noen nogensinde noget varenda varje",
  gone: "avlid* dod dode dog findes finnes finns forlot lagt lukket nedlagd nedlagt pension* slutat sluttet stangt",
  firm: "afdeling* avdeling* bedrift* butik* domaene* doman* domenet firma* forening* foretag* klinik* kontor* mottagning* skola* skole* team",
  such: "den denne det detta dette greia grej* sadan* saken sant slags slik* sort ting",
  product:
    "abonnement* funksjon* funktion* konto licens* lisens* losning* modul* platform* plattform* produkt* program* prov* system* tjanst* tjenest* vaerktoj* verktoy* verktyg*",
  use: "anvand* behandl* brug* bruk* gem gemme lagr* opbevar* oppbevar* spar*",
  confirm: "bekraeft* bekraft* bekreft* bevis*",
  next: "andra andre annan naeste nasta neste ny nya nye",
  number: "andre fem fire fyra seks sex sjatte sjette to tre tredje tva",
  only: "bara bare dock dog kun men",
  go: "andet annanstans bort da farvel ga gaa gar hej steds vaek vekk"
}
