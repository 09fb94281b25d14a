import type { Lexicon } from "../conceptNames.js"

/** What words do in Finnish. */
export const fi: Lexicon = {
  not: "ala alka* ei eika eivat emme en et ette ettei etten ilman koskaan",
  more: "enaa enempaa jatkossa koskaan lisaa muistut* palata taas uudelleen uudestaan viela",
  stop: "ala alka* antakaa lakatkaa lakkaa lopet* loppu* luovut* olla paatty* pidattayt* piste pysay* riitta* seis siihen stop",
  off: "esiinny* estet* haivyt* irti jattakaa katoa* ohit* ottakaa peru* poimi* pois poist* pyyh* saasty* ulos yliviiva*",
  mail: "kampanj* kirjeenvaih* lahety* mainoksia mainos* markkinoin* muistut* myynti* postia roskapost* sahkopost* tarjou* uutiskirj* viest* yhteydenot*",
  write: "kayttako kirjoi* koput* kysy* laheksty* lahesty* lahet* muistutt* ota ottako soit* vaivautu* yhtey*",
  get: "kuul* lue saa saada tule tulee",
  me: "meidan meidat meihin meille meita mina minua minulle minun minut mun mut ni osoitteeni tietoni",
  you: "olette sinun te teidan teihin teista",
  list: "jarjestelm* kampanj* list* postituslist* rekister* tietokan*",
  data: "henkilotie* laatik* osoit* sahkopostini tieto*",
  spam: "hairin* laiton* roskapost* spam*",
  consent: "liitty* pyyta* suostum* tilannut",
  law: "artik* esta* gdpr ilmoit* kiell* lakimie* nojalla perun peruste* peruut* tietosuoj* vaadin valit* vastust*",
  peace: "antakaa haipy* hairi* jattak* kyllas* olla rauh* saast*",
  forget: "havit* unohd* unohtak*",
  last: "kerta kolmas neljas viides viimei*",
  want: "halua* kiinnost* tarvet* tarvit* toivo*",
  sure: "huoleht* kunnioittakaa merkit* pitakaa varmist*",
  can: "voi voisi* voitko voitte*",
  where: "kenelta mika miksi milla missa mista miten",
  if: "asti ennen jalkeen jos kun",
  later:
    "elo* heina* helmi* huhti* huomenna joulu* juuri kesa* keskiviik* kuukau* kvartaal* loka* maalis* maanantai* marras* myohemmin nyt paasiai* perjantai* syys* tammi* tiistai* torstai* touko* viikk* vuosi",
  thing:
    "hinnasto* kaksois* kappale* kayttaj* kokous* kopio* lasku* liit* logo luonno* rivi* sopimus* tarjouksen testitili tilaus tili* toimitus* tuotan* tupla*",
  others: "asiakas* asiakka* han he joku kolleg* tilaajat vastaanot*",
  call: "jutel* nahdaan puhut* soit* tule",
  yes: "hinnasto hinta* kiinnostaa kylla laheta maksaa mielella*",
  please: "kiitos olkaa pyydan ystavallisesti",
  answer: "hiljai* vasta*",
  here: "osoitteeseen taalla tahan talo tanne tassa",
  any: "aina joka jokai* kaikk* ketaan koko kukaan mikaan mitaan yhtaan",
  gone: "elak* entinen kuol* lahtenyt lopetettu poissa suljettu",
  firm: "firm* kauppa koulu* tiimi* toimisto* vastaanotto* verkkotunnu* yhdisty* yrity*",
  such: "homma juttu naita nama se sellais* sen sita tallais* tama taman tasta tata",
  product:
    "alusta* jarjestelm* kokeilu* lisenssi* ohjelma* palvelu* ratkaisu* tilaus* tili* toiminto* tuote* tuotte* tyokalu*",
  use: "kasitel* kasitte* kayta* kaytt* sailyt* talle*",
  confirm: "todist* vahvist*",
  next: "seuraav* toinen uusi",
  number: "kahdesti kaksi kolmat* kolme kolmesti kuudes kuusi nelja toista viisi",
  only: "ainoastaan mutta vain",
  go: "hei mene menee menk* muualle pois"
}
