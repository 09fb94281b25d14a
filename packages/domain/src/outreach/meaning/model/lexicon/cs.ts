import type { Lexicon } from "../conceptNames.js"

/** What words do in Czech. */
export const cs: Lexicon = {
  not: "bez ne* nic nikdy uzne zadn*",
  more: "budouc* dal dalsi* opet pripomin* uz vic vickrat znovu",
  stop: "byt dost konc* konec nech* prest* skonc* stac* stop stopka ukonc* upust* vzdej* zast* zdrz*",
  off: "maz* mimo objevu* odeber* odhlas* odstran* pryc skrt* smaz* venku vymaz* vynd* vynech* vypust* vyrad* vyskrt* vyskyt* zmiz* zrus*",
  mail: "email* kampan* korespondenc* mail* nabid* newsletter* obchodni* post* prodej* reklam* rozesil* spam* zasilk* zprav*",
  write:
    "klep* kontakt* napis* neklep* nekontakt* nepis* neposil* neptej* nevol* ozyv* pis* posil* pripomenout pripomin* psat pta* urguj* vola*",
  get: "chod* dost* prijim*",
  me: "ja me mi mne mnou moje mou muj my nam nami nas",
  you: "tvuj vam vas vase vaseho vasem vasi vasich vy",
  list: "databaz* evidenc* kampan* kontaktu rozesil* seznam* system*",
  data: "adres* cislo jmeno osobni schrank* udaj*",
  spam: "nevyzad* nezakon* obtez* spam*",
  consent: "odebir* prihlasil* souhlas* zadal*",
  law: "blok* clank* duvod gdpr nahlas* namitk* odvolav* pravni pravnik* pravo stiznost* vymaz zablok* zada*",
  peace: "byt klid* nech* otrav* pokoj* tahn* usetr* zit",
  forget: "zahod* zapomen*",
  last: "naposled* pate paty poctvrte posledni potreti",
  want: "chc* nechc* nepre* potreb* prej* rad radsi zajem",
  sure: "aby at dejte dohled* oznacte postar* poznamenej* respektuj* zajist* zapiste zarid*",
  can: "mohl* mohou muz*",
  where: "jak kde kdo odkud proc",
  if: "az do jestli kdyz po pokud pred",
  later:
    "brezn* cervenc* cervn* ctvrt* duben* dubn* kvetn* leden* listopad* mesic* patek pondel* pozdeji prazdnin* prosin* rijn* rok srpn* stred* ted tyden* unor* uter* vanoc* velikon* zari zatim zitra",
  thing:
    "cenik* dodav* duplicit* faktur* koncept* kopi* logo objednav* odstav* priloh* radek radk* schuzk* smlouv* testov* ucet uctu uzivatel* vyrob*",
  others: "koleg* nekdo odberatel* oni prijemc* zakaznik*",
  call: "promluv* sejd* stavte zavol*",
  yes: "ano cenik kolik poslete rad stoji zajima",
  please: "dekuj* diky laskave prosim",
  answer: "mlcen* odpov* ticho",
  here: "adresu doma sem tady teto tu tuto",
  any: "cel* jakykoli* kazd* nikdo nikoho vesker* vsech* vzdy zadn*",
  gone: "byval* duchod* mrtv* neexistuje odesel odesla zavren* zemrel*",
  firm: "domen* firm* kancelar* obchod* ordinac* podnik* skol* spolek tym",
  such: "druh* neco ta takov* tech ten to tohle toho tomu tyto vec",
  product: "funkc* konto licenc* modul* nastroj* platform* predplatn* produkt* program* resen* sluzb* zkouse*",
  use: "drzet pouziv* uchovav* zpracov*",
  confirm: "dukaz potvrd*",
  next: "dalsi jina jiny pristi",
  number: "ctyri druh* dva dvakrat dve pet potreti sest sesty treti tri trikrat",
  only: "ale jen jenom pouze",
  go: "bezte jdete jinam pryc sbohem"
}
