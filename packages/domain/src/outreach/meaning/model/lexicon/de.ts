import type { Lexicon } from "../conceptNames.js"

/** What words do in German. */
export const de: Lexicon = {
  not: "kein keine keinen keiner keinerlei keines ned nein net nicht nichts nie niemals nimmer nirgends nix ohne weder",
  more: "abermals dauerhaft endgultig erinnerung* erneut fortan jemals kunftig* mehr nachfass* nachfrag* noch nochmal nochmals weiter weitere* wieder zukunft",
  stop: "absehen abstand abzusehen auf aufgeben aufhoer* aufhor* beend* belassen bleiben einstell* einzustellen ende erledigt genug gut hor hore horen hort langt langts lass lassen lasst reicht ruhen satt schluss* sparen stop* unterlass* verbitt* verzicht*",
  off: "abbestell* abmeld* auftauch* aus ausgetragen ausschlie* aussen austrag* bereinig* drin drinnen entfern* geloscht genommen gestrichen heraus herausnehm* kundig* losch* nehmen nehmt nimm raus rausnehm* sperr* streich* tilg* trag tragen tragt verschon* verschwind* vorkomm* weg",
  mail: "akquise anfrag* angebot* aussendung* belastigung* email emails kaltakquise kampagne* kontakt* korrespondenz kram mail mails mist nachricht* newsletter* post quatsch schreiben schriftverkehr spam verkaufsmail* werb* zeug zuschrift* zusendung*",
  write:
    "angeschrieb* angesprochen anklopf* anruf* anschreib* ansprech* aussendung* bemust* bewerben beworben frag fragen geschickt geschrieb* gesendet kontakt* mail mailen meld* nachfass* nachhak* ruf schick* schreib* send* versand wend* zukommen zuschrift* zusend*",
  get: "bekomm* empfang* erhalt* hor* krieg* landet les* seh*",
  me: "ich mein* mich mir uns unser* wir",
  you: "dein* dir du euch euer* eur* ihnen ihr ihre ihrem ihren ihrer ihres sie",
  list: "adressbuch* bestand crm datei datenbank* kampagn* kartei* liste* newsletter* register system verteiler* verzeichnis",
  data: "adresse* anschrift daten kontaktdaten mailadresse* name* nummer personenbezogen* postfach servicepostfach",
  spam: "belastig* illegal* spam* unaufgefordert* unerlaubt* unerwunscht* unverlangt* unzulassig*",
  consent: "abonniert* angemeldet bestellt einwillig* erlaub* gebeten genehmig* zugestimmt zustimm*",
  law: "abmahn* anwalt* anzeig* art artikel auskunft beschwer* blockier* datenschutz* dsgvo forder* gemeldet gericht* grundlage meld* rechtsgrundlage robinsonliste* sperrliste* untersag* uwg verlang* widerruf* widersprech* widerspruch*",
  peace:
    "ab behellig* belastig* erspar* frieden genervt hau hinterherlauf* leine nerv* ruhe stor* tschuss* verpiss* verschon* zieht zufrieden",
  forget: "verbrenn* vergess* vergiss verlier* vernicht*",
  last: "dritte* funfte* letzt* mal oft vierte*",
  want: "bedarf brauch* hatte hatten interesse intresse lieber mocht* will woll* wunsch*",
  sure: "achten akzeptier* beacht* betracht* dafur kenntnis notier* sicherstell* sorg* stellen vermerk* zur",
  can: "darf durf* kann konn* mochten wurd*",
  where: "warum wer wie wieso wo woher",
  if: "bis danach erst falls nach sofern vor wenn",
  later:
    "aktuell april august derzeit dezember dienstag donnerstag februar ferien freitag gerade jahr januar jetzt juli juni mai marz mittwoch moment momentan monat* montag morgen november oktober ostern quartal* september sommer spater weihnacht* woche*",
  thing:
    "absatz anhang* anlage auftrag* benutzer bestellung* cc doppelt* dublett* entwurf* fusszeile* gruppe kalender konto kopie lieferung* logo* nutzer position* preisliste* produktion punkt rechnung* seite* termin* testkonto vertrag* zeile*",
  others: "abonnent* empfanger* er ers frau herr ihm jemand kolleg* kunde kunden leute",
  call: "anruf* gesprach* reden ruf rufen telefon* treffen vorbei",
  yes: "angebot dazu gern gerne interessant ja kostet mehr preis* schicken spannend unterlagen",
  please: "bitte danke",
  answer: "antwort* geantwortet reagier* reaktion schweig* stille",
  here: "anschrift dieses* haus hier hierher hierhin",
  any: "alle alles ganz* immer irgend* jede* jeglich* niemand samtliche*",
  gone: "aufgelost ausgeschieden ehemalig* geschlossen gestorben gibt rente ruhestand tot verlassen verstorben verzogen",
  firm: "abteilung belegschaft betrieb buro domain firma haus hof kanzlei praxis schule team unternehmen verein",
  such: "art das derartig* dies diese diesen dieser dieses ding sache solche* sowas zeug",
  product:
    "abo abonnement dienst* funktion* konto lizenz* losung* modul* plattform produkt* schnittstelle* software system* test tool*",
  use: "aufbewahr* gebrauch* gespeichert nutz* speicher* verarbeit* verwend* weitergab*",
  confirm: "beleg* bestatig* nachweis*",
  next: "folgend* nachst* weitere*",
  number: "drei dreimal dritte* funf funfte* sechs sechste* vier vierte* zwei zweimal zweite*",
  only: "aber allerdings bloss jedoch nur",
  go: "anderswo fort geh* raus tschuss weg woanders"
}
