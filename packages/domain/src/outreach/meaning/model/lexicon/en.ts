import type { Lexicon } from "../conceptNames.js"

/** What words do in English. */
export const en: Lexicon = {
  not: "cannot cant decline* didnt doesnt dont isnt neither never no nobody none nope nor not nothing nt rather refuse* without wont wouldnt zero",
  more: "again another anymore ever followup followups forward further future henceforth longer more onwards reminder* repeatedly",
  stop: "abstain* basta cease* closed cut desist* discontinue* done drop end ended ending ends enough fed finish* give halt* knock leave let over pack plenty quit quits refrain* refus* rest shut sick stop stopped stopping stops terminat* tired",
  off: "bin cancel* clear* cross* delet* deregister* destroy* drop eras* exclud* expung* mark off omit* opt opting optout out purg* remov* rid scratch scrub* shred* skip* spare* strik* unenroll* unlist* unsub* wip* withdraw*",
  take: "count cross get keep leave let pull put rub see take taken taking",
  mail: "ads advert* campaign* coldmail communication* contact correspondence email emails mail mailing* mails marketing message messages newsletter* noise nonsense offer offers outreach pitch pitches promo* proposals rubbish sales salesy sequence solicitation* spam stuff these this those",
  write:
    "approach* call calling chas* contact* email emailed emailing follow* hound* knock* mailing messag* nag* pester* ping pitch* reach* sell* send* sent solicit* spamm* target* text write writing written wrote",
  get: "find get getting got hear* land* read receiv* see show* turn*",
  me: "i id ill im ive me mine my myself our ours ourselves us we wed were weve",
  you: "folks lot people u ur you your youre yours yourselves youve",
  list: "automation book* cadence campaign* contacts crm database* distribution file* funnel list lists log* mailing* pipeline record* register* sequence system*",
  data: "account address* contact data detail* domain email inbox info* mailbox name number personal",
  spam: "harass* illegal intrusive junk nuisance rude spam* uninvited unsolicited unwanted",
  consent: "agree* approve* ask* authori* consent* join* opted optin permission request* sign signed subscrib*",
  law: "action article authorit* blacklist* block* canspam ccpa commissioner complain* court erasure flagged gdpr ico law lawyer* legal notice object* police regulator* report* right rights",
  peace:
    "alone annoy* away be bother* bugger disturb* door fuck* harass* hassle hike knock lost nag* off peace pester* piss quiet respit* rest shove sod spare* tranquil*",
  forget: "bin burn forget ignore lose overlook skip tear throw",
  last: "already enough fifth final* fourth last once sixth third times twice",
  want: "appreciate care desire* grateful interest interested interests like need* prefer* wanna want wish* would",
  sure: "confirm consider ensure guarantee honor honour note respect see sure treat",
  can: "can could may might possible will would",
  where: "how where who whoever why",
  if: "after before if once till unless until when",
  later:
    "april august autumn christmas currently december easter february friday january july june later march may moment monday month months november now october quarter september spring summer thursday tomorrow tuesday wednesday week weeks winter year yet",
  thing:
    "account* attachment* calendar cc clause column* copy delivery draft* duplicate* file files footer* invoice* item line lines logo* meeting order* page paragraph* price* production quote* row rows shared slide* stock test thread ticket* trial user users",
  others:
    "anyone boss clients colleague* customers everybody he her him his leads patients people prospects recipients she somebody someone subscribers their them they users",
  call: "by call chat demo drop meet* phone ring speak talk zoom",
  yes: "brochure cost* details good great happy interested love moreinfo pleasesend price pricing proposal quote send sure tell yes",
  please: "kindly please pls plz thank thanks",
  waste: "effort hopeless pointless purpose useless waste wasting welcome",
  answer: "answer* hush quiet repl* respon* silen*",
  here: "address desk here hither house inbox mailbox",
  any: "all always any anybody anyone anything each entire ever every everything single whatever whatsoever whole",
  gone: "closed closing dead deceased defunct died exist exists former late left longer moved passed retired shut wound",
  firm: "business chambers charity colleagues company department domain firm office organisation organization practice school shop staff team",
  such: "it kind nonsense sort stuff such that them these thing this those type",
  product:
    "account api app feature* integrat* licen* module* pilot plan platform* product* service* software solution* subscription system* tool* trial version",
  use: "collect* held hold holding keep* possess* process* retain* share* store* storing use used using",
  confirm: "acknowledg* confirm* document* proof prove written",
  next: "another following further future next subsequent",
  number: "0num fifth five four fourth second six sixth third three thrice twice two",
  only: "although but however just merely only simply though",
  go: "away bye elsewhere go goes going gone goodbye leave part pass ways"
}
